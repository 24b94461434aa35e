"""What can be told of a call, or of an answer in a value, while it is still being written.

In: a buffer and where a body starts.  Out: `Listener` is told the name of a declared tool as soon as it stands there, the
arguments as they are written, and the text of an answer with its escapes decoded.  It looks at the text only, never at how the
text was cut; it stops at the first closing mark of the wrapper, and at the first thing that it does not know: what is written
otherwise is told when the reply has been read.  Nothing here decides: a call that was told may still turn out to be none.

{"name": "f", "arguments": {…}}          also in lists, under wrapper keys, with the arguments first
<function=f>…</function>                  and the other tags with a name
f⏎{…}   f<arg_key>…   f(…                 a name and its arguments
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Protocol

from .bodies import MAX_VALUES
from .buffer import Buffer, Marks, Reading
from .names import ToolNames
from .shapes import ANSWER_KEYS, ANSWER_WORD_KEYS, ARGUMENT_KEYS, NAME_KEYS, WRAPPER_KEYS, is_answer_word
from .steps import Steps, UnknownForm

_TAG = re.compile(
    r"<(?:[\w｜|‖]{1,16}[:｜|‖])?(?:function\s{0,4}=\s{0,4}|(?:invoke|function|tool|tool_call|call)\s{1,4}name\s{0,4}=\s{0,4})"
    r"[\"']?(?P<name>[^\"'<>\n]{1,128})[\"']?[^<>\n]{0,80}>"
)
_TAG_END = Marks(r"</(?:[\w｜|‖]{1,16}[:｜|‖])?(?:function|invoke|tool|tool_call|call)>")
_NAMED = re.compile(
    r"(?:(?:function|tool)\s{0,4}<[｜|]tool[▁_ ]sep[｜|]>\s{0,4}|>>>)?(?P<name>[^\s<>{}\[\]()\"'`,;=:]{1,128}(?::\d{1,4})?)"
    r"(?:\s|```\w{0,12}|<[｜|]tool[▁_ ]sep[｜|]>|<\|tool_call_argument_begin\|>|\[ARGS\]|<\|message\|>){0,12}"
)
_PAIRS = re.compile(r"<(?:\w{0,16}[_|])?arg_key(?::\w{1,16})?>")
_NAMING = frozenset(("type", *NAME_KEYS))
_ANSWER_WORDS, _ANSWERS, _ARGUMENTS = frozenset(ANSWER_WORD_KEYS), frozenset(ANSWER_KEYS), frozenset(ARGUMENT_KEYS)
_PLAIN_END = re.compile(r'["\\\x00-\x1f]')
_LONGEST_HEAD = 400
_LOOK_AHEAD = 40
_DEEPEST = 8


class Listener(Protocol):
    """Who is told."""

    @property
    def full(self) -> bool:
        """Are there as many calls as are wanted?"""

    def started(self, name: str, at: int) -> None:
        """A call of the declared tool `name` stands around position `at`."""

    def arguments(self, start: int, end: int) -> None:
        """text[start:end] is the next piece of the arguments of the call that started last."""

    def answered(self, text: str) -> None:
        """The next piece of an answer, decoded."""


class Opening(Steps):
    """Reads one body as it comes; call `advance` whenever there is more text."""

    def __init__(self, buffer: Buffer, start: int, names: ToolNames, listener: Listener, closers: Marks) -> None:
        super().__init__(buffer, start, closers, listener.arguments)
        self.plain = False
        self._called = False
        self._names = names
        self._listener = listener
        self._depth = 0
        self._answers = False
        self._named_tags = True
        self._reading: Iterator[None] = iter(())

    def read_body(self, word: str = "", *, answers: bool = False, tags: bool = True) -> None:
        """Expect calls, of the tool `word` when the header names it; `answers`: or the final answer; `tags`: also in tags with
        a name, which behind a label are wrappers of their own, and told as such."""
        self._answers, self._named_tags = answers, tags
        self._reading = self._headed(word) if word else self._body()

    def read_input(self) -> None:
        """Expect the arguments of a call that was told; `plain` says that they are bare text."""
        self._reading = self._input()

    def end_at(self, end: int) -> None:
        """The body ends here: a closing mark before that was data."""
        self._end = end
        self.advance()

    def advance(self) -> None:
        """Tell what has become certain."""
        self._limit = self._certain()
        try:
            next(self._reading, None)
        except UnknownForm:
            self._flush()
            self._reading = iter(())

    @property
    def in_call(self) -> bool:
        """Is the position inside the object of a call, or inside its arguments, whose end is marked?"""
        return self._called and (self._depth > 0 or self._told >= 0) and not self.plain

    def _name(self, written: str, at: int) -> None:
        self._called = True
        known = self._names.find(written)
        if known is None or self._listener.full:
            raise UnknownForm
        self._listener.started(known[0].name, at)

    # --- bodies -------------------------------------------------------------------------------------------------------

    def _body(self) -> Reading[None]:
        yield from self._fence_head()
        match (yield from self._solid()):
            case "{":
                yield from self._values()
            case "[":
                yield from self._list()
            case "<" if self._named_tags:
                yield from self._tags()
            case _:
                yield from self._named()

    def _headed(self, word: str) -> Reading[None]:
        self._name(word, self._start - 1)
        if (yield from self._solid()) == "{":
            yield from self._arguments()
        else:
            yield from self._rest(None)

    def _input(self) -> Reading[None]:
        yield from self._fence_head()
        if (yield from self._solid()) in "{[":
            yield from self._arguments()
        else:
            self.plain = True

    def _fence_head(self) -> Reading[None]:
        """Skip the first line of a code fence."""
        while (yield from self._solid()) == "`" and (yield from self._ahead(3)) == "```":
            line = self._buffer.text.find("\n", self._at, self._limit)
            if line >= 0:
                self._at = line + 1
                return
            if self._limit - self._at > _LONGEST_HEAD:
                raise UnknownForm
            yield

    def _rest(self, end: Marks | None) -> Reading[None]:
        """Tell everything up to the mark `end`, else up to the end of the body."""
        self._told = self._at
        while True:
            found = end.search(self._buffer.text, self._at) if end else None
            if found is not None and found.end() <= self._limit:
                self._at = found.start()
                self._flush()
                self._at, self._told = found.end(), -1
                return
            open_at = end.unsure_from(self._buffer.text, self._at) if end else self._limit
            self._at = max(self._at, min(open_at, self._limit))
            self._flush()
            yield

    def _tags(self) -> Reading[None]:
        while (yield from self._solid()) == "<":
            match = _TAG.match(self._buffer.text, self._at, self._limit)
            if match is None:
                if self._limit - self._at > _LONGEST_HEAD or ">" in self._buffer.text[self._at : self._limit]:
                    raise UnknownForm
                yield
                continue
            self._name(match["name"], self._at)
            self._at = match.end()
            if (yield from self._solid()) == "{":
                yield from self._arguments()
                return
            yield from self._rest(_TAG_END)

    def _named(self) -> Reading[None]:
        while True:
            text, match = self._buffer.text, _NAMED.match(self._buffer.text, self._at, self._limit)
            if match is None or match.end() - self._at > _LONGEST_HEAD:
                raise UnknownForm
            following, pairs = text[match.end() : self._limit], _PAIRS.match(text, match.end(), self._limit)
            if pairs or following.startswith(("{", "(")):
                break
            if len(following) > _LOOK_AHEAD:
                raise UnknownForm
            yield
        start, self._at = match.start(), match.end()
        self._name(match["name"], start)
        if pairs:
            yield from self._rest(None)
        elif text[self._at] == "{":
            yield from self._arguments()

    # --- values -------------------------------------------------------------------------------------------------------

    def _values(self) -> Reading[None]:
        """Objects that follow each other."""
        values = 0
        while (yield from self._solid()) in "{,;" and values < MAX_VALUES:
            if self._buffer.text[self._at] == "{":
                values += 1
                yield from self._object()
            else:
                self._at += 1

    def _list(self) -> Reading[None]:
        yield from self._expect("[")
        while (yield from self._solid()) != "]":
            match self._buffer.text[self._at]:
                case "{":
                    yield from self._object()
                case ",":
                    self._at += 1
                case _:
                    yield from self._named()
                    raise UnknownForm
        self._at += 1

    def _object(self) -> Reading[None]:
        """One call or answer, or an object that holds some."""
        start, named, answering, kept = self._at, False, False, (0, 0)
        yield from self._expect("{")
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnknownForm
        while (yield from self._solid()) != "}":
            if self._buffer.text[self._at] == ",":
                self._at += 1
                continue
            key = yield from self._string()
            yield from self._expect(":")
            char = yield from self._solid()
            if char == '"' and not named and not answering and key in _NAMING:
                word = yield from self._string()
                answering = key in _ANSWER_WORDS and is_answer_word(word) and self._names.find(word) is None
                if (answering and not self._answers) or (key == "type" and self._names.find(word)):
                    raise UnknownForm
                self._called = not answering
                if key != "type" and not answering:
                    self._name(word, start)
                    named = True
                    self._tell_kept(kept)
            elif answering and char == '"' and key in _ANSWERS:
                yield from self._answer()
                raise UnknownForm
            elif key in _ARGUMENTS and named and not kept[1]:
                kept = (self._at, (yield from self._arguments()))
            elif key in _ARGUMENTS:
                kept = (self._at, (yield from self._value()))
            elif key in WRAPPER_KEYS and char in "{[" and not named:
                yield from self._object() if char == "{" else self._list()
            else:
                yield from self._value()
        self._at += 1
        self._depth -= 1

    def _tell_kept(self, span: tuple[int, int]) -> None:
        """The arguments stood before the name."""
        if span[1]:
            self._listener.arguments(*span)

    def _arguments(self) -> Reading[int]:
        """Tell a value as it comes; its end."""
        self._told = self._at
        yield from self._value()
        self._flush()
        self._told = -1
        return self._at

    def _answer(self) -> Reading[None]:
        """Tell a string while it is still open, never half of an escape or of a pair of surrogates."""
        first = self._at + 1
        self._at = first
        while True:
            match = _PLAIN_END.search(self._buffer.text, self._at, self._limit)
            end = match.start() if match else self._limit
            if end > self._at:
                self._listener.answered(self._buffer.text[self._at : end])
                self._at = end
            char = yield from self._char()
            if char == '"':
                return
            if char == "\\" and not self._is_drive(first):
                self._listener.answered((yield from self._escape()))
            elif char < " " or char == "\\":
                raise UnknownForm

    def _is_drive(self, first: int) -> bool:
        """`C:\\`: if more of the path is not escaped, all of its backslashes are meant as they stand."""
        return self._at == first + 2 and self._buffer.text[self._at - 1] == ":"
