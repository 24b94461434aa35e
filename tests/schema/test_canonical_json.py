from hypothesis import given
from hypothesis import strategies as st

from react_agent.schema import canonical

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


def test_it_has_sorted_keys_no_blanks_and_keeps_non_ascii() -> None:
    assert canonical({"b": [1, 2], "a": "北京"}) == '{"a":"北京","b":[1,2]}'


def test_whole_floats_are_integers_but_true_is_not_one() -> None:
    assert canonical({"n": 3.0}) == canonical({"n": 3})
    assert canonical({"n": -0.0}) == canonical({"n": 0})
    assert canonical({"n": True}) != canonical({"n": 1})
    assert canonical({"n": 2.5}) != canonical({"n": 2})


@given(st.dictionaries(st.text(max_size=5), JSON))
def test_the_order_of_keys_does_not_matter(value: dict[str, object]) -> None:
    assert canonical(dict(reversed(value.items()))) == canonical(value)
