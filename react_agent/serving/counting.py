"""How many tokens a request has before it is made, for clients that ask first.

In: `Asked`, the pool, the manner in which it would be served.  Out: the tokens of what would be sent to the upstream: system
text, prompt of the tools, history.  A server that counts (vLLM, SGLang, llama.cpp) is asked once for the whole text; otherwise
it is the guess that the engine makes room by.  The marks around each message are known to neither, and are a usual number; so
is an image, of which only the server could say more.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from react_agent.engine import State
from react_agent.memory.counting import PER_MESSAGE, tokens
from react_agent.messages import Json
from react_agent.prompting import native_messages, text_messages

from .answering import Manner, opening_state
from .asked import Asked
from .pool import Pool

PER_IMAGE = 1_600
"""Tokens of an image: what Anthropic takes for one of the largest size that it does not make smaller."""


async def counted(asked: Asked, pool: Pool, manner: Manner, images: int = 0) -> int:
    """The tokens of a request that has so many images besides.

    Raises:
        Refusal: no upstream serves the model.
    """
    upstream, *_ = pool.candidates(asked.model)
    model = pool.model(upstream, asked.model)
    state = opening_state(asked, model, manner)
    messages = (native_messages if state.mode == "native" else text_messages)(state.prompt, state.history)
    text = "\n".join(_written(state, messages))
    return (await model.ameasure(text) or round(tokens(text))) + PER_MESSAGE * len(messages) + PER_IMAGE * images


def _written(state: State, messages: Iterable[Json]) -> Iterator[str]:
    """Everything that a model reads of these messages, and of the tools beside them."""
    for message in messages:
        yield message.get("content") or ""
        if calls := message.get("tool_calls"):
            yield json.dumps(calls, ensure_ascii=False)
    if state.mode == "native" and state.prompt.wire_tools:
        yield json.dumps(state.prompt.wire_tools, ensure_ascii=False)
