"""`react-agent chat`: a conversation that remembers, with a pipe as its user."""

from __future__ import annotations

from pathlib import Path

from tests.support.server import Reply, ScriptedServer

from .command import react_agent


def test_a_conversation_remembers_until_it_is_told_to_forget(tmp_path: Path) -> None:
    words = "My name is Ann.\n\nWhat is my name?\n/tools\n/reset\nAnd now?\n"
    words += "/what [now]\n/etc/hosts is what?\n/help\n/exit\nnot sent\n"
    with ScriptedServer([Reply("Hello Ann."), Reply("Ann."), Reply("I do not know."), Reply("A file.")]) as server:
        shown = react_agent(tmp_path, "chat", "--mode", "text", "--base-url", server.base_url, stdin=words)
        said = [[message["content"] for message in request.body["messages"]] for request in server.requests]
    assert shown.returncode == 0
    assert len(said) == 4
    assert any("My name is Ann." in text for text in said[1])
    assert any("Hello Ann." in text for text in said[1])
    assert not any("Ann" in text for text in said[2])
    assert "get_weather" in shown.stdout
    assert "/help" in shown.stdout.splitlines()[0]
    assert "There is no /what." in shown.stdout
    assert shown.stdout.count("forgets the conversation") == 2


def test_quit_ends_it(tmp_path: Path) -> None:
    with ScriptedServer([]) as server:
        shown = react_agent(tmp_path, "chat", "--base-url", server.base_url, stdin="/quit\nnot sent\n")
        assert (shown.returncode, server.requests) == (0, [])


def test_a_conversation_is_kept_in_a_file(tmp_path: Path) -> None:
    with ScriptedServer([Reply("Hello Ann."), Reply("Ann.")]) as server:
        for line in ("My name is Ann.\n", "What is my name?\n"):
            shown = react_agent(
                tmp_path, "chat", "--mode", "text", "--base-url", server.base_url, "--keep", "talk.json", stdin=line
            )
            assert shown.returncode == 0
        assert "Hello Ann." in str(server.requests[1].body["messages"])
    (tmp_path / "talk.json").write_text("{}")
    shown = react_agent(tmp_path, "chat", "--base-url", "http://127.0.0.1:1/v1", "--keep", "talk.json", stdin="/quit\n")
    assert (shown.returncode, "is no conversation" in shown.stderr) == (2, True)
