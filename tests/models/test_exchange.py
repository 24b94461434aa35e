"""Whatever a server does, a completion ends, says how, asks a bounded number of times, and teaches only facts."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.events import ModelChunk, ModelFailure, ModelPiece, ReplyRestarted, RetryWaiting
from react_agent.messages import Json
from react_agent.models.asking import Ask, Look, Open, Plan, Read, Rest, Wait
from react_agent.models.capability import Capabilities, Page
from react_agent.models.exchange import MAX_AMENDMENTS, exchange
from react_agent.models.facts import is_fact
from react_agent.models.failures import Situation
from react_agent.models.faults import Fault
from react_agent.models.retrying import Patience
from react_agent.models.wordings import FIELDS, REFUSALS, SIGNS

RETRIES = 2
BODY: Json = {
    "model": "m",
    "messages": [
        {"role": "system", "content": "s"},
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "i", "function": {"name": "f", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "i", "content": "r"},
    ],
    "tools": [{}], "tool_choice": "auto", "parallel_tool_calls": True, "stop": ["a", "b"], "temperature": 0, "max_tokens": 2048,
    "stream": True, "stream_options": {"include_usage": True}, "response_format": {"type": "json_schema"},
    "enable_thinking": True,
}  # fmt: skip

NAMES = [name for names in FIELDS.values() for name in names]
WORDS = st.one_of(
    st.sampled_from([sign.says for sign in SIGNS]),
    st.builds("{} {}".format, st.sampled_from(NAMES), st.sampled_from([refusal.says for refusal in REFUSALS])),
    st.sampled_from(["", "no", "maximum context length is 4096 tokens (3000 in the messages", "at most 2 stop sequences"]),
)
FAULTS = st.builds(
    Fault,
    st.sampled_from(["status", "status", "reported", "connection", "timeout", "deadline", "malformed", "unsendable"]),
    st.sampled_from([0, 400, 401, 404, 422, 429, 500, 503]),
    WORDS,
    st.sampled_from([0, 503]),
    st.sampled_from([None, 0.0, 1.0, 1e9]),
)  # fmt: skip
CALLS = [[{"index": 0, "id": "a", "function": {"name": "f", "arguments": text}}] for text in ("{", "}", " " * 600)]
PARTS = st.one_of(
    st.sampled_from([{"content": text} for text in ("a", "b", "", " " * 600)]),
    st.sampled_from([{"tool_calls": calls} for calls in CALLS]),
    st.just({"reasoning": "hm"}),
)
DOCUMENTS = st.one_of(
    st.builds(lambda part: {"choices": [{"delta": part}]}, PARTS),
    st.just({"choices": [{"delta": {}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 9000, "completion_tokens": 1}}),
    st.builds(lambda words: {"error": {"message": words}}, WORDS),
)
BLOCKS = st.one_of(
    st.builds(lambda document: b"data: %b\n\n" % json.dumps(document).encode(), DOCUMENTS),
    st.builds(lambda document: json.dumps(document).encode(), DOCUMENTS),
    st.sampled_from([b"data: [DONE]\n\n", b": ping\n\n", b"<html>", b"data: {", b"\xff"]),
)
OPENINGS = st.none() | FAULTS
READS = st.none() | FAULTS | BLOCKS | BLOCKS | BLOCKS


class World:
    """Answers what a flow asks, from what was drawn; afterwards as a dead server."""

    def __init__(self, openings: list[Any], reads: list[Any]) -> None:
        self.openings, self.reads = iter(openings), iter(reads)
        self.asked: list[Ask] = []

    def answer(self, ask: Ask) -> object:
        self.asked.append(ask)
        match ask:
            case Open():
                return next(self.openings, Fault("connection"))
            case Read():
                return next(self.reads, None)
            case Look():
                return {"data": [{"id": "other"}]}
            case Plan(least, most):
                assert 0 <= least <= most
                return least
            case Wait() | Rest():
                return None


def played(world: World, notes: Capabilities) -> list[ModelPiece]:
    page = Page(notes, "http://h/v1", "m")
    situation = Situation("http://h/v1", "m")
    steps = exchange(BODY, page, situation, patience=Patience(RETRIES, 10.0), max_chars=2000)
    pieces: list[ModelPiece] = []
    reply: object = None
    while True:
        try:
            step = steps.send(reply)
        except StopIteration:
            return pieces
        reply = world.answer(step) if isinstance(step, Ask) else pieces.append(step)


@settings(max_examples=400)
@given(st.lists(OPENINGS, max_size=12), st.lists(READS, max_size=25))
def test_every_completion_ends_and_says_how(openings: list[Any], reads: list[Any]) -> None:
    notes = Capabilities()
    world = World(openings, reads)
    *pieces, last = played(world, notes)
    assert isinstance(last, ModelFailure) or (isinstance(last, ModelChunk) and last.last)
    assert not [piece for piece in pieces if isinstance(piece, ModelFailure) or (isinstance(piece, ModelChunk) and piece.last)]
    assert sum(isinstance(ask, Open) for ask in world.asked) <= 1 + RETRIES + MAX_AMENDMENTS
    waits = [piece for piece in pieces if isinstance(piece, RetryWaiting)]
    assert [wait.attempt for wait in waits] == list(range(1, len(waits) + 1))
    assert sum(wait.seconds for wait in waits) <= 10.0
    for name, value in notes.facts("http://h/v1", "m").known().items():
        assert is_fact(name, value)
    assert ReplyRestarted() not in pieces[:1]


@settings(max_examples=200)
@given(st.lists(OPENINGS, max_size=12), st.lists(READS, max_size=25))
def test_bodies_that_were_refused_are_not_sent_again(openings: list[Any], reads: list[Any]) -> None:
    world = World(openings, reads)
    played(world, Capabilities())
    bodies = [ask.body for ask in world.asked if isinstance(ask, Open)]
    answers = [*openings, *[Fault("connection")] * len(bodies)]
    for number, body in enumerate(bodies[:-1]):
        refused = (
            isinstance(answers[number], Fault) and answers[number].trouble == "status" and answers[number].status in (400, 422)
        )
        assert not refused or bodies[number + 1] != body
    assert all(body["messages"] and body["model"] == "m" for body in bodies)


def test_what_comes_in_one_block_is_handed_out_together_and_in_order() -> None:
    deltas: list[Json] = [{"content": "a"}, {"content": "b"}, {"reasoning": "hm"}, {"reasoning": "!"}, {"content": "c"}]
    lines = [f"data: {json.dumps({'choices': [{'delta': delta}]})}\n\n".encode() for delta in (*deltas, {})]
    last = b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\n'
    assert _handed_out([b"".join(lines), last]) == [("ab", ""), ("c", "hm!")]
    assert _handed_out([*lines, last]) == [("a", ""), ("b", ""), ("", "hm"), ("", "!"), ("c", "")]


def _handed_out(blocks: list[bytes]) -> list[tuple[str, str]]:
    chunks = [piece for piece in played(World([None], blocks), Capabilities()) if isinstance(piece, ModelChunk)]
    return [(chunk.text, chunk.reasoning) for chunk in chunks if chunk.text or chunk.reasoning]
