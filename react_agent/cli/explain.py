"""An explanation in lines: what each stretch of a reply was taken for, which rule decided, what each fix changed.

In: a reply and its `Explanation`.  Out: (text, style) pairs; the style is empty where the words alone say it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from react_agent.messages import Change, Explanation, Parsed, Ruling, Stretch

from .show import clip
from .terminal import Line

STYLES = {
    "thought": "dim", "answer": "bold", "label": "magenta", "call": "bold cyan", "action": "cyan", "fence": "blue",
    "value": "blue", "code": "blue", "documentation": "dim", "observation": "green", "question": "green",
    "token": "dim magenta", "invented": "red",
}  # fmt: skip
"""How each kind of stretch looks on a terminal; prose is plain."""
_SHOWN = 100


def explanation_lines(text: str, parsed: Parsed) -> Iterator[Line]:
    """The explanation of `parsed`; no line when it has none."""
    found = parsed.explanation or Explanation()
    yield from _titled("stretches", [_stretch(text, item) for item in found.stretches])
    yield from _titled("rules", [_ruling(text, item) for item in found.rulings])
    yield from _titled("changes", [_change(parsed, item) for item in found.changes])


def _titled(title: str, lines: list[Line]) -> Iterator[Line]:
    if lines:
        yield "", ""
        yield title, "bold"
        yield from lines


def _stretch(text: str, item: Stretch) -> Line:
    written = json.dumps(clip(text[item.start : item.end], _SHOWN), ensure_ascii=False)
    kind = f"{item.kind} {item.dialect}".rstrip()
    return f"  {_place(item.start, item.end)}  {kind:<22} {written}", STYLES.get(item.kind, "")


def _ruling(text: str, item: Ruling) -> Line:
    start, end = (*item.span, 0, 0)[:2]
    what = item.name or json.dumps(clip(text[start:end], 24), ensure_ascii=False)
    return f"  {_place(start, end)}  {'taken  ' if item.taken else 'refused'}  {item.rule}: {what}: {item.why}", ""


def _change(parsed: Parsed, item: Change) -> Line:
    where = f" {item.path}" if item.path else ""
    return f"  {parsed.calls[item.call].name}  {item.fix}{where}: {item.before} → {item.after}", ""


def _place(start: int, end: int) -> str:
    return f"{start}–{end}".rjust(9)
