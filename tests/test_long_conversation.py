"""A conversation of 200 turns in a room of 4096 tokens, over HTTP, against a server that checks every request."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from react_agent import Agent, Conversation, HistoryShortened, OpenAIModel, RunFinished, tool
from react_agent.models.capability import Capabilities
from tests.engine.playing import action, answer
from tests.support.server import Reply, ScriptedServer

ROOM, REPLY, TURNS = 4096, 512, 200


@tool
def look(topic: int) -> str:
    """Look a topic up."""
    return f"topic {topic}: " + "天气很好。page " * (40 + topic % 17 * 10)


def counted(value: Any) -> int:
    """Tokens as this server counts them: another number than anybody guesses."""
    return len(json.dumps(value, ensure_ascii=False).encode()) // 4


class Checking:
    """Answers a question by one call, then by an answer; what is wrong with a request goes to `faults`."""

    def __init__(self, *, native: bool) -> None:
        self.native = native
        self.faults: list[str] = []
        self.breaks = 0
        self._before: list[Any] = []

    def __call__(self, body: dict[str, Any]) -> Reply:
        messages = body["messages"]
        tokens = counted(messages) + counted(body.get("tools", []))
        self._check(messages, tokens)
        self.breaks += messages[: len(self._before)] != self._before
        self._before = messages
        number = int(str(self._task(messages)).rsplit("topic ", 1)[1].split(".")[0])
        looked = messages[-1]["role"] == "tool" or "Observation" in messages[-1]["content"].split(f"topic {number}.")[-1]
        if looked:
            return Reply(f"Here is topic {number}." if self.native else answer(f"Here is topic {number}."), usage=(tokens, 20))
        if self.native:
            return Reply("", calls=[self._call(number)], usage=(tokens, 20))
        return Reply(action("look", topic=number), usage=(tokens, 20))

    def _call(self, number: int) -> dict[str, Any]:
        function = {"name": "look", "arguments": json.dumps({"topic": number})}
        return {"index": 0, "id": f"id_{number}", "type": "function", "function": function}

    def _task(self, messages: list[Any]) -> str:
        return next(m["content"] for m in reversed(messages) if m["role"] == "user" and "Tell me about topic " in m["content"])

    def _check(self, messages: list[Any], tokens: int) -> None:
        roles = [message["role"] for message in messages]
        if tokens + REPLY > ROOM:
            self.faults.append(f"{tokens} tokens in a request")
        if roles[:2] != ["system", "user"] or roles[-1] == "assistant":
            self.faults.append(f"the roles are {roles}")
        if any(one == other != "tool" for one, other in itertools.pairwise(roles)):
            self.faults.append(f"two messages of one role: {roles}")
        waiting: list[str] = []
        for message in messages:
            if message["role"] == "tool":
                if message["tool_call_id"] not in waiting:
                    self.faults.append("a result without its call")
                waiting = [one for one in waiting if one != message["tool_call_id"]]
            elif waiting:
                self.faults.append("a call without its result")
            if message["role"] == "assistant":
                waiting = [call["id"] for call in message.get("tool_calls", [])]


@pytest.mark.timeout(400)
@pytest.mark.parametrize(("native", "summary"), [(False, "extract"), (True, "none")], ids=["text", "native"])
def test_200_turns_in_4096_tokens(native: bool, summary: Any) -> None:
    checking = Checking(native=native)
    talk = Conversation()
    shortenings = 0
    with ScriptedServer(checking) as server:
        model = OpenAIModel("m", base_url=server.base_url, mode="native" if native else "text", capabilities=Capabilities())
        agent = Agent(model, [look], context_tokens=ROOM, max_tokens=REPLY, summary=summary)
        for number in range(TURNS):
            for event in agent.stream(f"Tell me about topic {number}.", talk):
                shortenings += isinstance(event, HistoryShortened)
                if isinstance(event, RunFinished):
                    assert event.result.answer == f"Here is topic {number}.", event.result.error
                    talk = event.result.conversation
        requests = server.requests
    assert checking.faults == []
    assert len(requests) == 2 * TURNS
    assert len(talk.messages) == 4 * TURNS
    assert checking.breaks <= shortenings <= TURNS / 2
    last = str(requests[-1].body["messages"])
    assert ("gave: topic" in last) == (summary == "extract")


@pytest.mark.parametrize(("count", "fits"), [(900, True), (9000, False), (None, False)])
def test_a_server_that_counts_is_asked_before_anything_is_left_out(count: int | None, fits: bool) -> None:
    """A long first request: guessed too large for the room, and as large as the server says it is."""
    pages = {} if count is None else {"POST /tokenize": {"count": count}}
    history = Conversation.from_dict({"messages": [{"role": "user", "content": "1;2;3;4;" * 500}]})
    with ScriptedServer([Reply("Fine.")], pages=pages) as server:
        model = OpenAIModel("m", base_url=server.base_url, mode="text", capabilities=Capabilities())
        assert Agent(model, context_tokens=3000, max_tokens=200).run("Well?", history).ok
        assert ("1;2;3;4;" * 50 in str(server.requests[0].body)) == fits
        assert server.asked == ["POST /tokenize"]
