"""Has the server count a sample of a long request, once in a run, before anything is left out for a guess.

In: a state whose first request may not fit.  Out: at most one `CountTokens`, and what it teaches in the memory.  Later the
usage of each reply says the same for nothing; a run that surely fits, one with a tokenizer of its own, and one that goes on
where an earlier run has learnt it, ask for nothing.
"""

from __future__ import annotations

from react_agent.events import CountTokens, Flow, ask
from react_agent.messages import Message

from .state import State

TIGHT = 0.5
"""Of the room: a request guessed to be smaller is not measured."""
SAMPLE = 16_000
"""Characters that are counted; the end of the history is most like what is to come."""


def measure(state: State) -> Flow[None]:
    """Learn what the tokens of this conversation are, where it matters."""
    memory = state.memory
    if state.measured or memory.room is None or memory.scale.learnt or state.count is not None:
        return
    state.measured = True
    sample, total = _sample(state)
    guessed = memory.count(sample)
    if guessed * total / len(sample) > TIGHT * memory.room:
        memory.scale.learn(guessed, (yield from ask(CountTokens(sample))) or 0)


def _sample(state: State) -> tuple[str, int]:
    """The end of the history, and the characters of all of it."""
    parts: list[str] = []
    total = 0
    for message in reversed(state.history):
        text = _text(message)
        if total < SAMPLE:
            parts.append(text[: SAMPLE - total])
        total += len(text)
    return "\n".join(reversed(parts)), total


def _text(message: Message) -> str:
    return message.content if message.result is None else message.result.content
