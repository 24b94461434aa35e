"""The part of the history that fits: task, notice, recent rounds.

In: the history (append only), where the task stands in it, and the room in tokens.  Out: the messages to show.  The rules:

* a call and its results are never parted, so a view begins at a message that is no result;
* the task and the last round are always there; results that are too long for the room are shortened;
* when room is short, first the results of earlier rounds are shortened, then the oldest rounds are left out, down to `TARGET`
  of the room: in large steps, so that from one request to the next the view only grows at its end and the server's
  prefix cache holds;
* a message is counted once, when it is new, however long the history is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from react_agent.messages import Message
from react_agent.tools.results import cut

from .counting import Scale, cost

TARGET = 0.6
OLD_RESULT = 400
"""Characters that stay of a result of an earlier round."""
LEAST_RESULT = 80
"""Characters that stay of any result."""
NOTICE = 60
"""Tokens set aside for the notice."""


class Memory:
    """The view of one conversation; it remembers where the view begins and what was shortened.

    `room`: tokens for a whole request with its reply, or None for no limit.
    """

    def __init__(self, room: int | None = None) -> None:
        self.room = room
        self.scale = Scale()
        self.start = 0
        """The first message of the recent part."""
        self.moves = 0
        """How often room was made: between two moves a view only grows at its end."""
        self._costs: list[float] = []
        self._recent = 0.0
        self._brief: dict[int, Message] = {}

    def fits(self, history: Sequence[Message], task_at: int, fixed: float, reply: int) -> bool:
        """Bring the view up to date; False when not even the task and the shortened last round fit.

        `task_at`: the index of the message that must stay.  `fixed`: guessed tokens of system text and tools.
        `reply`: tokens kept free for what is to come.
        """
        self._count(history)
        if self.room is None:
            return True
        room = (self.room - reply) / self.scale.ratio - fixed - NOTICE
        if self._size(task_at) > room:
            self._make_room(history, task_at, room)
        return self._size(task_at) <= room

    def shown(self, history: Sequence[Message], task_at: int, notice: str = "") -> tuple[Message, ...]:
        """The messages to show, after `fits`; `notice` stands where messages were left out."""
        task = [history[task_at]] if task_at < self.start else []
        gap = [Message("user", notice)] if self.left_out(task_at) else []
        recent = enumerate(history[self.start :], self.start)
        return (*task, *gap, *(self._brief.get(at, message) for at, message in recent))

    def left_out(self, task_at: int) -> int:
        """How many messages are not shown."""
        return self.start - (task_at < self.start)

    def guess(self, task_at: int, fixed: float) -> float:
        """The guessed tokens of a request with the view as it is."""
        return self._size(task_at) + fixed

    def learn(self, task_at: int, fixed: float, prompt_tokens: int) -> None:
        """The server counted `prompt_tokens` for the view as it is, with `fixed` as in `fits`."""
        self.scale.learn(self.guess(task_at, fixed), prompt_tokens)

    def shrink(self, limit: int | None, sent: float) -> None:
        """A request of `sent` guessed tokens was too long: the server told its limit in tokens, or did not tell."""
        self.room = limit or round(sent * self.scale.ratio * TARGET)

    def _count(self, history: Sequence[Message]) -> None:
        fresh = [cost(message) for message in history[len(self._costs) :]]
        self._costs += fresh
        self._recent += sum(fresh)

    def _size(self, task_at: int) -> float:
        return self._recent + (self._costs[task_at] if task_at < self.start else 0.0)

    def _make_room(self, history: Sequence[Message], task_at: int, room: float) -> None:
        self.moves += 1
        last = _last_round(history, task_at)
        for at in range(self.start, last):
            self._shorten(history[at], at, OLD_RESULT)
        while self.start < last and self._size(task_at) > TARGET * room:
            self._leave_out(_round_behind(history, self.start))
        limit = _longest(history[last:])
        while self._size(task_at) > room and limit > LEAST_RESULT:
            limit = max(LEAST_RESULT, limit // 2)
            for at in range(last, len(history)):
                self._shorten(history[at], at, limit)

    def _leave_out(self, end: int) -> None:
        self._recent -= sum(self._costs[self.start : end])
        self.start = end

    def _shorten(self, message: Message, at: int, limit: int) -> None:
        result = self._brief.get(at, message).result
        if result is None or len(result.content) <= limit:
            return
        assert message.result is not None
        status = "truncated" if result.status == "ok" else result.status
        brief = replace(message, result=replace(result, content=cut(message.result.content, limit), status=status))
        self._recent += cost(brief) - self._costs[at]
        self._costs[at] = cost(brief)
        self._brief[at] = brief


def _last_round(history: Sequence[Message], task_at: int) -> int:
    """Where the last round begins: with the task, or with the last reply to it."""
    replies = (at for at in range(len(history) - 1, task_at, -1) if history[at].role == "assistant")
    return next(replies, task_at)


def _round_behind(history: Sequence[Message], at: int) -> int:
    """The next message behind `at` that is no result."""
    at += 1
    while at < len(history) and history[at].role == "tool":
        at += 1
    return at


def _longest(messages: Sequence[Message]) -> int:
    return max((len(message.result.content) for message in messages if message.result is not None), default=0)
