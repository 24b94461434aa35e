"""Where `prompts/` and `fewshot/` are, and their contents: the only file of the pure part that reads the disk.

In: a language and a name.  Out: a filled-in template, or the few-shot examples.  In a checkout and an editable install the
folders stand beside the package, in a wheel they lie inside it as `_data`.  A name that a template uses and nobody gives
is an error (`StrictUndefined`), so a typo cannot reach a model.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from react_agent.messages import Json

if TYPE_CHECKING:
    from jinja2 import Environment

_PACKAGE = Path(__file__).resolve().parents[1]


def folder(name: str) -> Path:
    """The data folder `name` ("prompts" or "fewshot").

    Raises:
        FileNotFoundError: it is neither in the package nor beside it.
    """
    for place in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the data folder {name}/ of react_agent is missing: install the package again")


def fill(lang: str, template: str, /, **values: Any) -> str:
    """The template prompts/`lang`/`template`.jinja filled with `values`, without blanks at its ends."""
    return _environment().get_template(f"{lang}/{template}.jinja").render(values).strip()


@functools.cache
def examples(lang: str) -> tuple[Json, ...]:
    """The neutral few-shot examples of a language, in file order."""
    text = (folder("fewshot") / f"{lang}.jsonl").read_text(encoding="utf-8")
    return tuple(json.loads(line) for line in text.splitlines() if line.strip())


@functools.cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    # plain text for a model, not HTML: nothing is escaped
    return Environment(
        loader=FileSystemLoader(folder("prompts")),
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
