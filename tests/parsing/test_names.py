"""Which declared tool does a written name mean, and what had to be overlooked?"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.errors import UsageError
from react_agent.messages import ToolSpec
from react_agent.parsing.names import MAX_NAME, Declared, ToolNames, as_specs, fold, names_of
from tests.vectors import TOOLS

NAMES = ToolNames(
    ToolSpec(name)
    for name in (
        "find_book",
        "find_books",
        "sendNote",
        "mcp__atlas__route",
        "files.search",
        "web.search",
        "ping",
        "查车次",
        "x-ray",
        "tools_list",
    )
)


def meant(written: str) -> tuple[str, str] | None:
    """The tool and the name of the fix."""
    found = NAMES.find(written)
    if found is None:
        return None
    tool, fixes = found
    return tool.name, ",".join(fix.name for fix in fixes)


@pytest.mark.parametrize("name", list(NAMES.tools))
def test_exact(name: str) -> None:
    assert meant(name) == (name, "")


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (" ping\n", "ping"),
        ('"ping"', "ping"),
        ("'ping'", "ping"),
        ("`ping`", "ping"),
        ("**ping**", "ping"),
        ("“ping”", "ping"),
        ("「查车次」", "查车次"),
        ("【查车次】", "查车次"),
        ("《查车次》", "查车次"),
        ("[ping]", "ping"),
        ("<ping>", "ping"),
        ("ping.", "ping"),
        ("ping。", "ping"),
        ("ping:", "ping"),
        ("ping()", "ping"),
        ("ping:0", "ping"),
        ("functions.ping:12", "ping"),
        ("functions.ping", "ping"),
        ("function: ping", "ping"),
        ("tools.ping", "ping"),
        ("default_api.ping", "ping"),
        ("find\\_book", "find_book"),
        ("`find\\_book`", "find_book"),
        ("find_book # the catalogue", "find_book"),
        ("find_book // the catalogue", "find_book"),
        ("find_book</tool>", "find_book"),
        ("find_book<|im_end|>", "find_book"),
        ("查车次（铁路）", "查车次"),
        ("调用 查车次", "查车次"),
        ("使用 ping 工具", "ping"),
        ("use the tool", None),
        ("the ping tool", "ping"),
        ("使用工具：查车次", "查车次"),
    ],
)
def test_decoration(written: str, name: str | None) -> None:
    assert meant(written) == (None if name is None else (name, "name_decoration"))


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Find_Book", "find_book"),
        ("findBook", "find_book"),
        ("find-book", "find_book"),
        ("find book", "find_book"),
        ("send_note", "sendNote"),
        ("SENDNOTE", "sendNote"),
        ("x_ray", "x-ray"),
        ("ｐｉｎｇ", "ping"),
        ("tools-list", "tools_list"),
        ("files_search", "files.search"),
    ],
)
def test_spelling(written: str, name: str) -> None:
    assert meant(written) == (name, "name_spelling")


@pytest.mark.parametrize(
    ("written", "name"),
    [("route", "mcp__atlas__route"), ("atlas__route", "mcp__atlas__route"), ("Route", "mcp__atlas__route")],
)
def test_namespace(written: str, name: str) -> None:
    assert meant(written) == (name, "name_namespace")


@pytest.mark.parametrize(
    "written",
    [
        "search",  # two tools end so
        "find_boook",
        "find_bok",
        "books",
        "pin",
        "pings",
        "",
        " ",
        "``",
        "None",
        "functions.",
        "p" * (MAX_NAME + 1),
    ],
)
def test_unknown(written: str) -> None:
    assert meant(written) is None


def test_a_spelling_that_two_tools_share_means_neither() -> None:
    names = ToolNames([ToolSpec("do_it"), ToolSpec("doIt")])
    assert names.find("do-it") is None
    found = names.find("doIt")
    assert found is not None
    assert found[0].name == "doIt"


def test_nearest_first() -> None:
    assert NAMES.nearest("find_bok")[0] == "find_book"
    assert NAMES.nearest("zzz") == []
    assert len(NAMES.nearest("find_book", count=1)) == 1
    assert NAMES.nearest("f" * 100_000) == []


@given(st.text(max_size=40))
def test_never_by_distance(written: str) -> None:
    """Whatever is found has the letters of the name, or of its last part, in it."""
    found = NAMES.find(written)
    if found is not None:
        name = found[0].name
        assert fold(name) in fold(written) or fold(name.rsplit("__")[-1]) in fold(written)


# --- tools in any shape ----------------------------------------------------------------------------------------------


def test_as_specs_keeps_what_is_there() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    (spec,) = as_specs([{"type": "function", "function": {"name": "f", "description": None, "parameters": schema}}])
    assert spec == ToolSpec("f", "", schema)
    assert as_specs([spec]) == (spec,)
    assert as_specs([{"name": "g"}]) == (ToolSpec("g"),)


def test_as_specs_refuses_what_is_no_tool() -> None:
    with pytest.raises(UsageError, match=r"not a tool: 'f'; expected a Tool, an OpenAI tool dict"):
        as_specs(["f"])
    with pytest.raises(UsageError, match="two tools are named 'f'"):
        as_specs([{"name": "f"}, {"name": "f"}])


@pytest.mark.parametrize(
    ("parameters", "only"),
    [
        ({}, None),
        ({"type": "object", "properties": {"a": {}}}, "a"),
        ({"type": "object", "properties": {"a": {}, "b": {}}}, None),
        ({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]}, "b"),
        ({"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a", "b"]}, None),
    ],
)
def test_the_only_parameter(parameters: dict[str, object], only: str | None) -> None:
    assert Declared(ToolSpec("f", "", parameters)).only_parameter == only


def test_tools_of_the_same_content_are_prepared_once() -> None:
    assert names_of([dict(tool) for tool in TOOLS["desk"]]) is names_of(TOOLS["desk"])


def test_a_tool_that_changed_is_read_anew() -> None:
    tool: dict[str, Any] = {"name": "f", "parameters": {"type": "object", "properties": {"x": {"type": "string"}}}}
    before = names_of([tool])
    tool["parameters"]["properties"]["x"]["type"] = "integer"
    assert names_of([tool]).tools["f"].properties == {"x": {"type": "integer"}}
    assert before.tools["f"].properties == {"x": {"type": "string"}}
