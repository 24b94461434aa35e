"""The house dialect as JSON alone, for servers that can hold a reply to a JSON Schema and to nothing else.

{"thought": "要先知道气温。", "type": "tool_call", "name": "get_weather", "args": {"city": "北京"}}
{"thought": "信息够了。", "type": "final_answer", "content": "北京今天晴。"}

Several calls are an array, the thought in the first.  The objects are read by `parsing.shapes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from react_agent.messages import Call

from .dialect import Dialect
from .writing import compact, keyed

_call = keyed("name", "args", type="tool_call")


def calls(calls: Sequence[Call], lang: str) -> str:
    return turn("", calls, None)


def answer(text: str, lang: str) -> str:
    return turn("", (), text)


def turn(thought: str, calls: Sequence[Call], answer: str | None) -> str:
    actions = [_call(call) for call in calls]
    if answer is not None:
        actions.append({"type": "final_answer", "content": answer})
    if thought:
        first: dict[str, Any] = {"thought": thought, **(actions[0] if actions else {})}
        actions[:1] = [first]
    return compact(actions if len(actions) > 1 else actions[0])


DIALECT = Dialect(
    "json_steps",
    "any model that a server holds to a JSON Schema",
    "prompts/en/format",
    "an object with `type`, `name` and `args`, and the thought as a member",
    calls=calls,
    answer=answer,
    turn=turn,
    reported="zh_json_steps",
)
