"""Text to value: malformed inputs as models write them, the fixes they need, and whether the end was reached."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.repair import COSTS
from react_agent.repair.cursor import MAX_STEPS
from react_agent.repair.reader import MAX_DEPTH, Read, Unreadable, read

# --- the table: text, value, fixes -----------------------------------------------------------------------------------

WHOLE = [
    # valid JSON takes the standard path
    ('{"a": 1}', {"a": 1}, ""),
    ("[]", [], ""),
    ('  {"a": [true, false, null, -1.5e3]}', {"a": [True, False, None, -1500.0]}, ""),
    ('"text"', "text", ""),
    ('{"a": "“x”，y"}', {"a": "“x”，y"}, ""),
    ('{"a": 1, "a": 2}', {"a": 2}, ""),
    # Python
    ("{'a': 'b'}", {"a": "b"}, "other_quotes"),
    ("{'a': True, 'b': None}", {"a": True, "b": None}, "other_quotes python_literal"),
    ('{"a":\u3000"b"}', {"a": "b"}, "other_blanks"),
    ("{'a': (1, 2)}", {"a": [1, 2]}, "other_quotes python_literal"),
    ('{"a": r"\\d+"}', {"a": "\\d+"}, "python_literal"),
    ("{'it': 'isn\\'t'}", {"it": "isn't"}, "other_quotes bad_escape"),
    ('{"a": """x "y" z"""}', {"a": 'x "y" z'}, "triple_quotes"),
    # commas, colons, closers
    ('{"a": 1,}', {"a": 1}, "trailing_comma"),
    ("[1, 2,]", [1, 2], "trailing_comma"),
    ('{"a": 1 "b": 2}', {"a": 1, "b": 2}, "missing_comma"),
    ('{"a": "x"\n"b": "y"}', {"a": "x", "b": "y"}, "missing_comma"),
    ('["x"\n"y"]', ["x", "y"], "missing_comma"),
    ('{"a" "x"}', {"a": "x"}, "missing_colon"),
    ('{"a" = 1}', {"a": 1}, "missing_colon"),
    ('{"a" => 1}', {"a": 1}, "missing_colon"),
    ('{"a": [1, 2}', {"a": [1, 2]}, "closed"),
    ('{"a": 1; "b": 2}', {"a": 1, "b": 2}, "fullwidth_punctuation"),
    ('{"a": [1]; "b": 2}', {"a": [1], "b": 2}, "fullwidth_punctuation"),
    ('{{"a": {{"b": 1}}}}', {"a": {"b": 1}}, "doubled_braces"),
    # keys and words
    ("{a: 1}", {"a": 1}, "bare_key"),
    ("{a: x y, b: 2}", {"a": "x y", "b": 2}, "bare_key bare_string"),
    ('{"a": yes}', {"a": "yes"}, "bare_string"),
    ('{a": 1}', {"a": 1}, "missing_quote"),
    ('{"a": x"}', {"a": "x"}, "missing_quote"),
    ('{"键": 值}', {"键": "值"}, "bare_string"),
    # comments
    ('{"a": 1, // one\n "b": 2}', {"a": 1, "b": 2}, "comment"),
    ('{"a": 1 # one\n}', {"a": 1}, "comment"),
    ('{/* none */ "a": 1}', {"a": 1}, "comment"),
    ('{"a": "http://x.org/#y"}', {"a": "http://x.org/#y"}, ""),
    ("{'a': 'http://x.org/#y'}", {"a": "http://x.org/#y"}, "other_quotes"),
    # full width
    ("｛“a”：“b”，“c”：1｝", {"a": "b", "c": 1}, "fullwidth_punctuation"),
    ('{"a"："b"}', {"a": "b"}, "fullwidth_punctuation"),
    ('{"a": "b"，"c": "d"}', {"a": "b", "c": "d"}, "fullwidth_punctuation"),
    ('{"a": ["x"、"y"]}', {"a": ["x", "y"]}, "fullwidth_punctuation"),
    ("［1，2］", [1, 2], "fullwidth_punctuation"),
    ("{“a”: “他说：“好”，走了。”}", {"a": "他说：“好”，走了。"}, "fullwidth_punctuation unescaped_quote?"),
    # quotes inside strings
    ('{"a": "say "hi" now"}', {"a": 'say "hi" now'}, "unescaped_quote"),
    ('{"a": "x "y", z", "b": 1}', {"a": 'x "y", z', "b": 1}, "unescaped_quote"),
    ('{"a": "5" wide"}', {"a": '5" wide'}, "unescaped_quote"),
    ('{"a": ["5" x", "b"]}', {"a": ['5" x', "b"]}, "unescaped_quote"),
    ('{"a": "{"b": "c"}"}', {"a": '{"b": "c"}'}, "unescaped_quote"),
    ("{'a': 'it's'}", {"a": "it's"}, "other_quotes unescaped_quote"),
    ('{"a": "print("x")"}', {"a": 'print("x")'}, "unescaped_quote"),
    # backslashes and control characters
    ('{"a": "x\ny"}', {"a": "x\ny"}, "raw_newline"),
    ('{"a": "\\d+\\.txt"}', {"a": "\\d+\\.txt"}, "bad_escape"),
    ('{"a": "my\\_name"}', {"a": "my_name"}, "bad_escape"),
    ('{"a": "C:\\Users\\new"}', {"a": "C:\\Users\\new"}, "bad_escape"),
    ('{"a": "\\u00e9\\uZZ"}', {"a": "é\\uZZ"}, "bad_escape"),
    ("{'a': '\\ud83d\\ude00'}", {"a": "😀"}, "other_quotes"),
    ("{'a': '\\ud83d'}", {"a": "\ufffd"}, "other_quotes bad_escape"),
    # numbers
    ('{"a": +1}', {"a": 1}, "number_spelling"),
    ('{"a": .5}', {"a": 0.5}, "number_spelling"),
    ('{"a": 1_000}', {"a": 1000}, "number_spelling"),
    ('{"a": 0x1F}', {"a": 31}, "number_spelling"),
    ('{"a": 2024-01-31}', {"a": "2024-01-31"}, "bare_string"),
    ('{"a": 10:30}', {"a": "10:30"}, "bare_string"),
    ('{"a": 3px}', {"a": "3px"}, "bare_string"),
]


@pytest.mark.parametrize(("text", "value", "fixes"), WHOLE, ids=[text for text, *_ in WHOLE])
def test_whole(text: str, value: Any, fixes: str) -> None:
    found = read(text)
    assert json.dumps(found.value) == json.dumps(value)
    assert not found.cut
    assert found.end == len(text)
    names, wanted = {fix.name for fix in found.fixes}, set(fixes.split())
    free = {name.strip("?") for name in wanted if name.endswith("?")}
    assert names - free == {name for name in wanted if not name.endswith("?")}
    assert names <= COSTS.keys()


@pytest.mark.parametrize(
    ("text", "value", "rest"),
    [
        ('{"a": 1}}', {"a": 1}, "}"),
        ('{"a": 1} and more', {"a": 1}, " and more"),
        ("{'a': 1} and more", {"a": 1}, " and more"),
        ('{"a": 1}{"b": 2}', {"a": 1}, '{"b": 2}'),
        ("[1,] [2]", [1], " [2]"),
        ("true story", True, " story"),
    ],
)
def test_what_follows_is_left(text: str, value: Any, rest: str) -> None:
    found = read(text)
    assert found.value == value
    assert text[found.end :] == rest


# --- the end of the text ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": "x"', {"a": "x"}),
        ('{"a": ["x"', {"a": ["x"]}),
        ('{"a": {"b": true}', {"a": {"b": True}}),
        ('{"a": "x", ', {"a": "x"}),
        ('[{"a": "x"}', [{"a": "x"}]),
    ],
)
def test_closers_missing(text: str, value: Any) -> None:
    found = read(text)
    assert (found.value, found.cut) == (value, False)
    assert "closed" in {fix.name for fix in found.fixes}


def is_open(reading: Callable[[], Read], *, cut: bool = True) -> bool:
    """Does the text end in the middle: cut, or else at least not stable?"""
    try:
        found = reading()
    except Unreadable as problem:
        return not problem.stable
    return found.cut or not (cut or found.stable)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "x',
        '{"a": "x\\',
        '{"a": 1',
        '{"a": 1.',
        '{"a": -',
        '{"a": tru',
        '{"a": ',
        '{"a":',
        '{"a"',
        '{"a',
        "{a",
        '{"a": "x", "b',
        '{"a": [1',
        '{"a": """x',
        '{"a": x',
        "{'a': '",
        "{",
        "[",
        '{"a": [',
        '{"a": "x", "b": {',
    ],
)
def test_cut(text: str) -> None:
    """The text ends inside a string, number, word or key: the value is not known."""
    assert is_open(lambda: read(text))


def test_a_real_border_ends_a_number() -> None:
    assert read('{"a": 12').cut
    assert not read('{"a": 12', bounded=True).cut
    assert read('{"a": "12', bounded=True).cut


@pytest.mark.parametrize("text", ["", "  ", "}", ",", "hello", "-", "(1)", "<a>", "{:}", "{]", "{,}"])
def test_no_value(text: str) -> None:
    try:
        found = read(text)
    except Unreadable:
        return
    assert text in ("{]", "{,}"), found
    assert found.value == {}


def test_a_refusal_says_whether_more_text_would_help() -> None:
    with pytest.raises(Unreadable) as stable:
        read('{"a": 1, ?} and more')
    assert stable.value.stable
    assert stable.value.position == 9


@pytest.mark.parametrize("opener", ["[", '{"a":', "[{'a':"])
def test_depth_is_bounded(opener: str) -> None:
    with pytest.raises(Unreadable, match="too deep"):
        read(opener * (MAX_DEPTH + 1))


@pytest.mark.parametrize(
    ("head", "part", "tail"), [("[", "'a', ", "]"), ("{", "'a': 1, ", "}"), ('{"a": "', 'b "c" d, ', '"}'), ("[", ",", "]")]
)
def test_broken_values_with_too_many_parts_are_given_up(head: str, part: str, tail: str) -> None:
    assert not read(head + part * (MAX_STEPS // 50) + tail).cut
    with pytest.raises(Unreadable, match="too many parts"):
        read(head + part * (MAX_STEPS + 1) + tail)


# --- more text changes nothing that was stable -----------------------------------------------------------------------


@pytest.mark.parametrize("text", [text for text, *_ in WHOLE if text.lstrip()[:1] in tuple("{[｛［")])
@pytest.mark.parametrize("more", [" and so on", '"', "'", "}]", ", 'k': 1}", "：”"])
def test_stable_readings_stay(text: str, more: str) -> None:
    """For a prefix that reads as stable and not cut, nothing that follows changes the value or its end."""
    for size in range(1, len(text) + 1):
        try:
            first = read(text[:size])
        except Unreadable as problem:
            if problem.stable:
                with pytest.raises(Unreadable):
                    read(text[:size] + more)
            continue
        if first.stable and not first.cut:
            later = read(text[:size] + more)
            assert (later.value, later.end) == (first.value, first.end)


@pytest.mark.parametrize("text", [text for text, *_ in WHOLE])
def test_what_is_certain_of_a_prefix_holds_for_the_whole(text: str) -> None:
    """A stream may use a stable reading at once, and give up at a stable refusal."""
    whole = read(text)
    for size in range(1, len(text)):
        try:
            found = read(text[:size])
        except Unreadable as problem:
            assert not problem.stable, text[:size]  # noqa: PT017
        else:
            assert found.cut or not found.stable or (found.value, found.end) == (whole.value, whole.end), text[:size]


# --- floods: a quadratic reading would hang ----------------------------------------------------------------------------

FLOODS = {
    "quotes": ('{"a": "', '"'),
    "quotes and commas": ('{"a": "', '",'),
    "quotes and keys": ('{"a": "', '", "'),
    "long keys": ('{"a": "', '", "' + "a" * 60 + " "),
    "quotes and closers": ('{"a": "x', '"}}]]]'),
    "apostrophes": ("{'a': '", "'s "),
    "escapes": ('{"a": "', "\\u"),
    "line breaks": ('{"a": "', '"\n"k '),
    "bare words": ("[", "a b."),
    "numbers": ("[", "1_"),
    "digits": ("[", "1"),
    "back-ticks": ("[", "`"),
    "triple quotes": ("[", '"""'),
    "paths": ('{"a": "C:', "\\x"),
    "line comments": ('{"a": "', '",#'),
    "block comments": ('{"a": "', '",/*'),
    "comments in a row": ('{"a": "x",', "# c\n"),
    "commas": ("[", ","),
    "joined texts": ('{"a": ', '"x" + '),
    "sets": ("[", '{"a", "b"}, '),
    "slips": ("[", '{"a": [1}},'),
    "near closers": ('{"a": "x', '"]} "'),
    "bare quotes and brackets": ('{"a": "', '{"a": "b"} '),
    "escaped twice": ('{\\"a\\": \\"', '\\\\\\"'),
    "trailing backslashes": ('{"a": "C:\\', '\\"'),
    "long numbers": ("[1.", "0"),
    "exponents": ("[", "1e"),
    "keys without commas": ("{", '"a": 1 '),
    "openers": ("", '{"'),
}


@pytest.mark.parametrize("name", FLOODS)
def test_flood(name: str) -> None:
    head, unit = FLOODS[name]
    text = head + unit * (100_000 // len(unit))
    try:
        found = read(text)
    except Unreadable:
        return
    assert found.end <= len(text)


# --- any text --------------------------------------------------------------------------------------------------------

NOISE = st.lists(
    st.one_of(
        st.sampled_from([*"{}[]():：,，'\"“”‘’\\/#\n \t=-+.0123tfnN｛｝［］、`_", '"""', "true", "null", "\\u", "//"]),
        st.text(max_size=3),
    ),
    max_size=30,
).map("".join)


HEADS = st.sampled_from(["", "{", "[", "{'a': ", '{"a": "', "［", "｛“", '{\\"a\\": '])


@settings(max_examples=250)
@given(HEADS, NOISE, st.booleans())
def test_any_text(head: str, noise: str, bounded: bool) -> None:
    text = head + noise
    try:
        found = read(text, bounded=bounded)
    except Unreadable:
        return
    assert 0 <= found.end <= len(text)
    assert {fix.name for fix in found.fixes} <= COSTS.keys()
    json.dumps(found.value)


@settings(max_examples=150)
@given(HEADS, NOISE, NOISE)
def test_what_is_certain_of_any_prefix_stays(head: str, noise: str, more: str) -> None:
    """So a stream, however it is cut, gives what the whole text gives."""
    text = head + noise
    try:
        found = read(text)
    except Unreadable as problem:
        if problem.stable:
            with pytest.raises(Unreadable):
                read(text + more)
        return
    if found.stable and not found.cut:
        assert read(text + more) == found


# --- work, counted in function calls -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FLOODS)
def test_work_is_in_proportion_to_the_text(name: str) -> None:
    """Eight times the text, at most about eight times the work."""
    head, unit = FLOODS[name]
    small, large = (work(head + unit * (size // len(unit))) for size in (1_000, 8_000))
    assert large <= 9 * small + 1_000


def work(text: str) -> int:
    """How many functions are called to read the text."""
    count = 0

    def counted(_: FrameType, event: str, __: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        with contextlib.suppress(Unreadable):
            read(text)
    finally:
        sys.setprofile(before)
    return count
