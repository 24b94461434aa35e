"""The table of objections: every judge has a sentence in each language, a line in the documentation, and one word in a run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from react_agent.engine import Traits
from react_agent.engine.objections import TABLE
from react_agent.prompting import Prompt, correction
from tests.engine.playing import ADD, TEXT, action, answer, play, tool

GUARDS = Path(__file__).resolve().parents[3] / "docs" / "guards.md"
REASONS = [objection.reason for objection in TABLE]


@pytest.mark.parametrize("reason", REASONS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_objection_has_its_words(reason: str, lang: str) -> None:
    prompt = Prompt((ADD[0],), lang, "zh_json_steps")  # type: ignore[arg-type]
    said = correction(prompt, "text", reason, level=1, number=1, name="add", quote="I will add.", problems=("a",))
    assert bool(re.search("[一-鿿]", said)) == (lang == "zh")
    assert re.search(r"\w{2}", said)


def test_the_documentation_has_them_in_the_order_in_which_they_are_asked() -> None:
    section = GUARDS.read_text(encoding="utf-8").partition("## Objections")[2]
    rows = [line.split('"')[1] for line in section.splitlines() if line.startswith('| "')]
    assert rows[: len(REASONS)] == REASONS


def test_an_answer_and_a_call_are_objected_to_once_each() -> None:
    refund = tool("refund_order", lambda order, amount: "ok", order=TEXT, amount={"type": "number"})
    unsure, done = action("refund_order", order="B7", amount=950), answer("I have refunded it.")
    ran = play(
        ["I will call refund_order.", unsure, done, done],
        refund,
        task="Refund order B7.",
        traits=Traits(acting=frozenset({"refund_order"})),
    )
    assert [correction.reason for correction in ran.corrections] == ["announced", "ungrounded"]
    assert ran.result.answer == "I have refunded it."
    assert len(ran.requests) == 3
