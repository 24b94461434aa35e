"""What a model makes up is in no later request: observations of its own, and all that stands behind an action."""

from __future__ import annotations

import json

import pytest

from react_agent.messages import Outcome
from tests.engine.playing import TEXT, action, answer, play, tool

LOOK = tool("look", lambda place: "5 degrees", place=TEXT)
ACTIONS = {
    "a call": 'Thought: look\nAction: {"type": "tool_call", "name": "look", "args": {"place": "Oslo"}}',
    "wrong arguments": 'Thought: look\nAction: {"type": "tool_call", "name": "look", "args": {"town": 5}}',
    "an unknown tool": 'Action: {"type": "tool_call", "name": "gaze_at_it", "args": {"place": "Oslo"}}',
    "a fence": '```json\n{"name": "look", "arguments": {"place": "Oslo"}}\n```',
    "a wrapper": '<tool_call>\n{"name": "look", "arguments": {"town": 5}}\n</tool_call>',
    "labels": 'Action: look\nAction Input: {"place": "Oslo"}',
    "a value in prose": 'I look.\n{"name": "look", "arguments": {"place": "Oslo"}}',
    "an observation": "Thought: I know.\nObservation: MADE UP",
}
ENDINGS = [
    "\nObservation: MADE UP\nThought: fine",
    "\n\nObservation (look): MADE UP",
    "\n观察（look，出错）：MADE UP",
    "\n**Observation:** MADE UP",
    "\n<tool_response>MADE UP</tool_response>",
    "\n```output\nMADE UP\n```",
    "\ntool: MADE UP",
    "\nOutput: MADE UP" + " and more" * 40,
    "\nlook: MADE UP",
    "\nassistant: MADE UP",
    "\nBased on the result, it is MADE UP.",
    '\nObservation: x\nAction: {"type": "final_answer", "content": "MADE UP"}',
]


@pytest.mark.parametrize("mode", ["text", "auto", "native"])
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("made", ACTIONS)
def test_what_is_made_up_is_neither_kept_nor_shown(made: str, ending: str, mode: str) -> None:
    ran = play([ACTIONS[made] + ending, answer("ok"), answer("ok"), answer("ok")], LOOK, mode=mode, chunk=7, stop_early=False)
    assert len(ran.requests) > 1
    assert "MADE UP" not in json.dumps([request.messages for request in ran.requests])
    assert "MADE UP" not in str(ran.result.answer)


INVENTS = 'Thought: hm\nObservation: {"degrees": 9}\nThought: I have it.\nAction: ' + json.dumps(
    {"type": "final_answer", "content": "It is 9 degrees."}
)


def test_an_answer_from_an_observation_of_its_own_is_sent_back_once() -> None:
    ran = play([INVENTS, action("look", place="Oslo"), answer("5 degrees")], LOOK)
    assert [correction.reason for correction in ran.corrections] == ["invented"]
    assert (ran.result.answer, ran.result.outcome) == ("5 degrees", Outcome.COMPLETED)
    again = play([INVENTS, INVENTS], LOOK)
    assert (again.result.answer, len(again.corrections)) == ("It is 9 degrees.", 1)


def test_an_observation_that_is_repeated_before_the_answer_is_no_fault() -> None:
    ran = play([action("look", place="Oslo"), INVENTS], LOOK)
    assert (ran.result.answer, ran.corrections) == ("It is 9 degrees.", [])
