"""The page on debugging a model: three replies, each with what `react-agent parse --explain` says of it."""

from __future__ import annotations

from react_agent.cli.parse import report
from react_agent.parsing import parse
from react_agent.parsing.rules import REFUSED, TAKEN
from react_agent.tools.builtin.demo import demo_tools

HEAD = """\
# Debugging a model

A model does not call its tools, or calls them when it should not: save its raw reply and look at it with
`react-agent parse reply.txt --tools mytools:TOOLS --explain`. In Python, `parse(text, tools, explain=True).explanation`
holds the same as data, and `--json` writes it. `scripts/write_docs.py` writes this page by running its examples; do not edit.

Three parts follow the report. *Stretches* says what every part of the reply was taken for, by place in characters. *Rules*
has one line for each candidate: the rule that took or refused it, by its stable name. *Changes* has one line for each fix:
before → after.
"""
EXAMPLES = (
    (
        "A call that had to be mended",
        "The model leaves a comma too many. Nothing is wrong with the run: the call is made. Fixes with a high cost in every\n"
        "reply mean that the prompt should show an example.",
        '<think>I need the price.</think>\nI will compute that.\n<tool_call>\n{"name": "calculator", '
        '"arguments": {"expression": "3 * 4",}}\n</tool_call>',
    ),
    (
        "A call that is taken for an example",
        "The sentence before announces an example, so the value is shown to the user and not run. When the model means it,\n"
        "ask in the prompt for the tags of its dialect: a call with stronger evidence is taken whatever stands around it.",
        'For example, you could send:\n{"name": "calculator", "arguments": {"expression": "2 + 2"}}',
    ),
    (
        "A call of a tool that is not there, and an invented result",
        "The name is nearly right, but never guessed: the model is told the nearest names. What it wrote as an observation is\n"
        "its own invention and not kept; a server that knows stop words should get `Observation:` as one.",
        'Thought: I need the weather.\nAction: weather\nAction Input: {"city": "Oslo"}\nObservation: 3 °C\nFinal Answer: 3 °C.',
    ),
)
_VERDICTS = (("taken", TAKEN), ("refused", REFUSED))


def debugging_page() -> str:
    return "\n".join([HEAD, *map(_example, EXAMPLES), _rules()])


def _example(example: tuple[str, str, str]) -> str:
    title, words, text = example
    lines = "\n".join(line for line, _ in report(text, parse(text, demo_tools(), explain=True)))
    return f"## {title}\n\n{words}\n\n```text\n{text}\n```\n\n```text\n{lines}\n```\n"


def _rules() -> str:
    rows = [
        f"| `{name}` | {what} | {why} |"
        for what, rules in (("taken", TAKEN), ("refused", REFUSED))
        for name, why in rules.items()
    ]
    return "\n".join(["## The rules\n", "| rule | verdict | because |", "|---|---|---|", *rows, ""])
