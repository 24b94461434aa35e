"""Every liberty the reader and the fitter take, with its cost.

0 is notation: nothing about the value was in doubt.  1 is a slip with one sensible reading.  2 needs the schema or the
neighbourhood to choose a reading.  4 invents structure, and 8 throws something away.  A caller sets a maximum by the
sum; a tool marked dangerous may ask for none at all.
"""

from __future__ import annotations

from collections.abc import Iterable

from react_agent.messages import Fix

COSTS: dict[str, int] = {
    # reader: text -> value
    "comment": 0,
    "other_blanks": 0,
    "python_literal": 0,
    "other_quotes": 0,
    "triple_quotes": 0,
    "fullwidth_punctuation": 1,
    "trailing_comma": 0,
    "extra_comma": 1,
    "raw_newline": 1,
    "bad_escape": 1,
    "unescaped_quote": 2,
    "bare_key": 1,
    "bare_string": 2,
    "missing_comma": 1,
    "missing_colon": 2,
    "wrong_closer": 2,
    "wrong_bracket": 2,
    "closed": 2,
    "doubled_braces": 2,
    "number_spelling": 1,
    "missing_quote": 2,
    "joined_texts": 1,
    "missing_opener": 2,
    "escaped_json": 1,
    # mend: text -> the value in it
    "repeated_value": 1,
    "side_by_side": 2,
    "joined_objects": 4,
    "rest_dropped": 8,
    "repeated_key": 8,
    # fit: value + schema -> value
    "text_to_number": 1,
    "arithmetic": 2,
    "text_to_boolean": 1,
    "number_to_text": 1,
    "value_to_text": 2,
    "text_to_value": 1,
    "float_to_integer": 0,
    "number_to_boolean": 2,
    "single_to_array": 2,
    "text_to_items": 2,
    "array_to_single": 2,
    "enum_spelling": 1,
    "key_spelling": 2,
    "null_dropped": 0,
    "extra_dropped": 8,
    "unwrapped": 4,
    "only_parameter": 1,
    "positional": 1,
    # parsing: text -> call
    "text_around": 2,
    "name_decoration": 1,
    "name_spelling": 2,
    "name_namespace": 2,
    "implied_tool": 4,
    "call_dropped": 8,
}


def cost(fixes: Iterable[Fix]) -> int:
    """The sum of the costs; an unknown name counts 8."""
    return sum(COSTS.get(fix.name, 8) for fix in fixes)
