"""Valid JSON that is still being written: how far it goes is the same for every cut, and the standard parser agrees."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.parsing.growing import GrowingJson
from react_agent.repair.reader import MAX_DEPTH, strict

TEXT = st.text(alphabet='ab"\\\n/u0é中\x01', max_size=6)
SCALAR = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT
VALUE = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=12
)
CONTAINER = st.lists(VALUE, max_size=4) | st.dictionaries(TEXT, VALUE, max_size=4)


def read(text: str, borders: Iterable[int]) -> tuple[str, int]:
    """What is known of the value at the start of `text` when it has come up to each of the borders."""
    growing, growth = GrowingJson(0), ""
    for border in borders:
        growth = growing.advance(text[:border], border)
    return growth, growing.at


def written(value: Any, *, ascii_only: bool, indent: int | None) -> str:
    return json.dumps(value, ensure_ascii=ascii_only, indent=indent)


@given(CONTAINER, st.booleans(), st.sampled_from([None, 1]))
def test_a_valid_value_ends_where_the_standard_parser_says(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = written(value, ascii_only=ascii_only, indent=indent)
    assert read(text + " rest", [len(text) + 5]) == ("ended", len(text))


@given(CONTAINER, st.integers(0, 200), st.sampled_from(["", '"', "\\", ",", "}", "1", "\x01", "tru"]), st.integers(0, 2))
def test_any_cut_gives_the_same_and_what_ends_is_valid(value: Any, at: int, inserted: str, removed: int) -> None:
    text = written(value, ascii_only=False, indent=None)
    at = min(at, len(text) - 1)
    text = text[: max(at, 1)] + inserted + text[max(at, 1) + removed :] + " rest"
    whole = read(text, [len(text)])
    assert read(text, range(1, len(text) + 1)) == whole
    found = strict(text, 0)
    assert (whole[0] == "ended") == (found is not None)
    assert found is None or whole[1] == found.end


@given(CONTAINER, st.data())
def test_the_beginning_of_a_valid_value_is_open(value: Any, data: st.DataObject) -> None:
    text = written(value, ascii_only=data.draw(st.booleans()), indent=None)
    border = data.draw(st.integers(1, len(text) - 1))
    growth, at = read(text, [border])
    assert growth == "open"
    assert at <= border


@pytest.mark.parametrize(
    ("text", "breaks"),
    [
        ('{"a" 1}', 5),
        ("{'a': 1}", 1),
        ('{"a": 01}', 6),
        ('{"a": NaN}', 6),
        ('{"a": "\\xyzzy"}', 7),
        ('{"a": "\n"}', 7),
        ("[1 2]", 3),
        ("[1,]", 3),
        ('{"a": 1,}', 8),
        ("{a: 1}", 1),
        ("[tru]", 1),
        ("]", 0),
        ("[" * (MAX_DEPTH + 1), MAX_DEPTH),
    ],
)
def test_it_breaks_where_it_is_no_longer_valid(text: str, breaks: int) -> None:
    assert read(text, [len(text)]) == ("broken", breaks)


def test_a_backslash_may_stand_before_anything_when_asked() -> None:
    text = r'{"path": "C:\Users"} rest'
    growing = GrowingJson(0, any_escape=True)
    assert growing.advance(text, len(text)) == "ended"
    assert growing.at == text.index("}") + 1
    assert read(text, [len(text)]) == ("broken", text.index("\\"))
