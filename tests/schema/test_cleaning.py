import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from react_agent.errors import SchemaError
from react_agent.schema import checker, clean, prepared

NODE = {
    "$ref": "#/$defs/Node",
    "$defs": {
        "Node": {
            "title": "Node",
            "type": "object",
            "properties": {"name": {"type": "string"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}},
            "required": ["name"],
        }
    },
}


def test_titles_go_but_a_parameter_called_title_stays() -> None:
    schema = {"title": "Args", "properties": {"title": {"title": "Title", "type": "string", "description": "Its name."}}}
    assert clean(schema) == {
        "type": "object",
        "properties": {"title": {"type": "string", "description": "Its name."}},
        "required": [],
    }


def test_a_tool_without_parameters() -> None:
    assert clean({}) == {"type": "object", "properties": {}, "required": []}


def test_references_are_replaced_and_the_text_beside_them_wins() -> None:
    schema = {
        "properties": {"unit": {"$ref": "#/$defs/Unit", "description": "Which unit.", "default": "C"}},
        "$defs": {"Unit": {"title": "Unit", "description": "A unit.", "enum": ["C", "F"], "type": "string"}},
    }
    unit = {"enum": ["C", "F"], "type": "string", "description": "Which unit.", "default": "C"}
    assert clean(schema)["properties"] == {"unit": unit}
    assert "$defs" not in clean(schema)


def test_references_to_any_place_are_replaced() -> None:
    schema = {"properties": {"a/b": {"type": "integer"}, "c": {"$ref": "#/properties/a~1b"}}}
    assert clean(schema)["properties"]["c"] == {"type": "integer"}


def test_what_contains_itself_stays_a_reference_below_an_open_root() -> None:
    cleaned = clean(NODE)
    assert cleaned["properties"].keys() == {"name", "kids"}
    assert cleaned["required"] == ["name"]
    assert cleaned["properties"]["kids"]["items"] == {"$ref": "#/$defs/Node"}
    assert cleaned["$defs"].keys() == {"Node"}
    assert not checker(cleaned).ok({"name": "a", "kids": [{"kids": []}]})


def test_the_root_may_contain_itself() -> None:
    cleaned = clean({"title": "T", "properties": {"left": {"$ref": "#"}, "value": {"type": "integer"}}})
    assert cleaned["properties"]["left"] == {"$ref": "#/$defs/root"}
    assert not checker(cleaned).ok({"left": {"left": {"value": "x"}}})


def test_definitions_of_one_last_name_stay_apart() -> None:
    schema = {
        "properties": {"a": {"$ref": "#/$defs/x/$defs/T"}, "b": {"$ref": "#/$defs/T"}},
        "$defs": {
            "T": {"type": "array", "items": {"$ref": "#/$defs/T"}},
            "x": {"$defs": {"T": {"type": "object", "properties": {"n": {"$ref": "#/$defs/x/$defs/T"}}}}},
        },
    }
    check = checker(clean(schema))
    assert check.ok({"a": {"n": {}}, "b": [[]]})
    assert not check.ok({"a": [], "b": []})
    assert not check.ok({"a": {}, "b": {}})


def test_an_all_of_one_is_merged_where_that_means_the_same() -> None:
    schema = {
        "properties": {
            "level": {"allOf": [{"$ref": "#/$defs/Level"}], "default": 1},
            "open": {"properties": {"a": {}}, "allOf": [{"properties": {"b": {}}, "additionalProperties": False}]},
        },
        "$defs": {"Level": {"enum": [1, 2]}},
    }
    cleaned = clean(schema)["properties"]
    assert cleaned["level"] == {"enum": [1, 2], "default": 1}
    assert len(cleaned["open"]["allOf"]) == 1
    assert not checker(clean(schema)).ok({"open": {"a": 1}})


def test_a_nullable_type_stays_as_it_is() -> None:
    nullable = {"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None}
    assert clean({"properties": {"x": nullable}})["properties"]["x"] == nullable


def test_inlining_that_would_explode_keeps_the_references() -> None:
    doubled = {f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]} for n in range(40)}
    cleaned = clean({"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": {**doubled, "d40": {"type": "null"}}})
    assert len(cleaned["$defs"]) == 41
    assert checker(cleaned).ok({"x": None})


def test_a_long_chain_of_references() -> None:
    chain = {f"d{n}": {"properties": {"next": {"$ref": f"#/$defs/d{n + 1}"}}} for n in range(1_500)}
    assert clean({"$ref": "#/$defs/d0", "$defs": {**chain, "d1500": {}}})["type"] == "object"


def test_the_given_schema_is_not_changed() -> None:
    before = copy.deepcopy(NODE)
    clean(NODE)
    assert before == NODE


@pytest.mark.parametrize(
    ("schema", "part"),
    [
        ({"type": "string"}, "type \"object\", but type 'string' came"),
        ({"properties": {"a": {"type": "int"}}}, "properties.a.type"),
        ({"properties": {"a": {"$ref": "#/$defs/no"}}}, "not there"),
    ],
)
def test_what_cannot_be_a_tools_parameters(schema: dict[str, object], part: str) -> None:
    with pytest.raises(SchemaError, match=part.replace("$", r"\$")):
        clean(schema)


# --- the rule: an object satisfies the clean schema exactly when it satisfies the given one -----------------------------

NAMES = st.sampled_from(["a", "b", "title", "required"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["a", "b", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
NOTES = st.fixed_dictionaries({}, optional={"title": st.just("T"), "description": st.just("d"), "default": VALUES})
REFS = st.fixed_dictionaries({"$ref": st.sampled_from(["#/$defs/A", "#/$defs/B", "#/$defs/B/properties/a"])})
SIMPLE = st.one_of(
    st.booleans(),
    st.just({}),
    st.fixed_dictionaries({"type": st.sampled_from(["string", "integer", "null", "object", "array", "boolean"])}),
    st.fixed_dictionaries({"enum": st.lists(VALUES, max_size=3)}),
    st.fixed_dictionaries({"minimum": st.integers(-2, 2)}),
    st.fixed_dictionaries({"minProperties": st.integers(0, 2)}),
)


def joined(*parts: st.SearchStrategy[dict[str, object]]) -> st.SearchStrategy[dict[str, object]]:
    return st.tuples(*parts).map(lambda found: {key: value for part in found for key, value in part.items()})


def containers(inner: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    """Schemas whose inner schemas are about parts of the value, so that references below them come to an end."""
    some = {
        "properties": st.dictionaries(NAMES, inner, max_size=3),
        "additionalProperties": inner,
        "required": st.lists(NAMES, max_size=2, unique=True),
        "items": inner,
        "prefixItems": st.lists(inner, min_size=1, max_size=2),
        "unevaluatedProperties": inner,
    }
    return st.fixed_dictionaries({}, optional=some)


def combinations(inner: st.SearchStrategy[object]) -> st.SearchStrategy[dict[str, object]]:
    several = st.lists(inner, min_size=1, max_size=2)
    return st.fixed_dictionaries({}, optional={"allOf": several, "anyOf": several, "oneOf": several, "not": inner})


def grown(inner: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return joined(containers(inner), combinations(inner), NOTES)


PARTS = st.recursive(SIMPLE | joined(REFS, NOTES) | joined(REFS, containers(SIMPLE)), grown, max_leaves=5)
DEFINITIONS = st.fixed_dictionaries(
    {"A": joined(containers(PARTS), NOTES), "B": joined(containers(PARTS), st.just({"properties": {"a": {"type": "integer"}}}))}
)
ROOTS = st.builds(
    lambda root, definitions: {**root, "$defs": definitions} if isinstance(root, dict) else {"$defs": definitions},
    PARTS,
    DEFINITIONS,
)


@settings(max_examples=100, deadline=None)
@given(ROOTS, st.lists(st.dictionaries(NAMES, VALUES, max_size=3), min_size=1, max_size=6))
def test_clean_accepts_the_same_objects(schema: dict[str, object], values: list[dict[str, object]]) -> None:
    expected = [checker(schema).ok(value) for value in values]
    try:
        cleaned = clean(schema)
    except SchemaError:  # of a type other than object
        assert not any(expected)
    else:
        assert [checker(cleaned).ok(value) for value in values] == expected
        assert clean(cleaned) == cleaned


def test_a_prepared_schema_is_made_once() -> None:
    schema = {"properties": {"a": {"type": "integer", "title": "A"}}}
    found = prepared(schema)
    assert prepared({**schema}) is found
    assert found.schema == clean(schema)
    assert found.checker.ok({"a": 1})
    assert not found.checker.ok({"a": "1"})
