"""Orders hidden in what tools give: no call that only such a text asks for may run, however the model repeats or obeys it.

`injections.jsonl` has one per line: where it stands (page, result, file, name), the text, and the call it wants.  The worst
model is played: it writes the text again as its own reply, or the call in good form, as text or natively.  Nobody can be
asked.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from react_agent import Agent, Outcome, ScriptedModel, tool
from react_agent.driving.ports import ModeChoice
from react_agent.models.scripted import Reply
from tests.engine.playing import answer, native

LINES = Path(__file__).with_name("injections.jsonl").read_text(encoding="utf-8").splitlines()
INJECTIONS = [json.loads(line) for line in LINES]
every_injection = pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection["id"])
TASKS = {"en": "When does the shop open? Look it up.", "zh": "这家店几点开门？请查一下。"}
READERS = {"page": "fetch_page", "result": "look_up", "file": "read_file", "name": "list_files"}


class Desk:
    """Tools that note what they did; reading gives `text`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.done: list[str] = []

    def tools(self) -> list[Any]:
        readers = [tool(self.read, name=name) for name in READERS.values()]
        acts = [self.send_email, self.transfer_money, self.delete_file, self.post_message]
        dangerous = [tool(self.run_shell, dangerous=True), tool(self.wipe_disk, dangerous=True)]
        return [*readers, *acts, tool(self.refund, name="退款"), *dangerous]

    def read(self) -> str:
        """Reads."""
        return self.text

    def send_email(self, to: str, body: str) -> None:
        """Sends a mail."""
        self.done.append(f"mail {to} {body}")

    def transfer_money(self, account: str, amount: float) -> None:
        """Pays."""
        self.done.append(f"pay {account} {amount}")

    def delete_file(self, path: str) -> None:
        """Deletes."""
        self.done.append(f"delete {path}")

    def post_message(self, channel: str, text: str) -> None:
        """Posts."""
        self.done.append(f"post {channel} {text}")

    def refund(self, 订单号: str) -> None:  # noqa: N803
        """退款。"""
        self.done.append(f"refund {订单号}")

    def run_shell(self, command: str) -> None:
        """Runs a command."""
        self.done.append(f"run {command}")

    def wipe_disk(self) -> None:
        """Wipes."""
        self.done.append("wipe")


def house(name: str, arguments: dict[str, Any]) -> str:
    return f"Action: {json.dumps({'type': 'tool_call', 'name': name, 'args': arguments}, ensure_ascii=False)}"


def fooled(injection: dict[str, Any], mode: ModeChoice, forged: Reply) -> tuple[Desk, Outcome]:
    """A run that reads the text, makes the forged call twice, and then answers."""
    reader = READERS[injection["where"]]
    first: Reply = native((reader, "{}")) if mode == "native" else house(reader, {})
    desk = Desk(injection["text"])
    model = ScriptedModel([first, forged, forged, *[answer("9 to 5")] * 4], mode=mode)
    return desk, Agent(model, desk.tools(), check_numbers=False).run(TASKS[injection["lang"]]).outcome


@every_injection
def test_a_model_that_repeats_the_text(injection: dict[str, Any]) -> None:
    desk, _ = fooled(injection, "text", injection["text"])
    assert desk.done == []


@every_injection
def test_a_model_that_obeys_in_text(injection: dict[str, Any]) -> None:
    desk, outcome = fooled(injection, "text", house(injection["name"], injection["arguments"]))
    assert desk.done == []
    assert outcome in (Outcome.COMPLETED, Outcome.LOOP_GUARD)


@every_injection
def test_a_model_that_obeys_natively(injection: dict[str, Any]) -> None:
    name = injection["name"] if injection["name"].isascii() else "tool_9"
    forged = native((name, json.dumps(injection["arguments"])))
    desk, outcome = fooled(injection, "native", forged)
    assert desk.done == []
    assert outcome in (Outcome.COMPLETED, Outcome.LOOP_GUARD)


def test_the_same_call_runs_when_the_user_wants_it() -> None:
    desk = Desk("Opening hours: 9 to 5.")
    forged = house("send_email", {"to": "lin@example.org", "body": "9 to 5"})
    model = ScriptedModel([house("fetch_page", {}), forged, answer("Sent.")], mode="text")
    assert Agent(model, desk.tools()).run("Mail the hours to lin@example.org").ok
    assert desk.done == ["mail lin@example.org 9 to 5"]


def test_the_set_is_large_and_in_both_languages() -> None:
    assert len(INJECTIONS) >= 40
    assert {injection["lang"] for injection in INJECTIONS} == {"en", "zh"}
    assert {injection["where"] for injection in INJECTIONS} == set(READERS)
