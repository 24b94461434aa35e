"""Every setting, given what it cannot be: one sentence that names it, says what was expected and what came."""

from __future__ import annotations

from enum import Enum, IntEnum
from pathlib import Path
from typing import Any

import pytest

from react_agent import Agent, Limits, OpenAIModel, Price, Recall, ScriptedModel, ToolDefinitionError, UsageError, tool
from react_agent.tools import Toolbox


class Word(str, Enum):
    """Texts that put their names, not their values, into another text."""

    ZH = "zh"
    TEXT = "text"
    HERMES = "hermes"


class Count(IntEnum):
    THREE = 3


class Place:
    """What leads to a file without being a Path."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __fspath__(self) -> str:
        return str(self._path)


HUGE = 10**400
WHOLE: list[Any] = [-1, 1.5, "3", True, [], float("nan"), HUGE, -HUGE]
NUMBER: list[Any] = [-0.5, "hot", True, float("nan"), float("inf"), [], 1j, HUGE, -HUGE]
FLAG: list[Any] = [0, 1, "yes", "False", []]
TEXT: list[Any] = [5, b"x", ["x"], True, *Word]
PATH: list[Any] = [5, "", b"x", True, ["x"]]
FUNCTION: list[Any] = ["yes", True, 5, ["x"]]

AGENT: dict[str, tuple[str, list[Any]]] = {
    "tools": ("a list of tools", [5, "add", b"x", None]),
    "instructions": ("a text", [None, *TEXT]),
    "lang": ("one of auto, zh, en", [None, "fr", *TEXT]),
    "mode": ("one of auto, native, constrained, text", ["nativ", *TEXT]),
    "dialect": ("one of zh_json_steps", ["morse", *TEXT]),
    "few_shot": ("a whole number of at least 0", [None, *WHOLE]),
    "max_steps": ("a whole number of at least 1", [None, 0, *WHOLE]),
    "limits": ("a Limits", [None, 5, {"max_slips": 2}]),
    "stop_early": ("True or False", [None, *FLAG]),
    "max_seconds": ("a number of at least 0 (seconds) or None", [*NUMBER]),
    "max_tokens": ("a whole number of at least 1 or None", [0, *WHOLE]),
    "context_tokens": ("a whole number of at least 256 or None", [0, 255, *WHOLE]),
    "check_numbers": ("True or False", [None, *FLAG]),
    "max_rounds": ("a whole number of at least 1 or None", [0, *WHOLE]),
    "summary": ("one of none, extract, model", [None, True, "short"]),
    "tokenizer": ("a path of a tokenizer.json, or a function", [5, "", True]),
    "max_output": ("a whole number of at least 200", [None, 199, *WHOLE]),
    "max_parallel": ("a whole number of at least 1", [None, 0, *WHOLE]),
    "policy": ("a function of a call or None", FUNCTION),
    "approve": ("a function of an Approve or None", FUNCTION),
    "dry_run": ("True or False", [None, *FLAG]),
    "temperature": ("a number of at least 0 or None", NUMBER),
    "recall": ("a Recall or None", ["x", True, 5, Recall]),
    "trace": ("a path", PATH),
    "base_url": ("a text (str) or None", [5, b"x"]),
    "api_key": ("a text (str) or None", [5, b"x", Word.ZH]),
}
MODEL: dict[str, tuple[str, list[Any]]] = {
    "base_url": ("a text", [5, b"x"]),
    "api_key": ("a text", [5, b"x"]),
    "timeout": ("a number above 0 (seconds)", [None, 0, *NUMBER]),
    "deadline": ("a number above 0 (seconds) or None", [0, *NUMBER]),
    "max_retries": ("a whole number of at least 0", [None, *WHOLE]),
    "max_wait": ("a number of at least 0 (seconds)", [None, *NUMBER]),
    "thinking": ("True or False or None", FLAG),
    "extra_body": (
        "a dict of fields that can be written as JSON",
        [None, "x", 5, {1: 2}, {"a": {1}}, {"a": object()}, {"a": float("nan")}, {"a": [b"x"]}],
    ),
    "headers": ("a dict of names and values (both str) or None", ["x", 5, {"a": 1}, {1: "a"}, {"a": None}, {"a": b"x"}]),
    "max_chars": ("a whole number of at least 1", [None, 0, *WHOLE]),
    "place": ("a text", [None, *TEXT]),
}
TOOL: dict[str, tuple[str, list[Any]]] = {
    "dangerous": ("True or False", [None, *FLAG]),
    "pure": ("True or False", [None, *FLAG]),
    "repeatable": ("True or False", [None, *FLAG]),
    "returns_answer": ("True or False", [None, *FLAG]),
    "timeout": ("a number above 0 (seconds) or None", [0, *NUMBER]),
    "retry_on": ("a tuple of exception classes", [None, ValueError, [ValueError], (5,), (KeyboardInterrupt,)]),
    "retries": ("a whole number of at least 0", [None, *WHOLE]),
    "max_calls": ("a whole number of at least 1 or None", [0, *WHOLE]),
    "parallel": ("True or False or None", FLAG),
}
RECALL: dict[str, tuple[str, list[Any]]] = {
    "path": ("a path", PATH),
    "scope": ("a text", [None, *TEXT]),
    "embed": ("a function of a text", FUNCTION),
    "max_entries": ("a whole number of at least 1", [None, 0, *WHOLE]),
}


LIMITS: dict[str, tuple[str, list[Any]]] = {
    **dict.fromkeys(
        (
            "max_slips",
            "max_bad_arguments",
            "max_repeats",
            "max_fruitless",
            "max_circling",
            "max_unchanged",
            "max_same_errors",
            "max_errors",
        ),
        ("a whole number of at least 1", [None, 0, *WHOLE]),
    ),
    "max_repetition": ("a whole number of at least 100 or None", [0, 99, *WHOLE]),
    "max_run_tokens": ("a whole number of at least 1 or None", [0, *WHOLE]),
    "max_cost": ("a number above 0 or None", [0, *NUMBER]),
    "price": ("a Price or None", [5, (1, 2), "0.5"]),
}


def look(at: int) -> int:
    """Look."""
    return at


MADE = {
    "agent": (lambda given: Agent(ScriptedModel([]), **given), AGENT),
    "model": (lambda given: OpenAIModel("m", **given), MODEL),
    "tool": (lambda given: tool(look, **given), TOOL),
    "recall": (lambda given: Recall(**given), RECALL),
    "limits": (lambda given: Limits(**given), LIMITS),
    "price": (lambda given: Price(**{"prompt": 1, **given}), {"completion": ("a number of at least 0", [None, *NUMBER])}),
    "toolbox": (lambda given: Toolbox(**given), {"first_wait": ("a number of at least 0 (seconds)", [None, *NUMBER])}),
}
WRONG = [
    pytest.param(make, name, words, value, id=f"{what}-{name}-{value!r:.12}-{number}")
    for what, (make, table) in MADE.items()
    for name, (words, values) in table.items()
    for number, value in enumerate(values)
]


@pytest.mark.parametrize(("make", "name", "words", "value"), WRONG)
def test_what_a_setting_cannot_be_is_told(make: Any, name: str, words: str, value: Any) -> None:
    with pytest.raises(UsageError) as caught:
        make({name: value})
    said = str(caught.value)
    assert f"{name} must be {words}" in said
    assert " came" in said
    assert "\n" not in said
    assert len(said) < 250


def test_every_setting_is_in_the_table() -> None:
    import inspect

    taken = set(inspect.signature(Agent.__init__).parameters) - {"self", "model", "deps"}
    assert taken == AGENT.keys()


@pytest.mark.parametrize(
    "right",
    [
        {"temperature": 0}, {"temperature": None}, {"temperature": 2.5}, {"few_shot": 2}, {"max_seconds": 0},
        {"tools": (look,)}, {"tools": iter([look])}, {"max_output": 200}, {"tokenizer": len}, {"trace": None},
        {"approve": lambda request: True}, {"max_steps": Count.THREE}, {"max_seconds": Count.THREE},
    ],
)  # fmt: skip
def test_what_a_setting_can_be(right: dict[str, Any]) -> None:
    assert Agent(ScriptedModel([]), **right).settings


def test_a_cost_needs_a_price() -> None:
    with pytest.raises(UsageError, match="max_cost needs a price"):
        Limits(max_cost=1)
    assert Limits(max_cost=1, price=Price(0.5, 2)).price == Price(0.5, 2)


def test_an_error_does_not_repeat_what_is_long_or_secret() -> None:
    with pytest.raises(UsageError, match="but a value of type bytes came"):
        Agent("m", api_key=b"sk-secret")  # type: ignore[arg-type]
    with pytest.raises(UsageError) as caught:
        Agent(ScriptedModel([]), lang="x" * 10_000)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 200


def test_a_tool_whose_flags_cannot_work_is_named() -> None:
    with pytest.raises(ToolDefinitionError, match='tool "look": dangerous must be True or False'):
        tool(look, dangerous="no")  # type: ignore[call-overload]


def test_a_path_may_be_anything_that_leads_to_a_file(tmp_path: Path) -> None:
    Recall(Place(tmp_path / "recall.sqlite3")).add("a task", "an answer")
    Agent(ScriptedModel(["Final Answer: 42"]), trace=Place(tmp_path / "traces")).run("hi")
    assert (tmp_path / "recall.sqlite3").exists()
    assert list((tmp_path / "traces").iterdir())


@pytest.mark.parametrize(
    ("task", "came"), [(None, "None"), (b"hi", "a value of type bytes"), (5, "5"), (Word.ZH, r"Word\.ZH \(give its value\)")]
)
def test_a_task_that_is_no_text_is_told(task: Any, came: str) -> None:
    with pytest.raises(UsageError, match=rf"task must be a text \(str\), but {came} came"):
        Agent(ScriptedModel([])).run(task)


def test_an_empty_task_is_told() -> None:
    with pytest.raises(UsageError, match="the task is empty"):
        Agent(ScriptedModel([])).run(" \n")


def test_a_number_too_long_to_be_written_is_told() -> None:
    with pytest.raises(UsageError, match=r"max_steps must be .* but a number past 2\*\*63 came"):
        Agent(ScriptedModel([]), max_steps=10**5000)
