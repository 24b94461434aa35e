"""The pure judges, apart from a run."""

from __future__ import annotations

import pytest

from react_agent.engine.effects import traits
from react_agent.engine.guards import Slip, bad_arguments, fruitless, may_run, same_call, spent
from react_agent.messages import Call, Rejected, Result, Step
from react_agent.tools import Tool


def test_flags_win_over_names() -> None:
    def make(name: str, **flags: bool) -> Tool:
        return Tool.from_schema(name, "", {"type": "object", "properties": {}}, lambda: None, **flags)  # type: ignore[arg-type]

    found = traits([
        make("send_email"), make("send_ping", repeatable=True), make("look", pure=True), make("wipe_disk", dangerous=True),
        make("weather"), make("ask_human", returns_answer=True), make("add_row"), make("写文件"), make("add_up", pure=True),
        make("run_command"), make("run_tests", dangerous=True), make("get_time"),
    ])  # fmt: skip
    assert found.once == {"send_email", "look", "wipe_disk", "add_up", "run_command", "run_tests"}
    assert found.commands == {"run_command"}
    assert found.looking == {"send_ping", "look", "add_up", "get_time"}
    assert found.repeatable == {"send_ping"}
    assert found.writing == {"send_email", "send_ping", "wipe_disk", "add_row", "写文件", "run_command", "run_tests"}
    assert found.answering == {"ask_human"}


def step(number: int, call: Call, content: str, status: str = "ok") -> Step:
    made = Call(call.name, call.arguments, str(number))
    return Step(number, "text", calls=(made,), results=(Result(str(number), call.name, content, status),))  # type: ignore[arg-type]


LOOK, OTHER = Call("look", {"at": 1}), Call("look", {"at": 2})


def test_the_same_call_however_it_is_written() -> None:
    assert same_call(Call("f", {"a": 1, "b": 2}, "x"), Call("f", {"b": 2.0, "a": 1}, "y"))
    assert not same_call(Call("f", {"a": 1}), Call("f", {"a": True}))
    assert not same_call(Call("f", {"a": 1}), Call("g", {"a": 1}))


def test_equal_results_wear_a_call_out() -> None:
    assert may_run([], LOOK, once=False, limit=2)
    assert may_run([step(1, LOOK, "x")], LOOK, once=False, limit=2)
    assert not may_run([step(1, LOOK, "x"), step(2, LOOK, "x")], LOOK, once=False, limit=2)
    assert may_run([step(1, LOOK, "x"), step(2, LOOK, "y")], LOOK, once=False, limit=2)
    assert not may_run([step(1, LOOK, "x")], LOOK, once=True, limit=2)


def test_failures_may_be_tried_again() -> None:
    assert may_run([step(1, LOOK, "down", "error")], LOOK, once=True, limit=2)


def test_a_command_may_run_again_after_something_else() -> None:
    tests, edit = Call("run", {"what": "tests"}), Call("edit", {"to": "x"})
    assert not may_run([step(1, tests, "red")], tests, once=True, limit=2, command=True)
    assert may_run([step(1, tests, "red"), step(2, edit, "ok")], tests, once=True, limit=2, command=True)
    assert not may_run([step(1, tests, "red"), step(2, edit, "ok")], tests, once=True, limit=2)


def test_news_from_elsewhere_makes_a_call_fresh_again() -> None:
    worn = [step(1, LOOK, "x"), step(2, LOOK, "x")]
    assert may_run([*worn, step(3, OTHER, "new")], LOOK, once=False, limit=2)
    again = [step(1, OTHER, "new"), step(2, LOOK, "x"), step(3, LOOK, "x"), step(4, OTHER, "new")]
    assert not may_run(again, LOOK, once=False, limit=2)


def test_going_round_in_circles_is_counted_until_there_is_news() -> None:
    there_and_back = [step(1, LOOK, "x"), step(2, OTHER, "y"), step(3, LOOK, "x"), step(4, OTHER, "y")]
    round_trip = [*there_and_back, step(5, LOOK, "no", "refused")]
    assert [fruitless(round_trip[:count]) for count in range(6)] == [0, 0, 0, 1, 2, 3]
    assert fruitless([*round_trip, step(6, OTHER, "z")]) == 0


def test_an_old_error_on_new_arguments_is_an_attempt() -> None:
    failed = [step(1, LOOK, "down", "error"), step(2, OTHER, "down", "error")]
    assert fruitless(failed) == 0
    assert fruitless([*failed, step(3, LOOK, "down", "error"), step(4, OTHER, "down", "error")]) == 2


@pytest.mark.parametrize(
    ("reason", "corrections"), [("format", 3), ("cut", 3), ("announced", 3), ("empty", 2), ("unknown_tool", 2)]
)
def test_budgets(reason: str, corrections: int) -> None:
    slips = [Slip(reason)] * corrections
    assert not spent(slips, 3)
    assert spent([*slips, Slip(reason)], 3)


def test_kinds_of_slips_have_budgets_of_their_own() -> None:
    mixed = [Slip("format"), Slip("empty"), Slip("cut"), Slip("empty"), Slip("format"), Slip("unknown_tool")]
    assert not any(spent(mixed[:count], 3) for count in range(1, 7))
    assert spent([*mixed, Slip("cut")], 3)  # all kinds together: twice as many
    assert not spent([Slip("invalid_arguments", "add")] * 9, 3)


def test_wrong_arguments_are_counted_by_tool_until_it_runs() -> None:
    wrong = Step(1, "text", rejected=(Rejected("invalid_arguments", "look"), Rejected("unknown_tool", "lok")))
    assert bad_arguments([wrong, wrong], "look") == 2
    assert bad_arguments([wrong, wrong], "other") == 0
    assert bad_arguments([wrong, step(2, LOOK, "no", "refused"), wrong], "look") == 2
    assert bad_arguments([wrong, step(2, LOOK, "x"), wrong], "look") == 1
