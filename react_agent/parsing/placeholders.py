"""Values that stand for a value: `<city>`, `your_api_key`, `...`, 【城市】, `{{previous result}}`, and `unknown`.

In: a value.  Out: the first placeholder in it.  A text is one only as a whole, for `<Untitled> by Anon` is a title; what leans
on the result of another call is one wherever it stands.
"""

from __future__ import annotations

import re
from typing import Any

import regex

_SLOT = (
    r"<\s*[^\W\d][\w \-/|,.'’]{0,80}>|<[^<>\n]*\b(?:insert|your|the)\b[^<>\n]*>|\{\{?\s*[\w .]{1,60}\}?\}|"
    r"\[(?:insert|your|the|value|result)[^\]\n]{0,80}\]|【[^】\n]{1,80}】|\$\{?[A-Z][A-Z_0-9]*\}?|\.{3,}|…+"
)
_YOUR = (
    r"(?i:your[_\-](?:api|access)?[_\-]?"
    r"(?:key|token|secret|password|id|user|username|name|email|address|phone|number|city|location|account))"
)
_WORDS = (
    r"(?:参数值|参数名|工具名|具体参数|参数内容|arg_value|param_value|parameter_value|xxx+|XXX+)\d?|"
    r"(?i:insert|enter|put|add|type|provide)\s[\w ]{1,60}\shere|"
    r"(?:此处|在此|这里)(?:填写|填入|输入)[\w ]{1,20}|(?:具体|实际|某个|目标|您的|你的)?(?:城市|地点|地址|参数|工具|函数)名称?"
)
_NOT_KNOWN = (
    r"unknown(?:[ _]\w{1,20})?|(?i:unknown[ _](?:artist|song|author|user|city|location|title|name|id|date|number))|"
    r"(?i:(?:\w{1,20}[ _])?not[ _](?:specified|provided|given|known)|no[ _]\w{1,20}[ _](?:specified|provided|given))|"
    r"(?i:(?:your|user['’]?s?)[ _](?:city|area|town|country|address|location|zip[ _]?code))|"
    r"未知(?:城市|用户|地点)?|不详|未提供|未指定|待定|(?:您|你|用户)(?:所在)?的?(?:城市|位置|地址)"
)
_PLACEHOLDER = re.compile(f"{_SLOT}|{_YOUR}|{_WORDS}")
_GROWING = regex.compile(_PLACEHOLDER.pattern)
_UNKNOWN = re.compile(_NOT_KNOWN)
_DEPENDS = re.compile(
    r"<(?:insert|result|output|the|previous|上|前)[^<>\n]{0,80}>|\{\{[^{}\n]{1,80}\}\}|\{[\w.]*(?:result|output|response)[\w.]*\}|"
    r"[【\[（(<][^】\]）)>\n]{0,40}"
    r"(?:上一步|前一步|上面|查询结果|返回的|结果中的|previous|from the (?:list|result|above))[^】\]）)>\n]{0,40}[】\]）)>]",
    re.I,
)
_LONGEST, _LONGEST_SEARCHED, _DEEPEST, _TOO_MANY = 100, 4000, 20, 400


def is_placeholder(text: str) -> bool:
    """Is the whole text a placeholder?"""
    stripped = text.strip()
    return len(stripped) <= _LONGEST and _PLACEHOLDER.fullmatch(stripped) is not None


def may_become_placeholder(text: str) -> bool:
    """Could `text`, with more behind it, be a placeholder?"""
    return len(text.strip()) <= _LONGEST and _GROWING.fullmatch(text.strip(), partial=True) is not None


def placeholder_in(value: Any, later: bool = False, depth: int = 0) -> str:
    """The first placeholder among the texts in a value, "" when there is none.

    `later` says that the value follows a call whose result it does not have yet.
    """
    if isinstance(value, str):
        leans = later and len(value) < _LONGEST_SEARCHED and _DEPENDS.search(value) is not None
        return value if leans or is_placeholder(value) else ""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if depth > _DEEPEST or len(items) > _TOO_MANY:
        return ""
    for item in items:
        if isinstance(item, (str, dict, list)) and (found := placeholder_in(item, later, depth + 1)):
            return found
    return ""


def says_type(key: str, value: Any, schema: Any) -> str:
    """The name of its own type where the value of parameter `key` should stand: `{"title": "string"}`."""
    echoed = isinstance(value, str) and isinstance(schema, dict) and value == schema.get("type")
    return value if echoed and "type" not in key.lower() else ""


def says_unknown(value: Any) -> str:
    """A text that says that the value is not known, alone or as the only item of a list; "" when there is none."""
    inner = value[0] if isinstance(value, list) and len(value) == 1 else value
    short = isinstance(inner, str) and len(inner) <= _LONGEST
    return inner if short and _UNKNOWN.fullmatch(inner.strip()) is not None else ""
