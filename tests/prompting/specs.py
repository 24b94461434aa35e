"""Toolsets for prompts: plain, with every kind of type, and with names that no server takes."""

from __future__ import annotations

from react_agent.messages import ToolSpec


def spec(name: str, description: str = "", required: tuple[str, ...] | None = None, **properties: dict) -> ToolSpec:
    wanted = list(properties) if required is None else list(required)
    return ToolSpec(name, description, {"type": "object", "properties": properties, "required": wanted})


TEXT = {"type": "string"}
TRAINS = spec(
    "find_train",
    "当用户询问两地之间的火车时调用，例如 苏州 到 无锡。",
    ("start", "goal"),
    start={"type": "string", "description": "出发站，例如 苏州"},
    goal=TEXT,
    seats={"type": "integer", "minimum": 1, "maximum": 9, "default": 1},
    level={"type": "string", "enum": ["first", "second"]},
)
TIDES = spec("tide_table", "High and low water at a harbour (e.g. Brest).\n\nTimes are local.", harbour=TEXT)
CLOCK = spec("clock")
NESTED = spec(
    "book",
    "Books a table.",
    guest={"type": "object", "properties": {"name": TEXT, "mail": {"type": "string", "format": "email"}}, "required": ["name"]},
    dishes={"type": "array", "items": {"type": "string", "enum": ["soup", "fish"]}, "minItems": 2},
    day={"type": "string", "format": "date"},
    price={"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.5, "multipleOf": 0.25},
    window={"type": "boolean"},
    note={"anyOf": [{"type": "string", "minLength": 12}, {"type": "null"}]},
)
CHINESE = spec("查询 余额", "查询账户余额。", 账号=TEXT)

TOOLSETS = {
    "one": (TIDES,),
    "no parameters": (CLOCK,),
    "several": (CLOCK, TRAINS, TIDES),
    "nested": (NESTED, CLOCK),
    "Chinese name": (CHINESE, TRAINS),
}
