"""The task that every client gets, and its tools as plain functions; needs nothing but Python.

The second call needs the result of the first, so it cannot be guessed, and `made` tells which tools have run.
"""

from __future__ import annotations

import json
from typing import Any

TASK = "Look up the price of a lamp with price_of. Then add 25 to that price with add. Answer with the sum."
SUM = "62"
TURNS = 8
made: list[str] = []


def price_of(item: str) -> float:
    """The price of an item.

    Args:
        item: The name of the item, such as "lamp".
    """
    made.append("price_of")
    return 37.0 if "lamp" in item.lower() else 0.0


def add(a: float, b: float) -> float:
    """The sum of two numbers.

    Args:
        a: The first number.
        b: The second number.
    """
    made.append("add")
    return float(a) + float(b)


def run(name: str, arguments: str | dict[str, Any]) -> str:
    """What a tool gives, as text."""
    given = json.loads(arguments) if isinstance(arguments, str) else arguments
    return str({"price_of": price_of, "add": add}[name](**given))


def _function(name: str, description: str, **parameters: str) -> dict[str, Any]:
    properties = {key: {"type": kind} for key, kind in parameters.items()}
    schema = {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}
    return {"name": name, "description": description, "parameters": schema}


FUNCTIONS = [
    _function("price_of", "The price of an item.", item="string"),
    _function("add", "The sum of two numbers.", a="number", b="number"),
]
CHAT_TOOLS: Any = [{"type": "function", "function": function} for function in FUNCTIONS]
