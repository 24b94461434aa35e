"""One spelling for equal JSON values: sorted keys, no blanks, non-ASCII kept, whole floats as integers.

`canonical(a) == canonical(b)` exactly when JSON Schema calls `a` and `b` equal: `3.0` equals `3`, `true` does not equal `1`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def canonical(value: Any) -> str:
    """The canonical JSON text of `value`.

    Raises:
        TypeError: `value` holds something JSON has no word for.
        RecursionError: `value` is nested as deep as the interpreter's stack.
    """
    return json.dumps(_normal(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _normal(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _normal(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_normal(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
