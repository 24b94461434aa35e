"""Is this value shaped like a call, a list of calls, or an answer?

In: a JSON value and the declared names.  Out: `Shape`s (a written name and raw arguments, or an answer), or None when it
is plain data.  All spellings of the keys are here, once, in tables.  Whether the name exists and the arguments are valid
is decided by `settle`.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .names import ToolNames
from .rows import rows

NAME_KEYS = (
    "name", "tool", "tool_name", "toolName", "function", "function_name", "func", "action", "action_name", "api", "api_name",
    "recipient_name", "command", "function_call", "next_tool_name",
    "工具", "工具名", "工具名称", "名称", "函数", "函数名", "行动", "动作",
)  # fmt: skip
ARGUMENT_KEYS = (
    "arguments", "args", "parameters", "params", "input", "action_input", "actionInput", "tool_input", "toolInput", "kwargs",
    "inputs", "argument", "tool_args", "tool_parameters", "function_arguments", "action_args", "arg", "properties",
    "next_tool_args", "参数", "输入", "行动输入", "工具参数", "动作输入",
)  # fmt: skip
WRAPPER_KEYS = ("tool_calls", "tool_call", "function_call", "function_calls", "calls", "actions", "tool_uses", "toolCalls",
                "tools_call", "tools_calls", "function", "action", "call", "tool", "行动", "动作")  # fmt: skip
_META = {
    "type", "id", "index", "thought", "thoughts", "reasoning", "思考", "call_id", "tool_call_id", "observation", "role",
    "thinking", "explanation", "next_thought",
}  # fmt: skip
_THOUGHT_KEYS = ("thought", "思考", "reasoning", "thoughts", "thinking", "next_thought")
_ANSWER_TYPES = {"finalanswer", "final", "answer", "finish", "最终答案", "最终回答", "directlyanswer", "done"}
ANSWER_WORD_KEYS = ("type", "action", "name", "tool", "行动", "tool_name")
ANSWER_KEYS = ("content", "answer", "final_answer", "text", "output", "response", "result", "message", "action_input", "input",
                "arguments", "args", "value", "行动输入", "最终答案", "答案", "回答", "内容")  # fmt: skip
_ANSWER_ALONE = {"final_answer", "finalAnswer", "最终答案", "最终回答", "final answer", "Final Answer"}
_CALL_TYPES = {"toolcall", "function", "tooluse", "functioncall", "tool", "action", "call"}
_CALLED_WITH = ("arguments", "args", "input", "tool_input")
_OUTCOMES = ("result", "results", "error", "status", "结果", "状态", "错误")
_CALL_KEYS = (*ARGUMENT_KEYS, *WRAPPER_KEYS, "request")
_OF_AN_ANSWER = frozenset(_ANSWER_ALONE | _META)
_KEYS = frozenset((*NAME_KEYS, *ARGUMENT_KEYS, *_THOUGHT_KEYS))
_SEPARATORS = re.compile(r"[\s_\-]+")


@dataclass(frozen=True, slots=True)
class Shape:
    """A call as written: `raw` is None when no arguments were written; `style` names the spelling of the keys."""

    name: str
    raw: Any
    style: str
    explicit: bool = True
    thought: str = ""


@dataclass(frozen=True, slots=True)
class AnswerShape:
    """A final answer written as a value."""

    text: str
    thought: str = ""


Found = Shape | AnswerShape


def shapes(value: Any, names: ToolNames) -> list[Found] | None:
    """The calls and answers that `value` writes, None when it is data."""
    if isinstance(value, list):
        return _list(value, names)
    if not isinstance(value, dict) or not value or _is_outcome(value):
        return None
    value = _in_snake_case(value)
    answer = _answer(value, names)
    found: list[Found] | None = (
        [answer]
        if answer
        else _typed(value, names)
        or _named(value, names)
        or _wrapped(value, names)
        or _keyed(value, names)
        or _under(value, names)
        or _answering(value, names)
    )
    thought = "" if value.keys().isdisjoint(_THOUGHT_KEYS) else _thought(value)
    if found and thought:
        return [replace(found[0], thought=thought), *found[1:]]
    return found


def _in_snake_case(value: dict[str, Any]) -> dict[str, Any]:
    """The same with the usual spelling of keys such as `Action Input`."""
    usual = {key: _SEPARATORS.sub("_", key).casefold() for key in value if key not in _KEYS and not key.islower()}
    if not usual or not any(key in _KEYS and key not in value for key in usual.values()):
        return value
    return {usual[key] if usual.get(key) in _KEYS else key: item for key, item in value.items()}


def _thought(value: Mapping[str, Any]) -> str:
    return next((value[key] for key in _THOUGHT_KEYS if isinstance(value.get(key), str)), "")


def is_schema_echo(raw: Any) -> bool:
    """A JSON Schema where arguments should be: `{"type": "object", "properties": {"city": {"type": "string"}}}`."""
    if not isinstance(raw, dict):
        return False
    inner = raw.get("properties")
    if isinstance(inner, dict) and raw.get("type", "object") in ("object", "dict"):
        return any(_is_type(item) for item in inner.values())
    return bool(raw) and all(_is_type(item) for item in raw.values())


def _is_type(item: Any) -> bool:
    if not isinstance(item, dict) or "value" in item:
        return False
    return isinstance(item.get("type"), (str, list)) and set(item) <= {
        "type", "description", "title", "enum", "default", "items", "minimum", "maximum", "format", "properties", "required",
        "exclusiveMinimum", "exclusiveMaximum", "pattern", "minLength", "maxLength", "additionalProperties", "examples",
    }  # fmt: skip


def is_answer_word(word: str) -> bool:
    """Does `word` stand where a tool's name or a kind stands in a final answer?"""
    return _fold(word) in _ANSWER_TYPES


def _is_outcome(value: Mapping[str, Any]) -> bool:
    """A record of a call that was made: it stands beside its outcome."""
    if value.keys().isdisjoint(_OUTCOMES):
        return False
    return any(value.get(key) for key in _OUTCOMES) and any(isinstance(value.get(key), (dict, list)) for key in _CALL_KEYS)


def _fold(text: str) -> str:
    return "".join(text.split()).replace("_", "").replace("-", "").casefold()


def _list(values: Sequence[Any], names: ToolNames) -> list[Found] | None:
    written = rows(values, names)
    if written is not None:
        return [Shape(name, raw, "generic_keys") for name, raw in written]
    found: list[Found] = []
    for value in values if all(map(_is_remark, values)) else itertools.filterfalse(_is_remark, values):
        inner = shapes(value, names) if isinstance(value, (dict, list)) else None
        if inner is None:
            return None
        found.extend(inner)
    return found or None


def _is_remark(value: Any) -> bool:
    """`{"type": "text", "text": …}` beside calls."""
    return isinstance(value, dict) and value.keys() == {"type", "text"} and value["type"] == "text"


def _answer(value: Mapping[str, Any], names: ToolNames) -> AnswerShape | None:
    for key in ANSWER_WORD_KEYS:
        if key not in value or not isinstance(word := value[key], str) or word in names.tools:
            continue
        if _fold(word) in _ANSWER_TYPES and names.find(word) is None:
            if key == "type" and _names_a_tool(value, names):
                continue
            return AnswerShape(_text_of(value, key))
    if value.keys() <= _OF_AN_ANSWER:
        for key in _ANSWER_ALONE & value.keys():
            if isinstance(value[key], (str, int, float)):
                return AnswerShape(str(value[key]))
    return None


def _names_a_tool(value: Mapping[str, Any], names: ToolNames) -> bool:
    """Does a tool's name stand before the text of the answer?  What comes first decides, so that a stream can tell."""
    before = itertools.takewhile(lambda key: key not in ANSWER_KEYS, value)
    return any(key in NAME_KEYS and isinstance(value[key], str) and names.find(value[key]) for key in before)


def answer_text(value: Any) -> str:
    """The answer in the arguments of a final action: a text, or an object that holds it."""
    if isinstance(value, dict):
        return _text_of(value, "")
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _text_of(value: Mapping[str, Any], used: str) -> str:
    for key, item in value.items():
        if key not in ANSWER_KEYS or key == used or item is None:
            continue
        if isinstance(item, dict) and len(item) == 1:
            item = next(iter(item.values()))
        return item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
    return ""


def _named(value: dict[str, Any], names: ToolNames) -> list[Found] | None:
    for key in [key for key in NAME_KEYS if key in value]:
        name = value[key]
        if not isinstance(name, str) or not name.strip():
            continue
        arguments = _arguments_key(value, key)
        if arguments is not None:
            known = names.find(name)
            if known is None and value.keys() - _META - {key, arguments}:
                return None  # data with such keys
            if arguments == "parameters" and isinstance(value.get("description"), str):
                return None  # a declaration
            return [Shape(name, value[arguments], _style(value, key, arguments))]
        known = names.find(name)
        if known is not None:
            rest = {k: v for k, v in value.items() if k != key and (k not in _META or k in known[0].properties)}
            if rest and not any(map(known[0].takes, rest)):
                return None  # a record that names a tool
            explicit = bool(rest) or _fold(str(value.get("type", ""))) in _CALL_TYPES
            return [Shape(name, rest or None, _style(value, key, ""), explicit=explicit)]
        if _fold(str(value.get("type", ""))) in _CALL_TYPES and key == "name":
            return [Shape(name, {}, "zh_json_steps")]
    return None


def _arguments_key(value: Mapping[str, Any], name: str) -> str | None:
    """The key of the arguments beside the key `name`."""
    for key in ARGUMENT_KEYS:
        if key in value and key != name:
            return key
    return None


def _answering(value: Mapping[str, Any], names: ToolNames) -> list[Found] | None:
    """`{"type": "final_answer", "content": "…"}` where a tool is named so and takes one text, under another name: its call."""
    if value.keys().isdisjoint(ANSWER_WORD_KEYS):
        return None
    for key, word in value.items():
        if key not in ANSWER_WORD_KEYS or not isinstance(word, str) or not is_answer_word(word):
            continue
        known, beside = names.find(word), value.keys() - _META - {key}
        if known is not None and len(beside) == 1 and known[0].only_parameter and not any(map(known[0].takes, beside)):
            (text,) = beside
            if text in ANSWER_KEYS and isinstance(value[text], str):
                return [Shape(word, value[text], "generic_keys")]
    return None


def _typed(value: Mapping[str, Any], names: ToolNames) -> list[Found] | None:
    """`{"type": "calculator", "expression": "1+1"}`: the name where the kind should stand; arguments inside or beside it."""
    if "type" not in value:
        return None
    typed = value["type"]
    known = names.find(typed) if isinstance(typed, str) else None
    if known is None or any(isinstance(name := value.get(key), str) and names.find(name) for key in NAME_KEYS):
        return None
    inside = next((key for key in ARGUMENT_KEYS if key in value and key not in known[0].properties), None)
    beside = {key: item for key, item in value.items() if key != "type" and key in known[0].properties}
    if inside is None and not beside and (known[0].required or set(value) - {"type"} - _META):
        return None
    return [Shape(str(typed), beside if inside is None else value[inside], "generic_keys")]


def _wrapped(value: dict[str, Any], names: ToolNames) -> list[Found] | None:
    for key in [key for key in WRAPPER_KEYS if key in value]:
        inner = value[key]
        if isinstance(inner, (dict, list)) and inner:
            found = shapes(inner, names)
            if found:
                return [
                    _restyled(item, "openai_json" if key in ("tool_calls", "function_call") else "generic_keys")
                    for item in found
                ]
    declared = value.get("tools")
    if isinstance(declared, list) and all(map(_is_called, declared)):
        return shapes(declared, names)
    return None


def _is_called(item: Any) -> bool:
    """Is it a call, and not the declaration of a tool?"""
    return isinstance(item, dict) and any(isinstance(item.get(key), dict) for key in _CALLED_WITH)


def _under(value: dict[str, Any], names: ToolNames) -> list[Found] | None:
    """A call of a known tool under a key that nobody asked for: `{"output": {"action": …}}`.  What stands under the keys of a
    wrapper was looked at: to look twice on every level would take time without end."""
    others = [inner for key, inner in value.items() if key not in WRAPPER_KEYS and isinstance(inner, dict) and len(inner) > 1]
    if len(value) > 3 or not others:
        return None
    found = [shapes(inner, names) for inner in others]
    known = [
        items for items in found if items and all(isinstance(item, AnswerShape) or names.find(item.name) for item in items)
    ]
    return known[0] if len(known) == 1 else None


def _restyled(item: Found, style: str) -> Found:
    return replace(item, style=style) if isinstance(item, Shape) else item


def _keyed(value: dict[str, Any], names: ToolNames) -> list[Found] | None:
    found: list[Found] = []
    for key, item in value.items():
        if key in _META:
            continue
        known = names.find(key)
        if known is None or not (item is None or isinstance(item, dict) or _is_encoded(item)) or is_schema_echo(item):
            return None
        if isinstance(item, dict) and {"description", "parameters"} & (item.keys() - known[0].properties.keys()):
            return None
        found.append(Shape(key, item or {}, "keyed_json"))
    return found or None


def _is_encoded(item: Any) -> bool:
    """An object written as text, or nothing; any other text under the name of a tool may say what the tool does."""
    return isinstance(item, str) and (not item.strip() or item.lstrip().startswith("{"))


def _style(value: Mapping[str, Any], name: str, arguments: str) -> str:
    if name == "name" and arguments == "args" and _fold(str(value.get("type", ""))) == "toolcall":
        return "zh_json_steps"
    if name == "action" and arguments == "action_input":
        return "action_json"
    if name == "name" and arguments == "arguments":
        return "bare_json"
    if name == "name" and arguments == "parameters":
        return "llama3_json"
    if name == "tool_name" and arguments == "parameters":
        return "cohere_r"
    return "generic_keys"
