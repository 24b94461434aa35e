"""The dialects: every way of writing a tool call that is known, as one table.

In: thoughts, calls and answers, or the name of a model.  Out: text as a model of a dialect writes it (`render`), and which
dialects a model is likely to write (`for_model`).  `DIALECTS` has every dialect by name; `PROMPTED` names those that a
model can be asked to write, because there is a prompt for them in `prompts/`; `OPENERS` is every literal that opens
something.  Whatever `render` writes, `parse` reads back.
"""

from __future__ import annotations

from collections.abc import Sequence

from react_agent.errors import UsageError
from react_agent.messages import Call

from . import action_json, json_steps, zh_json_steps
from .code import CODE
from .dialect import Dialect, Opener
from .hermes import TAGGED
from .models import for_model
from .named import NAMED
from .react import REACT_FAMILY
from .tags import TAGS
from .tokens import TOKENS
from .values import VALUES
from .wrapped import WRAPPED

__all__ = ["DIALECTS", "OPENERS", "PROMPTED", "Dialect", "Opener", "for_model", "render"]

PLAIN_ANSWER = Dialect("plain_answer", "every model", "no format at all", "prose is the answer, and holds no call")

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        zh_json_steps.DIALECT,
        json_steps.DIALECT,
        action_json.DIALECT,
        *REACT_FAMILY,
        *TAGGED,
        *VALUES,
        *WRAPPED,
        *TAGS,
        *NAMED,
        *CODE,
        PLAIN_ANSWER,
    )
}
"""Every dialect by name."""

PROMPTED: tuple[str, ...] = ("zh_json_steps", "json_steps", "action_json", "react", "hermes", "fenced_json")
"""The dialects that a model can be asked to write."""

OPENERS: dict[str, Opener] = {
    opener.literal: opener for openers in (*(d.openers for d in DIALECTS.values()), TOKENS) for opener in openers
}


def render(dialect: str, *, thought: str = "", calls: Sequence[Call] = (), answer: str | None = None, lang: str = "zh") -> str:
    """A turn as a model of this dialect writes it; `parse` reads the same thought, calls and answer out of it.

    A thought is set apart as the dialect does it; where it is plain prose (`hermes`, `fenced_json`) it comes back as prose.
    `lang` ("zh" or "en") is for dialects with labels.

    >>> render("mistral_v11", calls=[Call("get_weather", {"city": "Oslo"})])
    '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}'

    Raises:
        UsageError: there is no dialect of that name, or it cannot carry one of these names or values.
    """
    known = DIALECTS.get(dialect)
    if known is None:
        raise UsageError(f"no dialect {dialect!r} to write; expected one of {', '.join(DIALECTS)}")
    if known.turn is not None and (calls or answer is not None):
        return known.turn(thought, calls, answer)
    parts = [known.thought(thought, lang)] if thought else []
    if calls:
        if known.calls is None:
            raise UsageError(f"{dialect} has no calls: it is the absence of them")
        parts.append(known.calls(calls, lang))
    if answer is not None:
        parts.append(known.answer(answer, lang))
    return "".join(parts)
