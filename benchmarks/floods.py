"""Texts that make a careless reader slow: one short unit, over and over, or one long something.

In: a size in characters.  Out: a text of that size.  Families follow the ways in which parsers are known to go wrong: a mark
that opens and never closes, a mark that nearly stands there, a value that nearly ends, a body that is refused and read again
from the inside, and much of what is valid.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, islice

from react_agent.parsing.dialects import OPENERS
from react_agent.parsing.labels import STRONG, WEAK

Make = Callable[[int], str]
CALL = '{"name": "note", "arguments": {"text": "x"}}'
TAGGED = f"<tool_call>\n{CALL}\n</tool_call>\n"

UNITS: dict[str, str] = {
    # blanks and what separates
    "blanks": " ",
    "line breaks": "\n",
    "blank lines": " \n\t\n",
    "odd blanks": "\u3000\u200b\ufeff\x1c",
    "commas": ", ",
    "full-width commas": "，",
    "colons": "：",
    "semicolons": "; ",
    "dashes": "- ",
    "dots": "...",
    "stars": "**",
    "hashes": "# ",
    "equals": "a=",
    "bars": "|",
    "table rows": "| a | b |\n",
    "quotations": "> a\n",
    "prompts": ">>>",
    "prompt marks": ">>> note\n",
    # quotes, escapes, comments
    **{f"quotes {quote}": quote for quote in "\"'“”‘’「」『』`＂"},
    **{f"quoted words {a}{b}": f"{a}a{b} " for a, b in ('""', "''", "“”", "‘’", "「」", "``")},
    "quotes and commas": '"a", ',
    "quotes and colons": '"a": ',
    "quotes and closers": '"}',
    "key after key": '{"a": "b" "c": ',
    "triple quotes": '"""',
    "backslashes": "\\",
    "escaped quotes": '\\"',
    "half code points": "\\u12",
    "surrogate pairs": "\\ud83d",
    "block comments": "/*",
    "block comments in values": "{/*",
    "stars of comments": "/* * / ",
    "line comments": "// a\n",
    "hash comments": "{# a\n",
    "slashes": "/",
    # brackets and values
    **{f"bracket {mark}": mark for mark in "{}[]()｛｝［］<>"},
    "brackets in turn": "{[",
    "bracket pairs": "{}",
    "list pairs": "[]",
    "round pairs": "()",
    "open objects": '{"a": ',
    "open objects on lines": '{"a":\n',
    "open texts": '{"a": "',
    "open calls": '{"name": "note", "arguments": ',
    "open arguments": '{"name": "note", "arguments": {"text": "x"\n',
    "values": '{"a": 1}\n',
    "values in a row": '{"a": 1} ',
    "broken values": "{'a': 'b' 'c'\n",
    "single-quoted values": "{'a': 'b'}\n",
    "lists of texts": '["a" "b"\n',
    "bare words": "{a b c\n",
    "doubled braces": '{{"a": 1}}\n',
    "full-width values": "｛“a”：“b”｝\n",
    "literals": "true null None ",
    "digits": "7",
    "numbers": "-1.5e3 ",
    "dates": "2024-01-01 ",
    "underscored digits": "1_",
    "exponents": "1e",
    # what nearly begins a mark inside a line
    "words behind tags": ">a",
    "halves of stripped heads": "ass",
    "stripped heads": "assistantcommentary",
    "halves of functools": "fun",
    "words in brackets": "[a",
    "closers in turn": "]<",
    "near names in tags": "<notes>",
    "prompts and words": ">>>a ",
    # code
    "code": "note(",
    "code on lines": "note(\n",
    "code in lists": "[note(",
    "code with keywords": "note(text=",
    "code with texts": 'note(text="',
    "many calls in code": 'note(text="x")\n',
    "lists of code": '[note(text="x")]\n',
    "unknown code": "other(text=1)\n",
    "assignments": "x = note(\n",
    "printing": "print(",
    "escaped names": "no\\_",
    "dotted names": "a.",
    "name lines": "note\n",
    "name lines with braces": "note\n{",
    "name lines with fences": "note\n```\n",
    "call and colon": "call:note{",
    "indices": "note:0",
    # fences and inline code
    "fences": "```json\n",
    "closed fences": "```json\n{}\n```\n",
    "fences of calls": f"```json\n{CALL}\n```\n",
    "tilde fences": "~~~\n",
    "inline code": "`a` ",
    "open inline code": "`a\n",
    "double ticks": "`` ",
    # labels
    **{f"label {kind}": f"{word.split()[0].replace('_', ' ')}: x\n" for kind, word in STRONG.items()},
    **{f"weak label {kind}": f"{word.split()[0]}：x\n" for kind, word in WEAK.items()},
    "bare labels": "Action:\n",
    "half labels": "Acti",
    "half labels on lines": "Acti\n",
    "labels without colon": "Action \n",
    "labels in a row": "Action: Action: ",
    "decorated labels": "- **1. Action",
    "headings": "## Action\n",
    "labels in a line": "Thought: x. Action: note Action Input: {} ",
    "label and call": f"Action: {CALL}\n",
    "label, name and input": "Action: note\nAction Input: x\n",
    "calls and observations": "Action: note\nAction Input: x\nObservation: y\n",
    "refused and observations": "Action: other\nObservation: y\n",
    "answers": "Final Answer: x\n",
    "thoughts and answers": "Thought: x\nFinal Answer: y\n",
    # tags
    "tags": "<a>",
    "tags and blanks": "<a >",
    "half tags": "<tool",
    "closing tags": "</a>",
    "tool tags": "<note>",
    "tool tags and keys": "<note><text>",
    "closed tool tags": "<note><text>x</text></note>\n",
    "suffixed tags": "<tool_call:ab>",
    "invoked": '<invoke name="note">',
    "function tags": "<function=note>",
    "function tags and parameters": "<function=note><parameter=text>",
    "parameters": "<parameter=a>",
    "closed parameters": "<parameter=a>x</parameter>",
    "keys": "<arg_key>a</arg_key>",
    "pairs": "<arg_key>a</arg_key><arg_value>b</arg_value>",
    "open pairs": "<arg_key>a</arg_key><arg_value>",
    "tagged values": "<arg_value>x</tool_call></arg_value>",
    "half headers": "<|channel|>commentary to=",
    "headers": "<|channel|>commentary to=functions.note<|message|>",
    "cdata": "<![CDATA[",
    "separators": "<｜tool▁sep｜>",
    "thinking and not": "<think>x</think>",
    "closing thoughts": "</think>\n",
    # calls that are valid, and calls that are not
    "calls": TAGGED,
    "bare calls": CALL + "\n",
    "calls of nobody": '<tool_call>{"name": "other", "arguments": {}}</tool_call>\n',
    "calls that do not fit": '<tool_call>{"name": "note", "arguments": {"text": []}}</tool_call>\n',
    "placeholders": '<tool_call>{"name": "note", "arguments": {"text": "<text>"}}</tool_call>\n',
    "quoted calls": "“<tool_call>{}</tool_call>” ",
    "answers as values": '{"type": "final_answer", "content": "x"}\n',
    "prose": "We open at ten. 我们十点开门。",
}


def flood(unit: str) -> Make:
    """The unit, over and over."""
    return lambda size: (unit * (size // len(unit) + 1))[:size]


def between(head: str, unit: str, tail: str = "") -> Make:
    """The unit over and over, between a head and a tail."""
    return lambda size: head + flood(unit)(max(0, size - len(head) - len(tail))) + tail


def listed(head: str, item: str, tail: str) -> Make:
    """A whole list of the item, between a head and a tail."""
    return lambda size: head + ", ".join([item] * max(1, (size - len(head) - len(tail)) // (len(item) + 2))) + tail


def _counted(make: Callable[[int], str]) -> Make:
    """Pieces that are all different."""
    return lambda size: "".join(islice(map(make, count()), size // len(make(1000)) + 1))[:size]


LONG: dict[str, Make] = {
    "a long argument": between('<tool_call>{"name": "note", "arguments": {"text": "', "x ", '"}}</tool_call>'),
    "a long argument with escapes": between(
        '<tool_call>{"name": "note", "arguments": {"text": "', "\\n\\u4e2d", '"}}</tool_call>'
    ),
    "a long argument with bare quotes": between(
        '<tool_call>{"name": "note", "arguments": {"text": "', 'a "b" c, ', '"}}</tool_call>'
    ),
    "a long cut argument": between('<tool_call>{"name": "note", "arguments": {"text": "', "x "),
    "a long cut argument with bare quotes": between('{"name": "note", "arguments": {"text": "', 'a "b", "c": '),
    "a long single-quoted argument": between("{'name': 'note', 'arguments': {'text': '", "it's, ", "'}}"),
    "a long argument in tags": between("<function=note><parameter=text>", "a < b\n", "</parameter></function>"),
    "tags in an argument": between("<function=note><parameter=text>", "</parameter>", "</parameter></function>"),
    "a long input": between("Action: note\nAction Input: ", "x "),
    "a long input with braces": between("Action: note\nAction Input: ", "{x} "),
    "a long answer": between("Final Answer: ", "x "),
    "a long answer in a value": between('{"type": "final_answer", "content": "', "x\n", '"}'),
    "a long dotted name": between("", "a.", "("),
    "a long thought": between("<think>", "hm. ", f"</think>{CALL}"),
    "a long thought with calls": between("<think>", TAGGED, f"</think>{CALL}"),
    "a thought without opener": between("", TAGGED, f"</think>{CALL}"),
    "blanks behind a label": between("Action:", " "),
    "blanks in a value": between('<tool_call>{"name":', " ", '"note", "arguments": {"text": "x"}}</tool_call>'),
    "a long name": between('<tool_call>{"name": "', "a", '", "arguments": {}}</tool_call>'),
    "a long argument with line breaks and commas": between(
        '<tool_call>{"name": "note", "arguments": {"text": "', 'a",\n"b": c\n', '"}}</tool_call>'
    ),
    "a long number": between('<tool_call>{"name": "note", "arguments": {"text": ', "7", "}}</tool_call>"),
    "a long list": between('<tool_call>{"name": "note", "arguments": {"text": [', "1, ", "1]}}</tool_call>"),
    "many keys": _counted(lambda n: f'"k{n}": {n}, '),
    "many tags": _counted(lambda n: f"<k{n}>v</k{n}>\n"),
    "a list of calls": between("<tool_call>[", CALL + ", ", CALL + "]</tool_call>"),
    "a whole list of calls": listed("<tool_call>[", CALL, "]</tool_call>"),
    "a whole list of calls that do not fit": listed("<tool_call>[", CALL.replace('"x"', "[]"), "]</tool_call>"),
    "a whole list of code": listed("[", 'note(text="x")', "]"),
    "calls in one wrapper": between("<tool_call>", CALL + "\n", "</tool_call>"),
    "calls in one code list": between("[", 'note(text="x"), ', 'note(text="x")]'),
    "values in one fence": between("```json\n", CALL + "\n", "```"),
    "code in one fence": between("```python\n", 'note(text="x")\n', "```"),
    "calls in code that nest": between("[", "note(text=", "]"),
    "lists that nest": between("<tool_call>", "[", "</tool_call>"),
    "a long line of inline code": between("`", "note() ", "`"),
    "one line of pipes": between("| ", "a | "),
    "invented turns": between(TAGGED, "<tool_response>x</tool_response>\n" + TAGGED),
}

FAMILIES: dict[str, Make] = {
    **{name: flood(unit) for name, unit in UNITS.items()},
    **LONG,
    **{f"opener {literal}": flood(literal) for literal in OPENERS},
    **{f"near opener {literal}": flood(literal[:-1]) for literal in OPENERS},
}
