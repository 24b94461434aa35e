"""The sentences a weak model reads, in both languages: each line is schema of `x`, arguments, English, Chinese."""

import pytest

from react_agent.schema import Problem, checker

CASES = [
    ({"type": "integer"}, {"x": "last"}, '"x" must be an integer, but "last" (a string) came',
     '参数 "x" 应为整数，但收到 "last"（字符串）'),
    ({"type": "string"}, {"x": 1.5}, '"x" must be a string, but 1.5 (a number) came',
     '参数 "x" 应为字符串，但收到 1.5（数字）'),
    ({"type": "array"}, {"x": {"a": 1}}, '"x" must be a list, but {"a": 1} (an object) came',
     '参数 "x" 应为列表，但收到 {"a": 1}（对象）'),
    ({"type": ["integer", "null"]}, {"x": True}, '"x" must be an integer or null, but true came',
     '参数 "x" 应为整数或空值（null），但收到 true'),
    ({"type": "boolean"}, {}, '"x" is missing; it must be true or false', '参数 "x" 缺失，应为布尔值（true 或 false）'),
    ({"enum": ["C", "F"]}, {}, '"x" is missing; it must be "C"|"F"', '参数 "x" 缺失，应为"C"|"F"'),
    ({"enum": ["C", "F"]}, {"x": "K"}, '"x" must be one of "C", "F", but "K" came',
     '参数 "x" 只能是 "C", "F" 之一，但收到 "K"'),
    ({"const": "asc"}, {"x": "up"}, '"x" must be "asc", but "up" came', '参数 "x" 只能是 "asc"，但收到 "up"'),
    ({"minimum": 1}, {"x": 0}, '"x" must be at least 1, but 0 came', '参数 "x" 不能小于 1，但收到 0'),
    ({"maximum": 9}, {"x": 10}, '"x" must be at most 9, but 10 came', '参数 "x" 不能大于 9，但收到 10'),
    ({"exclusiveMinimum": 0}, {"x": 0}, '"x" must be greater than 0, but 0 came', '参数 "x" 必须大于 0，但收到 0'),
    ({"exclusiveMaximum": 1}, {"x": 1}, '"x" must be less than 1, but 1 came', '参数 "x" 必须小于 1，但收到 1'),
    ({"multipleOf": 5}, {"x": 7}, '"x" must be a multiple of 5, but 7 came', '参数 "x" 必须是 5 的倍数，但收到 7'),
    ({"minLength": 3}, {"x": "ab"}, '"x" must have at least 3 characters, but "ab" came',
     '参数 "x" 至少要有 3 个字符，但收到 "ab"'),
    ({"maxLength": 1}, {"x": "ab"}, '"x" must have at most 1 characters, but "ab" came',
     '参数 "x" 最多 1 个字符，但收到 "ab"'),
    ({"pattern": "^[A-Z]\\d+$"}, {"x": "b2"}, '"x" must match the pattern ^[A-Z]\\d+$, but "b2" came',
     '参数 "x" 必须匹配模式 ^[A-Z]\\d+$，但收到 "b2"'),
    ({"format": "date"}, {"x": "today"}, '"x" must be written as YYYY-MM-DD (date), but "today" came',
     '参数 "x" 应写成 YYYY-MM-DD (date) 格式，但收到 "today"'),
    ({"minItems": 2}, {"x": [1]}, '"x" must have at least 2 items, but 1 came', '参数 "x" 至少要有 2 项，但收到 1'),
    ({"maxItems": 0}, {"x": [1]}, '"x" must have at most 0 items, but 1 came', '参数 "x" 最多 0 项，但收到 1'),
    ({"uniqueItems": True}, {"x": [1, 1]}, '"x" must not repeat an item, but [1, 1] came',
     '参数 "x" 的各项不能重复，但收到 [1, 1]'),
    ({"items": {"type": "string"}}, {"x": ["a", 2]}, '"x[1]" must be a string, but 2 (an integer) came',
     '参数 "x[1]" 应为字符串，但收到 2（整数）'),
    ({"prefixItems": [{}], "items": False}, {"x": [1, 2]}, '"x" has too many items: [1, 2]', '参数 "x" 的项数过多：[1, 2]'),
    ({"properties": {"y": {"type": "null"}}}, {"x": {"y": 0}}, '"x.y" must be null, but 0 (an integer) came',
     '参数 "x.y" 应为空值（null），但收到 0（整数）'),
    (False, {"x": 1}, '"x" must be left out, but 1 came', '参数 "x" 不应出现，但收到 1'),
    ({"not": {"const": 1}}, {"x": 1}, '"x" breaks the rule "not" ({"const": 1}), got 1',
     '参数 "x" 不符合规则 "not"（{"const": 1}），收到 1'),
    ({"type": "string"}, {"x": "a", "y": 1}, '"y" is not a known name; the known names are: "x"',
     '参数 "y" 不是已知的参数名；已知的有："x"'),
    ({}, ["a"], 'the arguments must be an object, but ["a"] (a list) came', '参数整体应为对象，但收到 ["a"]（列表）'),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "arguments", "english", "chinese"), CASES)
def test_what_is_said(schema: object, arguments: object, english: str, chinese: str) -> None:
    whole = {"type": "object", "properties": {"x": schema}, "required": ["x"], "additionalProperties": False}
    (problem,) = checker(whole).problems(arguments)
    assert problem.say("en") == english
    assert problem.say("zh") == chinese
    assert Problem.from_dict(problem.to_dict()) == problem


def say(schema: dict[str, object], value: object) -> list[str]:
    return [problem.say("en") for problem in checker(schema).problems(value)]


# --- unions: the branch that was meant -------------------------------------------------------------------------------

SHAPES = {
    "anyOf": [
        {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
        {"properties": {"kind": {"const": "box"}, "width": {"type": "number"}}, "required": ["kind", "width"]},
    ]
}


def test_a_union_speaks_of_the_branch_of_the_values_type() -> None:
    schema = {"anyOf": [{"type": "integer", "maximum": 5}, {"type": "null"}]}
    assert say(schema, 9) == ["the arguments must be at most 5, but 9 came"]
    assert say(schema, "9") == ['the arguments must be an integer or null, but "9" (a string) came']


def test_a_union_speaks_of_the_branch_whose_constants_fit() -> None:
    assert say(SHAPES, {"kind": "circle", "radius": "2"}) == ['"radius" must be a number, but "2" (a string) came']
    assert say(SHAPES, {"kind": "box", "radius": 2}) == ['"width" is missing; it must be a number']


def test_a_union_without_a_nearest_branch_speaks_of_all() -> None:
    (sentence,) = say(SHAPES, {"kind": "line"})
    assert "circle" in sentence
    assert "box" in sentence


def test_unions_in_unions() -> None:
    schema = {"anyOf": [{"type": "null"}, {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "integer"}}]}]}
    assert say(schema, ["a"]) == ['"[0]" must be an integer, but "a" (a string) came']


def test_a_value_that_fits_two_forms_of_one_of() -> None:
    assert "oneOf" in say({"oneOf": [{"type": "integer"}, {"type": "number"}]}, 1)[0]


# --- order and bounds ------------------------------------------------------------------------------------------------


def test_outer_problems_come_first_and_five_are_enough() -> None:
    schema = {"properties": {"a": {"items": {"type": "string"}}, "b": {"type": "integer"}}, "required": ["c"]}
    problems = checker(schema).problems({"a": list(range(1_000)), "b": "x"})
    assert len(problems) == 5
    assert [problem.path for problem in problems] == ["b", "c", "a[0]", "a[1]", "a[2]"]


def test_long_values_names_and_schemas_are_shortened() -> None:
    many = [f"option {number}" for number in range(5_000)]
    schema = {"properties": {"a": {"enum": many}}, "additionalProperties": False}
    for sentence in say(schema, {"a": "z" * 10_000, "k" * 10_000: 1}):
        assert len(sentence) < 500
        assert "…" in sentence


def test_half_surrogates_are_not_repeated() -> None:
    for sentence in say(
        {"properties": {"a": {"type": "integer"}}, "additionalProperties": False}, {"a": "\ud83d", "\ud83d": 1}
    ):
        assert sentence.encode("utf-8")


def test_a_value_that_is_no_json_is_shown_too() -> None:
    assert "object" in say({"type": "string"}, object())[0]
