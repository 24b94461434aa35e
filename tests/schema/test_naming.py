import pytest

from react_agent.schema import type_name

NESTED = {
    "type": "object",
    "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "date 1": {"type": "boolean"}},
    "required": ["a"],
}


@pytest.mark.parametrize(
    ("schema", "english", "chinese"),
    [
        ({"type": "string"}, "string", "字符串"),
        ({"type": "integer", "minimum": 1, "maximum": 10}, "integer 1..10", "整数 1..10"),
        ({"type": "integer", "minimum": 1}, "integer >=1", "整数 >=1"),
        ({"type": "number", "maximum": 2.5}, "number <=2.5", "数字 <=2.5"),
        ({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}, "number >0 <1", "数字 >0 <1"),
        ({"type": "string", "format": "date"}, "string date", "字符串 date"),
        ({"type": "string", "minLength": 3}, "string >=3 chars", "字符串 >=3 字"),
        ({"type": "string", "pattern": "^[A-Z]$"}, "string /^[A-Z]$/", "字符串 /^[A-Z]$/"),
        ({"enum": ["USD", "EUR"]}, '"USD"|"EUR"', '"USD"|"EUR"'),
        ({"enum": ["string", 1, None]}, '"string"|1|null', '"string"|1|空值'),
        ({"const": "a"}, '"a"', '"a"'),
        ({"type": ["integer", "null"]}, "integer|null", "整数|空值"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string|null", "字符串|空值"),
        ({"type": "array", "items": {"type": "string"}}, "list[string]", "列表[字符串]"),
        (
            {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 3},
            "list[string] 1..3",
            "列表[字符串] 1..3",
        ),
        ({"type": "array"}, "list", "列表"),
        ({"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]}, "[number, number]", "[数字, 数字]"),
        (NESTED, 'object{a: string, b?: integer, "date 1"?: boolean}', '对象{a: 字符串, b?: 整数, "date 1"?: 布尔值}'),
        ({"type": "object", "properties": {"string": {"type": "null"}}}, "object{string?: null}", "对象{string?: 空值}"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "object{*: number}", "对象{*: 数字}"),
        ({"type": "object"}, "object", "对象"),
        ({}, "any", "任意"),
        (True, "any", "任意"),
    ],
)
def test_type_names(schema: object, english: str, chinese: str) -> None:
    assert type_name(schema) == english
    assert type_name(schema, "zh") == chinese


def test_too_long_a_type_loses_its_inner_parts_first() -> None:
    inner = {"type": "object", "properties": {f"property_{n}": {"type": "string"} for n in range(20)}}
    assert type_name({"type": "array", "items": inner}) == "list[object]"
    assert (
        type_name({"type": "object", "properties": {"rows": {"type": "array", "items": inner}}})
        == "object{rows?: list[object]}"
    )


def test_a_long_enumeration_is_cut() -> None:
    name = type_name({"enum": [f"value {n}" for n in range(1_000)]})
    assert len(name) == 200
    assert name.endswith("…")
