"""The events of a run as a live report on a terminal.

In: events, one by one.  Out: sections («思考 …», «Action …»), each with its label in the language of the task; what is
streamed is shown as it comes; on a terminal, a line says how long a silent model has been waited for.  It decides nothing about
the run, and keeps only where it stands on the screen.
"""

from __future__ import annotations

import json

from rich.cells import cell_len
from rich.console import Console

from react_agent.events import (
    AnswerDelta,
    Approve,
    AskModel,
    CallFinished,
    CallRejected,
    CallStarted,
    Corrected,
    Event,
    GuardTripped,
    HistoryShortened,
    ModeChanged,
    MoreFromModel,
    ReplyRestarted,
    RetryWaiting,
    RunFinished,
    RunStarted,
    StepStarted,
    TextDelta,
    ThoughtDelta,
    ToolFinished,
)
from react_agent.messages import Call, Result, RunResult

from .labels import Labels, labels_for
from .terminal import clean
from .waiting import Waiting

STYLES = {
    "thought": "dim",
    "reply": "",
    "action": "bold cyan",
    "observation": "bold green",
    "answer": "bold",
    "refused": "bold yellow",
    "correction": "bold yellow",
    "guard": "bold yellow",
    "mode": "bold yellow",
}
"""The sections, and how the label of each looks; the text of a thought is dim, all other text plain."""
OBSERVATION_LIMIT = 600
"""Characters of a tool's result that are shown; the model reads all of it."""


class Report:
    """Shows events on `console`; call it with each, and close it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._waiting = Waiting(console.file) if console.file.isatty() else None
        self._words: Labels = labels_for("en")
        self._section = ""
        self._said = ""
        self._named: int | None = None

    def __call__(self, event: Event) -> None:
        self._wait(event)
        match event:
            case RunStarted(lang=lang):
                self._words = labels_for(lang)
            case StepStarted(closing=closing):
                self._end_section()
                self._said = ""
                if closing:
                    self._line("guard", self._words["closing"])
            case ThoughtDelta(text):
                self._stream("thought", text)
            case TextDelta(text):
                self._say("reply", text)
            case AnswerDelta(text):
                self._say("answer", text)
            case CallStarted(index=index, name=name) if self._named is None:
                self._end_section()
                self._stream("action", name)
                self._named = index
            case CallFinished(index=index, call=call):
                self._call(index, call)
            case CallRejected(rejected):
                self._line("refused", f"{rejected.name or clip(rejected.text, 80)}: {rejected.reason}")
            case Approve(call=call, why=why):
                self._line("guard", self._words["approve"].format(call=call.name + show_arguments(call), why=why))
            case ToolFinished(result):
                self._result(result)
            case Corrected(text=text):
                self._line("correction", clip(text, OBSERVATION_LIMIT))
            case GuardTripped(guard=guard, detail=detail):
                self._line("guard", f"{guard} {detail}".rstrip())
            case ModeChanged(before=before, after=after, why=why):
                self._line("mode", f"{before} → {after}: {why}")
            case HistoryShortened(left_out=left_out):
                self._line("guard", self._words["shortened"].format(left_out=left_out))
            case RetryWaiting(attempt=attempt, seconds=seconds, failure=failure):
                self._line("guard", f"{self._words['retry'].format(seconds=seconds, attempt=attempt)}: {failure.message}")
            case ReplyRestarted():
                self._line("guard", self._words["restarted"])
                self._said = ""
            case RunFinished(result):
                self._finish(result)

    def close(self) -> None:
        """Nothing more comes, however the run ended."""
        if self._waiting is not None:
            self._waiting.stop()

    # --- parts -------------------------------------------------------------------------------------------------------

    def _wait(self, event: Event) -> None:
        """From a request until something comes that can be shown."""
        if self._waiting is None:
            return
        match event:
            case AskModel():
                self._end_section()
                self._waiting.start(self._words["reading"])
            case MoreFromModel():
                self._waiting.words = self._words["writing"]
            case _:
                self._waiting.stop()

    def _say(self, section: str, text: str) -> None:
        self._said += text
        self._stream(section, text)

    def _call(self, index: int, call: Call) -> None:
        if self._named != index:
            self._end_section()
            self._stream("action", call.name)
        self._stream("action", show_arguments(call))
        self._end_section()

    def _result(self, result: Result) -> None:
        mark = "" if result.status == "ok" else f"[{result.status}] "
        self._line("observation", mark + clip(result.content, OBSERVATION_LIMIT, self._words["characters"]))

    def _finish(self, result: RunResult) -> None:
        self._end_section()
        if result.answer is not None and not self._said.strip().endswith(result.answer.strip()):
            self._line("answer", result.answer)
        if result.error:
            self._line("guard", result.error)
        words = self._words
        about = "≈" if result.usage.estimated else ""
        numbers = f"{words['steps']} {len(result.steps)} · {words['tokens']} {about}{result.usage.total_tokens} · {result.mode}"
        self._console.print(f"\n{words[result.outcome.value]} · {numbers}", style="dim" if result.ok else "bold yellow")

    # --- lines and sections ------------------------------------------------------------------------------------------

    def _line(self, section: str, text: str) -> None:
        self._end_section()
        self._stream(section, text)
        self._end_section()

    def _stream(self, section: str, text: str) -> None:
        if section != self._section:
            text = text.lstrip()
            if not text:
                return  # white space alone opens no section
            self._end_section()
            self._section = section
            self._console.print(self._label(section), style=STYLES[section], end="")
        body = clean(text).replace("\n", "\n" + " " * self._indent)
        self._console.print(body, style="dim" if section == "thought" else None, end="")

    def _end_section(self) -> None:
        if self._section:
            self._console.print()
        self._section, self._named = "", None

    @property
    def _indent(self) -> int:
        return max(cell_len(self._words[name]) for name in STYLES) + 2

    def _label(self, section: str) -> str:
        word = self._words[section]
        return word + " " * (self._indent - cell_len(word))


def show_arguments(call: Call) -> str:
    """`(city="北京", days=3)`: the arguments as one would write a call."""
    pairs = (f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in call.arguments.items())
    return f"({', '.join(pairs)})"


def clip(text: str, limit: int, unit: str = "characters") -> str:
    """`text`, or its beginning and how long it is."""
    return text if len(text) <= limit else f"{text[:limit]} … ({len(text)} {unit})"
