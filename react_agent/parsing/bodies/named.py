"""Bodies that begin with a bare name: arguments as JSON, as key and value tags, in brackets, or none.

get_weather⏎{"city": "Oslo"}                                  GLM-4, DeepSeek, Functionary, Mistral with its own separators
get_weather⏎<arg_key>city</arg_key>⏎<arg_value>Oslo</arg_value>    GLM-4.5 and later, LongCat, Hunyuan with suffixes
get_weather                                                   no arguments
"""

from __future__ import annotations

import re
from dataclasses import replace

from react_agent.messages import Fix
from react_agent.parsing.buffer import Marks
from react_agent.parsing.dialects.telling import told
from react_agent.parsing.settle import Written
from react_agent.parsing.shapes import Shape, shapes
from react_agent.repair.reader import Unreadable, read

from .body import Body, Found
from .python import CALL_START, read_python
from .tags import BEGUN_END, raw_value

_LEAD = re.compile(r"\s*(?:(?:function|tool)\s*(?:<[｜|]tool[▁_ ]sep[｜|]>)\s*|<\|plamo:begin_tool_name:plamo\|>|>>>)?")
_NAME = re.compile(r"[^\s<>{}｛\[\]()\"'`,;=]{1,128}")
_BRACES = ("{", "｛")
_BETWEEN = re.compile(
    r"(?:\s+|```[\w]*|<tool_sep(?::\w+)?>|json(?=\s*[{\[])|"
    r"<[｜|]tool[▁_ ]sep[｜|]>|<\|tool_call_argument_begin\|>|\[ARGS\]|\[CALL_ID\][\w\-]*|"
    r"<\|plamo:(?:end_tool_name|begin_tool_arguments):plamo\|>|<\|message\|>|<\|constrain\|>\w*|[:：])*"
)
_CLOSING_TAG = re.compile(r"\s*</(?:ifm\|)?(?:\w+_)?tool_call(?::\w+)?>")
NAME_HEAD = Marks(
    r"(?!call[:\s])"
    r"(?:function\s{0,4}<[｜|]tool[▁_ ]sep[｜|]>|<\|plamo:begin_tool_name:plamo\|>)?"
    r"\s{0,4}(?P<name>[^\s<>{}｛\[\]()\"'`,;=]{1,128})"
    r"(?:\s{0,4}(?:```\w{0,12}|<[｜|]tool[▁_ ]sep[｜|]>|<\|tool_call_argument_begin\|>|\[ARGS\]|"
    r"<\|plamo:(?:end_tool_name|begin_tool_arguments):plamo\|>)){0,3}\s{0,4}(?=[{｛])"
)
"""A name and its separators in front of a JSON object."""
_AFTER_CALL = re.compile(r"(?:\s|```|<[^<>{}\n]{1,60}>|\[/?[A-Z_]+\]|;|,)*")
_KEY = re.compile(r"<(?:[\w]*[_|])?arg_key(?::\w+)?>(.*?)</(?:[\w]*[_|])?arg_key(?::\w+)?>", re.S)
_VALUE = re.compile(r"\s*(?:<(?:[\w]*[_|])?arg_type>[^<]*</(?:[\w]*[_|])?arg_type>)?\s*<(?:[\w]*[_|])?arg_value(?::\w+)?>")
_VALUE_END = re.compile(r"</(?:[\w]*[_|])?arg_value(?::\w+)?>")
_KEY_START = re.compile(r"<(?:[\w]*[_|])?arg_key(?::\w+)?>")
_LONE_VALUE = re.compile(r"(?=[^<\s][^<]{0,4000}</(?:[\w]*[_|])?arg_value(?::\w+)?>)")
"""A value whose opening tag is missing, behind its key."""
_LONE_KEY = re.compile(r"(?:\s+|\s*<tool_call>\s*)([^\W\d][\w\-]{0,63})</(?:[\w]*[_|])?arg_key(?::\w+)?>")
"""A first key whose opening tag is missing, behind the name."""
_CALL_ID = re.compile(r"(?:call|chatcmpl-tool|toolu)[_-][\w-]{4,64}")
_MAX_CALLS = 64


def read_named(body: Body) -> list[Found]:
    """The calls that follow each other from the start of the body, each with its name in front."""
    found: list[Found] = []
    index = body.start
    while index < body.end and len(found) < _MAX_CALLS:
        call = _one(body, index)
        if call is None:
            break
        found.append(call)
        index = _AFTER_CALL.match(body.text, call.end, body.end).end()  # type: ignore[union-attr]  # matches the empty text
    return found


def _one(body: Body, index: int) -> Written | None:
    lead = _LEAD.match(body.text, index, body.end)
    start = lead.end() if lead else index
    name = _NAME.match(body.text, start, body.end)
    if name is None:
        return None
    written = name.group()
    after = name.end()
    between = _BETWEEN.match(body.text, after, body.end)
    value_at = between.end() if between else after
    if body.text.startswith(_BRACES, value_at) and value_at < body.end:
        grammar = _grammar(body.text[index:start], body.text[after:value_at])
        bare = _bare_name(body, written.rstrip(":："), grammar)
        return _named_inside(body, _with_json(body, bare, start, value_at, told(body.dialect, grammar)))
    if body.text.startswith('"', value_at) and value_at > after:
        return _with_json(body, written, start, value_at, told(body.dialect, _grammar("", body.text[after:value_at])))
    if "```" in body.text[after:value_at] and CALL_START.pattern.match(body.text, value_at, body.end):
        return _with_code(body, written, start, value_at)
    if _KEY_START.match(body.text, value_at, body.end) or _LONE_KEY.match(body.text, after, body.end):
        return _with_pairs(body, written, start, after)
    closing = _CLOSING_TAG.match(body.text, after, body.end)
    if closing is not None:
        return Written(written, None, start, closing.start(), told(body.dialect, "name"))
    rest = body.text[value_at if body.text[after:value_at].endswith("]") else after : body.end].strip(" \t\r\n`<>/|｜")
    if rest and not re.fullmatch(r"(?:/?[\w:]+[>\]]?)?", rest):
        return None
    return Written(written, None, start, body.end, told(body.dialect, "name"), cut=_is_cut(body, written, after))


def _named_inside(body: Body, call: Written) -> Written:
    """Where the id of a call stands in place of its name, the name stands among the arguments."""
    if not _CALL_ID.fullmatch(call.name) or body.names.find(call.name) is not None:
        return call
    inside = shapes(call.raw, body.names) or ()
    shape = inside[0] if len(inside) == 1 else None
    return replace(call, name=shape.name, raw=shape.raw) if isinstance(shape, Shape) else call


def _is_cut(body: Body, name: str, after: int) -> bool:
    """May more of the name, or its arguments, have followed?  Behind an action label nothing is missing."""
    if body.bounded or body.dialect == "label" or after < body.end:
        return False
    known = body.names.find(name)
    return known is None or bool(known[0].properties)


def _bare_name(body: Body, name: str, grammar: str) -> str:
    """Kimi writes `functions.f:0`: that is its notation, unless a tool has just that name."""
    if grammar != "named_argument" or name in body.names.tools:
        return name
    return _COUNT.sub("", name.removeprefix("functions."))


_COUNT = re.compile(r":\d+\Z")


def _grammar(lead: str, between: str) -> str:
    """The name of the grammar, as `telling` knows it, by what stands before the name and behind it."""
    if ">>>" in lead:
        return "named_marked"
    if "```" in between:
        return "named_fence"
    return next((grammar for separator, grammar in _SEPARATORS.items() if separator in between), "named")


_SEPARATORS = {
    "[ARGS]": "named_args",
    "tool_call_argument_begin": "named_argument",
    "<|message|>": "named_message",
    "sep｜>": "named_sep",
    "sep|>": "named_sep",
}


def _with_json(body: Body, name: str, start: int, value_at: int, dialect: str) -> Written:
    try:
        value = read(body.text[: body.end], value_at, bounded=body.bounded)
    except Unreadable:
        return Written(name, body.text[value_at : body.end], start, body.end, dialect, cut=not body.bounded)
    return Written(name, value.value, start, value.end, dialect, value.fixes, value.cut)


def read_arguments(body: Body, name: str) -> Written | None:
    """The call of `name`, which stands in the header of this body: the arguments alone, as JSON or as text."""
    if not body.source.strip():
        return None
    if body.source.lstrip().startswith(_BRACES):
        return _with_json(body, name, body.start, body.start, body.dialect)
    return Written(name, body.source, body.start, body.end, body.dialect, cut=not body.bounded)


def _with_code(body: Body, name: str, start: int, index: int) -> Written | None:
    """ChatGLM3: the name line, and code whose call is always named `tool_call`."""
    calls = read_python(body.at(index))
    if not calls or not isinstance(calls[0], Written):
        return None
    return replace(calls[0], name=name, start=start, dialect="chatglm3")


def _with_pairs(body: Body, name: str, start: int, index: int) -> Written:
    arguments: dict[str, object] = {}
    cut = False
    end = index
    key = _LONE_KEY.match(body.text, index, body.end) or _KEY.search(body.text, index, body.end)
    while key is not None and not _CLOSING_TAG.search(body.text, index, key.start()):
        opener = _VALUE.match(body.text, key.end(), body.end) or _LONE_VALUE.match(body.text, key.end(), body.end)
        following = _KEY_START.search(body.text, opener.end() if opener else key.end(), body.end)
        if opener is None:
            cut = cut or key.end() >= body.end
            index = end = key.end()
            key = _KEY.search(body.text, index, body.end)
            continue
        limit = following.start() if following else body.end
        stops = list(_VALUE_END.finditer(body.text, opener.end(), limit))
        stop = stops[-1].start() if stops else limit
        cut = cut or not (stops or following or body.bounded)
        arguments[key.group(1).strip()] = raw_value(body.text[opener.end() : stop])
        index = end = stops[-1].end() if stops else limit
        key = _KEY.search(body.text, index, body.end)
    cut = cut or not (body.bounded or (arguments and BEGUN_END.fullmatch(body.text, end, body.end)))
    fixes = () if not cut else (Fix("closed"),)
    return Written(name, arguments, start, end, told(body.dialect, "pairs"), fixes, cut, typeless=True)
