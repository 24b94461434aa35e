"""Written call to verdict: a `Call` whose arguments satisfy the schema, or a `Rejected` that says why not.

In: a written name and raw arguments in any form.  The order is fixed: the name, the form of the arguments, placeholders and
echoes, the fit to the schema, the validator.  Nothing becomes a `Call` that the validator has not passed, and nothing whose
value was cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from react_agent.messages import Call, Fix, Json, Rejected
from react_agent.repair.fit import fit, short

from .forms import Arguments, shape_arguments
from .names import Declared, ToolNames
from .placeholders import is_placeholder, placeholder_in, says_type, says_unknown
from .shapes import is_schema_echo


@dataclass(frozen=True, slots=True)
class Written:
    """A call as a body reader found it.

    `raw` is an object, text, a list, None, or `Arguments` with positional ones.  `typeless` says that the dialect writes
    every value as text, so reading numbers from text is notation and no fix.
    """

    name: str
    raw: Any
    start: int
    end: int
    dialect: str
    fixes: tuple[Fix, ...] = ()
    cut: bool = False
    typeless: bool = False
    explicit: bool = True
    thought: str = ""


_NOTATION = {"text_to_number", "text_to_boolean", "text_to_value"}


def settle(
    written: Written, names: ToolNames, evidence: str, text: str, later: bool = False, hint: bool = True
) -> Call | Rejected:
    """The verdict; `later` marks a call that follows another one and may not lean on its result.

    `hint`: tell the names that look like an unknown one.
    """
    span = (written.start, written.end)
    source = text[written.start : written.end][:2000]

    def reject(reason: str, *problems: str, arguments: Json | None = None, name: str = "") -> Rejected:
        return Rejected(reason, name or written.name, source, problems, arguments, dialect=written.dialect, span=span)

    known = names.find(written.name)
    if written.cut:
        return reject("cut", "the arguments end in the middle of a value", name=known[0].name if known else "")
    if known is None:
        if is_placeholder(written.name) or is_schema_echo(written.raw):
            return reject("placeholder", "a placeholder instead of a tool name")
        nearest = names.nearest(written.name) if hint else ()
        return reject("unknown_tool", f"there is no tool {short(written.name)!r}", *nearest)
    tool, name_fixes = known
    given = written.raw.keywords if isinstance(written.raw, Arguments) and not written.raw.positional else written.raw
    if isinstance(given, dict) and tool.fits_as_is(given) and not (placeholder_in(given, later) or _not_known(given, tool)):
        fixes = (*name_fixes, *written.fixes)  # a shorter way to what follows
        return Call(tool.name, dict(given), fixes=fixes, dialect=written.dialect, evidence=evidence, span=span)
    shaped = shape_arguments(written.raw, tool)
    if isinstance(shaped, str):
        return reject("placeholder" if is_schema_echo(written.raw) else "malformed", shaped, name=tool.name)
    arguments, form_fixes = shaped
    hollow = placeholder_in(arguments, later) or _not_known(arguments, tool)
    if hollow:
        return reject("placeholder", f"{short(hollow)} is a placeholder, not a value", arguments=arguments, name=tool.name)
    fitted, fit_fixes = fit(arguments, tool.schema)
    fitted, dropped = _declared_only(fitted, tool)
    problems = tool.checker.problems(fitted)
    if problems:
        words = tuple(problem.say("en") for problem in problems)
        return reject("invalid_arguments", *words, arguments=fitted, name=tool.name)
    if written.typeless:
        fit_fixes = tuple(fix for fix in fit_fixes if fix.name not in _NOTATION)
        form_fixes = tuple(fix for fix in form_fixes if fix.name != "only_parameter")
    fixes = (*name_fixes, *written.fixes, *form_fixes, *fit_fixes, *dropped)
    return Call(tool.name, fitted, fixes=fixes, dialect=written.dialect, evidence=evidence, span=span)


def _not_known(arguments: Json, tool: Declared) -> str:
    """The value of a required parameter that is the name of its type or says that it is not known, where any text may stand."""
    for key in tool.required:
        value = arguments.get(key)
        if not isinstance(value, (str, list)):
            continue
        schema = tool.properties.get(key)
        said = says_unknown(value) or says_type(key, value, schema)
        if said and "enum" not in str(schema):
            return said
    return ""


def _declared_only(arguments: Json, tool: Declared) -> tuple[Json, tuple[Fix, ...]]:
    """Undeclared members go, unless the schema says that it takes any."""
    extra = [key for key in arguments if key not in tool.properties]
    if not extra or tool.takes_any:
        return arguments, ()
    kept = {key: value for key, value in arguments.items() if key in tool.properties}
    return kept, tuple(Fix("extra_dropped", key, note=short(arguments[key])) for key in extra)
