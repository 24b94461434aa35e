"""The file tools through a toolbox, as a model uses them; the root has a neighbour that must never be reached."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from react_agent.errors import UsageError
from react_agent.messages import Call, Result
from react_agent.tools import Toolbox
from react_agent.tools.builtin import file_tools
from react_agent.tools.builtin.confined import MAX_READ_BYTES, Confined

SECRET = "the secret of the neighbour"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    inside = tmp_path / "root"
    (inside / "sub").mkdir(parents=True)
    (inside / "notes.txt").write_text("会议改到周四。\n", encoding="utf-8")
    (inside / "sub" / "a.txt").write_text("a", encoding="utf-8")
    (tmp_path / "secret.txt").write_text(SECRET, encoding="utf-8")
    (tmp_path / "root-two").mkdir()
    (tmp_path / "root-two" / "secret.txt").write_text(SECRET, encoding="utf-8")
    (inside / "link-out.txt").symlink_to(tmp_path / "secret.txt")
    (inside / "folder-out").symlink_to(tmp_path)
    (inside / "link-in.txt").symlink_to("notes.txt")
    (inside / "circle").symlink_to("circle")
    return inside


def call(root: Path, name: str, **arguments: str) -> Result:
    return Toolbox(file_tools(root, write=True)).run(Call(name, arguments))


def test_reading(root: Path) -> None:
    assert call(root, "read_file", path="notes.txt").content == "会议改到周四。\n"
    assert call(root, "read_file", path="./sub/a.txt").content == "a"
    assert call(root, "read_file", path="link-in.txt").content == "会议改到周四。\n"


def test_listing(root: Path) -> None:
    assert json.loads(call(root, "list_files").content) == ["link-in.txt", "notes.txt", "sub/"]
    assert json.loads(call(root, "list_files", folder="sub").content) == ["a.txt"]
    (root / "empty").mkdir()
    assert call(root, "list_files", folder="empty").status == "empty"


def test_a_long_listing_is_cut(root: Path) -> None:
    for number in range(600):
        (root / "sub" / f"{number:04}").touch()
    names = json.loads(call(root, "list_files", folder="sub").content)
    assert (len(names), names[-1]) == (501, "… 101 more")


def test_writing(root: Path) -> None:
    assert (
        call(root, "write_file", path="new/deep/数据.csv", content="月,元\n").content == '"new/deep/数据.csv": 8 bytes written'
    )
    assert (root / "new" / "deep" / "数据.csv").read_text(encoding="utf-8") == "月,元\n"
    assert call(root, "write_file", path="notes.txt", content="x").status == "ok"
    assert (root / "notes.txt").read_text(encoding="utf-8") == "x"


def test_writing_through_a_link_inside_the_root_keeps_the_link(root: Path) -> None:
    assert call(root, "write_file", path="link-in.txt", content="x").status == "ok"
    assert (root / "link-in.txt").is_symlink()
    assert (root / "notes.txt").read_text(encoding="utf-8") == "x"


def test_writing_is_only_there_when_asked_for(root: Path) -> None:
    assert [tool.name for tool in file_tools(root)] == ["list_files", "read_file"]
    assert [tool.name for tool in file_tools(root, write=True)] == ["list_files", "read_file", "write_file"]


OUTSIDE = [
    "../secret.txt",
    "sub/../../secret.txt",
    "..\\secret.txt",
    "/etc/passwd",
    "//etc/passwd",
    "C:\\secret.txt",
    "C:secret.txt",
    "~/secret.txt",
    "link-out.txt",
    "folder-out/secret.txt",
    "folder-out/root/../secret.txt",
    "folder-out",
    "circle",
    "../root-two/secret.txt",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_nothing_outside_the_root_is_reached(root: Path, path: str) -> None:
    before = sorted(root.parent.rglob("*"))
    for result in (
        call(root, "read_file", path=path),
        call(root, "write_file", path=path, content="changed"),
        call(root, "list_files", folder=path),
    ):
        assert result.status == "error"
        assert f'"{path}"' in result.content
        assert SECRET not in result.content
        assert str(root.parent) not in result.content
    assert sorted(root.parent.rglob("*")) == before
    assert (root.parent / "secret.txt").read_text(encoding="utf-8") == SECRET


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("nothing.txt", 'there is no "nothing.txt"; list_files tells'),
        ("nothing/a.txt", "there is no"),
        ("sub", "directory"),
        (".", "is a folder"),
        ("notes.txt/a", "ot a directory"),
        ("", "1 to 1000 characters"),
        ("a\0b", "1 to 1000 characters"),
        ("x" * 900, "too long"),
        ("x" * 2_000, "1 to 1000 characters"),
    ],
)
def test_what_cannot_be_read_is_told(root: Path, path: str, part: str) -> None:
    result = call(root, "read_file", path=path)
    assert result.status == "error"
    assert part in result.content
    assert str(root) not in result.content


def test_only_text_is_read(root: Path) -> None:
    (root / "gbk.txt").write_bytes("订单编号".encode("gbk"))
    (root / "bom.txt").write_bytes(b"\xef\xbb\xbfhello")
    (root / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00")
    assert call(root, "read_file", path="gbk.txt").content == "订单编号"
    assert call(root, "read_file", path="bom.txt").content == "hello"
    assert "holds no text" in call(root, "read_file", path="image.png").content


def test_sizes_are_bounded(root: Path) -> None:
    (root / "large.txt").write_bytes(b"a" * (MAX_READ_BYTES + 1))
    assert f"at most {MAX_READ_BYTES}" in call(root, "read_file", path="large.txt").content
    assert "at most" in call(root, "write_file", path="big.txt", content="中" * 400_000).content
    assert not (root / "big.txt").exists()


def test_pipes_and_devices_are_not_read_or_replaced(root: Path) -> None:
    os.mkfifo(root / "pipe")
    assert "is not a file with text" in call(root, "read_file", path="pipe").content
    assert "cannot be written" in call(root, "write_file", path="pipe", content="x").content
    assert stat.S_ISFIFO((root / "pipe").stat().st_mode)
    assert "pipe" not in call(root, "list_files").content
    (root / "device").symlink_to("/dev/zero")
    assert call(root, "read_file", path="device").status == "error"


def test_a_folder_is_not_replaced_by_a_file(root: Path) -> None:
    assert call(root, "write_file", path="sub", content="x").status == "error"
    assert (root / "sub").is_dir()


def test_a_failed_write_leaves_nothing_behind(root: Path) -> None:
    (root / "sub").chmod(0o500)
    try:
        before = sorted((root / "sub").iterdir())
        if call(root, "write_file", path="sub/b.txt", content="x").status == "ok":  # root may write anywhere
            (root / "sub" / "b.txt").unlink()
        assert sorted((root / "sub").iterdir()) == before
    finally:
        (root / "sub").chmod(0o700)


def test_a_folder_swapped_for_a_link_leads_nowhere(root: Path) -> None:
    """One thread swaps a folder for a link to the neighbour while another reads through it."""
    (root.parent / "neighbour").mkdir()
    (root.parent / "neighbour" / "a.txt").write_text(SECRET, encoding="utf-8")
    files, stop = Confined(root), threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (root / "sub").rename(root / "aside")
            (root / "sub").symlink_to(root.parent / "neighbour")
            (root / "sub").unlink()
            (root / "aside").rename(root / "sub")

    thread = threading.Thread(target=swap)
    thread.start()
    try:
        seen = set()
        for _ in range(2_000):
            with contextlib.suppress(OSError):
                seen.add(files.read("sub/a.txt"))
    finally:
        stop.set()
        thread.join()
    assert seen <= {"a"}


STEPS = st.sampled_from(
    ["..", ".", "", "sub", "a.txt", "notes.txt", "folder-out", "secret.txt", "link-out.txt", "root", "~", "\0"]
)
PATHS = st.text() | st.tuples(st.sampled_from(["", "/", "./", "//", "\\", "C:"]), st.lists(STEPS, max_size=6)).map(
    lambda parts: parts[0] + "/".join(parts[1])
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(PATHS)
def test_no_path_leads_out(root: Path, path: str) -> None:
    files = Confined(root)
    for look in (files.read, files.names):
        said = outcome(look, path)
        assert SECRET not in said
        assert str(root.parent) not in said
        assert path in said or "secret.txt" not in said


def outcome(look: Callable[[str], object], path: str) -> str:
    try:
        return str(look(path))
    except (OSError, ValueError) as error:
        return str(error)


def test_not_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        file_tools(tmp_path / "nowhere")
