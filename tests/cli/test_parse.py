"""`react-agent parse`: what was found, and why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from react_agent.cli.app import app
from react_agent.cli.parse import checked_hint
from react_agent.messages import Parsed
from react_agent.parsing.dialects import DIALECTS, PROMPTED
from react_agent.parsing.dialects.models import FAMILIES

from .command import react_agent

MENDED = '先查。<tool_call>{"name": "get_weather", "arguments": {"city": "北京",}}</tool_call>'
SPEC = {"name": "add", "description": "", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}}}


def parse(*arguments: str, text: str = "") -> str:
    shown = CliRunner().invoke(app, ["parse", *arguments], input=text)
    assert shown.exit_code == 0, shown.output
    return shown.stdout


def test_a_call_is_shown_with_its_dialect_place_and_fixes() -> None:
    lines = parse(text=MENDED).splitlines()
    assert lines[0] == 'call      get_weather(city="北京")'
    assert "dialect hermes" in lines[1]
    assert "fix trailing_comma" in lines[2]


def test_what_is_refused_is_shown_with_the_reason() -> None:
    shown = parse(text='<tool_call>{"name": "weather", "arguments": {"city": "北京"}}</tool_call>')
    assert "refused   weather: unknown_tool" in shown
    assert "get_weather" in shown


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("It is fine.", "answer    It is fine."),
        ("<think>hm</think>Yes.", "thought   hm"),
        ('<tool_call>{"name": "get_weather", "arguments": {"city": "Bei', "cut       the reply ends inside a value"),
        ("", "nothing   no call, no answer"),
    ],
)
def test_everything_else_that_can_be_found(text: str, says: str) -> None:
    assert says in parse(text=text)


def test_json_reads_back_as_the_parsed_value() -> None:
    parsed = Parsed.from_dict(json.loads(parse("--json", text=MENDED)))
    assert parsed.calls[0].arguments == {"city": "北京"}


@pytest.mark.parametrize("tools", [SPEC, [SPEC], [{"type": "function", "function": SPEC}]])
def test_tools_come_from_a_json_file(tmp_path: Path, tools: object) -> None:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps(tools), encoding="utf-8")
    shown = parse("--tools", str(file), text='{"name": "add", "arguments": {"a": "5"}}')
    assert shown.startswith("call      add(a=5)")


def test_a_file_with_odd_bytes_is_read(tmp_path: Path) -> None:
    (tmp_path / "reply.txt").write_bytes(b"\xff\xfe fine \x1b[31m")
    shown = react_agent(tmp_path, "parse", "reply.txt")
    assert (shown.returncode, "fine" in shown.stdout, "\x1b" in shown.stdout) == (0, True, False)


def test_an_explanation_is_shown_when_asked_for() -> None:
    assert "rules" not in parse(text=MENDED)
    lines = parse("--explain", text=MENDED).splitlines()
    assert '        0–3  prose                  "先查。"' in lines
    assert any("taken    marked: get_weather: a tag or special token wraps it" in line for line in lines)
    assert any("trailing_comma: " in line and line.endswith('"北京",}} → {"city": "北京"}') for line in lines)


def test_an_explanation_is_part_of_the_json_when_asked_for() -> None:
    data = json.loads(parse("--json", "--explain", text=MENDED))
    assert data["explanation"]["rulings"][0]["rule"] == "marked"
    assert "explanation" not in json.loads(parse("--json", text=MENDED))


def test_levels_and_hints_of_the_parser() -> None:
    assert "refused   get_weather: repaired" in parse("--strictness", "strict", text=MENDED)
    assert "call      get_weather" in parse("--strictness", "loose", text='I use get_weather(city="北京") here')
    assert CliRunner().invoke(app, ["parse", "--strictness", "lax"]).exit_code == 2


@pytest.mark.parametrize("name", ["", *DIALECTS, *PROMPTED, *sorted({one for _, names in FAMILIES for one in names.split()})])
def test_every_dialect_may_be_expected(name: str) -> None:
    assert checked_hint(name) == name


@pytest.mark.parametrize("name", ["Qwen/Qwen3-8B", "llama3.1:8b"])
def test_a_model_may_be_expected(name: str) -> None:
    assert "get_weather" in parse("--dialect", name, text=MENDED)


def test_an_unknown_name_to_expect_is_told_with_those_that_are_known(tmp_path: Path) -> None:
    ended = react_agent(tmp_path, "parse", "--dialect", "bogus")
    assert ended.returncode == 2
    assert "'bogus' is no dialect" in ended.stderr
    assert "zh_json_steps" in ended.stderr


@pytest.mark.parametrize(
    ("command", "usage"), [("parse", "parse [OPTIONS] [FILE]"), ("models pull", "models pull [OPTIONS] [NAME]")]
)
def test_the_usage_of_an_argument_that_may_be_left_out(command: str, usage: str) -> None:
    assert f" {usage}\n" in CliRunner().invoke(app, [*command.split(), "--help"]).stdout
