"""The pieces that dialects are written with: values as JSON, as Python and as raw text, calls one by one or in a list.

A value that a format cannot carry is refused with a `UsageError` here, never written so that it reads as something else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from react_agent.errors import UsageError
from react_agent.messages import Call, Json

from .dialect import Calls

Item = Callable[[Call], Any]
One = Callable[[Call], str]

TAG_LIKE = re.compile(
    r"</?(?:[\w.｜|‖]*[:_|｜‖])?(?:parameters?|param|arguments?|arg|arg_(?:key|value|type)|invoke|function|function_calls?|"
    r"tools?|tool_(?:calls?|sep)|call)\b|<!\[CDATA\[",
    re.IGNORECASE,
)
"""What may not stand in raw text between tags: it would end the value, or start another."""
_TAG_NAME = re.compile(r"[^\W\d][\w\-]*")
_CALL_NAME = re.compile(r"[^\W\d][\w.\-]*")


def compact(value: Any) -> str:
    """JSON on one line with a blank behind `,` and `:`, as models write it; non-ASCII kept."""
    return json.dumps(value, ensure_ascii=False)


def fenced(value: Any) -> str:
    """JSON in a code fence."""
    return f"```json\n{without_fences(compact(value))}\n```"


def without_fences(text: str) -> str:
    """JSON or Python in whose strings no three back-ticks stand, which could end the fence around it."""
    return text.replace("```", "``\\u0060")


def label(zh: str, en: str, lang: str) -> str:
    """A label with its colon: full-width in Chinese."""
    return f"{zh}：" if lang == "zh" else f"{en}: "


# --- several calls -------------------------------------------------------------------------------------------------------


def each(one: One, before: str = "", after: str = "", between: str = "\n") -> Calls:
    """Every call by itself; `before` and `after` stand around all of them."""
    return lambda calls, lang: before + between.join(map(one, calls)) + after


def listed(item: Item, before: str = "", after: str = "") -> Calls:
    """All calls in one JSON list, also a single one."""
    return lambda calls, lang: before + compact([item(call) for call in calls]) + after


def keyed(name: str, arguments: str, **others: Any) -> Item:
    """A call as an object: its name and its arguments under these keys, other members in front."""
    return lambda call: {**others, name: call.name, arguments: call.arguments}


def in_json(item: Item, before: str = "", after: str = "") -> One:
    """A call as a JSON value between two marks."""
    return lambda call: before + compact(item(call)) + after


NAME_ARGUMENTS = keyed("name", "arguments")
NAME_PARAMETERS = keyed("name", "parameters")

# --- Python --------------------------------------------------------------------------------------------------------------


def python(call: Call) -> str:
    """`f(k="v", n=1)`.

    Raises:
        UsageError: the name of the tool or of an argument cannot stand in Python.
    """
    if not _CALL_NAME.fullmatch(call.name):
        raise UsageError(f"a Python call cannot name the tool {call.name!r}: use a dialect that writes JSON")
    for key in call.arguments:
        if not key.isidentifier():
            raise UsageError(f"a Python call cannot name the argument {key!r}: use a dialect that writes JSON")
    return f"{call.name}({', '.join(f'{key}={literal(value)}' for key, value in call.arguments.items())})"


def python_list(calls: Sequence[Call], lang: str) -> str:
    """`[f(k="v"), g()]`."""
    return f"[{', '.join(map(python, calls))}]"


def literal(value: Any) -> str:
    """A JSON value as a Python literal; strings are written as JSON writes them, which Python reads alike."""
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    return compact(value)


# --- raw text between tags -----------------------------------------------------------------------------------------------


def raw(value: Any, *, lines: bool = False, refused: re.Pattern[str] = TAG_LIKE) -> str:
    """A value as the text of a tag: a string as it is, anything else as JSON.

    The reader takes one line break on each side as layout: `lines` writes it, and a value that begins or ends with a line
    break gets one more.

    Raises:
        UsageError: the text holds something like a tag of these formats (`refused`), which has no escape in raw text.
    """
    if not isinstance(value, str):
        return _laid_out(refused.sub(lambda match: "\\u003c" + match.group()[1:], compact(value)), lines)
    found = refused.search(value)
    if found is not None:
        raise UsageError(f"raw text cannot carry {found.group()!r}: write this call in a dialect with JSON arguments")
    return _laid_out(value, lines)


def _laid_out(text: str, lines: bool) -> str:
    before = "\n" if lines or text.startswith(("\n", "\r\n")) else ""
    after = "\n" if (lines and not text.endswith("\r")) or text.endswith("\n") else ""
    return before + text + after


def tag_name(name: str) -> str:
    """`name`, which is to be a tag.

    Raises:
        UsageError: it cannot be one.
    """
    if not _TAG_NAME.fullmatch(name):
        raise UsageError(f"{name!r} cannot be the name of a tag: use a dialect that writes JSON")
    return name


def quoted_name(name: str) -> str:
    """`name`, which is to stand in a tag.

    Raises:
        UsageError: it would end the tag.
    """
    if not name or len(name) > 128 or re.search(r"[\"'<>\n=|｜]", name) or name != name.strip():
        raise UsageError(f"{name!r} cannot stand in a tag: use a dialect that writes JSON")
    return name


def tagged(
    head: str, parameter: str, end_parameter: str, end: str, *, lines: bool = False, between: str = "\n"
) -> Callable[[Call], str]:
    """A call as tags: `head` and `parameter` take a name at `{}`; `lines` sets values on lines of their own."""

    def write(call: Call) -> str:
        parts = [head.format(quoted_name(call.name))]
        parts += [
            parameter.format(quoted_name(key)) + raw(value, lines=lines) + end_parameter
            for key, value in call.arguments.items()
        ]
        return between.join([*parts, end])

    return write


def pairs(before: str, after: str, prefix: str = "", between: str = "\n", gap: str = "\n") -> Callable[[Call], str]:
    """A call as a name and pairs of key and value tags; `prefix` stands in front of their names."""

    def write(call: Call) -> str:
        parts = [before + quoted_name(call.name)]
        for key, value in call.arguments.items():
            parts.append(
                f"<{prefix}arg_key>{quoted_name(key)}</{prefix}arg_key>{gap}<{prefix}arg_value>{raw(value)}</{prefix}arg_value>"
            )
        return between.join(parts) + between + after

    return write


def only_argument(call: Call, form: str) -> Any:
    """The one argument of a call, "" when it has none.

    Raises:
        UsageError: it has more.
    """
    if len(call.arguments) > 1:
        raise UsageError(f"{form} carries one argument, not {', '.join(call.arguments)}: use another dialect")
    return next(iter(call.arguments.values()), "")


def arguments(call: Call) -> Json:
    """The arguments alone."""
    return call.arguments
