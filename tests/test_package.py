"""The package as it is imported: its names, and what it loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import react_agent


def test_public_names_are_all_there() -> None:
    for name in react_agent.__all__:
        assert getattr(react_agent, name) is not None
    assert set(react_agent.__all__) <= set(dir(react_agent))
    with pytest.raises(AttributeError, match="nothing"):
        react_agent.nothing  # noqa: B018


def test_the_listed_names_are_the_typed_ones() -> None:
    source = Path(react_agent.__file__).read_text(encoding="utf-8")
    typed = {line.split(" as ")[1] for line in source.splitlines() if line.startswith("    from .") and " as " in line}
    assert typed == set(react_agent.__all__) - {"__version__"}


def test_repair_is_a_function_even_after_its_package_is_loaded() -> None:
    code = (
        "import react_agent.repair.reader, react_agent\n"
        "from react_agent import repair\n"
        "assert repair('{a: 1').value == {'a': 1}\n"
        "assert react_agent.repair('[1,').value == [1]\n"
        "from react_agent.repair import fit\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_importing_the_package_loads_nothing_heavy() -> None:
    heavy = ["openai", "pydantic", "jsonschema", "jinja2", "httpx", "asyncio", "regex"]
    code = f"import sys, react_agent; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, timeout=60, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
