"""What a reply in text mode may look like, for servers that can hold a model to it.

In: a prompt.  Out: a `Constraint`, which says the same in two notations, as servers know one or the other: a grammar of the
dialect (a thought in one line if the model likes, then one call of a declared tool, or the answer), and a JSON Schema for
servers that only know JSON (the same action as one object, its thought as the first member).

How a dialect writes calls and answers is not said again here: `render` writes one with a mark in the place of the variable
part, and what stands around the mark is the literal part of the rule.
"""

from __future__ import annotations

import json

from react_agent.events import Constraint
from react_agent.messages import Call, Json, ToolSpec
from react_agent.parsing.dialects import render
from react_agent.schema.grammar import VALUES, literal, rules

from .prompt import Prompt

MARK = "⟦⟧"
MAX_THOUGHT = 400
"""Characters of a thought; a model that may go on for ever does."""


def constraint(prompt: Prompt, *, closing: bool = False) -> Constraint:
    """For a reply with tools at hand; `closing`: only an answer may come."""
    specs = () if closing else prompt.specs
    return Constraint(_grammar(prompt, specs), _schema(specs))


# --- the grammar of the dialect ------------------------------------------------------------------------------------------


def _grammar(prompt: Prompt, specs: tuple[ToolSpec, ...]) -> str:
    grammar = {
        "root": f"thought? ({' | '.join([*(f'call-{number}' for number in range(len(specs))), 'answer'])})",
        "thought": _around(render(prompt.dialect, thought=MARK, lang=prompt.lang), MARK, f"[^\\n]{{1,{MAX_THOUGHT}}}"),
        "answer": _answer(prompt),
    }
    for number, spec in enumerate(specs):
        grammar[f"call-{number}"] = _call(prompt, spec, f"args-{number}")
        grammar |= rules(f"args-{number}", spec.parameters)
    return "".join(f"{name} ::= {rule}\n" for name, rule in (grammar | VALUES).items())


def _call(prompt: Prompt, spec: ToolSpec, arguments: str) -> str:
    text = render(prompt.dialect, calls=(Call(spec.name, {MARK: 0}),), lang=prompt.lang)
    written = next(form for form in (f'{{"{MARK}": 0}}', f'{{"{MARK}":0}}') if form in text)
    return _around(text, written, arguments)


def _answer(prompt: Prompt) -> str:
    text = render(prompt.dialect, answer=MARK, lang=prompt.lang)
    as_json = json.dumps(MARK, ensure_ascii=False)
    return _around(text, as_json, "string") if as_json in text else _around(text, MARK, "[^\\x00]+")


def _around(text: str, mark: str, variable: str) -> str:
    before, _, after = text.partition(mark)
    return " ".join([literal(before)] * bool(before) + [variable] + [literal(after)] * bool(after))


# --- the same as JSON Schema ---------------------------------------------------------------------------------------------


def _schema(specs: tuple[ToolSpec, ...]) -> Json:
    actions = [
        _object(type={"const": "tool_call"}, name={"const": spec.name}, args=spec.parameters)
        for spec in specs
    ]  # fmt: skip
    return {"anyOf": [*actions, _object(type={"const": "final_answer"}, content={"type": "string"})]}


def _object(**members: Json) -> Json:
    thought = {"type": "string", "maxLength": MAX_THOUGHT}
    properties = {"thought": thought, **members}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
