"""Messages written otherwise: nothing is lost, strict servers take them, equal beginnings stay equal."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.messages import Json
from react_agent.models.facts import Facts
from react_agent.models.fitting import fitted
from react_agent.models.roles import alternating, folded, is_short, short_ids, without_tool_role

WORDS = st.text("abc", min_size=1, max_size=4)
TURNS = st.lists(st.tuples(WORDS, st.lists(WORDS, max_size=2), WORDS), min_size=1, max_size=4)

STRICT = [
    Facts(system_role=False),
    Facts(free_roles=False),
    Facts(tool_role=False),
    Facts(long_ids=False),
    Facts(empty_content="null"),
    Facts(empty_content="filled"),
    Facts(system_role=False, free_roles=False, tool_role=False, long_ids=False, replay_reasoning=True),
]


def history(turns: list[tuple[str, list[str], str]]) -> list[Json]:
    """A conversation: each turn is a question, calls with results, and what the model said."""
    messages: list[Json] = [{"role": "system", "content": "Be short."}]
    for number, (question, calls, answer) in enumerate(turns):
        messages.append({"role": "user", "content": question})
        if calls:
            wire = [
                {"id": f"call_{number}_{at}", "type": "function", "function": {"name": name, "arguments": f'{{"a":"{name}"}}'}}
                for at, name in enumerate(calls)
            ]
            messages.append({"role": "assistant", "content": "", "tool_calls": wire})
            messages += [{"role": "tool", "tool_call_id": call["id"], "content": f"<{call['id']}>"} for call in wire]
        messages.append({"role": "assistant", "content": answer})
    return messages


def fit(messages: list[Json], facts: Facts) -> list[Json]:
    found: list[Json] = fitted({"messages": messages}, facts)["messages"]
    return found


@pytest.mark.parametrize("facts", STRICT, ids=str)
@given(turns=TURNS)
def test_a_longer_history_begins_like_the_shorter_one(facts: Facts, turns: list[Any]) -> None:
    whole = history(turns)
    ends = [at + 1 for at, message in enumerate(whole) if message["role"] in ("user", "tool")]
    requests = [fit(whole[:end], facts) for end in ends if end == len(whole) or whole[end]["role"] == "assistant"]
    for shorter, longer in itertools.pairwise(requests):
        assert longer[: len(shorter)] == shorter


@pytest.mark.parametrize("facts", STRICT, ids=str)
@given(turns=TURNS)
def test_nothing_that_was_said_is_lost(facts: Facts, turns: list[Any]) -> None:
    text = str(fit(history(turns), facts))
    for question, calls, answer in turns:
        assert question in text
        assert answer in text
        assert all(f'"a":"{name}"' in text for name in calls)


@given(turns=TURNS)
def test_the_strictest_template_is_served(turns: list[Any]) -> None:
    messages = fit(history(turns), STRICT[-1])
    roles = [message["role"] for message in messages]
    assert roles == [("user", "assistant")[number % 2] for number in range(len(roles))]
    assert all(message["content"] for message in messages)
    assert not any("tool_calls" in message for message in messages)


@given(turns=TURNS)
def test_short_ids_pair_calls_with_results(turns: list[Any]) -> None:
    messages = short_ids(history(turns))
    made = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    answered = [message["tool_call_id"] for message in messages if "tool_call_id" in message]
    assert made == answered
    assert len(set(made)) == len(made)
    assert all(map(is_short, made))
    assert short_ids(messages) == messages


def test_a_conversation_without_a_user_gets_one() -> None:
    assert folded([{"role": "system", "content": "a"}]) == [{"role": "user", "content": "a"}]
    assert folded([{"role": "user", "content": "b"}]) == [{"role": "user", "content": "b"}]


def test_contents_in_parts_are_joined_as_parts() -> None:
    parts = [{"type": "image_url", "image_url": {"url": "x"}}]
    merged = alternating([{"role": "user", "content": "look"}, {"role": "user", "content": parts}])
    assert merged == [{"role": "user", "content": [{"type": "text", "text": "look"}, *parts]}]


@pytest.mark.parametrize("arguments", ['{"a": 1}', "", None, {"a": 1}, '{"a'])
def test_calls_of_any_history_become_text(arguments: object) -> None:
    call = {"id": "x", "function": {"name": "f", "arguments": arguments}}
    (message,) = without_tool_role([{"role": "assistant", "content": None, "tool_calls": [call]}])
    assert message["content"].startswith('<tool_call>\n{"name": "f", "arguments": {')
    assert "tool_calls" not in message


def test_neighbours_that_call_keep_their_calls() -> None:
    one, other = ({"role": "assistant", "content": "", "tool_calls": [{"id": name}]} for name in "ab")
    (merged,) = alternating([one, other])
    assert [call["id"] for call in merged["tool_calls"]] == ["a", "b"]
