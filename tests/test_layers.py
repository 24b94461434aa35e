"""The layer plan of docs/architecture.md, checked on the syntax trees of every module.

Imports inside functions and under `TYPE_CHECKING` count too: a lazy import makes a program quicker to start, not a layer
lower.
"""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "react_agent"
PLAN = PACKAGE.parent / "docs" / "architecture.md"
EFFECTS = {"openai", "asyncio", "time", "os", "random", "socket", "threading"}
MAY_HAVE_EFFECTS = ("react_agent.prompting.files", "react_agent.tools")
HEAVY = {"openai", "pydantic", "jsonschema", "jinja2", "typer", "rich", "xllamacpp", "asyncio", "hypothesis"}


def read_order() -> list[str]:
    """The ordered list that stands in the plan, lowest layer first."""
    plan = PLAN.read_text(encoding="utf-8")
    paragraph = plan[plan.index("\nerrors · ") :].strip().split("\n\n")[0]
    return re.split(r"[\s·]+", paragraph)


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(name: str) -> set[str]:
    """The modules a module imports, by their absolute names."""
    path = MODULES[name]
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain.union(*(targets_of(node, package) for node in nodes if isinstance(node, ast.ImportFrom)))


def targets_of(node: ast.ImportFrom, package: str) -> set[str]:
    """`from a import b` names the module `a.b` where there is one, else `a`."""
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    base = ".".join([*above, *([node.module] if node.module else [])])
    return {inner if (inner := f"{base}.{alias.name}") in MODULES else base for alias in node.names}


def layer_of(module: str) -> str:
    """`react_agent.engine.turn` -> "engine"; the front door `react_agent` itself is above all layers."""
    return module.split(".")[1] if module.startswith("react_agent.") else ""


ORDER = read_order()
MODULES = {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}
IMPORTS = {name: imports_of(name) for name in MODULES}


def test_every_module_has_its_place_in_the_plan() -> None:
    assert {layer_of(name) for name in MODULES} - {""} <= set(ORDER)


@pytest.mark.parametrize("name", sorted(MODULES.keys() - {"react_agent"}))
def test_imports_go_down(name: str) -> None:
    allowed = ORDER[: ORDER.index(layer_of(name)) + 1]
    inner = {target for target in IMPORTS[name] if target.split(".")[0] == "react_agent"}
    upward = sorted(target for target in inner if layer_of(target) not in allowed)
    assert not upward, f"{name} is in layer {layer_of(name)}, so it may not import {', '.join(upward)}"


CORE = [name for name in MODULES if layer_of(name) in ORDER[: ORDER.index("engine") + 1]]


@pytest.mark.parametrize("name", sorted(name for name in CORE if not name.startswith(MAY_HAVE_EFFECTS)))
def test_the_core_has_no_effects(name: str) -> None:
    assert not EFFECTS & {target.split(".")[0] for target in IMPORTS[name]}


def test_there_is_no_import_cycle() -> None:
    graph = {name: {target for target in IMPORTS[name] if target in MODULES} for name in MODULES}
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError, which lists the cycle


def aliases_of(path: Path) -> set[tuple[str, str]]:
    """The types that a module gives a name: unions and parameters of others."""
    made = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.Assign)]
    types = [
        node for node in made if isinstance(node.value, ast.Subscript | ast.BinOp) and isinstance(node.targets[0], ast.Name)
    ]
    return {(ast.unparse(node.targets[0]), ast.unparse(node.value)) for node in types}


def test_a_type_is_named_in_one_place() -> None:
    homes = Counter(alias for path in MODULES.values() for alias in aliases_of(path))
    assert [alias for alias, count in homes.items() if count > 1] == []


def test_the_package_is_light_to_import() -> None:
    program = "import sys, react_agent; print(*{name.split('.')[0] for name in sys.modules})"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not HEAVY & set(run.stdout.split())
