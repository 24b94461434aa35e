"""The files that deploy the proxy: they can be read, and what they call exists."""

from __future__ import annotations

import configparser
import json
import re
from pathlib import Path

import typer.main

from react_agent.cli.app import app
from react_agent.serving import read_config
from react_agent.serving.keys import digest

DEPLOY = Path(__file__).resolve().parents[2] / "docs" / "deploy"
OPTIONS = {option for command in [typer.main.get_command(app).commands["proxy"]] for p in command.params for option in p.opts}


def options_in(text: str) -> set[str]:
    return set(re.findall(r"(?<=[\s\"])--[a-z][a-z-]+", text))


def test_the_unit() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "react-agent-proxy.service", encoding="utf-8")
    assert unit.sections() == ["Unit", "Service", "Install"]
    assert options_in(unit["Service"]["ExecStart"]) <= OPTIONS


def test_the_container() -> None:
    lines = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    steps = dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))
    assert set(steps) <= {"FROM", "WORKDIR", "COPY", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT"}
    started = json.loads(steps["ENTRYPOINT"])
    assert started[:2] == ["react-agent", "proxy"]
    assert options_in(steps["ENTRYPOINT"]) <= OPTIONS


def test_the_composition() -> None:
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    assert "\t" not in text
    assert all(len(line) - len(line.lstrip()) in (0, 2, 4) for line in text.splitlines())
    commands = re.findall(r"command: (\[.*\])", text)
    assert options_in(" ".join(commands)) <= OPTIONS
    assert json.loads(commands[0])


def test_the_example_of_the_page(tmp_path: Path) -> None:
    page = (DEPLOY.parent / "proxy.md").read_text(encoding="utf-8")
    path = tmp_path / "proxy.toml"
    example = page.partition("```toml\n")[2].partition("```")[0].replace("key_env", "# key_env")
    path.write_text(example.replace("sha256:…", digest("a key")), encoding="utf-8")
    config = read_config(path)
    assert config.override("qwen2.5-coder:7b").dialect == "hermes"
    assert len(config.candidates("qwen3")) == 2
