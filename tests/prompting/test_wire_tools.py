from __future__ import annotations

import re

from react_agent.messages import ToolSpec
from react_agent.prompting.wire_tools import wire_names, wire_tools

ALLOWED = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def test_valid_names_stay() -> None:
    names = wire_names([ToolSpec("get_tide"), ToolSpec("get-tide")])
    assert names.to_wire("get_tide") == "get_tide"
    assert names.to_tool("get-tide") == "get-tide"


def test_other_names_get_unique_readable_aliases() -> None:
    specs = [
        ToolSpec("tide table"),
        ToolSpec("tide_table"),
        ToolSpec("潮汐 表"),
        ToolSpec("天气"),
        ToolSpec("x" * 100),
        ToolSpec("x" * 99),
    ]
    names = wire_names(specs)
    aliases = [names.to_wire(spec.name) for spec in specs]
    assert all(ALLOWED.fullmatch(alias) for alias in aliases)
    assert len(set(aliases)) == len(aliases)
    assert aliases[0].startswith("tide_table")
    assert [names.to_tool(alias) for alias in aliases] == [spec.name for spec in specs]


def test_the_description_tells_the_real_name_of_an_alias() -> None:
    specs = [ToolSpec("潮汐", "高潮和低潮的时间"), ToolSpec("clock", "the time")]
    wire = wire_tools(specs, wire_names(specs))
    assert [tool["function"]["description"] for tool in wire] == ["潮汐: 高潮和低潮的时间", "the time"]
    assert wire[1]["function"]["parameters"] == {"type": "object", "properties": {}}


def test_a_made_up_name_becomes_one_that_servers_take() -> None:
    assert wire_names([]).to_wire("") == "unknown"
    assert ALLOWED.fullmatch(wire_names([]).to_wire("../../etc <x>"))
