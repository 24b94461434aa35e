"""The task that every client gets, and its tools as plain functions; needs nothing but Python.

Neither number can be guessed, and `made` tells which tools have run.
"""

from __future__ import annotations

import json
from typing import Any

TASK = "I need two numbers: the price of a lamp, and the number of lamps in stock. Look both up, one after the other."
FOUND = ("37", "14")
TURNS = 8
made: list[str] = []


def price_of(item: str) -> float:
    """The price of an item.

    Args:
        item: The name of the item, such as "chair".
    """
    made.append("price_of")
    return 37.0 if "lamp" in item.lower() else 0.0


def stock_of(item: str) -> int:
    """How many of an item are in stock.

    Args:
        item: The name of the item, such as "chair".
    """
    made.append("stock_of")
    return 14 if "lamp" in item.lower() else 0


def solved(answer: str, ran: list[str]) -> bool:
    """Whether the answer is the right one, and was looked up."""
    return all(number in answer for number in FOUND) and {"price_of", "stock_of"} <= {*ran}


def run(name: str, arguments: str | dict[str, Any]) -> str:
    """What a tool gives, as text."""
    given = json.loads(arguments) if isinstance(arguments, str) else arguments
    return str({"price_of": price_of, "stock_of": stock_of}[name](**given))


def _function(name: str, description: str) -> dict[str, Any]:
    properties = {"item": {"type": "string", "description": "The name of the item."}}
    schema = {"type": "object", "properties": properties, "required": ["item"], "additionalProperties": False}
    return {"name": name, "description": description, "parameters": schema}


FUNCTIONS = [_function("price_of", "The price of an item."), _function("stock_of", "How many of an item are in stock.")]
CHAT_TOOLS: Any = [{"type": "function", "function": function} for function in FUNCTIONS]
