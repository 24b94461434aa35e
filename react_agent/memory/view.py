"""The part of the history that fits: task, notice, recent rounds.

In: the history (append only), where the task stands in it, and the room in tokens.  Out: the messages to show.  The rules:

* a call and its results are never parted, so a view begins at a message that is no result;
* the task, pinned messages (system text that a history begins with is pinned) and the last round are always there; results that
  are too long for the room are shortened;
* when room is short, first the results of earlier rounds are shortened, then the oldest rounds are left out, down to `TARGET`
  of the room: in large steps, so that from one request to the next the view only grows at its end and the server's
  prefix cache holds;
* what is left out may be replaced by a summary, for which room is set aside at that step; it changes only there;
* a message is counted once, when it is new; what cannot be shown is not counted, however long the history is.

Where the view stands is a `View`, with which a later run goes on, so that its requests begin as those of this one.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from react_agent.errors import UsageError
from react_agent.messages import Message, View
from react_agent.tools.results import cut

from .counting import CAUTION, EXACT_CAUTION, PER_MESSAGE, Count, Scale, cost, tokens

TARGET = 0.6
OLD_RESULT = 400
"""Characters that stay of a result of an earlier round."""
LEAST_RESULT = 80
"""Characters that stay of any result."""
NOTICE = 60
"""Tokens set aside for the notice."""
SUMMARY = 0.15
"""The share of the room that a summary may take …"""
SUMMARY_TOKENS = (40, 800)
"""… and its bounds in tokens: with less a summary says nothing, with more it says too much."""
_LEAST_PER_CHARACTER = 0.2
"""No tokenizer makes fewer tokens of a character of prose."""
_START = View()


class Memory:
    """The view of one conversation; it remembers where the view begins and what was shortened.

    `room`: tokens for a whole request with its reply, or None for no limit.  `max_rounds`: replies of the model that are shown
    at most.  `summaries`: whether room is set aside for a summary.  `view`: where an earlier run left off.  `count`: a
    tokenizer, instead of the guess.
    """

    def __init__(
        self,
        room: int | None = None,
        *,
        max_rounds: int | None = None,
        summaries: bool = False,
        view: View = _START,
        count: Count | None = None,
    ) -> None:
        self.room = room
        self.count: Count = count or tokens
        self.scale = Scale(view.ratio or (EXACT_CAUTION if count else CAUTION))
        self.start = view.start
        """The first message of the recent part."""
        self.moves = 0
        """How often room was made: between two moves a view only grows at its end."""
        self.summary = view.summary
        self.dropped: list[Message] = []
        """What was left out and is in no summary yet, in order."""
        self._max_rounds = max_rounds
        self._summaries = summaries
        self._head = list(view.head)
        self._limits = dict(view.limits)
        self._brief: dict[int, Message] = {}
        self._costs: dict[int, float] = {}
        self._recent = 0.0
        self._rounds = 0
        self._counted = view.start
        self._aside = self.count(view.summary)
        self._new = True

    @property
    def view(self) -> View:
        """Where the view stands now."""
        ratio = self.scale.ratio if self.scale.learnt else 0.0
        limits = tuple((at, limit) for at, limit in sorted(self._limits.items()) if at >= self.start or at in self._head)
        return View(self.start, tuple(self._head), limits, self.summary, ratio)

    @property
    def summary_room(self) -> float:
        """Tokens that a summary may have; 0 when there is none to be made."""
        least, most = SUMMARY_TOKENS
        share = most if self.room is None else min(most, SUMMARY * self.room / self.scale.ratio)
        return share if self._summaries and share >= least else 0.0

    def fits(self, history: Sequence[Message], task_at: int, fixed: float, reply: int) -> bool:
        """Bring the view up to date; False when not even the task and the shortened last round fit.

        `task_at`: the index of the message that must stay.  `fixed`: guessed tokens of system text and tools.
        `reply`: tokens kept free for what is to come.
        """
        room = None if self.room is None else (self.room - reply) / self.scale.ratio - fixed - NOTICE
        if self._new:
            self._begin(history, task_at, room)
        self._count(history)
        if self._max_rounds is not None and self._rounds > self._max_rounds:
            self._keep_rounds(history, task_at, max(1, int(TARGET * self._max_rounds)))
        if room is None:
            return True
        if self._size > room:
            self._make_room(history, task_at, room)
        return self._size <= room

    def shown(self, history: Sequence[Message], notice: str = "") -> tuple[Message, ...]:
        """The messages to show, after `fits`; `notice` stands where messages were left out."""
        head = [self._message(history, at) for at in self._head]
        gap = [Message("user", notice)] if self.left_out else []
        systems = len(list(itertools.takewhile(lambda message: message.role == "system", head)))
        if head[systems:] and head[systems].role != "user":  # a conversation begins with its user, behind the system text
            head[systems:systems], gap = gap, []
        recent = list(history[self.start :])
        for at in self._limits:
            if at >= self.start:
                recent[at - self.start] = self._message(history, at)
        return (*head, *gap, *recent)

    @property
    def left_out(self) -> int:
        """How many messages are not shown."""
        return self.start - len(self._head)

    def summarise(self, text: str) -> None:
        """Put `text`, of at most `summary_room` tokens, in the place of all that is left out."""
        self.summary, self.dropped = text, []
        self._aside = self.count(text)

    @property
    def replaceable(self) -> float:
        """Tokens that the next summary may have: no more than what it replaces, and than its room."""
        room, total = self.summary_room, self.count(self.summary)
        for message in self.dropped:
            if total >= room:
                return room
            total += cost(message, self.count)
        return min(room, total)

    def guess(self, fixed: float) -> float:
        """The guessed tokens of a request with the view as it is."""
        return self._size + fixed

    def learn(self, fixed: float, prompt_tokens: int) -> None:
        """The server counted `prompt_tokens` for the view as it is, with `fixed` as in `fits`."""
        self.scale.learn(self.guess(fixed), prompt_tokens)

    def shrink(self, limit: int | None, sent: float) -> None:
        """A request of `sent` guessed tokens was too long: the server told its limit in tokens, or did not tell."""
        self.room = limit or round(sent * self.scale.ratio * TARGET)

    @property
    def _size(self) -> float:
        return self._recent + self._aside + sum(self._costs[at] for at in self._head)

    def _begin(self, history: Sequence[Message], task_at: int, room: float | None) -> None:
        """Of a history that is new to this memory, leave out what cannot be shown by any count, before it is counted."""
        self._new = False
        self._costs = {at: cost(self._message(history, at), self.count) for at in self._head}
        last = _last_round(history, task_at)
        if room is None or not _surely_more(history, self.start, last, room):
            return
        left, at = TARGET * room - self.summary_room, last
        while at > self.start and left > 0:
            at -= 1
            self._limit(history, at, OLD_RESULT)
            self._costs[at] = cost(self._message(history, at), self.count)
            left -= self._costs[at]
        if left <= 0:
            self.moves += 1
            self._aside = self.summary_room
            self._leave_out(history, task_at, _round_behind(history, at))

    def _count(self, history: Sequence[Message]) -> None:
        for at in range(self._counted, len(history)):
            if at not in self._costs:
                self._costs[at] = cost(self._message(history, at), self.count)
            self._recent += self._costs[at]
            self._rounds += history[at].role == "assistant"
        self._counted = len(history)

    def _keep_rounds(self, history: Sequence[Message], task_at: int, rounds: int) -> None:
        self.moves += 1
        self._aside = self.summary_room
        while self._rounds > rounds:
            self._leave_out(history, task_at, _round_behind(history, self.start))

    def _make_room(self, history: Sequence[Message], task_at: int, room: float) -> None:
        self.moves += 1
        last = _last_round(history, task_at)
        for at in range(self.start, last):
            self._limit(history, at, OLD_RESULT)
        if self._size > TARGET * room:
            self._aside = self.summary_room
        while self.start < last and self._size > TARGET * room:
            self._leave_out(history, task_at, _round_behind(history, self.start))
        if not self.left_out:
            self._aside = 0.0
        limit = _longest(history[last:])
        while self._size > room and limit > LEAST_RESULT:
            limit = max(LEAST_RESULT, limit // 2)
            for at in range(last, len(history)):
                self._limit(history, at, limit)

    def _leave_out(self, history: Sequence[Message], task_at: int, end: int) -> None:
        """Begin at `end`; what must stay of the messages before it moves to the head, earlier tasks leave that."""
        gone = [at for at in self._head if at != task_at and not history[at].pinned and not _pinned_round(history, at)]
        self._head = [at for at in self._head if at not in gone]
        pins = any(message.pinned for message in history[self.start : end])
        kept = {at for at in range(self.start, end) if at == task_at or (pins and _pinned_round(history, at))}
        if self._summaries:
            self.dropped += [history[at] for at in (*gone, *range(self.start, end)) if at not in kept]
        for at in range(self.start, min(end, self._counted)):
            self._recent -= self._costs[at]
            self._rounds -= history[at].role == "assistant"
        for at in kept - self._costs.keys():
            self._costs[at] = cost(self._message(history, at), self.count)
        for at in range(self.start, end):
            if at not in kept:
                self._costs.pop(at, None)
        self._head += sorted(kept)
        self.start = end
        self._counted = max(self._counted, end)
        self._brief = {at: message for at, message in self._brief.items() if at >= end or at in kept}

    def _limit(self, history: Sequence[Message], at: int, limit: int) -> None:
        """Show at most `limit` characters of the result at `at`."""
        result = history[at].result
        if result is None or len(result.content) <= limit or self._limits.get(at, limit + 1) <= limit:
            return
        self._limits[at] = limit
        self._brief.pop(at, None)
        if at < self._counted:
            before, self._costs[at] = self._costs[at], cost(self._message(history, at), self.count)
            self._recent += self._costs[at] - before

    def _message(self, history: Sequence[Message], at: int) -> Message:
        """The message at `at`, shortened where it has to be."""
        message = history[at]
        if at not in self._limits:
            return message
        if at not in self._brief:
            self._brief[at] = _shortened(message, self._limits[at])
        return self._brief[at]


def checked_view(view: View, history: Sequence[Message]) -> View:
    """`view`, if it is one of this history.

    Raises:
        UsageError: it names messages that are not there, or begins at a result.
    """
    ats = [*view.head, *(at for at, _ in view.limits)]
    inside = 0 <= view.start <= len(history) and all(0 <= at < len(history) for at in ats)
    begins_well = view.start in (0, len(history)) or (inside and history[view.start].role != "tool")
    if not inside or not begins_well or any(at >= view.start for at in view.head):
        raise UsageError("the view belongs to another history: pass the conversation of a result as it is, or messages alone")
    return view


def _shortened(message: Message, limit: int) -> Message:
    result = message.result
    if result is None:
        return message
    status = "truncated" if result.status == "ok" else result.status
    return replace(message, result=replace(result, content=cut(result.content, limit), status=status))


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


def _pinned_round(history: Sequence[Message], at: int) -> bool:
    """Whether the message at `at`, its call or one of its results is pinned: they stay together."""
    if history[at].role != "tool" and not history[at].calls:
        return history[at].pinned
    while at and history[at].role == "tool":
        at -= 1
    return any(message.pinned for message in history[at : _round_behind(history, at)])


def _least(message: Message) -> float:
    """Tokens that a message has at least, shortened as it may be."""
    shown = len(message.content) if message.result is None else min(len(message.result.content), OLD_RESULT)
    return PER_MESSAGE + _LEAST_PER_CHARACTER * shown


def _surely_more(history: Sequence[Message], start: int, end: int, room: float) -> bool:
    """Whether the messages from `start` to `end` are too many for the room by any count."""
    for at in range(end - 1, start - 1, -1):
        room -= _least(history[at])
        if room < 0:
            return True
    return False


def _longest(messages: Sequence[Message]) -> int:
    return max((len(message.result.content) for message in messages if message.result is not None), default=0)
