import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from react_agent.errors import UsageError
from react_agent.tools import load

MODULE = '''
from react_agent.tools import Tool, tool

@tool
def add(a: int) -> int:
    """Adds one."""
    return a + 1

def double(a: int) -> int:
    return 2 * a

def shop_tools() -> list[Tool]:
    return [tool(double), add]

def failing_tools() -> list[Tool]:
    raise KeyError("shop")

def ending_tools() -> list[Tool]:
    raise SystemExit

def oddly_hinted() -> "tool.no.such.type":
    return 1

both = [add, double]
number = 5
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working directory with a module of tools."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "shop_tools_module.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "no_tools.py").write_text("x = 1", encoding="utf-8")
    (tmp_path / "broken_tools.py").write_text("1 / 0", encoding="utf-8")
    (tmp_path / "ending_tools.py").write_text("import sys; sys.exit(4)", encoding="utf-8")
    (tmp_path / "needs_more.py").write_text("import not_installed_anywhere", encoding="utf-8")
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("name", "tools"),
    [
        ("shop_tools_module:add", ["add"]),
        ("shop_tools_module:double", ["double"]),
        ("shop_tools_module:both", ["add", "double"]),
        ("shop_tools_module:shop_tools", ["double", "add"]),
        ("shop_tools_module", ["add"]),
        ("shop_tools_module.py:both", ["add", "double"]),
        ("shop_tools_module.py", ["add"]),
        ("react_agent.tools.builtin:demo_tools", ["get_weather", "calculator", "current_time"]),
        ("react_agent.tools.builtin:calculator", ["calculator"]),
        ("react_agent.tools.builtin", ["calculator", "current_time", "get_weather"]),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_a_name_stands_for(name: str, tools: list[str]) -> None:
    assert [each.name for each in load(name)] == tools


def test_a_file_anywhere(folder: Path) -> None:
    assert load(f"{folder / 'shop_tools_module.py'}:add")[0](1) == 2


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("nowhere_at_all:add", 'no module "nowhere_at_all"'),
        ("shop_tools_module.more:add", 'no module "shop_tools_module.more"'),
        ("shop_tools_module:subtract", 'has no "subtract"; its tools are: add'),
        ("shop_tools_module:number", "int came"),
        ("no_tools", "holds no tool"),
        ("no_tools:y", "its tools are: none"),
        ("broken_tools:add", "ZeroDivisionError"),
        ("ending_tools:add", "SystemExit: 4"),
        ("ending_tools.py:add", "SystemExit: 4"),
        ("shop_tools_module:failing_tools", "gives no tools: KeyError: 'shop'"),
        ("shop_tools_module:ending_tools", "gives no tools: SystemExit"),
        ("shop_tools_module:oddly_hinted", "type hints cannot be read"),
        ("needs_more:add", "not_installed_anywhere"),
        ("missing.py:add", 'no file "missing.py"'),
        ("", '"module:attr"'),
        (":add", '"module:attr"'),
        ("..", "cannot be imported"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_cannot_be_loaded(name: str, part: str) -> None:
    with pytest.raises(UsageError) as caught:
        load(name)
    assert part in str(caught.value)
