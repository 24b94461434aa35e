"""Requests of every kind that the proxy answers, and what an upstream may make of them, as strategies.

In: nothing.  Out: for each API the bodies of requests, most of them sound and some with one field spoilt; scripts of an
upstream: texts in every dialect, whole, cut and mixed, native calls good and bad, failures before an answer and within it.
"""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from tests.support.server import RESET, Fail, Raw, Reply, Sse, delta

from .proxying import HOTEL, TIME, WEATHER, wrapped

TOOLS = [WEATHER, TIME, HOTEL]
SCHEMA = {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]}
HEADERS = st.fixed_dictionaries(
    {"X-React-Agent-Mode": st.sampled_from(["auto", "native", "constrained", "text"])},
    optional={
        "X-React-Agent-Dialect": st.sampled_from(["zh_json_steps", "react", "hermes", "fenced_json", "json_steps"]),
        "X-React-Agent-Repair": st.just("off"),
    },
)

# --- what a model writes ---------------------------------------------------------------------------------------------

_WRITTEN = st.sampled_from([
    "The weather is fine.", "最终答案：晴", "思考：要查天气", "Thought: look\n", " ", "\n", "</think>",
    "<think>hm</think>", "🙂 é \u2028",
    wrapped("get_weather", city="Oslo", days="3"), wrapped("get_weather", town="Oslo"), wrapped("get_time"),
    wrapped("book_hotel", city="Oslo", price=240), wrapped("nobody", city="Oslo"), '<tool_call>{"name": "get_weather", "arg',
    'Action: get_weather\nAction Input: {"city": "Oslo"}\n', "Action: get_weather\nAction Input: {", "Observation: rain\n",
    '动作：{"工具": "get_weather", "参数": {"city": "奥斯陆"}}\n', '```json\n{"name": "get_time", "arguments": {}}\n```',
    "get_weather(city='Oslo')", '{"size": 7}', "{'size': '7'}", "```\n", "[TOOL_CALLS]", "final_answer",
])  # fmt: skip
_TEXTS = st.lists(_WRITTEN, max_size=4).map("".join)
_NATIVE = st.sampled_from([
    ("get_weather", {"city": "Oslo"}), ("get_weather", '{"city": "Os'), ("get_weather", {}), ("get_time", ""), ("nobody", {}),
    ("book_hotel", {"city": "Oslo", "price": "240"}), ("", {"city": "Oslo"}),
])  # fmt: skip
_REPLIES = st.builds(
    Reply,
    _TEXTS,
    calls=st.lists(_NATIVE, max_size=3),
    reasoning=st.sampled_from(["", "hm", "思考"]),
    finish=st.sampled_from([None, "length", "content_filter", "weird"]),
    usage=st.sampled_from([(7, 3), None]),
    chunk=st.sampled_from([1, 4, 1000]),
)
_FAILURES: st.SearchStrategy[Any] = st.sampled_from([
    Fail(400, "this model does not support tools"), Fail(400, "nonsense"), Fail(401, "who are you"), Fail(404, "no such model"),
    Fail(413, "too long"), Fail(422, {"detail": []}), Fail(429, "slow down"), Fail(500, b"<html>"), Fail(503, {}),
    Fail(418, "tea"), Raw(b""), Raw(b"[]"), Raw(b"null"), Raw(b'{"choices": null}'), Raw(b'{"choices": [{}]}'),
    Raw(b'{"choices": [{"message": {"content": 7, "tool_calls": [null, {"function": 3}]}}]}'), Raw(b"\xff\xfe"),
    Raw(b"<html>", "text/html"), Sse(), Sse("[DONE]"), Sse(RESET), Sse(b"data: {nonsense\n\n"), Sse(b"data: 7\n\n"),
    Sse({"error": {"message": "no memory"}}),
    Sse(delta("The weather in Oslo is "), RESET), Sse(delta("Look. "), delta(calls=[{"index": 0, "function": None}]), "[DONE]"),
    Sse(delta("I "), b"\xff\xff\n\n", delta("look.", finish="stop")), Sse(delta("Fine."), {"error": "gone"}),
])  # fmt: skip
SCRIPTS = st.lists(st.one_of(_REPLIES, _REPLIES, _REPLIES, _FAILURES), min_size=1, max_size=3)
"""What an upstream answers to one request after the other; the last is repeated."""

# --- what a client asks ----------------------------------------------------------------------------------------------

_JUNK = st.sampled_from([None, 7, -1, "", "x", True, [], [7], {}, {"type": "x"}, [{}], [{"role": "robot"}], 1e9])
_SAID = st.sampled_from(["Weather in Oslo?", "奥斯陆天气怎么样？", "A room for 240, please.", ""])
_ARGUMENTS = st.sampled_from(['{"city": "Oslo"}', "{", "", "[]"])


def _spoilt(good: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Mostly sound bodies, and some in which one field is something else."""

    def spoil(body: Any, draw: Any) -> Any:
        return {**body, draw(st.sampled_from(sorted(body))): draw(_JUNK)}

    return st.one_of(good, good, good, st.builds(lambda body, data: spoil(body, data.draw), good, st.data()))


def _of(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[Any]:
    return _spoilt(st.fixed_dictionaries({"model": st.just("m"), **required}, optional={"stream": st.booleans(), **optional}))


def _some(*items: Any) -> st.SearchStrategy[Any]:
    return st.lists(st.sampled_from(items), unique_by=json.dumps, max_size=len(items))


def _call(arguments: str) -> dict[str, Any]:
    function = {"name": "get_weather", "arguments": arguments}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": function}]}


_MESSAGES = st.one_of(
    st.builds(lambda text: {"role": "user", "content": text}, _SAID),
    st.builds(lambda text: {"role": "user", "content": [{"type": "text", "text": text}]}, _SAID),
    st.builds(lambda text: {"role": "system", "content": text}, _SAID),
    st.builds(lambda text: {"role": "assistant", "content": text}, _SAID),
    st.builds(_call, _ARGUMENTS),
    st.builds(lambda text: {"role": "tool", "tool_call_id": "c", "content": text}, _SAID),
)
_NAMED = {"type": "function", "function": {"name": "get_time"}}
_SHAPES = [
    {"type": "json_schema", "json_schema": {"name": "s", "strict": True, "schema": SCHEMA}},
    {"type": "json_object"},
    {"type": "text"},
]
CHATS = _of(
    {"messages": st.lists(_MESSAGES, min_size=1, max_size=5), "tools": st.just(TOOLS)},
    {
        "stream_options": st.just({"include_usage": True}),
        "n": st.sampled_from([1, 2]),
        "tool_choice": st.sampled_from(["auto", "none", "required", _NAMED]),
        "parallel_tool_calls": st.booleans(),
        "response_format": st.sampled_from(_SHAPES),
        "temperature": st.sampled_from([0, 1.5]),
        "max_tokens": st.sampled_from([1, 100]),
        "stop": st.sampled_from(["x", ["x", "y"]]),
        "seed": st.just(7),
    },
)

_ITEMS = st.one_of(
    st.builds(lambda text: {"role": "user", "content": text}, _SAID),
    st.builds(lambda text: {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}, _SAID),
    st.builds(lambda text: {"role": "developer", "content": text}, _SAID),
    st.builds(lambda text: {"role": "assistant", "content": [{"type": "output_text", "text": text, "annotations": []}]}, _SAID),
    st.builds(lambda a: {"type": "function_call", "call_id": "c", "name": "get_weather", "arguments": a}, _ARGUMENTS),
    st.builds(lambda text: {"type": "function_call_output", "call_id": "c", "output": text}, _SAID),
    st.just({"type": "reasoning", "id": "rs_1", "summary": []}),
)
RESPONSES = _of(
    {"input": st.one_of(_SAID, st.lists(_ITEMS, min_size=1, max_size=5))},
    {
        "tools": _some(*({"type": "function", "strict": False, **tool["function"]} for tool in TOOLS)),
        "instructions": _SAID,
        "tool_choice": st.sampled_from(["auto", "none", "required", {"type": "function", "name": "get_time"}]),
        "parallel_tool_calls": st.booleans(),
        "text": st.just({"format": {"type": "json_schema", "name": "s", "schema": SCHEMA}}),
        "temperature": st.sampled_from([0, 1.5]),
        "max_output_tokens": st.sampled_from([1, 100]),
        "metadata": st.just({"a": "b"}),
        "top_p": st.just(0.5),
    },
)

_BLOCKS = st.one_of(
    st.builds(lambda text: {"type": "text", "text": text}, _SAID),
    st.builds(lambda text: {"type": "tool_result", "tool_use_id": "c", "content": text}, _SAID),
)
_TURNS = st.one_of(
    st.builds(lambda text: {"role": "user", "content": text}, _SAID),
    st.builds(lambda blocks: {"role": "user", "content": blocks}, st.lists(_BLOCKS, min_size=1, max_size=3)),
    st.builds(lambda text: {"role": "assistant", "content": text}, _SAID),
    st.just(
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "get_weather", "input": {"city": "Oslo"}}]}
    ),
)
_CHOICES = [
    {"type": "auto", "disable_parallel_tool_use": True},
    {"type": "any"},
    {"type": "none"},
    {"type": "tool", "name": "get_time"},
]
TURNS = _of(
    {"messages": st.lists(_TURNS, min_size=1, max_size=5), "max_tokens": st.sampled_from([1, 100])},
    {
        "system": st.one_of(_SAID, st.just([{"type": "text", "text": "Be brief."}])),
        "tools": _some(*({"name": tool["function"]["name"], "input_schema": tool["function"]["parameters"]} for tool in TOOLS)),
        "tool_choice": st.sampled_from(_CHOICES),
        "stop_sequences": st.just(["x"]),
        "temperature": st.sampled_from([0, 1]),
        "thinking": st.just({"type": "disabled"}),
    },
)
