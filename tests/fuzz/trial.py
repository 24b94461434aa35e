"""One input of the fuzzer, and everything that must hold for it.

An input is a text, the tools it is read with and a seed for where it is cut.  As bytes, which the coverage-guided engine keeps
and changes: one byte for the tools, two for the seed, then the text in UTF-8.
"""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

from react_agent import parse, repair
from react_agent.repair import Repaired
from react_agent.repair.reader import MAX_DEPTH
from tests.parsing.invariants import cut_at, cut_changes_nothing, events_tell_the_verdict, sound, stream
from tests.vectors import TOOLS, load

SETS = tuple(sorted(TOOLS))
MAX_CHARS = 6_000
CPU_SECONDS = 10.0
"""So long may one input take with all its checks before it counts as a hang; it usually takes a hundredth of a second."""


class HangError(Exception):
    """The work for one input has no end in sight."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What is tried; `tools` names a set of `tests/vectors/tools.json`."""

    text: str
    tools: str
    seed: int = 0

    @classmethod
    def from_bytes(cls, data: bytes) -> Trial:
        head = data[:3].ljust(3, b"\0")
        text = data[3:].decode("utf-8", "replace")[:MAX_CHARS]
        return cls(text, SETS[head[0] % len(SETS)], int.from_bytes(head[1:], "big"))

    def to_bytes(self) -> bytes:
        head = bytes([SETS.index(self.tools)]) + (self.seed % 65_536).to_bytes(2, "big")
        return head + self.text.encode("utf-8", "replace")

    def pieces(self) -> list[str]:
        """The text in pieces: single characters now and then, else a few cuts."""
        chance = random.Random(self.seed)
        if self.seed % 4 == 0 and len(self.text) < 800:
            return list(self.text)
        return cut_at(self.text, [chance.randrange(len(self.text) + 1) for _ in range(1 + self.seed % 7)])


def seeds() -> list[Trial]:
    """The vectors as trials, without those that show a known fault."""
    return [Trial(case.text, case.data["tools"], number) for number, case in enumerate(load()) if not case.data.get("xfail")]


# --- what must hold --------------------------------------------------------------------------------------------------


def whole_is_sound(trial: Trial) -> None:
    """Calls are valid and declared, spans lie in the text, fixes have a cost."""
    sound(parse(trial.text, TOOLS[trial.tools]), trial.text, TOOLS[trial.tools])


def pieces_change_nothing(trial: Trial) -> None:
    cut_changes_nothing(trial.pieces(), TOOLS[trial.tools])


def events_tell_it(trial: Trial) -> None:
    """The events of a stream join to its verdict."""
    events_tell_the_verdict(*stream(trial.pieces(), TOOLS[trial.tools]), trial.text)


def explaining_changes_nothing(trial: Trial) -> None:
    tools = TOOLS[trial.tools]
    plain, explained = parse(trial.text, tools), parse(trial.text, tools, explain=True)
    assert (plain.calls, plain.answer, plain.rejected) == (explained.calls, explained.answer, explained.rejected)


def strict_calls_need_no_fix(trial: Trial) -> None:
    assert all(not call.fixes for call in parse(trial.text, TOOLS[trial.tools], "strict").calls)


def repair_is_idempotent(trial: Trial) -> None:
    """What repair gives is JSON, and is left alone when it comes back."""
    first = repair(trial.text)
    if first.found and isinstance(first.value, (dict, list)):
        written = json.dumps(first.value, ensure_ascii=False)
        assert _same(repair(written), first.value), f"{written!r} was repaired again, to {repair(written)}"


def valid_json_is_untouched(trial: Trial) -> None:
    """The arguments of calls, and the text itself where it is JSON, come back as they are."""
    texts = [json.dumps(call.arguments) for call in parse(trial.text, TOOLS[trial.tools]).calls]
    for text in [*texts, trial.text] if _is_plain_json(trial.text) else texts:
        assert _same(repair(text), json.loads(text)), f"{text!r} was changed to {repair(text)}"


def _is_plain_json(text: str) -> bool:
    """An object or a list that can be written again and is not too deep: no infinity, no half of a surrogate pair."""
    if text.count("{") + text.count("[") > MAX_DEPTH:
        return False
    try:
        value = json.loads(text)
        return isinstance(value, (dict, list)) and bool(json.dumps(value, ensure_ascii=False, allow_nan=False).encode())
    except (ValueError, RecursionError):
        return False


def _same(repaired: Repaired, value: Any) -> bool:
    return not repaired.fixes and not repaired.cut and json.dumps(repaired.value) == json.dumps(value)


PROPERTIES: tuple[Callable[[Trial], None], ...] = (
    whole_is_sound,
    pieces_change_nothing,
    events_tell_it,
    explaining_changes_nothing,
    strict_calls_need_no_fix,
    repair_is_idempotent,
    valid_json_is_untouched,
)


def broken(trial: Trial) -> Iterator[tuple[str, BaseException]]:
    """The properties that do not hold, by name, each with what it raised."""
    for holds in PROPERTIES:
        try:
            with _bounded():
                holds(trial)
        except Exception as error:
            yield holds.__name__, error


@contextmanager
def _bounded() -> Iterator[None]:
    """Raises `HangError` in what takes too much CPU time."""

    def stop(_: int, __: FrameType | None) -> None:
        raise HangError(f"more than {CPU_SECONDS} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
