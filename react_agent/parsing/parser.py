"""The reader of replies: text in chunks goes in, events and at the end a `Parsed` come out.

A `Judge` reads and decides; a `Teller` looks on and tells what is certain meanwhile.  `parse(text, tools)` is the judge alone,
given the whole text as its last piece, as nobody asked to be told.

A reply that comes as one piece to `Parser.close` is told by `plain_telling`, if it is plain.

Chunks are looked at as they come while the text is short, and in steps of a part of its length when it is long: so joining them
takes linear time, and a feed that only keeps its chunk next to none.  Inside a call, which nobody reads along, that is done a
few words at a time, and at once where it may end.  A reply that nobody reads along is looked at only where it may be over
(`unheard`): so one that comes in pieces, too, is mostly told by `plain_telling`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from react_agent.errors import UsageError
from react_agent.events import Event
from react_agent.messages import Parsed

from .judging import Judge
from .manner import Strictness, manner_of
from .names import ToolNames, names_of
from .plain import plainly
from .plain_telling import plainly_told
from .telling import Teller
from .unheard import Unheard

_AT_ONCE, _STEPS = 2_048, 64
"""So much text is looked at with every chunk; longer text when it has grown by this part of what goes beyond that."""
_IN_BODY_AT_ONCE, _IN_BODY_STEPS = 1_024, 16
"""The same while a body is written that may be a call."""
_IN_CALL = 16
"""So many characters are waited for inside a call."""
_END = re.compile(r"[\]})>`）｝］】\n]")
"""No call ends without one of these."""


class Parser:
    """Reads one reply.

    `feed` takes chunks of any size and gives the events that are certain; `close` gives the rest, after which `result`
    holds the verdict.
    """

    def __init__(
        self,
        tools: Iterable[Any] | ToolNames = (),
        *,
        one_action: bool = False,
        strictness: Strictness = "normal",
        dialect: str = "",
        explain: bool = False,
        aloud: bool = True,
    ) -> None:
        """`tools`: `Tool`s, `ToolSpec`s, OpenAI tool dicts or dicts with name, description and parameters; or
        the `ToolNames` of such, which saves compiling their schemas for every reply.

        `one_action`: a labelled reply holds one action, as an agent loop asks for.  What stands behind it was written
        without its result: prose, an answer, or a call of another tool.  More calls of the same tool may follow at once.

        `strictness`: "strict" takes only what is wrapped or labelled and valid as written, "loose" also what stands in long
        prose or in a sentence (`parsing.manner`).  `dialect`: a dialect or a model that is expected; it breaks ties among
        weak forms, and is never needed.  `explain`: fill `result.explanation`.

        `aloud`: tell at once what is certain; when nobody reads along, events that come late, at the latest with `close`, save
        most of the work.

        Raises:
            UsageError: an entry is none of these, two tools have one name, or there is no such strictness.
        """
        names = names_of(tools)
        self._names, self._manner = names, manner_of(strictness, dialect, explain)
        self._judge = Judge(names, self._manner, one_action=one_action)
        self._buffer = self._judge.buffer
        self._teller = Teller(self._buffer, self._judge.segments, names, candidates=strictness == "loose")
        self._judge.watcher = self._teller
        self._result: Parsed | None = None
        self._pending: list[str] = []
        self._wanted = 0
        self._until_end = False
        self._unheard = None if aloud else Unheard()

    @property
    def done(self) -> bool:
        """Can nothing more be wanted?  A call is complete and something invented follows it; what is fed later is ignored."""
        return self._judge.done

    def feed(self, chunk: str) -> list[Event]:
        """Take more text; the events that became certain.

        Raises:
            UsageError: it is no `str`.
        """
        self._pending.append(chunk if type(chunk) is str else _text(chunk))
        self._wanted -= len(chunk)
        if self._unheard is not None and not self._unheard.due(chunk):
            return []
        if self._wanted > 0 and not (self._until_end and _END.search(chunk)):
            return []
        return self.look()

    def look(self) -> list[Event]:
        """The events that all chunks so far make certain: those that were held back to save work."""
        chunk = "".join(self._pending)
        self._pending.clear()
        if self._judge.done or self._result is not None:
            return []
        self._buffer.add(chunk)
        self._judge.advance()
        self._teller.advance()
        size, opening = len(self._buffer.text), self._teller.opening
        if opening is None or not opening.open:
            self._wanted, self._until_end = (size - _AT_ONCE) // _STEPS, False
        else:
            self._wanted = (size - _IN_BODY_AT_ONCE) // _IN_BODY_STEPS
            self._until_end = self._wanted < _IN_CALL and opening.in_call
            if self._until_end:
                self._wanted = _IN_CALL
        return self._teller.taken()

    def close(self, chunk: str = "") -> list[Event]:
        """The text is over, with `chunk` as its last piece; the remaining events.

        Raises:
            UsageError: it is no `str`.
        """
        if self._result is None:
            rest = "".join((*self._pending, _text(chunk)))
            self._pending.clear()
            plain = None if self._buffer.text else plainly_told(rest, self._names, self._manner)
            if plain is not None:
                self._result, events = plain
                return events
            self._result = _concluded(self._judge, rest)
            self._teller.finish(self._result)
        return self._teller.taken()

    @property
    def result(self) -> Parsed:
        """The verdict; closes the parser when that has not been done."""
        if self._result is None:
            self.close()
        assert self._result is not None
        return self._result


def _concluded(judge: Judge, chunk: str) -> Parsed:
    """The verdict, with `chunk` as the last piece of the text."""
    if not judge.done:
        judge.buffer.add(chunk)
    judge.buffer.close()
    if not judge.done:
        judge.advance()
    return judge.verdict()


def _text(chunk: str) -> str:
    if not isinstance(chunk, str):
        raise UsageError(f"a reply is a str, but {type(chunk).__name__} came: decode it, or take the text of the response")
    return chunk


def parse(
    text: str,
    tools: Iterable[Any] | ToolNames = (),
    strictness: Strictness = "normal",
    *,
    dialect: str = "",
    explain: bool = False,
) -> Parsed:
    """What a whole reply says; never raises for any text.

    Everything but `text` is as for `Parser`, which says what raises a UsageError.

    >>> parse('行动：{"type": "final_answer", "content": "晴"}').answer
    '晴'
    """
    names = names_of(tools)
    manner = manner_of(strictness, dialect, explain)
    return plainly(_text(text), names, manner) or _concluded(Judge(names, manner, one_action=False), text)
