import pytest
from hypothesis import given

from react_agent.errors import SchemaError
from react_agent.schema import checker
from tests.schema.test_canonical_json import JSON

PAGE = {"type": "object", "properties": {"page": {"type": "integer", "minimum": 1}}, "required": ["page"]}


def test_the_same_schema_gives_the_same_checker() -> None:
    assert checker(PAGE) is checker({**PAGE})


def test_a_changed_schema_gives_another_checker() -> None:
    schema = {"type": "object", "properties": {"page": {"type": "integer"}}}
    before = checker(schema)
    schema["properties"] = {"page": {"type": "string"}}
    assert before.ok({"page": 1})
    assert not checker(schema).ok({"page": 1})


@given(JSON)
def test_there_are_problems_exactly_when_a_value_is_not_ok(value: object) -> None:
    check = checker(PAGE)
    assert check.ok(value) == (check.problems(value) == ())


@pytest.mark.parametrize(
    ("schema", "part"),
    [
        ({"type": "objekt"}, '"type" must be one of'),
        ({"properties": 5}, '"properties" must be an object'),
        ({"properties": {"a": {"pattern": "("}}}, '"properties.a.pattern" must be written as a regular expression'),
        ({"required": ["a", "a"]}, '"required" must not repeat an item'),
        ({"$ref": "other.json"}, "must point into the same schema"),
        ({"$ref": "http://127.0.0.1/s"}, "must point into the same schema"),
        ({"properties": {"a": {"$ref": "#/$defs/nope"}}}, "points to '#/$defs/nope', which is not there"),
        ({"properties": {"a": {"$ref": "#name"}}}, "must be a JSON pointer"),
        ({"$dynamicRef": "#meta"}, "not supported"),
        ({"default": {1, 2}}, "plain JSON: set"),
        ({"description": "x" * 600_000}, "at most 500000 characters"),
    ],
)
def test_a_schema_that_is_not_valid_is_refused_in_one_sentence(schema: dict[str, object], part: str) -> None:
    with pytest.raises(SchemaError) as caught:
        checker(schema)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("levels", [65, 100_000])
def test_a_schema_nested_too_deep_is_refused(levels: int) -> None:
    schema: dict[str, object] = {}
    for _ in range(levels):
        schema = {"not": schema}
    with pytest.raises(SchemaError, match="at most 64 deep"):
        checker(schema)


def test_data_that_looks_like_a_keyword_is_data() -> None:
    schema = {"properties": {"$ref": {"enum": [{"$ref": "http://x"}]}}, "default": {"$ref": 5}}
    assert checker(schema).ok({"$ref": {"$ref": "http://x"}})


def test_an_id_is_no_address() -> None:
    schema = {"$id": "https://example.invalid/s", "properties": {"a": {"$ref": "#/$defs/n"}}, "$defs": {"n": {"type": "null"}}}
    assert checker(schema).ok({"a": None})
    assert not checker(schema).ok({"a": 1})


# --- work without end ------------------------------------------------------------------------------------------------


def test_references_that_double_at_each_level_are_given_up() -> None:
    doubled = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(40)}
    check = checker({"$ref": "#/$defs/d0", "$defs": {**doubled, "d40": {}}})
    assert not check.ok({})
    (problem,) = check.problems({})
    assert problem.say("en") == "the arguments cannot be checked: too deep or too large; write something smaller"


def test_a_pattern_that_backtracks_for_ever_is_given_up() -> None:
    text = "a" * 4_000 + "!"
    for pattern in ("^(a|a)*$", "^(a*)*b$", "^(?:a+)+$"):
        assert not checker({"pattern": pattern}).ok(text)
        assert not checker({"patternProperties": {pattern: False}, "additionalProperties": False}).ok({text: 1})


def test_the_deepest_schema_and_a_long_chain_of_references_are_checked_or_given_up() -> None:
    schema: dict[str, object] = {"const": 1}
    for _ in range(62):
        schema = {"not": schema}
    assert checker(schema).ok(1)
    chain = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(3_000)}
    assert not checker({"$ref": "#/$defs/d0", "$defs": {**chain, "d3000": {}}}).ok(1)
    assert checker({"$ref": "#/$defs/d2990", "$defs": {**chain, "d3000": {}}}).ok(1)


def test_a_value_as_deep_as_the_stack_is_a_problem_and_no_exception() -> None:
    nested: dict[str, object] = {}
    for _ in range(5_000):
        nested = {"a": nested}
    check = checker({"properties": {"a": {"$ref": "#"}}})
    assert not check.ok(nested)
    assert check.problems(nested)[0].rule == "work"


# --- what is asserted ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("date", "2024-02-29", "2023-02-29"),
        ("date-time", "2024-05-01T10:00:00Z", "2024-05-01T25:00:00Z"),
        ("date-time", "2024-05-01 10:00", "tomorrow"),
        ("date-time", "2024-05-01T10:00:00.5+08:00", "2024-05-01"),
        ("time", "10:30", "10.30"),
        ("email", "lin@example.com", "lin at example.com"),
        ("ipv4", "10.0.0.1", "10.0.0.256"),
        ("ipv6", "::1", "10.0.0.1"),
        ("uuid", "7f3b8a52-6f43-4c5a-9d57-0c1f6c1f2d11", "7f3b"),
        ("no-such-format", "anything", None),
    ],
)
def test_formats(name: str, good: str, bad: str | None) -> None:
    check = checker({"type": "string", "format": name})
    assert check.ok(good)
    assert bad is None or not check.ok(bad)


def test_unicode_classes_in_patterns() -> None:
    assert checker({"pattern": r"^\p{Han}+$"}).ok("北京")
    assert not checker({"pattern": r"^\p{Han}+$"}).ok("Beijing")


def test_additional_properties() -> None:
    check = checker({"properties": {"a": {}}, "patternProperties": {"^x_": {}}, "additionalProperties": {"type": "integer"}})
    assert check.ok({"a": "any", "x_1": "any", "n": 1})
    assert [problem.path for problem in check.problems({"a": 1, "n": "one"})] == ["n"]


def test_unique_items_are_equal_by_json() -> None:
    assert not checker({"uniqueItems": True}).ok([{"a": 1, "b": 2}, {"b": 2.0, "a": 1}])
    assert checker({"uniqueItems": True}).ok([1, True, "1"])
    assert checker({"uniqueItems": False}).ok([1, 1])
