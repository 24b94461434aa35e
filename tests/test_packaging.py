"""What a user installs works: sdist → wheel → a clean virtual environment → another folder.

Built once for all tests here.  The core is installed first, without extras, so that a dependency that was forgotten, or a
core that needs an extra, is seen.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.command import PRIVATE
from tests.support.server import Reply, ScriptedServer

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.findall(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)[0]
DATA = {
    path.relative_to(ROOT).as_posix() for top in ("prompts", "fewshot") for path in (ROOT / top).rglob("*") if path.is_file()
}

pytestmark = pytest.mark.timeout(300)  # downloads and compiles byte code of all dependencies


@dataclass(frozen=True)
class Installed:
    """A clean environment with the wheel in it, and an empty folder to run in."""

    bin: Path
    wheel: Path
    folder: Path

    def install(self, requirement: str) -> None:
        pip = [sys.executable, "-m", "pip", "--python", str(self.bin / "python"), "install", "-q", requirement]
        subprocess.run(pip, check=True, capture_output=True)

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.bin / program), *arguments]
        env = {name: value for name, value in os.environ.items() if name not in PRIVATE}
        return subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, encoding="utf-8", check=False)


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from the sdist."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "-o", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return out


@pytest.fixture(scope="module")
def core(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    home = tmp_path_factory.mktemp("venv")
    venv.create(home)
    installed = Installed(home / "bin", next(dist.glob("*.whl")), tmp_path_factory.mktemp("elsewhere"))
    installed.install(str(installed.wheel))
    return installed


@pytest.fixture(scope="module")
def with_cli(core: Installed) -> Installed:
    core.install(f"{core.wheel}[cli]")
    return core


def test_the_sdist_has_everything_needed_to_build_and_test(dist: Path) -> None:
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert names >= {"LICENSE", "README.md", "pyproject.toml", "tests/conftest.py", "docs/architecture.md"} | DATA


def test_the_wheel_has_data_licence_and_type_marker(dist: Path) -> None:
    names = set(zipfile.ZipFile(next(dist.glob("*.whl"))).namelist())
    assert names >= {f"react_agent/_data/{name}" for name in DATA} | {"react_agent/py.typed"}
    assert f"react_agent-{VERSION}.dist-info/licenses/LICENSE" in names
    assert not [name for name in names if name.startswith(("tests", "docs", "scripts", "prompts", "fewshot"))]


def test_the_core_alone_tells_how_to_get_the_command(core: Installed) -> None:
    shown = core.run("react-agent", "run", "hello")
    assert shown.returncode == 2
    assert shown.stdout == ""
    assert shown.stderr.splitlines() == ['The command line needs the extra "cli": pip install "react-agent[cli]"']


RUN = """
from react_agent import Agent, ScriptedModel
from react_agent.prompting import files
from react_agent.tools.builtin import get_weather

model = ScriptedModel(['Action: {"type": "tool_call", "name": "get_weather", "args": {"city": "Oslo"}}', "Final Answer: cold"])
result = Agent(model, [get_weather], few_shot=1).run("Is it cold in Oslo?")
assert result.steps[0].results[0].status == "ok", result
print(files.folder("prompts").parent.name, files.folder("fewshot").parent.name, result.answer)
"""


def test_the_core_alone_runs_tools_with_the_prompts_of_the_wheel(core: Installed) -> None:
    shown = core.run("python", "-c", RUN)
    assert (shown.stdout, shown.stderr) == ("_data _data cold\n", "")


def test_the_command_works_from_another_folder(with_cli: Installed) -> None:
    shown = with_cli.run("react-agent", "--version")
    assert (shown.returncode, shown.stdout, shown.stderr) == (0, f"react-agent {VERSION}\n", "")


def test_a_server_is_used_and_without_one_two_lines_say_what_to_do(with_cli: Installed) -> None:
    with ScriptedServer([Reply("Fine.")]) as server:
        shown = with_cli.run("react-agent", "run", "--mode", "text", "--base-url", server.base_url, "How are you?")
    assert (shown.returncode, "Fine." in shown.stdout) == (0, True)
    lost = with_cli.run("react-agent", "run", "How are you?")
    assert (lost.returncode, lost.stdout, len(lost.stderr.splitlines())) == (2, "", 2)
    assert 'pip install "react-agent[local]"' in lost.stderr
    assert "OPENAI_BASE_URL" in lost.stderr
