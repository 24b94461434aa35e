"""A model that says what a script tells it: for tests of agents and tools, without a network.

In: replies.  Out: the pieces of a stream, always the same.  Nothing is judged: whatever the script holds reaches the engine.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence

from react_agent.driving.ports import ModeChoice
from react_agent.errors import UsageError
from react_agent.events import ModelChunk, ModelFailure, ModelPiece, ModelRequest, ReplyRestarted, RetryWaiting
from react_agent.messages import Mode

from .facts import Facts, checked_mode, start_mode

Plain = str | ModelPiece | Sequence[ModelPiece]
Reply = Plain | Callable[[ModelRequest], Plain]


class ScriptedModel:
    """Gives one reply per request, in order.

        model = ScriptedModel(["Thought: …", lambda request: request.messages[-1]["content"]])
        Agent(model, tools=[…]).run("…")
        assert len(model.requests) == 2

    Args:
        replies: each a text, a `ModelFailure`, a `ModelChunk` or a list of pieces (sent on as they are), or a function that
            makes one of these from the `ModelRequest`.
        name: what `name` answers.
        mode: how the engine shall offer tools: "text", "native", "constrained" or "auto".
        chunk: characters per piece of a text; None gives it whole.

    `requests` are the requests so far, `learned` what the engine found out about modes.
    """

    def __init__(
        self, replies: Iterable[Reply], *, name: str = "scripted", mode: ModeChoice = "text", chunk: int | None = None
    ) -> None:
        if chunk is not None and chunk < 1:
            raise UsageError(f"chunk is a number of characters of at least 1, got {chunk}")
        self.requests: list[ModelRequest] = []
        self.learned: dict[Mode, bool] = {}
        self._replies = list(replies)
        self._name = name
        self._mode = checked_mode(mode)
        self._chunk = chunk
        self._lock = threading.Lock()

    @property
    def name(self) -> str:
        """The name it was given."""
        return self._name

    @property
    def mode(self) -> ModeChoice:
        """The mode it was given; "auto" becomes "text" after `learn("native", works=False)`."""
        return start_mode(self._mode, Facts("ignored" if self.learned.get("native") is False else None))

    @property
    def constrains(self) -> bool:
        """False: a script is held to nothing but itself."""
        return False

    @property
    def dialect(self) -> str:
        """None is recommended."""
        return ""

    def learn(self, mode: Mode, *, works: bool, refused: bool = False) -> None:
        """Remember what the engine found out."""
        self.learned = {**self.learned, mode: works}

    def stream(self, request: ModelRequest) -> Iterator[ModelPiece]:
        """The pieces of the next reply.

        Raises:
            UsageError: the script has no reply left.
        """
        yield from self._pieces(self._next(request))

    async def astream(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        """As `stream`, for an event loop."""
        for piece in self._pieces(self._next(request)):
            yield piece

    def _next(self, request: ModelRequest) -> Plain:
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
        if number >= len(self._replies):
            raise UsageError(f"the script of {self._name!r} has {len(self._replies)} replies, and this is request {number + 1}")
        reply = self._replies[number]
        return reply(request) if callable(reply) else reply

    def _pieces(self, reply: Plain) -> Iterator[ModelPiece]:
        match reply:
            case str():
                size = self._chunk or len(reply) or 1
                yield from (ModelChunk(reply[start : start + size]) for start in range(0, len(reply), size))
                yield ModelChunk(finish_reason="stop", last=True)
            case ModelChunk() | ModelFailure() | RetryWaiting() | ReplyRestarted():
                yield reply
            case _:
                yield from reply
