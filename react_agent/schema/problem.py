"""One thing that is wrong with a value, and its sentence for a weak model in English or Chinese.

    "page" must be an integer, but "last" (a string) came
    参数 "page" 应为整数，但收到 "last"（字符串）

`Problem` holds facts that are the same in every language; the words stand in the tables here and nowhere else.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from react_agent.messages import Value

Lang = Literal["en", "zh"]

_SENTENCES: dict[str, tuple[str, str]] = {
    "type": ("{what} must be {type}, but {got} came", "{what}应为{type}，但收到 {got}"),
    "required": ("{what} is missing; it must be {type}", "{what}缺失，应为{type}"),
    "enum": ("{what} must be one of {expected}, but {got} came", "{what}只能是 {expected} 之一，但收到 {got}"),
    "const": ("{what} must be {expected}, but {got} came", "{what}只能是 {expected}，但收到 {got}"),
    "minimum": ("{what} must be at least {expected}, but {got} came", "{what}不能小于 {expected}，但收到 {got}"),
    "maximum": ("{what} must be at most {expected}, but {got} came", "{what}不能大于 {expected}，但收到 {got}"),
    "exclusiveMinimum": ("{what} must be greater than {expected}, but {got} came", "{what}必须大于 {expected}，但收到 {got}"),
    "exclusiveMaximum": ("{what} must be less than {expected}, but {got} came", "{what}必须小于 {expected}，但收到 {got}"),
    "multipleOf": ("{what} must be a multiple of {expected}, but {got} came", "{what}必须是 {expected} 的倍数，但收到 {got}"),
    "minLength": (
        "{what} must have at least {expected} characters, but {got} came",
        "{what}至少要有 {expected} 个字符，但收到 {got}",
    ),
    "maxLength": (
        "{what} must have at most {expected} characters, but {got} came",
        "{what}最多 {expected} 个字符，但收到 {got}",
    ),
    "pattern": ("{what} must match the pattern {expected}, but {got} came", "{what}必须匹配模式 {expected}，但收到 {got}"),
    "format": ("{what} must be written as {expected}, but {got} came", "{what}应写成 {expected} 格式，但收到 {got}"),
    "minItems": ("{what} must have at least {expected} items, but {got} came", "{what}至少要有 {expected} 项，但收到 {got}"),
    "maxItems": ("{what} must have at most {expected} items, but {got} came", "{what}最多 {expected} 项，但收到 {got}"),
    "uniqueItems": ("{what} must not repeat an item, but {got} came", "{what}的各项不能重复，但收到 {got}"),
    "items": ("{what} has too many items: {got}", "{what}的项数过多：{got}"),
    "additionalProperties": (
        "{what} is not a known name; the known names are: {expected}",
        "{what}不是已知的参数名；已知的有：{expected}",
    ),
    "false": ("{what} must be left out, but {got} came", "{what}不应出现，但收到 {got}"),
    "work": (
        "{what} cannot be checked: too deep or too large; write something smaller",
        "{what}无法检查：层次太深或内容太大，请写得简单一些",
    ),
}
_OTHER = ('{what} breaks the rule "{rule}" ({expected}), got {got}', '{what}不符合规则 "{rule}"（{expected}），收到 {got}')

_WORDS: dict[str, tuple[str, str, str]] = {
    # in a schema: in a sentence, in Chinese, in a Chinese sentence
    "string": ("a string", "字符串", "字符串"),
    "integer": ("an integer", "整数", "整数"),
    "number": ("a number", "数字", "数字"),
    "boolean": ("true or false", "布尔值", "布尔值（true 或 false）"),
    "null": ("null", "空值", "空值（null）"),
    "array": ("a list", "列表", "列表"),
    "list": ("a list", "列表", "列表"),
    "object": ("an object", "对象", "对象"),
    "any": ("any value", "任意", "任意值"),
    "chars": ("characters", "字", "字"),
}
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[a-z]+(?!\w)(?!\??:)')
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Problem(Value):
    """What is wrong at `path` (`items[0].name`; "" is the whole value).

    `rule` is the keyword of the schema that is broken ("work": checking it would take too long), `expected` what the
    schema wants there (a type as `type_name` writes it, JSON values, or a number), `got` the value as shortened JSON.
    """

    path: str
    rule: str
    expected: str
    got: str

    def say(self, lang: Lang) -> str:
        """The problem as one sentence without a full stop."""
        zh = lang == "zh"
        return _SENTENCES.get(self.rule, _OTHER)[zh].format(
            what=self._subject(zh),
            rule=self.rule,
            expected=self.expected,
            type=_in_sentence(self.expected, zh),
            got=self.got + _kind_note(self, zh),
        )

    def _subject(self, zh: bool) -> str:
        if not self.path:
            return "参数整体" if zh else "the arguments"
        return f'参数 "{self.path}" ' if zh else f'"{self.path}"'


def _kind_note(problem: Problem, zh: bool) -> str:
    if problem.rule != "type" or problem.got in ("true", "false", "null"):
        return ""
    word = _WORDS[_kind(problem.got)]
    return f"（{word[1]}）" if zh else f" ({word[0]})"


def _kind(shown: str) -> str:
    match shown[:1]:
        case '"':
            return "string"
        case "[":
            return "array"
        case "{":
            return "object"
    return "number" if set(shown) & set(".eEN") else "integer"


def _in_sentence(expected: str, zh: bool) -> str:
    words = expected.split("|")
    if all(word in _WORDS for word in words):
        return ("或" if zh else " or ").join(_WORDS[word][2 if zh else 0] for word in words)
    return translate(expected, "zh" if zh else "en")


def translate(type_text: str, lang: Lang) -> str:
    """A type as `type_name` writes it, in the words of `lang`; quoted values and property names stay."""
    if lang == "en":
        return type_text
    return _WORD.sub(lambda found: _WORDS.get(found[0], ("", found[0]))[1], type_text)


def show(value: Any) -> str:
    """`value` as JSON of at most about 60 characters."""
    return shorten(json.dumps(value, ensure_ascii=False, default=str))


def shorten(text: str, limit: int = _SHOWN) -> str:
    """`text`, or its beginning and "…" when it is longer than `limit` characters; half surrogates cannot be sent: "?"."""
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    return shown.encode("utf-8", "replace").decode("utf-8")
