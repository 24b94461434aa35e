"""The tasks of a probe: short questions in Chinese and English whose answers stand in tables, with tools as users have them.

A task is solved when a tool was called and the answer holds what is wanted.  The order matters, as a probe may have time for
the first ones only: both languages and both one and two steps come early.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from react_agent.messages import RunResult, Value
from react_agent.tools import Tool, tool
from react_agent.tools.builtin import calculator
from react_agent.tools.builtin.demo import get_weather

_ORDERS = {"A-1042": ("shipped", "4 May", 129.5), "B-7731": ("packed", "9 May", 48.0)}


@tool(pure=True, description="查询订单的状态、送达日期和金额。Status, delivery date and amount of an order.")
def get_order(order_id: str) -> dict[str, object]:
    """An order of the table; raises ValueError for one that is not in it."""
    if order_id not in _ORDERS:
        raise ValueError(f"no order {order_id[:50]!r}; there are {', '.join(_ORDERS)}")
    status, date, amount = _ORDERS[order_id]
    return {"order_id": order_id, "status": status, "delivery": date, "amount": amount}


TOOLS: tuple[Tool, ...] = (get_weather, get_order, calculator)


@dataclass(frozen=True, slots=True)
class Task(Value):
    """A question, and the numbers or words that its answer must hold."""

    name: str
    question: str
    wanted: tuple[str, ...]

    def solved(self, result: RunResult) -> bool:
        """Whether a run has answered it by means of a tool."""
        said = (result.answer or "").replace(",", "").casefold()
        return result.ok and any(step.calls for step in result.steps) and all(_stands_in(word, said) for word in self.wanted)


def _stands_in(word: str, text: str) -> bool:
    return re.search(rf"(?<![0-9.a-z]){re.escape(word)}(?![0-9a-z]|\.[0-9])", text) is not None


TASKS = (
    Task("weather-zh", "北京今天气温多少度？", ("31",)),
    Task("order-en", "When will order A-1042 be delivered?", ("4 may",)),
    Task("hotter-zh", "上海和广州今天相差几度？", ("5",)),
    Task("product-en", "What is 127 * 49?", ("6223",)),
    Task("order-zh", "订单 B-7731 的金额是多少？打八折以后呢？", ("48", "38.4")),
    Task("colder-en", "How many degrees warmer is Cairo than Oslo today?", ("39",)),
)
