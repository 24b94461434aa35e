"""Does a verdict agree with what a case expects?  Each disagreement is a sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from react_agent.messages import Call, Parsed


def faults(parsed: Parsed, expect: dict[str, Any], text: str) -> list[str]:
    """What is wrong with `parsed`; empty when it is all as expected."""
    return [*_calls(parsed, expect), *_rest(parsed, expect, text)]


def same(one: Any, other: Any) -> bool:
    """Equal as JSON text: 3 is not 3.0 and true is not 1; the order of members is free."""
    return _plain(one) == _plain(other)


def loosely_same(one: Any, other: Any) -> bool:
    """Equal but for white space around texts and for 3 and 3.0."""
    if isinstance(one, str) and isinstance(other, str):
        return one.strip() == other.strip()
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(loosely_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(loosely_same(one[key], other[key]) for key in one)
    return isinstance(one, bool) == isinstance(other, bool) and bool(one == other)


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _calls(parsed: Parsed, expect: dict[str, Any]) -> Iterator[str]:
    if "calls" not in expect:
        return
    wanted = expect["calls"]
    if len(parsed.calls) != len(wanted):
        yield f"expected {len(wanted)} calls, got {[(call.name, call.arguments) for call in parsed.calls]}"
        return
    for call, want in zip(parsed.calls, wanted, strict=True):
        yield from _call(call, want)


def _call(call: Call, want: dict[str, Any]) -> Iterator[str]:
    if call.name != want["name"]:
        yield f"expected a call of {want['name']}, got {call.name}"
    if not same(call.arguments, want["arguments"]):
        yield f"expected arguments {_plain(want['arguments'])}, got {_plain(call.arguments)}"
    if "fixes" in want and {fix.name for fix in call.fixes} != set(want["fixes"]):
        yield f"expected fixes {want['fixes']}, got {sorted({fix.name for fix in call.fixes})}"
    for key in ("dialect", "evidence"):
        if key in want and getattr(call, key) != want[key]:
            yield f"expected {key} {want[key]!r}, got {getattr(call, key)!r}"


def _rest(parsed: Parsed, expect: dict[str, Any], text: str) -> Iterator[str]:
    for key in ("answer", "thought", "cut"):
        if key in expect and getattr(parsed, key) != expect[key]:
            yield f"expected {key} {expect[key]!r}, got {getattr(parsed, key)!r}"
    reasons = [rejected.reason for rejected in parsed.rejected]
    if "rejected" in expect and reasons != expect["rejected"]:
        yield f"expected rejected {expect['rejected']}, got {reasons}"
    if "invented" in expect and expect["invented"] in text[: parsed.end]:
        yield f"{expect['invented']!r} was invented, but counts: {text[: parsed.end]!r}"
