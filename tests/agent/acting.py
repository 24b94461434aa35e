"""Tools and actions of the tests of agents."""

from __future__ import annotations

import json

from react_agent import tool


@tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


def action(name: str, **arguments: object) -> str:
    return f"Thought: go.\nAction: {json.dumps({'type': 'tool_call', 'name': name, 'args': arguments})}"
