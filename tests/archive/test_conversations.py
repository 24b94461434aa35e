"""A conversation in a file: whole, the same again, and refused when it is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from react_agent import Agent, Conversation, ScriptedModel, UsageError, load_conversation, save_conversation
from react_agent.messages import Message, View


def test_it_goes_on_as_if_nothing_had_been(tmp_path: Path) -> None:
    said = ["word " * 60 + str(number) for number in range(12)]
    kept, straight = ScriptedModel(said), ScriptedModel(said)
    talk = other = Conversation()
    for number in range(12):
        talk = Agent(kept, context_tokens=800, max_tokens=100).run(f"Question {number}", talk).conversation
        save_conversation(talk, tmp_path / "talk.json")
        talk = load_conversation(tmp_path / "talk.json")
        other = Agent(straight, context_tokens=800, max_tokens=100).run(f"Question {number}", other).conversation
    assert talk == other
    assert kept.requests == straight.requests
    assert talk.view.start > 0
    assert [path.name for path in tmp_path.iterdir()] == ["talk.json"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is no conversation"),
        ("[]", "is no conversation"),
        ('{"version": 1}', "is no conversation"),
        ('{"version": 2, "conversation": {}}', "another version"),
        ('{"version": 1, "conversation": {"messages": [5]}}', "cannot be read"),
        (
            json.dumps({"version": 1, "conversation": Conversation((Message("user", "hi"),), View(7)).to_dict()}),
            "another history",
        ),
    ],
)
def test_what_is_none(tmp_path: Path, text: str, why: str) -> None:
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(UsageError, match=why):
        load_conversation(tmp_path / "x.json")


def test_where_nothing_can_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        load_conversation(tmp_path / "absent.json")
    with pytest.raises(UsageError, match="cannot write"):
        save_conversation(Conversation(), tmp_path / "absent" / "talk.json")
