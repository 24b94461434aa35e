"""The primitives: what each says of a text must not depend on how the text came."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
import regex

from react_agent.parsing.buffer import REACH, Buffer, Literals, Marks, Places, Reading
from react_agent.parsing.labels import LINE_LABEL
from react_agent.parsing.places import places_for
from react_agent.repair.reader import MAX_DEPTH, Read

R = TypeVar("R")
WAITING = object()


class Feed:
    """A reading that is fed by hand: `give` text, `end` it, and look at the `answer`."""

    def __init__(self, ask: Callable[[Buffer], Reading[Any]]) -> None:
        self.buffer = Buffer()
        self._reading = ask(self.buffer)
        self.answer: Any = WAITING
        self._go()

    def give(self, text: str) -> Any:
        self.buffer.add(text)
        self._go()
        return self.answer

    def end(self) -> Any:
        self.buffer.close()
        self._go()
        return self.answer

    def _go(self) -> None:
        if self.answer is WAITING:
            try:
                next(self._reading)
            except StopIteration as stop:
                self.answer = stop.value


def answers(ask: Callable[[Buffer], Reading[Any]], text: str) -> list[Any]:
    """The answers for the whole text, for single characters, and for each cut in two."""
    found = []
    for pieces in ([text], list(text), *([text[:at], text[at:]] for at in range(1, len(text)))):
        feed = Feed(ask)
        for piece in pieces:
            feed.give(piece)
        found.append(feed.end())
    return found


# --- simple primitives -----------------------------------------------------------------------------------------------


def test_has_waits_for_the_character() -> None:
    feed = Feed(lambda buffer: buffer.has(2))
    assert feed.give("ab") is WAITING
    assert feed.give("c") is True


def test_has_not() -> None:
    feed = Feed(lambda buffer: buffer.has(2))
    feed.give("ab")
    assert feed.end() is False


def test_blanks_wait_for_something_else() -> None:
    feed = Feed(lambda buffer: buffer.blanks(0))
    assert feed.give(" \n") is WAITING
    assert feed.give("\u200b\ufeff\t") is WAITING
    assert feed.give("b") == 5


def test_blanks_to_the_end() -> None:
    feed = Feed(lambda buffer: buffer.blanks(0))
    feed.give("  ")
    assert feed.end() == 2


def test_starts_decides_at_the_first_difference() -> None:
    feed = Feed(lambda buffer: buffer.starts(0, "</tool>"))
    assert feed.give("</") is WAITING
    assert feed.give("x") is False


@pytest.mark.parametrize(("text", "found"), [("</tool>", True), ("</tool", False), ("", False)])
def test_starts(text: str, found: bool) -> None:
    assert set(answers(lambda buffer: buffer.starts(0, "</tool>"), text)) == {found}


def test_line_end() -> None:
    feed = Feed(lambda buffer: buffer.line_end(0))
    assert feed.give("abc") is WAITING
    assert feed.give("def\nrest") == 6
    assert set(answers(lambda buffer: buffer.line_end(1), "one line")) == {8}


# --- looking for marks -----------------------------------------------------------------------------------------------

TAG = Marks(r"<tag>|<tagged>|\bend\b")


def span(match: regex.Match[str] | None) -> tuple[int, int] | None:
    return None if match is None else match.span()


def found(marks: Marks, at: int = 0) -> Callable[[Buffer], Reading[Any]]:
    def ask(buffer: Buffer) -> Reading[Any]:
        return span((yield from buffer.find(marks, at)))

    return ask


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a <tag> b", (2, 7)),
        ("a <tagged> b", (2, 10)),
        ("<ta <tag>", (4, 9)),
        ("the end", (4, 7)),
        ("the ending", None),
        ("<ta", None),
        ("", None),
    ],
)
def test_find(text: str, where: tuple[int, int] | None) -> None:
    assert set(answers(found(TAG), text)) == {where}


def test_find_waits_while_a_longer_match_is_possible() -> None:
    feed = Feed(found(TAG))
    assert feed.give("the end") is WAITING, "it may become «ending»"
    assert feed.give("ing <ta") is WAITING
    assert feed.give("g> ") == (11, 16)


def test_find_tells_of_text_that_passed() -> None:
    passed: list[str] = []

    def ask(buffer: Buffer) -> Reading[Any]:
        yield from buffer.find(TAG, 0, lambda start, end: passed.append(buffer.text[start:end]))

    feed = Feed(ask)
    feed.give("some prose <t")
    assert "".join(passed) == "some prose "
    feed.give("ea> more")
    feed.give(" <tag>!")
    assert "".join(passed) == "some prose <tea> more "


def test_a_tail_that_never_matches_still_gives_partial_matches() -> None:
    """`regex` has taken `[^\\s\\S]` for any character: then every mark near the end holds up the stream."""
    marks = Marks(r"ab+c")
    assert marks.unsure_from("xx ab", 0) == 3
    assert marks.unsure_from("xx abc", 0) == 3
    assert marks.unsure_from("xx abcd", 0) == 7
    assert marks.unsure_from("xx abd", 0) == 6


LITERALS = Literals(("<a>", "<a b>", "[x]", "</a>"))


@pytest.mark.parametrize(
    "text", ["", "x", "<", "<a", "<a>", "<a ", "<a b>", "<a><", "x [", "[x]", "<a>x", "<a b", "</", "<<a", "]"]
)
def test_literals_say_the_same_as_their_pattern(text: str) -> None:
    pattern = Marks("|".join(("<a b>", "</a>", "<a>", r"\[x\]")))
    for index in range(len(text) + 1):
        assert LITERALS.unsure_from(text, index) == pattern.unsure_from(text, index)
        assert span(LITERALS.search(text, index)) == span(pattern.search(text, index))
        begins = LITERALS.unsure_from(text, index) < len(text) or LITERALS.search(text, index) is not None
        assert LITERALS.next_place(text, index) < len(text) or not begins


def test_an_absent_mark_is_not_looked_for_again() -> None:
    counted: list[int] = []

    class Counting(Marks):
        def search(self, text: str, index: int) -> regex.Match[str] | None:
            counted.append(index)
            return super().search(text, index)

    buffer = Buffer()
    buffer.add("nothing here")
    buffer.close()
    marks = Counting("<tag>")
    for at in (0, 3, 5):
        assert list(buffer.find(marks, at)) == []
    assert counted == [0]


def test_match_stands_at_the_index_only() -> None:
    def ask(buffer: Buffer) -> Reading[Any]:
        return span((yield from buffer.match(TAG, 2)))

    assert set(answers(ask, "a <tag> b")) == {(2, 7)}
    assert set(answers(ask, "a  <tag>")) == {None}


def test_the_leftmost_undecided_place_counts() -> None:
    """At «>>» a mark that starts at the first character is possible, and one at the second: nothing may pass."""
    assert places_for(("f",)).unsure_from("x>>", 1) == 1


def test_blanks_at_the_start_of_the_text_may_lead_to_a_label() -> None:
    assert places_for(("f",)).unsure_from(" ", 0) == 0
    assert places_for(("f",)).unsure_from("\n ", 0) == 0


def test_prose_is_decided_at_once() -> None:
    places = places_for(("find_book",))
    for text in ("We open at ten", "一共两趟车", "a, b; c", "3 < x"):
        assert places.unsure_from(text + " now", 0) == len(text) + 4


def test_places_take_the_leftmost_and_the_first_of_a_place() -> None:
    places = Places((Marks("<a>"), Marks("<a>b|<c>")), re.compile("<"), re.compile("<"), re.compile(r"<\Z"))
    assert span(places.search("x <c> <a>b", 0)) == (2, 5)
    assert span(places.search("x <a>b", 0)) == (2, 5)


@pytest.mark.parametrize(
    "text",
    [">>>>>>>find_book\n{", "]<]<]minimax[>[<tool_call>", "<<<function>>find_book", "***Action: x", "[[[ ## answer ## ]]"],
)
@pytest.mark.parametrize("labelled", [False, True])
def test_which_mark_is_next_does_not_hang_on_where_the_search_began(text: str, labelled: bool) -> None:
    places = places_for(("find_book",), labelled)
    text = "a " + text
    found = [match.start() if (match := places.search(text, index)) else len(text) for index in range(len(text))]
    assert found == [min(found[index:]) for index in range(len(text))]
    assert all(place >= index for index, place in enumerate(found))


def test_only_tags_with_the_name_of_a_tool_are_marks() -> None:
    places = places_for(("find_book", "list-rooms"))
    assert span(places.search("<a> <find_books> <Find_Book > <find_book>", 0)) == (17, 29)
    assert span(places.search("<list> <list-rooms/>", 0)) == (7, 20)


def test_a_mark_that_is_looked_for_again_is_found_again() -> None:
    buffer, marks = Buffer(), Marks("<a>|<a b>")
    buffer.add("x <a ")
    assert buffer.first(marks, 0) is None
    buffer.add("b> <a>")
    assert [span(buffer.first(marks, index)) for index in (0, 2, 3, 7, 8)] == [(2, 7), (2, 7), (8, 11), (8, 11), (8, 11)]
    buffer.add(" <a>")
    assert [span(buffer.first(marks, index)) for index in (3, 9, 0)] == [(8, 11), (12, 15), (2, 7)]


def test_every_mark_decides_within_reach() -> None:
    """A stream looks back that far for what is undecided: no label, however decorated, may be longer."""
    label = regex.compile(LINE_LABEL, regex.M | regex.I)
    longest = " " * 40 + "--- 10.    ######    ***" + "Action Parameters 999 " + "***" + "   :   ***"
    assert label.match(longest)
    assert len(longest) < REACH


# --- values ----------------------------------------------------------------------------------------------------------


def value(at: int = 0) -> Callable[[Buffer], Reading[Any]]:
    def ask(buffer: Buffer) -> Reading[Any]:
        read: Read | None = yield from buffer.value(at)
        return None if read is None else (repr(read.value), read.end, read.cut)

    return ask


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1} tail', ("{'a': 1}", 8, False)),
        ('{"a": "}{"}', ("{'a': '}{'}", 11, False)),
        ("[1, [2], 3]", ("[1, [2], 3]", 11, False)),
        ('{"a": 1', ("{'a': 1}", 7, True)),
        ('{"a": "x', ("{'a': 'x'}", 8, True)),
        ("{'a': 1} tail", ("{'a': 1}", 8, False)),
        ('{"a": 1}}', ("{'a': 1}", 8, False)),
        ("{ not a value", None),
    ],
)
def test_value(text: str, expected: object) -> None:
    assert set(answers(value(), text)) == {expected}


def test_valid_json_is_there_at_its_last_bracket() -> None:
    feed = Feed(value())
    assert feed.give('{"a": [1, 2]') is WAITING
    assert feed.give("}") == ("{'a': [1, 2]}", 13, False)


def test_a_value_that_depends_on_the_end_waits() -> None:
    """`{'a': 'b'}` could go on as `{'a': 'b'}'}`: a quote ends a string only where something fitting follows."""
    feed = Feed(value())
    assert feed.give("{'a': 'it's'}") is WAITING
    assert feed.give(" then") == ("{'a': \"it's\"}", 13, False)


def test_a_value_nested_too_deep_is_none() -> None:
    assert set(answers(value(), "[" * (MAX_DEPTH + 1))) == {None}


def test_call_ends_at_its_bracket() -> None:
    def ask(buffer: Buffer) -> Reading[int]:
        return buffer.call(0)

    assert set(answers(ask, 'f(a="x)", b=[1]) rest')) == {16}
    assert set(answers(ask, "f(a=")) == {0}
    assert set(answers(ask, "f(1 + 2)")) == {0}
