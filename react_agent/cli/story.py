"""A trace as a story, for a person who has never seen it: what was asked, what came back, how it was read, what was done.

In: one `Run`.  Out: (text, style) pairs, line by line.  What a trace holds is untrusted: a field that is
not what it should be is shown as nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from react_agent.messages import Json
from react_agent.tracing import Run
from react_agent.tracing.stats import BROKEN_OFF, outcome_of

from .terminal import Line

CLIP = 600
"""Characters of a text that are shown, without `--full`."""
_INDENT = "    "


def story(run: Run, *, prompts: bool, full: bool) -> Iterator[Line]:
    """The lines of the story."""
    limit = 10**9 if full else CLIP
    for line in run.lines:
        yield from _told(line, prompts=prompts, limit=limit)
    if outcome_of(run) == BROKEN_OFF:
        yield "", ""
        yield "The trace ends here: the run was broken off.", "bold yellow"
    yield "", ""


def _told(line: Json, *, prompts: bool, limit: int) -> Iterator[Line]:
    match line["event"]:
        case "TraceStarted":
            yield f"Run {_text(line, 'run')[:8]}   model {_text(line, 'model') or '?'}   {_text(line, 'at')}", "bold"
        case "RunStarted":
            yield f"Task:  {_clip(_text(line, 'task'), limit)}", ""
            yield f"Tools: {', '.join(map(str, _list(line, 'tools'))) or 'none'} ({_text(line, 'mode') or 'text'} mode)", ""
        case "StepStarted":
            closing = ": last request, without tools" if line.get("closing") else ""
            yield "", ""
            yield f"Step {line.get('number')}{closing}   at {_seconds(line.get('t'))}", "bold"
        case "AskModel":
            yield from _asked(line, prompts=prompts, limit=limit)
        case "ReplyFinished":
            yield from _replied(line, limit)
        case "ToolFinished":
            result = _dict(line, "result")
            yield f"  Tool {result.get('name')}: {result.get('status', 'ok')}, {_seconds(result.get('seconds', 0))}", "green"
            yield from _quoted(result.get("content"), limit)
        case "Corrected":
            yield f"  Told the model what was wrong ({line.get('reason')}):", "yellow"
            yield from _quoted(line.get("text"), limit)
        case "GuardTripped":
            yield f"  Guard {line.get('guard')} stepped in {_text(line, 'detail')}".rstrip(), "yellow"
        case "ModeChanged":
            yield f"  Mode {line.get('before')} → {line.get('after')}: {line.get('why')}", "yellow"
        case "HistoryShortened":
            yield f"  The history was shortened: {line.get('left_out')} messages are not shown any more", "yellow"
            yield from _quoted(line.get("summary"), limit)
        case "RetryWaiting":
            failure = _dict(line, "failure")
            yield f"  Waiting {_seconds(line.get('seconds'))}, then again: {failure.get('message')}", "yellow"
        case "RunFinished":
            yield from _ended(line, limit)
        case "TraceFull":
            yield "  The trace is full: what follows was not written.", "yellow"
        case "ToolStarted":  # told by the reply, and by its result
            return
        case other:
            rest = {key: value for key, value in line.items() if key not in ("t", "run", "event")}
            yield f"  {other} {_clip(json.dumps(rest, ensure_ascii=False), limit)}", ""


def _asked(line: Json, *, prompts: bool, limit: int) -> Iterator[Line]:
    messages = _dicts(_dict(line, "request"), "messages")
    size = sum(len(str(message.get("content", ""))) for message in messages)
    what = "Asked for a summary" if line.get("purpose") == "summary" else "Asked"
    known = f", the first {line['same']} as before" if line.get("same") else ""
    yield f"  {what}: {len(messages)} messages{known}, {size} characters", "dim"
    for message in messages if prompts else ():
        yield f"    [{message.get('role')}]", "magenta"
        yield from _quoted(message.get("content"), limit)
        for call in _dicts(message, "tool_calls"):
            yield f"{_INDENT}│ {json.dumps(call, ensure_ascii=False)}", ""


def _replied(line: Json, limit: int) -> Iterator[Line]:
    usage, parsed = _dict(line, "usage"), _dict(line, "parsed")
    tokens = f"{usage.get('prompt_tokens', 0)} tokens read, {usage.get('completion_tokens', 0)} written"
    guessed = " (guessed)" if usage.get("estimated") else ""
    yield (
        f"  Reply after {_seconds(line.get('seconds'))} (first words after {_seconds(line.get('first'))}), {tokens}{guessed}, "
        f"ended by {_text(line, 'finish_reason') or '?'}:",
        "cyan",
    )
    if line.get("reasoning"):
        yield f"{_INDENT}(reasoning)", "dim"
        yield from _quoted(line["reasoning"], limit)
    yield from _quoted(line.get("text"), limit)
    for call in _dicts(parsed, "calls"):
        arguments = ", ".join(
            f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in _dict(call, "arguments").items()
        )
        how = f"   [{call['dialect']}]" if call.get("dialect") else ""
        yield f"  Read as a call: {call.get('name')}({_clip(arguments, limit)}){how}", "bold cyan"
        for fix in _dicts(call, "fixes"):
            yield f"{_INDENT}mended: {' '.join(str(part) for part in fix.values() if part)}", "dim"
    for rejected in _dicts(parsed, "rejected"):
        why = "; ".join(map(str, _list(rejected, "problems")))
        yield (
            f"  Not a call: {rejected.get('name') or _clip(str(rejected.get('text', '')), 80)}: {rejected.get('reason')} {why}",
            "yellow",
        )
    if parsed.get("answer") is not None:
        yield f"  Read as the answer: {_clip(str(parsed['answer']), limit)}", "bold"


def _ended(line: Json, limit: int) -> Iterator[Line]:
    result = _dict(line, "result")
    usage = _dict(result, "usage")
    total = sum(count for key in ("prompt_tokens", "completion_tokens") if isinstance(count := usage.get(key), int))
    yield "", ""
    yield (
        f"Ended: {result.get('outcome')} after {line.get('steps', 0)} steps, {_seconds(line.get('t'))}, {total} tokens",
        "bold",
    )
    if result.get("error"):
        yield f"Why: {result['error']}", "yellow"
    yield f"Answer: {_clip(str(result.get('answer', '(none)')), limit)}", "bold"


def _quoted(text: object, limit: int) -> Iterator[Line]:
    for row in _clip(text, limit).split("\n") if isinstance(text, str) and text.strip() else ():
        yield f"{_INDENT}│ {row}", ""


def _clip(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]} … ({len(text) - limit} more characters; --full shows them)"


def _seconds(value: object) -> str:
    return f"{value:.2f} s" if isinstance(value, (int, float)) else "? s"


def _text(line: Json, key: str) -> str:
    value = line.get(key)
    return value if isinstance(value, str) else ""


def _dict(line: Json, key: str) -> Json:
    value = line.get(key)
    return value if isinstance(value, dict) else {}


def _dicts(line: Json, key: str) -> list[Json]:
    return [item for item in _list(line, key) if isinstance(item, dict)]


def _list(line: Json, key: str) -> list[Any]:
    value = line.get(key)
    return value if isinstance(value, list) else []
