"""A docstring in Google, NumPy or Sphinx style, taken apart by the library docstring-parser.

In: the docstring.  Out: its description and one line per parameter.  Sections on returns, errors and examples are left out:
small models copy examples as arguments.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Documentation:
    """`description` without sections; `parameters` by name, one line each."""

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)


def read_docstring(text: str | None) -> Documentation:
    """The parts of a docstring; a docstring in no known style is all description."""
    from docstring_parser import ParseError, parse

    try:
        parsed = parse(text or "")
    except ParseError:
        return Documentation((text or "").strip())
    parameters = {
        name.strip(" *"): _one_line(param.description)
        for param in parsed.params
        for name in param.arg_name.split(",")  # NumPy style documents "x, y : float" together
        if param.description
    }
    return Documentation((parsed.description or "").strip(), parameters)


def _one_line(text: str) -> str:
    return " ".join(text.split())
