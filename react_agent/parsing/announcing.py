"""Does the text around a candidate say that it is an example, a format or a template, and no call?"""

from __future__ import annotations

import re

_EXAMPLE = re.compile(
    r"例如|比如|示例|举例|样例|格式|形如|类似|模板|如下所示|语法|写法|文档|日志|不会|不要|不能|不应|"
    r"for example|for instance|\be\.g\.|\bexample|looks? like|\bformat|\btemplate|would (?:be|emit|look|send|call|destroy)|"
    r"\bschema|\bsyntax|\bsuch as|\bsample|\blogs?\b|\bwill not|\bwon't",
    re.I,
)
_SENTENCE_END = re.compile(r"[。.!！?？\n](?=\s|\Z|[^\s\d])")


def announces_example(text: str, start: int) -> bool:
    """Does the sentence before `start` say that an example follows?"""
    before = text[max(0, start - 200) : start].rstrip(" \t\r\n:：")
    return bool(before) and _EXAMPLE.search(_SENTENCE_END.split(before)[-1]) is not None


def explains(prose: str) -> bool:
    """Does the prose behind a candidate talk of examples and formats?"""
    return _EXAMPLE.search(prose) is not None
