"""Types that tools of the tests take, and how these are run."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any

import pydantic

from react_agent.schema import checker
from react_agent.tools import RunContext, Tool


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Order(pydantic.BaseModel):
    """An order."""

    number: str = pydantic.Field(description="On the receipt.", pattern="^[A-Z]\\d+$")
    due: datetime.date | None = None


def run(made: Tool, arguments: dict[str, Any], context: RunContext = RunContext()) -> Any:  # noqa: B008
    assert checker(made.parameters).ok(arguments)
    return made.call(arguments, context)


def parameter(made: Tool) -> Any:
    (only,) = made.parameters["properties"].values()
    return only
