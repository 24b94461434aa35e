"""The forms in which models write arguments: an object, text, a list, positions, one value alone.

In: raw arguments and the tool they are meant for.  Out: an object that names the parameters, with the fixes that took; or a
sentence that says why there is none.  Whether the values fit is not asked here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from react_agent.messages import Fix, Json
from react_agent.repair.fit import short
from react_agent.repair.reader import Unreadable, read
from react_agent.repair.views import Views

from .names import Declared
from .shapes import ARGUMENT_KEYS, NAME_KEYS, is_schema_echo

Formed = tuple[Json, tuple[Fix, ...]] | str
"""An object and the fixes, or what is wrong."""

_REMARK = re.compile(r"(?:json\s{1,4}|[^{}\n]{1,80}[:：]\s{0,4})(?=\{)", re.I)
_NOTHING = re.compile(
    r"(?:|\{\}|null|empty|n/?a|none(?: (?:needed|required))?|no(?: \w+){0,2}(?: (?:needed|required|necessary))?"
    r"|not (?:needed|required|applicable)|无(?:需.{0,6})?|空|不需要.{0,6})[.。]?",
    re.I,
)
"""What says that there is no input."""
_NEARLY = 0.6
"""Letters in common, from which on one word is taken for a slip of the other."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments of a Python-like call."""

    positional: tuple[Any, ...]
    keywords: Json


def shape_arguments(raw: Any, tool: Declared) -> Formed:
    """Raw arguments as an object, with what that took; or a sentence why they cannot be one."""
    match raw:
        case None | "" | []:
            return {}, ()
        case Arguments():
            return _from_python(raw, tool)
        case dict():
            return _from_object(raw, tool)
        case str():
            return _from_text(raw, tool)
        case list():
            return _from_list(raw, tool)
    return _only(raw, tool)


def _only(raw: Any, tool: Declared) -> Formed:
    if tool.only_parameter is None:
        return f"the arguments must be an object with {', '.join(tool.required) or 'no members'}, not {short(raw)}"
    return {tool.only_parameter: raw}, (Fix("only_parameter", tool.only_parameter),)


def _from_python(raw: Arguments, tool: Declared) -> Formed:
    if len(raw.positional) == 1 and isinstance(raw.positional[0], dict) and not raw.keywords:
        inner = raw.positional[0]
        if not inner or set(inner) & set(tool.properties):
            return _from_object(inner, tool)
    if len(raw.positional) == 1 and isinstance(raw.positional[0], str) and not raw.keywords:
        encoded = _all_arguments(raw.positional[0], tool, "escaped_json")
        if encoded is not None:
            return encoded
    if len(raw.keywords) == 1 and not raw.positional:
        ((key, inner),) = raw.keywords.items()
        if key in ARGUMENT_KEYS and isinstance(inner, dict) and key not in tool.properties:
            return _from_object(raw.keywords, tool)
    free = [name for name in tool.properties if name not in raw.keywords]
    if len(raw.positional) > len(free):
        return f"{len(raw.positional)} positional arguments, but only {len(free)} parameters are free"
    placed = dict(zip(free, raw.positional, strict=False))
    fixes = tuple(Fix("positional", name) for name in placed)
    return {**placed, **raw.keywords}, fixes


def _from_object(raw: Json, tool: Declared) -> Formed:
    declared = tool.properties
    again = next((key for key in ARGUMENT_KEYS if key in raw and isinstance(raw[key], dict) and key not in declared), None)
    if again is not None and any(raw.get(key) == tool.name for key in NAME_KEYS if key not in declared):
        return raw[again], (Fix("unwrapped", again),)
    views = Views(tool.schema)
    if is_schema_echo(raw) and not all(key in declared and views.nests(declared[key]) for key in raw):
        return "a JSON Schema instead of arguments"
    echoed = raw.get("properties")
    if isinstance(echoed, dict) and "properties" not in declared and set(echoed) & set(declared):
        return echoed, (Fix("unwrapped", "properties"),)
    if len(raw) == 1:
        key, inner = next(iter(raw.items()))
        if key not in declared and (key in ARGUMENT_KEYS or key in ("__arg1", "query", "value", "text", tool.name)):
            if isinstance(inner, dict) and (set(inner) & set(declared) or not inner):
                return inner, (Fix("unwrapped", key),)
            if isinstance(inner, str) and inner.lstrip().startswith("{"):
                shaped = _from_text(inner, tool)
                return shaped if isinstance(shaped, str) else (shaped[0], (Fix("unwrapped", key), *shaped[1]))
            if not isinstance(inner, (dict, list)):
                return _only(inner, tool)
        only = tool.only_parameter
        if only is not None and len(declared) == 1 and _akin(key, only) and not isinstance(inner, (dict, list)):
            return {only: inner}, (Fix("key_spelling", only, note=key),)
    return raw, ()


def _from_list(raw: list[Any], tool: Declared) -> Formed:
    pairs = {str(item["name"]): item["value"] for item in raw if isinstance(item, dict) and {"name", "value"} <= item.keys()}
    if len(pairs) == len(raw) and pairs.keys() & tool.properties.keys():
        return pairs, (Fix("unwrapped"),)
    if len(raw) == 1 and isinstance(raw[0], dict):
        return raw[0], (Fix("array_to_single"),)
    only = tool.only_parameter
    if only is not None and "array" in str(tool.properties.get(only, {}).get("type", "")):
        return {only: raw}, (Fix("only_parameter", only),)
    return _only(raw[0], tool) if len(raw) == 1 else "the arguments must be an object, not a list"


def _from_text(raw: str, tool: Declared) -> Formed:
    """Arguments written as text: an encoded object, `key = value`, or the one parameter itself."""
    written = raw.strip()
    if written.startswith("`") and written.endswith("`"):
        written = written.strip("`").strip()
    if not tool.required and _NOTHING.fullmatch(written):
        return {}, ()
    only = tool.only_parameter
    if written.startswith(("{", "｛")):
        try:
            found = read(written)
        except Unreadable:
            found = None
        if found is not None and isinstance(found.value, dict) and not written[found.end :].strip():
            if found.cut:
                return "the arguments end in the middle of a value"
            known = set(found.value) & set(tool.properties) or not found.value or only is None
            if known or isinstance(found.value.get("properties"), dict):
                shaped = _from_object(found.value, tool)
                return shaped if isinstance(shaped, str) else (shaped[0], (*found.fixes, *shaped[1]))
    if (inner := _behind_remark(written, tool)) is not None:
        return inner
    if (assigned := _assigned(written, tool)) is not None:
        return assigned
    if only is None:
        return _only(raw, tool)
    value, fixes = unquoted(written)
    return {only: value}, (Fix("only_parameter", only), *fixes)


def _behind_remark(written: str, tool: Declared) -> Formed | None:
    """`Here is the input: {…}`, `json {…}` and an object in quotes: all of the arguments, and nothing behind them."""
    remark = _REMARK.match(written)
    text = str(unquoted(written)[0]) if written.startswith(('"{', "'{")) else written[remark.end() :] if remark else ""
    if not text or text == written:
        return None
    return _all_arguments(text, tool, "text_around" if remark else "escaped_json")


def _all_arguments(text: str, tool: Declared, liberty: str) -> Formed | None:
    """The object that `text` is, when it holds all required parameters and nothing else."""
    if not text.lstrip().startswith(("{", "｛")):
        return None
    try:
        found = read(text)
    except Unreadable:
        return None
    keys = found.value.keys() if isinstance(found.value, dict) and not text[found.end :].strip() else set()
    if found.cut or not keys or not keys <= tool.properties.keys() or not set(tool.required) <= keys:
        return None
    return found.value, (Fix(liberty), *found.fixes)


def _assigned(written: str, tool: Declared) -> Formed | None:
    """`city = "Oslo"`, several of them, on one line or on lines of their own; the keys are names of parameters.  Behind the
    last one a value must stand: nobody knows what was to come."""
    names = "|".join(re.escape(name) for name in sorted(tool.properties, key=len, reverse=True))
    if not names:
        return None
    heads = list(re.finditer(rf"(?:\A|[,，;；\n])[ \t]*[-*]?[ \t]*[\"'`“]?({names})[\"'`”]?[ \t]*[=:：](?!=)[ \t]*", written))
    if not heads or heads[0].start() > 0:
        return None
    borders = [head.start() for head in heads[1:]] + [len(written)]
    found: Json = {}
    fixes: list[Fix] = [Fix("bare_key")]
    for head, border in zip(heads, borders, strict=True):
        value, more = unquoted(written[head.end() : border])
        if value == "" and not more and head is heads[-1]:
            return f"nothing is written behind {head.group(1)!r}"
        if isinstance(value, str) and value.startswith(('"', "“")) and value.count(value[0]) == 1 and not more:
            return f"the quotation behind {head.group(1)!r} is not closed"
        found.setdefault(head.group(1), value)
        fixes.extend(more)
    return found, tuple(fixes)


def _folded(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _akin(key: str, parameter: str) -> bool:
    """Whether `key` is a slip for `parameter`: a word in common, or nearly the same letters (case and marks are no slip).

    «unit» where only `city` is declared is no spelling of it, however few the parameters are: its value means something else.
    """
    one, other = _folded(key), _folded(parameter)
    nearly = bool(_words(key) & _words(parameter)) or SequenceMatcher(None, one, other).ratio() >= _NEARLY
    return nearly and one != other


def _words(name: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_a-zA-Z]+", name)}


def unquoted(written: str) -> tuple[Any, tuple[Fix, ...]]:
    """A bare input: text in one pair of quotes loses them, everything else is itself."""
    written = written.strip()
    if len(written) >= 2 and written[0] in "\"'“‘「`":
        try:
            found = read(written)
        except Unreadable:
            return written, ()
        if isinstance(found.value, str) and found.end == len(written) and not found.cut:
            return found.value, tuple(fix for fix in found.fixes if fix.name != "other_quotes")
    return written, ()
