"""The bytes of an answer as JSON documents: server-sent events, lines of JSON, or one whole body.

In: blocks of bytes, cut anywhere, also inside a character.  Out: documents in order, or a `Fault` for what is none.  Which of
them it is the first bytes tell, not the content type, because servers mislabel.  Events are taken as they come:

    data: {…}               with or without the blank, ended by LF, CRLF or CR, several in a row without empty lines
    data: {… ⏎ data: …}     one document in several lines, up to an empty line
    : ping, event:, id:     left out, and so is everything that is no field
    data: ping, data: null  left out: what does not begin as an object; when no document came at all, it is the fault
    error: {…}              an error object of older llama.cpp
    {…}                     a completion or an error without a field in front, among events too
    data: [DONE]            the end, although the connection may stay open

When the first line is an object, every line is one (NDJSON); a body may be one line, or go over several.  An object that is
damaged is a fault also among good ones, since a part of the answer is lost with it.

The rule: a document, however it is written, is bounded, and so is what stands between two; time is linear in the bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from react_agent.messages import Json

from .faults import Fault, reported, words_of

ENVELOPE = 65_536  # bytes around the text of a body; a character of the text itself may take 6, as an escape
BETWEEN = 1024 * 1024  # characters of lines that are left out between two documents; as many as one may have, if that is more
_BLANK = b"\xef\xbb\xbf \t\r\n"  # white space, and the mark some Windows servers put first
_EVENTS = re.compile(rb"(?:data|event|id|retry|error)?:")
_LONGEST = len(b"event:")
_USUAL = "data: {"
_BEFORE = len("data: ")
_JSON_BLANK = " \t\r\n"
_DECODER = json.JSONDecoder()
_FIELD = re.compile(r"(data|error): ?(.*)", re.DOTALL)


class Documents:
    """Reads one answer; `limit` is how many characters its text may have.

    `whole` is True when the answer is one body, `done` once the server has said that it is complete.
    """

    def __init__(self, limit: int) -> None:
        self.whole = False
        self.done = False
        self._most = ENVELOPE + 8 * limit
        self._begun = False
        self._bare: bool | None = None  # whether each line is a document by itself; None: not known
        self._held = bytearray()  # a line that has not ended, or a whole body
        self._lines: list[str] = []  # the lines of a document that goes over several
        self._kept = 0  # their characters
        self._left_out = 0  # characters since the last document that belong to none
        self._between = max(BETWEEN, self._most)
        self._odd = ""  # the first data that was left out, as long as there was no document
        self._came = 0
        self._partial = False  # a document was part of an answer

    def feed(self, block: bytes) -> Iterator[Json | Fault]:
        """The documents that this block completes."""
        self._held += block
        if not self._begun:
            self._begin(_LONGEST)
        ended = b"\n" in block or b"\r" in block
        if self.whole and self._bare is None and ended:
            self._look()
        if self._begun and not self.whole and ended:
            yield from self._read_lines(self._take_lines())
        if self._exceeded:
            yield Fault("malformed", words=f"more than {self._exceeded} bytes without an end")

    def end(self) -> Iterator[Json | Fault]:
        """What is left when no more bytes come."""
        if not self._begun:
            self._begin(1)
        rest, self._held = bytes(self._held), bytearray()
        if self.whole:
            yield _checked(_parsed(rest), rest.decode("utf-8", "replace"), complete=True)
        else:
            yield from self._read_lines([*_lines_of(rest), ""])
            yield from self._nothing_else()
            self.whole = self._bare is True and self._came == 1 and not self._partial

    @property
    def _exceeded(self) -> int:
        """The bound that is exceeded, 0 when none is."""
        if self._left_out > self._between:
            return self._between
        return self._most if self._kept > self._most or len(self._held) > self._most else 0

    def _begin(self, enough: int) -> None:
        """Decide what the answer is, when there are enough bytes to tell."""
        before, self._held = len(self._held), self._held.lstrip(_BLANK)
        self._left_out += before - len(self._held)
        self._begun = len(self._held) >= enough
        self.whole = self._begun and not _EVENTS.match(self._held)

    def _look(self) -> None:
        """Decide whether what is no stream of events has a document in each line, now that the first one is there."""
        self._bare = isinstance(_parsed(bytes(self._held).splitlines()[0]), dict)
        self.whole = not self._bare

    def _take_lines(self) -> list[str]:
        """The complete lines; a CR at the end waits, since an LF may follow."""
        end = max(self._held.rfind(b"\n"), self._held.rfind(b"\r", 0, -1)) + 1
        complete = bytes(self._held[:end])
        del self._held[:end]
        return _lines_of(complete)

    def _read_lines(self, lines: list[str]) -> Iterator[Json | Fault]:
        for line in lines:
            if self.done or self._left_out > self._between:
                return
            if self._lines:
                yield from self._read_line(line)
                if self._exceeded:
                    return
            elif not line:
                self._left_out += 1
            elif line.startswith(_USUAL) and (value := _object(text := line[_BEFORE:])) is not None:
                if "error" in value:
                    yield self._document(text, value)
                else:  # as nearly all
                    self._came += 1
                    self._left_out = 0
                    yield value
            else:
                yield from self._read_line(line)

    def _read_line(self, line: str) -> Iterator[Json | Fault]:
        field = _FIELD.match(line)
        if (field[2] if field else line).strip() == "[DONE]":
            self.done = True
            yield from self._nothing_else()
        elif field and field[1] == "error":
            yield reported(_parsed(field[2]) or field[2])
        elif field and (self._lines or field[2].lstrip().startswith("{")):
            yield from self._add(field[2])
        elif not line and self._lines:
            text = "\n".join(self._lines)
            yield self._document(text, _parsed(text))
        elif not field and not self._lines and line.startswith("{"):
            yield from self._read_bare(line)
        else:
            self._left_out += len(line) + 1
            if field and not self._odd:
                self._odd = words_of(field[2])

    def _read_bare(self, line: str) -> Iterator[Json | Fault]:
        """An object without a field in front; among events, one that is no part of an answer is left out."""
        value = _parsed(line)
        if self._bare or _says_something(value):
            self._partial = self._partial or _is_partial(value)
            yield self._document(line, value)
        else:
            self._left_out += len(line) + 1

    def _add(self, text: str) -> Iterator[Json | Fault]:
        """Most documents are one line; one that is none by itself may go on until an empty line."""
        value = None if self._lines else _parsed(text)
        if value is None:
            self._lines.append(text)
            self._kept += len(text) + 1
        else:
            yield self._document(text, value)

    def _document(self, text: str, value: object) -> Json | Fault:
        self._lines, self._kept, self._left_out = [], 0, 0
        self._came += 1
        return _checked(value, text, complete=self._bare is True and self._came == 1)

    def _nothing_else(self) -> Iterator[Fault]:
        """Data that was left out is a fault when there was no document."""
        if self._odd and not self._came:
            yield Fault("malformed", words=self._odd)
        self._odd = ""


def _lines_of(data: bytes) -> list[str]:
    """The lines, which end in LF, CRLF or CR and nothing else."""
    if b"\r" in data:
        return [line.decode("utf-8", "replace") for line in data.splitlines()]
    lines = data.decode("utf-8", "replace").split("\n")
    return lines if lines[-1] else lines[:-1]


def _parsed(text: str | bytes) -> object:
    """The JSON value; None when it is none (or null, which is no better)."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value


def _says_something(value: object) -> bool:
    """Whether an object among events is a part of the answer although it is no event."""
    return isinstance(value, dict) and ("choices" in value or bool(value.get("error")))


def _is_partial(value: object) -> bool:
    """Whether a document is a chunk: more of them make the answer."""
    choices = value.get("choices") if isinstance(value, dict) else None
    return isinstance(choices, list) and any(isinstance(choice, dict) and "delta" in choice for choice in choices)


def _object(text: str) -> Json | None:
    """As `_parsed`, of a text that begins an object: the quick way to what most lines are."""
    value: Json
    try:
        value, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return value if end == len(text) or not text[end:].strip(_JSON_BLANK) else None


def _checked(value: object, text: str, *, complete: bool = False) -> Json | Fault:
    """A document, or the fault it is; `complete` demands `choices`, which a chunk of a stream may lack."""
    if isinstance(value, dict):
        if value.get("error"):
            return reported(value)
        if "choices" in value or not complete:
            return value
    return Fault("malformed", words=words_of(text))
