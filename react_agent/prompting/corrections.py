"""What the model is told when a reply was of no use, and at the end of a run.

In: a reason, how often it has happened, and the facts.  Out: one text, from the templates in `prompts/<lang>/correction/`.
Rules: it names what was wrong, shows one filled-in call of a real tool in the dialect, gets more specific with each
level, and never says the identical text twice (the number of the reminder is part of it).
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from react_agent.messages import Mode, ToolSpec

from . import files
from .defang import defang
from .prompt import Prompt
from .signatures import signature

MAX_QUOTE = 160
NEAR = 0.5
"""How like a tool's name another one has to be to be taken for it, from 0 to 1."""


def correction(
    prompt: Prompt,
    mode: Mode,
    reason: str,
    *,
    level: int,
    number: int,
    name: str = "",
    quote: str = "",
    problems: Sequence[str] = (),
) -> str:
    """The text for `reason`, a file name in `correction/`.

    `level` counts this kind of slip in a row from 1, `number` all reminders of the run.  `name` is the tool that was meant,
    `quote` what the model wrote.
    """
    spec = _meant(prompt, name, quote)
    return files.fill(
        prompt.lang,
        f"correction/{reason}",
        level=level,
        number=number,
        name=defang(_shortened(name)),
        quote=defang(_shortened(quote)),
        problems=[defang(problem) for problem in problems],
        tools=[spec.name for spec in prompt.specs],
        others=[spec.name for spec in prompt.specs if spec.name != name],
        nearest=spec.name if spec and spec.name != name else "",
        signature=signature(spec) if spec else "",
        call=_call_form(prompt, mode, spec),
        answer=prompt.answer_form if mode != "native" else "",
    )


def closing(prompt: Prompt, task: str) -> str:
    """The last question of a run: answer from what is known, without tools."""
    return files.fill(prompt.lang, "closing", task=_shortened(task))


def _meant(prompt: Prompt, name: str, quote: str) -> ToolSpec | None:
    """The tool that was meant: the one named, or the first whose name stands in what the model wrote, or the nearest name."""
    named = [spec for spec in prompt.specs if spec.name == name] or [spec for spec in prompt.specs if spec.name in quote]
    if not named and name:
        nearest = difflib.get_close_matches(name[:MAX_QUOTE], [spec.name for spec in prompt.specs], n=1, cutoff=NEAR)
        named = [spec for spec in prompt.specs if spec.name in nearest]
    return next(iter(named), None)


def _call_form(prompt: Prompt, mode: Mode, spec: ToolSpec | None) -> str:
    if mode == "native":
        return ""
    return prompt.show(spec) if spec else prompt.call_form


def _shortened(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= MAX_QUOTE else text[: MAX_QUOTE - 1] + "…"
