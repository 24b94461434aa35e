"""Prompt tokens that a server evaluates in each step of a run: with the engine's requests, and with a prompt that changes.

    python -m benchmarks prefix http://127.0.0.1:8080/v1

In: the address of a llama.cpp server, which tells in `timings` how many tokens of a prompt it did not have in its cache; nobody
else may use it meanwhile.  Out: those of each step, for the requests of one run as the engine makes them, and for the same ones
with the steps that are left at the end of the system text, as many frameworks write them.  The run is scripted, so that the
model has no say in it; it is asked for one token a step.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from react_agent import Agent, AskModel
from react_agent.messages import Json
from react_agent.models import ScriptedModel

from .row import Row
from .stepping import TASK, count_words

STEPS = 8


def measure(arguments: Sequence[str]) -> Iterator[Row]:
    """The argument is the address of the server."""
    if not arguments:
        raise SystemExit("which server? python -m benchmarks prefix http://127.0.0.1:8080/v1")
    requests = _requests()
    stable = _evaluated(arguments[0], [_begun(messages, "stable") for messages in requests])
    moving = _evaluated(arguments[0], [_counting(_begun(messages, "moving"), left) for left, messages in _left(requests)])
    print("prompt tokens evaluated per step, stable:", *stable)
    print("prompt tokens evaluated per step, with the steps left in the system text:", *moving)
    yield Row("prefix: tokens evaluated behind step 1 ÷ with a moving prompt", sum(stable[1:]) / sum(moving[1:]), 0.5, "x")


def _requests() -> list[list[Json]]:
    """The messages of each request of a run."""
    notes = ({"type": "tool_call", "name": "count_words", "args": {"note": note}} for note in range(1, STEPS))
    replies = [f"Thought: note {number} is next.\nAction: {json.dumps(note)}" for number, note in enumerate(notes, 1)]
    agent = Agent(ScriptedModel([*replies, "Final Answer: They have 196 words."]), [count_words])
    return [list(event.request.messages) for event in agent.stream(TASK) if isinstance(event, AskModel)]


def _left(requests: Sequence[list[Json]]) -> Iterator[tuple[int, list[Json]]]:
    return ((len(requests) - number, messages) for number, messages in enumerate(requests))


def _begun(messages: list[Json], name: str) -> list[Json]:
    """With a beginning of its own, so that no layout finds the prompt of the other in the cache."""
    system, *rest = messages
    return [{**system, "content": f"({name})\n{system['content']}"}, *rest]


def _counting(messages: list[Json], left: int) -> list[Json]:
    system, *rest = messages
    return [{**system, "content": f"{system['content']}\nSteps left: {left}."}, *rest]


def _evaluated(base_url: str, requests: Sequence[list[Json]]) -> list[int]:
    """For each request the tokens of its prompt that were not in the cache."""
    import openai

    with openai.OpenAI(base_url=base_url, api_key="none", timeout=600) as client:
        return [_new_tokens(client, messages) for messages in requests]


def _new_tokens(client: Any, messages: list[Json]) -> int:
    answer = client.chat.completions.create(model="any", messages=messages, max_tokens=1, temperature=0)
    timings = (answer.model_extra or {}).get("timings")
    if not timings:
        raise SystemExit("this server does not tell how many tokens it evaluated: a llama.cpp server does")
    return int(timings["prompt_n"])
