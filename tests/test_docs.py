"""The documents say what is so: twins in step, links that lead somewhere, code that runs, no stale output."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

import pytest

from react_agent.messages import ToolSpec
from react_agent.parsing import parse
from tests.support.server import Reply, ScriptedServer

ROOT = Path(__file__).resolve().parent.parent
ENGLISH, CHINESE = ROOT / "README.md", ROOT / "docs" / "README.zh.md"
PAGES = [ENGLISH, *sorted((ROOT / "docs").glob("*.md"))]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(#+) (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def fences(text: str) -> list[tuple[str, str]]:
    """Code blocks as (language, code without comments): comments are translated, code is not."""
    return [(language, re.sub(r" *#.*$", "", code, flags=re.MULTILINE)) for language, code in FENCE.findall(text)]


def headings(text: str) -> list[tuple[str, str]]:
    return HEADING.findall(FENCE.sub("", text))


def anchors(text: str) -> set[str]:
    """The names GitHub gives to headings."""
    return {re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-") for _, title in headings(text)}


def table_rows(text: str) -> list[int]:
    """Cells per table row: a row or a column that only one twin has shows here."""
    return [line.count("|") for line in FENCE.sub("", text).splitlines() if line.startswith("|")]


def test_the_twins_have_the_same_headings() -> None:
    pairs = zip_longest(headings(read(ENGLISH)), headings(read(CHINESE)), fillvalue=("", "missing"))
    assert not [(one[1], other[1]) for one, other in pairs if one[0] != other[0]]


def test_the_twins_have_the_same_commands_and_code() -> None:
    assert fences(read(ENGLISH)) == fences(read(CHINESE))


def test_the_twins_have_the_same_tables() -> None:
    assert table_rows(read(ENGLISH)) == table_rows(read(CHINESE))


def named(text: str) -> set[str]:
    """What stands in prose and tables as code, and the figures."""
    prose = FENCE.sub("", text)
    return {*re.findall(r"`[^`\n]+`", prose), *re.findall(r"\d+(?:[.,]\d+)*", prose)}


def test_the_twins_name_the_same_options_and_figures() -> None:
    assert named(read(ENGLISH)) == named(read(CHINESE))


SPEC = ToolSpec("get_weather", "", {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]})


@pytest.mark.parametrize("example", re.findall(r"^\|.*\| `(.*get_weather.*)` \|$", read(ENGLISH), re.MULTILINE))
def test_examples_of_dialects_are_read_as_the_page_says(example: str) -> None:
    parsed = parse(example.replace("⏎", "\n").replace("\\|", "|"), [SPEC])
    assert [(call.name, call.arguments) for call in parsed.calls] == [("get_weather", {"city": "Oslo"})]


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    code = next(code for language, code in FENCE.findall(read(ENGLISH)) if language == "python")
    with ScriptedServer([Reply(calls=[("get_weather", {"city": "Oslo"})]), Reply("31 °C.")]) as server:
        exec(code.replace("http://localhost:11434/v1", server.base_url), {})
    assert capsys.readouterr().out.startswith("31 °C. completed Usage(")


def test_the_example_of_a_tool_that_acts_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = [code for language, code in FENCE.findall(read(ENGLISH)) if language == "python"][1]
    monkeypatch.chdir(tmp_path)
    calls = [("send_email", {"to": to, "text": "Lunch is at noon."}) for to in ("ana@example.com", "eve@example.org")]
    with ScriptedServer([Reply(calls=calls), Reply("Done.")]) as server:
        exec(code.replace("http://localhost:11434/v1", server.base_url), {})
    said = str(server.requests[-1].body["messages"])
    assert (capsys.readouterr().out, "sent to ana@example.com" in said, "sent to eve" in said) == ("Done.\n", True, False)
    assert (tmp_path / "runs.jsonl").exists()
    assert (tmp_path / "runs.sqlite3").exists()


def test_ci_runs_the_second_command_of_the_readme() -> None:
    commands = [line for language, code in fences(read(ENGLISH)) if language == "bash" for line in code.splitlines()]
    first, second = (line for line in commands if line.startswith("python3 -m venv "))
    assert read(ROOT / ".ci" / "run").splitlines()[-1] == second
    assert " run " in first


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(FENCE.sub("", read(page))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{page.name} links to {link}: no such file"
        assert not anchor or anchor in anchors(read(target)), f"{page.name} links to {link}: no such heading"


def test_generated_pages_are_not_stale() -> None:
    check = subprocess.run([sys.executable, str(ROOT / "scripts" / "write_docs.py"), "--check"], capture_output=True, text=True)
    assert check.returncode == 0, check.stdout + check.stderr
