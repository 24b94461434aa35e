"""What a text costs in tokens, before a server has counted it.

Tokenizers work on bytes: four of them make a token of English prose, and three bytes, which is one Chinese character, make
three quarters of one.  So bytes ÷ 4 is a fair guess for both; `Scale` corrects it by what the server really counted.
"""

from __future__ import annotations

from react_agent.messages import Message
from react_agent.schema import canonical

BYTES_PER_TOKEN = 4
PER_MESSAGE = 4
"""Tokens around each message: its role and marks."""

_CAUTION = 1.15
_BOUNDS = (0.6, 3.0)


def tokens(text: str) -> float:
    """A guess of the tokens in `text`."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return size / BYTES_PER_TOKEN


def cost(message: Message) -> float:
    """A guess of what `message` adds to a request."""
    said = PER_MESSAGE + tokens(message.content)
    if message.result is not None:
        said += tokens(message.result.content) + tokens(message.result.name)
    if message.native:
        said += sum(tokens(call.name) + tokens(canonical(call.arguments)) + PER_MESSAGE for call in message.calls)
    return said


class Scale:
    """The ratio of counted to guessed tokens, learnt from the replies of one model.

    It begins a little above 1, so that a first request is rather too short than too long.
    """

    def __init__(self) -> None:
        self.ratio = _CAUTION

    def learn(self, guessed: float, counted: int) -> None:
        """A request that was guessed at `guessed` tokens had `counted`; a server that counts nothing teaches nothing."""
        if guessed > 0 and counted > 0:
            low, high = _BOUNDS
            self.ratio = min(high, max(low, counted / guessed))
