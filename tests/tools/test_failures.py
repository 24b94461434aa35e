from pathlib import Path

import pytest

from react_agent.tools.failures import MAX_CHARS, tell


class SilentError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


class GroupError(Exception):
    """As an ExceptionGroup, which Python 3.10 does not have."""

    def __init__(self, message: str, *exceptions: object) -> None:
        super().__init__(message)
        self.exceptions = exceptions


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("no such part"), "Error: ValueError: no such part"),
        (ValueError("没有这个零件"), "Error: ValueError: 没有这个零件"),
        (KeyError("name"), "Error: KeyError: 'name'"),
        (TimeoutError(), "Error: TimeoutError"),
        (ValueError("two\n  lines"), "Error: ValueError: two lines"),
        (RuntimeError("remote failed\nTraceback (most recent call last):\n  File ..."), "Error: RuntimeError: remote failed"),
        (SilentError(), "Error: SilentError"),
        (GroupError("2 errors", ValueError("a"), KeyError("b")), "Error: GroupError: 2 errors: ValueError: a; KeyError: 'b'"),
        (
            GroupError("1 error", GroupError("1 error", OSError("c"))),
            "Error: GroupError: 1 error: GroupError: 1 error: OSError: c",
        ),
        (GroupError("none"), "Error: GroupError: none"),
        (GroupError("no list", 5), "Error: GroupError: no list"),
        (ValueError("see https://example.com/a/b?c=1"), "Error: ValueError: see https://example.com/a/b?c=1"),
        (ValueError("404 for /api/v1/users"), "Error: ValueError: 404 for /api/v1/users"),
        (ValueError("1/2/3 and a/b/c.txt"), "Error: ValueError: 1/2/3 and a/b/c.txt"),
        (OSError("cannot open C:\\Users\\Lin\\data.csv"), "Error: OSError: cannot open data.csv"),
        (OSError("cannot open 'C:/Users/Lin Wei/my data.csv'"), "Error: OSError: cannot open 'my data.csv'"),
        (OSError("not in /usr/lib/python3/x.py: no"), "Error: OSError: not in x.py: no"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_line(error: Exception, text: str) -> None:
    assert tell(error) == text


def test_no_path_of_this_machine(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="secret") as caught:
        (tmp_path / "a folder" / "secret plan.txt").read_text(encoding="utf-8")
    assert tell(caught.value) == "Error: FileNotFoundError: [Errno 2] No such file or directory: 'secret plan.txt'"
    assert str(tmp_path) not in tell(ValueError(f"bad {tmp_path}/x.txt, {tmp_path}"))


@pytest.mark.parametrize(
    "message",
    [
        'not allowed: "/etc/passwd"',
        "not allowed: '/etc/passwd'",
        "not allowed: /etc/passwd",
        "'C:\\secret plan.txt' is outside",
        "C:\\Users is outside",
    ],
)
def test_a_path_that_the_model_wrote_is_named_as_it_came(message: str) -> None:
    arguments = {"from": ["/etc/passwd", {"to": "C:\\secret plan.txt"}], "ask": "is C:\\Users there?"}
    assert tell(ValueError(message), arguments) == f"Error: ValueError: {message}"
    assert tell(ValueError(message), {"path": "passwd"}) != f"Error: ValueError: {message}"


def test_a_group_that_holds_itself() -> None:
    group = GroupError("again")
    group.exceptions = (group,) * 9
    assert len(tell(group)) <= MAX_CHARS


def test_a_long_message_is_cut() -> None:
    assert len(tell(ValueError("x" * 100_000))) <= MAX_CHARS
