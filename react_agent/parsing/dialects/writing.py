"""Small things that several dialects need to write."""

from __future__ import annotations

import json
from typing import Any


def compact(value: Any) -> str:
    """JSON on one line with a blank behind `,` and `:`, as models write it; non-ASCII kept."""
    return json.dumps(value, ensure_ascii=False)


def label(zh: str, en: str, lang: str) -> str:
    """A label with its colon: full-width in Chinese."""
    return f"{zh}：" if lang == "zh" else f"{en}: "
