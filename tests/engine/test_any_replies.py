"""Whatever a model does, a run ends with a typed outcome after a bounded number of requests that a strict server takes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import pairwise
from random import Random

import pytest

from react_agent.events import (
    AnswerDelta,
    Event,
    ModelChunk,
    ModelFailure,
    ModelRequest,
    MoreFromModel,
    ReplyFinished,
    ReplyRestarted,
    StepStarted,
    ToolCallDelta,
)
from react_agent.messages import Outcome, RunResult
from react_agent.models.scripted import Reply
from tests.parsing.invariants import plain

from .playing import ADD, TEXT, Play, action, play, tool


def fail(**_: str) -> str:
    raise ValueError("no such thing")


FAIL = tool("fail", fail, x=TEXT)
TAGGED = '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}</tool_call>'
TEXTS = (
    "", "Thought: hm.", "<think>x</think>", "Let me check.", "Action: {tool_name}", TAGGED, "so " + TAGGED + TAGGED,
    action("add", a=1, b=1), action("add", a=2, b=1), action("fail", x="y"), action("nope", q=1), action("add", a="x", b=1),
    'Action: {"type": "tool_call", "name": "add", "args": {"a": 1, "b',
    'Action: {"type": "final_answer", "content": "fine"}', 'Action: {"type": "final_answer", "content": "…"}',
)  # fmt: skip
ARGUMENTS = ('{"a":1,"b":2}', '{"x":"q"}', "null", '{"a":', "[1]", '"s"', '{"a":1,"b":2}x')

BROKEN = ModelFailure("connection", "the connection broke")


def any_reply(dice: Random) -> Reply:
    match dice.randrange(8):
        case 0:
            deltas = (
                ToolCallDelta(index, dice.choice(["", "c"]), dice.choice(["add", "fail", "zzz", ""]), dice.choice(ARGUMENTS))
                for index in range(dice.randrange(1, 4))
            )
            said = dice.choice(["", "ok", "Final Answer: 4", 'Action: {"type": "final_answer", "content": "4"}'])
            finish = dice.choice(["tool_calls", "length", "", "content_filter"])
            return ModelChunk(said, "", tuple(deltas), finish, last=True)
        case 1:
            return ModelFailure(dice.choice(["tools_refused", "stop_refused", "timeout"]), "no")  # type: ignore[arg-type]
        case 2:
            return [ModelChunk("Final Ans"), ModelChunk("wer: 4")]  # a stream without an end
        case 3:
            said = dice.choice(TEXTS)
            return [ModelChunk(said[at : at + 5]) for at in range(0, len(said), 5)] + [BROKEN]
    return dice.choice(TEXTS)


def check_answers(events: Iterable[Event]) -> None:
    """What is told to be the answer is the answer of the reply, unless that breaks off inside it."""
    told = ""
    for event in events:
        match event:
            case StepStarted() | ReplyRestarted():
                told = ""
            case AnswerDelta(text):
                told += text
            case ReplyFinished(parsed=parsed):
                assert not told or parsed.cut or told == parsed.answer


def check_request(request: ModelRequest) -> None:
    messages = request.messages
    called = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    assert called == [message["tool_call_id"] for message in messages if message["role"] == "tool"]
    assert len(set(called)) == len(called)
    assert all(isinstance(message["content"], str) for message in messages)
    assert all(one["role"] != other["role"] or one["role"] == "tool" for one, other in pairwise(messages))
    for message in messages:
        for call in message.get("tool_calls", ()):
            json.loads(call["function"]["arguments"])


@pytest.mark.parametrize("seed", range(300))
def test_any_replies(seed: int) -> None:
    dice = Random(seed)
    mode = dice.choice(["auto", "native", "text"])
    ran = play([any_reply(dice) for _ in range(60)], ADD, FAIL, mode=mode, max_steps=4, chunk=dice.choice([None, 3]))
    assert len(ran.requests) <= 30
    assert isinstance(ran.result.outcome, Outcome)
    assert ran.result.answer is None or ran.result.answer.strip()
    assert RunResult.from_dict(json.loads(json.dumps(ran.result.to_dict()))) == ran.result
    check_answers(ran.events)
    for request in ran.requests:
        check_request(request)


@pytest.mark.parametrize("seed", range(300))
def test_a_run_that_nobody_reads_along_goes_alike(seed: int) -> None:
    aloud, unheard = (any_play(Random(seed), aloud=aloud) for aloud in (True, False))
    assert unheard.result == aloud.result
    assert unheard.requests == aloud.requests
    assert told(unheard.events) == told(aloud.events)


def any_play(dice: Random, *, aloud: bool) -> Play:
    mode, chunk = dice.choice(["auto", "native", "text"]), dice.choice([None, 3])
    return play([any_reply(dice) for _ in range(60)], ADD, FAIL, mode=mode, max_steps=4, chunk=chunk, aloud=aloud)


def told(events: Iterable[Event]) -> list[Event]:
    """What was told, the pieces of a text joined; how often the model was asked for more does not count."""
    return plain(event for event in events if not isinstance(event, MoreFromModel))
