"""Text to call: Python-like calls as models write them, what stands for a value that is none, and cuts."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.repair import COSTS
from react_agent.repair.calls import MAX_UNQUOTED
from react_agent.repair.reader import Unreadable, read_call, read_items

CALLS: list[tuple[str, str, tuple[Any, ...], dict[str, Any]]] = [
    ("f()", "f", (), {}),
    ("f(1, 'a')", "f", (1, "a"), {}),
    ("f(x=1, y='a')", "f", (), {"x": 1, "y": "a"}),
    ("f(1, x=[1, {'a': None}])", "f", (1,), {"x": [1, {"a": None}]}),
    ('f({"a": 1})', "f", ({"a": 1},), {}),
    ('f(**{"a": 1})', "f", ({"a": 1},), {}),
    ("f(x=(1, 2), y=true)", "f", (), {"x": [1, 2], "y": True}),
    ('f(x="a)b", y="c, d=(e)")', "f", (), {"x": "a)b", "y": "c, d=(e)"}),
    ("f(\n  x=1,\n  y=2,\n)", "f", (), {"x": 1, "y": 2}),
    ("a.b.c(x=-1.5)", "a.b.c", (), {"x": -1.5}),
    ("查询(城市='A')", "查询", (), {"城市": "A"}),
    ("f(x='it\\'s')", "f", (), {"x": "it's"}),
    ("f(x: 1)", "f", (), {"x": 1}),
    ("f(x=[{'a': 'b'}, {'c': ['d']}], y={})", "f", (), {"x": [{"a": "b"}, {"c": ["d"]}], "y": {}}),
    ("f(x='(', y=')')", "f", (), {"x": "(", "y": ")"}),
    ("f(x='a' # why\n, y=2)", "f", (), {"x": "a", "y": 2}),
    ("f(x=2.5e3)", "f", (), {"x": 2500.0}),
    ("my\\_f(a\\_b='c')", "my\\_f", (), {"a_b": "c"}),
    ("f(a='b', c\\_d='e')", "f", (), {"a": "b", "c_d": "e"}),
    ("f('http://x.org', 2)", "f", ("http://x.org", 2), {}),
    ("f'(x=1)", "f", (), {"x": 1}),
    # text without quotes
    ("f(x=y)", "f", (), {"x": "y"}),
    ("f(x=New York, NY, y=2)", "f", (), {"x": "New York, NY", "y": 2}),
    ("f(x=May 3rd 2022)", "f", (), {"x": "May 3rd 2022"}),
    ("f(x=2022/08/16, y=2022-06-01)", "f", (), {"x": "2022/08/16", "y": "2022-06-01"}),
    ("f(x=a (b), y=c)", "f", (), {"x": "a (b)", "y": "c"}),
    ("f(x=rows['a, b=c'], y=1)", "f", (), {"x": "rows['a, b=c']", "y": 1}),
    ("f(x=[a b, c d], y=1)", "f", (), {"x": ["a b", "c d"], "y": 1}),
    ("f(x=lambda v: v.go(1), y=2)", "f", (), {"x": "lambda v: v.go(1)", "y": 2}),
    ("f(x=<city>, y=2)", "f", (), {"x": "<city>", "y": 2}),
    # arithmetic stays text: the schema decides
    ("f(x=5/100, y=(12*2))", "f", (), {"x": "5/100", "y": "(12*2)"}),
    ("f(x=10 - 5, y=2 ** -3)", "f", (), {"x": "10 - 5", "y": "2 ** -3"}),
    # inner calls
    ("f(x=g(y=1), z=2)", "f", (), {"x": "<result of g>", "z": 2}),
    ("f(g(1) * 2, 3)", "f", ("<result of g>", 3), {}),
    ("f(x=g.h('a, b=c').rows[0], z=2)", "f", (), {"x": "<result of g.h>", "z": 2}),
    # quotes that are escaped, as in text that was encoded twice
    ('f(x=\\"a b\\", y=[\\"c\\"])', "f", (), {"x": "a b", "y": ["c"]}),
    ('f(x=\\\\"a b\\\\")', "f", (), {"x": "a b"}),
]


@pytest.mark.parametrize("text", [text for text, *_ in CALLS])
def test_what_is_certain_of_a_prefix_holds_for_the_call(text: str) -> None:
    whole = read_call(text + " rest")
    for size in range(1, len(text)):
        try:
            call = read_call(text[:size])
        except Unreadable as problem:
            assert not problem.stable, text[:size]  # noqa: PT017
        else:
            assert call.read.cut or not call.read.stable or call == whole, text[:size]


@pytest.mark.parametrize(("text", "name", "positional", "keywords"), CALLS)
def test_call(text: str, name: str, positional: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    call = read_call(text + " rest")
    assert (call.name, call.positional, call.keywords) == (name, positional, keywords)
    assert call.read.end == len(text)
    assert not call.read.cut


@pytest.mark.parametrize("text", ["f(", "f(x=", "f(x='a", "f(x=1", "f(x=[1, 2", "f(x=a b", "f(x=g(1", 'f(x=\\"a'])
def test_cut_call(text: str) -> None:
    try:
        call = read_call(text)
    except Unreadable as problem:
        assert not problem.stable  # noqa: PT017
        return
    assert call.read.cut or not call.read.stable
    assert call.read.cut or "closed" in {fix.name for fix in call.read.fixes}


@pytest.mark.parametrize(
    "text", ["f", "f x", "1(2)", "f(x + 1)", "f(lambda x: 1)", "f(city, days)", "f(x=)", "f(x=, y=1)", "(1)", ""]
)
def test_no_call(text: str) -> None:
    """A signature is no call, and an empty value is none."""
    with pytest.raises(Unreadable):
        read_call(text)


def test_text_without_quotes_is_bounded() -> None:
    with pytest.raises(Unreadable):
        read_call(f"f(x={'a' * MAX_UNQUOTED * 2})")


def test_places_of_inner_calls() -> None:
    text = "f(x=g(1) + 2, y=h(z=k(3)))"
    assert [text[a:b] for a, b in read_call(text).inner] == ["g(1) + 2", "h(z=k(3))"]


def test_keywords_without_quotes_are_told() -> None:
    assert read_call("f(a='x', b=y, c=1, d=z w)").unquoted == ("b", "d")


@pytest.mark.parametrize(
    ("text", "keywords"),
    [
        ("x=1, y='a']", {"x": 1, "y": "a"}),
        ('x="a, b", y={"c": 1}]', {"x": "a, b", "y": {"c": 1}}),
    ],
)
def test_listed(text: str, keywords: dict[str, Any]) -> None:
    call = read_items(text + " rest", 0, "f")
    assert (call.name, call.positional, call.keywords, call.read.end) == ("f", (), keywords, len(text))


NOISE = st.lists(
    st.one_of(
        st.sampled_from([*"{}[]()：,，'\"\\/# \n=-+*.01txf<>_`", "x=", ", y=", "g(", '\\"', "lambda"]), st.text(max_size=3)
    ),
    max_size=30,
).map("".join)


@settings(max_examples=200)
@given(st.sampled_from(["f(", "f(x=", "[f(", "f.g('", "f(x=a "]), NOISE)
def test_any_call(head: str, noise: str) -> None:
    try:
        call = read_call(head + noise)
    except Unreadable:
        return
    json.dumps([call.positional, call.keywords])
    assert call.read.end <= len(head + noise)
    assert {fix.name for fix in call.read.fixes} <= COSTS.keys()
    assert all(0 <= a < b <= call.read.end for a, b in call.inner)


_VALUES = (
    '"a b"', "'a'", '""', "''", '"it\'s"', '"a, b=2"', '"f(x)"', '"]"', '"', "'a", '"a" "b"', '"a"x', '"a\\n"', '"a\nb"',
    "1", "-2.50", "007", "1e3", "1/2", "0.1.2", "True", "null", "None", "Truely", "[1, 'a']", "[]", '["a", "b, c"]',
    "['a', 'b']", "[1, 2.50, True]", "[1 ,2]", "[1, 2,]", '["a]"]', '["a" "b"]', '["a":1]', "[[1]]", "[1, 2", "[1][0]", "x", "",
    "g(1)",
)  # fmt: skip


@given(
    st.lists(st.tuples(st.sampled_from(("a", "b_c", "查", "x1")), st.sampled_from(_VALUES)), max_size=5),
    st.sampled_from((",", ", ", ",\n  ", " ,", ",,", " ", ", #c\n")),
    st.sampled_from((")", "\n)", ") more", "", ",)", "]", ")]")),
)
@settings(max_examples=300, deadline=None)
def test_plain_arguments_are_read_as_all_others(arguments: list[tuple[str, str]], separator: str, end: str) -> None:
    """A blank in front of the sign makes arguments less plain and changes nothing else."""
    plain, spaced = ("f(" + separator.join(f"{key}{sign}{value}" for key, value in arguments) + end for sign in ("=", " ="))
    assert _reading(plain) == _reading(spaced)


def _reading(text: str) -> str:
    try:
        call = read_call(text)
    except Unreadable as problem:
        return f"unreadable {problem.stable}"
    names = [fix.name for fix in call.read.fixes]
    behind = text[call.read.end :]
    found = (call.keywords, call.positional, call.unquoted, len(call.inner), names, behind, call.read.cut, call.read.stable)
    return repr(found).replace(" =", "=")  # a text without an end holds what follows it
