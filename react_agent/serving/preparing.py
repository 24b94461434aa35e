"""What the engine needs for one request: its `State`.

In: `Asked`, and how tools are offered to the model.  Out: a fresh `State`.  Agents send the same tools and instructions again
and again, so prompts are kept, and with them everything that is derived from them.
"""

from __future__ import annotations

from functools import lru_cache

from react_agent.driving.ports import ModeChoice
from react_agent.engine import Limits, Settings, State
from react_agent.engine.settings import HOUSE_DIALECT
from react_agent.messages import ToolSpec
from react_agent.prompting import Prompt, language
from react_agent.prompting.language import Lang

from .asked import Asked
from .shaping import asking_for

_CALL = {
    "en": "Call a tool now; do not answer yet.",
    "zh": "现在必须调用工具，先不要回答。",
}

_LIMITS = Limits(max_repetition=None)
"""A client gets what the model wrote, be it the same line again and again."""


def prepared(asked: Asked, mode: ModeChoice, dialect: str, *, constrains: bool) -> State:
    """The state before the first turn; `dialect` "" takes the engine's own, `constrains` is the model's."""
    lang = language(asked.task)
    settings = _settings(asked.temperature, asked.max_tokens, dialect or HOUSE_DIALECT, asked.instructions)
    return State(
        asked.task,
        _prompt(_Tools(asked.tools), lang, settings.dialect, _instructions(asked, lang)),
        settings,
        "native" if mode == "auto" else mode,
        mode == "auto",
        history=list(asked.history),
        task_at=_task_at(asked),
        constrained=constrains,
        parallel=asked.parallel,
        aloud=asked.stream,
    )


@lru_cache(maxsize=256)
def _settings(temperature: float | None, max_tokens: int | None, dialect: str, instructions: str) -> Settings:
    """Settings check themselves, which takes longer than finding them."""
    return Settings(temperature=temperature, max_tokens=max_tokens, dialect=dialect, instructions=instructions, limits=_LIMITS)


class _Tools:
    """Tools as a key: schemas are dicts, so they are compared by what they say."""

    __slots__ = ("_key", "specs")

    def __init__(self, specs: tuple[ToolSpec, ...]) -> None:
        self.specs = specs
        self._key = tuple((id(spec), spec.name) for spec in specs)  # `declared` gives equal tools as one object

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tools) and self._key == other._key


@lru_cache(maxsize=256)
def _prompt(tools: _Tools, lang: Lang, dialect: str, instructions: str) -> Prompt:
    return Prompt(tools.specs, lang, dialect, instructions)


def _instructions(asked: Asked, lang: Lang) -> str:
    shape = asking_for(asked.schema, lang) if asked.schema is not None else ""
    call = _CALL[lang] if asked.choice == "required" else ""
    return "\n\n".join(filter(None, (asked.instructions, shape, call)))


def _task_at(asked: Asked) -> int:
    """Where the last word of the user stands."""
    places = (at for at in range(len(asked.history) - 1, -1, -1) if asked.history[at].role == "user")
    return next(places, 0)
