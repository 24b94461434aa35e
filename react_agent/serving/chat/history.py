"""Messages of a request as the neutral history: `prompting.reading`, whose errors are refusals here.

In: messages as any client writes them.  Out: the system texts that stand before everything else, and `Message`s.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile

from react_agent.messages import Json, Message
from react_agent.prompting import reading
from react_agent.prompting.reading import SYSTEM, UnreadableError, arguments, assistant, read_messages, result
from react_agent.serving.refusal import Refusal

__all__ = ["arguments", "assistant", "content", "read_history", "result"]

_GAP = "\n\n"


def read_history(messages: list[Json]) -> tuple[str, tuple[Message, ...]]:
    """The instructions and the history.

    Raises:
        Refusal: there are no messages, or one of them cannot be read.
    """
    if not messages:
        raise Refusal("'messages' must hold at least one message", param="messages")
    leading = list(takewhile(lambda message: message.get("role") in SYSTEM, messages))
    instructions = _GAP.join(content(message, f"messages[{place}]") for place, message in enumerate(leading))
    with _refusing():
        return instructions, tuple(read_messages(messages, "messages", len(leading)))


def content(message: Json, where: str) -> str:
    """The text of a message; its parts are joined.

    Raises:
        Refusal: a part is no text.
    """
    with _refusing():
        return reading.content(message, where)


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except UnreadableError as error:
        raise Refusal(str(error), param=error.where) from None
