"""What a text costs in tokens, before a server has counted it.

Tokenizers work on bytes and know the words of prose best: four to five letters make a token, two marks, nearly every digit is
one of its own, and a Chinese character, which is three bytes, makes about two thirds of one.  So a text is weighed by what its
bytes are; `Scale` corrects the sum by what the server really counted.  Who names a tokenizer has it count instead.
"""

from __future__ import annotations

import string
from collections.abc import Callable

from react_agent.messages import Message
from react_agent.schema import canonical

Count = Callable[[str], float]
"""Counts, or guesses, the tokens of a text."""

PER_MESSAGE = 4
"""Tokens around each message: its role and marks."""

CAUTION = 1.15
EXACT_CAUTION = 1.05
"""The same for texts that a tokenizer counts: only the server's own marks are unknown."""
_BOUNDS = (0.6, 3.0)

_LETTER, _DIGIT, _MARK, _HIGH = 0.22, 0.9, 0.5, 0.21
"""Tokens for each byte: of a letter or blank, of a digit, of any other ASCII character, of a character beyond ASCII."""
_LETTERS = (string.ascii_letters + string.whitespace).encode()
_DIGITS = string.digits.encode()
_ASCII = bytes(range(128))


def tokens(text: str) -> float:
    """A guess of the tokens in `text`.

    >>> round(tokens("four letters make a token"), 1), round(tokens("今天北京很热"), 1)
    (5.5, 3.8)
    """
    data = text.encode("utf-8", "surrogatepass")
    letters = len(data) - len(data.translate(None, _LETTERS))
    digits = len(data) - len(data.translate(None, _DIGITS))
    high = 0 if text.isascii() else len(data.translate(None, _ASCII))
    return letters * _LETTER + digits * _DIGIT + high * _HIGH + (len(data) - letters - digits - high) * _MARK


def cost(message: Message, count: Count = tokens) -> float:
    """What `message` adds to a request."""
    said = PER_MESSAGE + (count(message.content) if message.content else 0.0)
    if message.result is not None:
        said += count(message.result.content) + len(message.result.name) * _LETTER
    if message.native:
        said += sum(count(call.name) + count(canonical(call.arguments)) + PER_MESSAGE for call in message.calls)
    return said


class Scale:
    """The ratio of counted to guessed tokens, learnt from the replies of one model.

    It begins with `ratio`, a little above 1 by default, so that a first request is rather too short than too long.
    """

    def __init__(self, ratio: float = CAUTION) -> None:
        low, high = _BOUNDS
        self.ratio = min(high, max(low, ratio))
        self.learnt = False

    def learn(self, guessed: float, counted: int) -> None:
        """A request that was guessed at `guessed` tokens had `counted`; a server that counts nothing teaches nothing."""
        if guessed > 0 and counted > 0:
            low, high = _BOUNDS
            self.ratio = min(high, max(low, counted / guessed))
            self.learnt = True
