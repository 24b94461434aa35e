"""What a reply in text mode may look like, for servers that can hold a model to it.

In: a prompt.  Out: a `Constraint`, which says the same in two notations, as servers know one or the other: a grammar of the
dialect (reasoning and a thought in one line if the model likes, then one call of a declared tool, or the answer), and for a
dialect whose replies are one JSON value a JSON Schema.

How a dialect writes calls and answers is not said again here: `render` writes one with a mark in the place of the variable
part, and what stands around the mark is the literal part of the rule.
"""

from __future__ import annotations

import re

from react_agent.events import Constraint
from react_agent.messages import Call, Json, ToolSpec
from react_agent.parsing.dialects import DIALECTS, render
from react_agent.schema.grammar import VALUES, literal, rules

from .prompt import Prompt

MARK = "⟦⟧"
THOUGHT = "⟦…⟧"
_THINK = "<think>"
MAX_THOUGHT = 400
"""Characters of a thought; a model that may go on for ever does."""


def constraint(prompt: Prompt, specs: tuple[ToolSpec, ...]) -> Constraint:
    """For a reply with these tools at hand; without any, only an answer may come."""
    in_json = DIALECTS[prompt.dialect].turn is not None
    return Constraint(_grammar(prompt, specs, in_json), _schema(specs) if in_json else None)


def may_begin(prompt: Prompt, text: str) -> bool:
    """Whether a reply that is held to the form can begin so; one that was cut has no more to be judged by."""
    said, lang = text.lstrip(), prompt.lang
    if DIALECTS[prompt.dialect].turn is not None:
        openings = ["{", _THINK]
    else:
        parts = render(prompt.dialect, thought=MARK, lang=lang), render(prompt.dialect, answer=MARK, lang=lang)
        calls = [render(prompt.dialect, calls=(Call(MARK, {}),), lang=lang)]
        openings = [_THINK, *(part.partition(MARK)[0].strip() for part in (*parts, *calls))]
    return any(said.startswith(opening) or opening.startswith(said) for opening in openings)


# --- the grammar of the dialect ------------------------------------------------------------------------------------------

REASONING = r'"<think>" ([^<] | "<" [^/<] | "</" [^t<])* "</think>" [\n ]{0,4}'
"""What a model that reasons may write first; a server that takes it out of the reply begins to hold behind it."""


def _grammar(prompt: Prompt, specs: tuple[ToolSpec, ...], in_json: bool) -> str:
    thinking = THOUGHT if in_json else ""
    grammar = {
        "root": "reasoning? action" if in_json else "reasoning? thought? action",
        "reasoning": REASONING,
        "action": " | ".join([*(f"call-{number}" for number in range(len(specs))), "answer"]),
        "answer": _answer(prompt, thinking),
        "thought": rf'"\"" char{{1,{MAX_THOUGHT}}} "\""' if in_json else _thought(prompt),
    }
    for number, spec in enumerate(specs):
        grammar[f"call-{number}"] = _call(prompt, spec, thinking, f"args-{number}")
        grammar |= rules(f"args-{number}", spec.parameters)
    return "".join(f"{name} ::= {rule}\n" for name, rule in (grammar | VALUES).items())


def _thought(prompt: Prompt) -> str:
    return _filled(render(prompt.dialect, thought=THOUGHT, lang=prompt.lang), {THOUGHT: f"[^\\n]{{1,{MAX_THOUGHT}}}"})


def _call(prompt: Prompt, spec: ToolSpec, thinking: str, arguments: str) -> str:
    text = render(prompt.dialect, thought=thinking, calls=(Call(spec.name, {MARK: 0}),), lang=prompt.lang)
    written = next(form for form in (f'{{"{MARK}": 0}}', f'{{"{MARK}":0}}') if form in text)
    return _filled(text, {f'"{THOUGHT}"': "thought", written: arguments})


def _answer(prompt: Prompt, thinking: str) -> str:
    text = render(prompt.dialect, thought=thinking, answer=MARK, lang=prompt.lang)
    return _filled(text, {f'"{THOUGHT}"': "thought", f'"{MARK}"': "string", MARK: "[^\\x00]+"})


def _filled(text: str, variables: dict[str, str]) -> str:
    """`text` as a rule, with variable parts in the place of marks."""
    parts = re.split("(" + "|".join(map(re.escape, variables)) + ")", text)
    return " ".join(variables.get(part) or literal(part) for part in parts if part)


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
