"""Answers that must be JSON of a given shape, for upstreams that cannot promise it.

In: the text of an answer and a JSON Schema.  Out: the answer as JSON text that satisfies the schema, with the fixes it took,
or what is wrong with it, in words for the model.  `asking_for` is the sentence that asks for the shape.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from react_agent.messages import Fix, Json
from react_agent.prompting.language import Lang
from react_agent.repair import repair

MAX_PROBLEMS = 5

_ASK = {
    "en": "Answer with one JSON value and nothing else. It must satisfy this JSON Schema:\n{schema}",
    "zh": "只用一个 JSON 值回答，不要写其他内容。它必须符合这个 JSON Schema：\n{schema}",
}
_AGAIN = {
    "en": "This is not the JSON that is wanted: {why}. Write the whole JSON value again, and nothing else.",
    "zh": "这不是所要求的 JSON：{why}。请重新写出完整的 JSON 值，不要写其他内容。",
}
_NONE = {"en": "there is no JSON value in it", "zh": "其中没有 JSON 值"}
_CUT = {"en": "it ends in the middle", "zh": "它在中间断开了"}


@dataclass(frozen=True, slots=True)
class Shaped:
    """`ok`: `text` is JSON of the shape; else it is the answer as it came, and `problem` is what to tell the model."""

    ok: bool
    text: str
    fixes: tuple[Fix, ...] = ()
    problem: str = ""


def asking_for(schema: Json, lang: Lang) -> str:
    """The sentence that asks for the shape."""
    return _ASK[lang].format(schema=json.dumps(schema, ensure_ascii=False))


def shaped(answer: str, schema: Json, lang: Lang) -> Shaped:
    """The answer in its shape."""
    text = answer.rpartition("</think>")[2].strip()
    found = repair(text, schema)
    if found.ok:
        return Shaped(True, json.dumps(found.value, ensure_ascii=False), found.fixes)
    if not found.found or found.cut:
        why = (_CUT if found.cut else _NONE)[lang]
    else:
        why = "; ".join(problem.say(lang) for problem in found.problems[:MAX_PROBLEMS])
    return Shaped(False, answer, problem=_AGAIN[lang].format(why=why))
