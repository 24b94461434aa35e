"""An answer that comes too early: a call failed in a way that may pass, and was not tried again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from react_agent import Agent, ScriptedModel
from react_agent import tool as tool_of
from react_agent.engine import Traits
from react_agent.engine.objections.passing import may_pass
from react_agent.events import Corrected
from react_agent.messages import Outcome
from react_agent.tools import Tool
from tests.engine.playing import TEXT, action, answer, native, play, tool


def failing(*errors: str) -> Callable[..., str]:
    """A tool that fails with these words, one after another, and then works."""
    left: Iterator[str] = iter(errors)

    def look(place: str) -> str:
        for words in left:
            raise ConnectionError(words)
        return f"27 degrees in {place}"

    return look


LOOK = action("look", place="Oslo")
LOOKS = Traits(looking=frozenset({"look"}))
GIVES_UP = answer("I cannot find out.")
BUSY = "upstream timed out, please try again"


@pytest.mark.parametrize(
    "failure",
    [
        BUSY, "Service temporarily unavailable", "HTTP 503", "error: 429 Too Many Requests", "Connection reset by peer",
        "Read timeout after 5 s", "rate limit exceeded, retry later", "系统繁忙，请稍后重试", "请求超时", "服务暂时不可用",
        "the model is overloaded", "503 Service Unavailable",
    ],
)  # fmt: skip
def test_failures_that_may_pass(failure: str) -> None:
    assert may_pass(failure)


@pytest.mark.parametrize(
    "failure",
    [
        "no such order: B503", "division by zero", "city must be a string", "permission denied", "没有这个订单",
        "file not found", "amount 429 is more than was paid", "this item is unavailable in blue", "unknown time zone",
        "invalid timeoutless value", "timeouts must be numbers", "timeout must be a positive number",
        "no such file: temporary/report.txt", "is not a date, please try again with a valid one", "404 no page /docs/timeout",
        "currently unavailable in your region", "Error 503 items exceed the cart limit", "参数超时时间必须大于0",
        "登录已超时，请重新登录",
    ],
)  # fmt: skip
def test_failures_that_stay(failure: str) -> None:
    assert not may_pass(failure)


def test_giving_up_on_a_failure_that_may_pass_is_sent_back() -> None:
    ran = play([LOOK, GIVES_UP, LOOK, answer("27")], tool("look", failing(BUSY), place=TEXT), traits=LOOKS)
    assert (ran.result.answer, ran.result.outcome) == ("27", Outcome.COMPLETED)
    assert [correction.reason for correction in ran.corrections] == ["passing"]
    assert ran.corrections[0].text == "look failed in a way that may pass. Call it once more, then answer."


def test_the_words_are_those_of_the_task() -> None:
    ran = play([LOOK, GIVES_UP, GIVES_UP], tool("look", failing(BUSY), place=TEXT), traits=LOOKS, task="奥斯陆今天多少度？")
    assert ran.corrections[0].text == "look 的失败可能只是暂时的：请再调用一次，然后回答。"


def test_it_is_sent_back_once_and_the_answer_is_kept() -> None:
    ran = play([LOOK, GIVES_UP, GIVES_UP], tool("look", failing(BUSY), place=TEXT), traits=LOOKS)
    assert (ran.result.answer, ran.result.outcome) == ("I cannot find out.", Outcome.COMPLETED)
    empty = play([LOOK, GIVES_UP, "", "", ""], tool("look", failing(BUSY), place=TEXT), traits=LOOKS)
    assert (empty.result.answer, empty.result.outcome) == ("I cannot find out.", Outcome.EMPTY_REPLY)


def test_what_was_tried_again_is_answered() -> None:
    ran = play([LOOK, LOOK, GIVES_UP], tool("look", failing(BUSY, BUSY), place=TEXT), traits=LOOKS)
    assert ran.result.answer == "I cannot find out."
    assert "passing" not in [correction.reason for correction in ran.corrections]


def test_what_led_elsewhere_is_answered() -> None:
    ran = play([LOOK, action("look", place="Rome"), GIVES_UP], tool("look", failing(BUSY), place=TEXT), traits=LOOKS)
    assert (ran.result.answer, ran.corrections) == ("I cannot find out.", [])


@pytest.mark.parametrize(
    ("other", "found", "asked"),
    [
        ("search", "[]", ["passing"]),
        ("search", [], ["passing"]),
        ("search", "Rome: 31", []),
        ("save_note", None, []),
        ("run_python", "[]", []),
    ],
)
def test_a_look_up_that_finds_nothing_is_no_reason_to_give_up(other: str, found: object, asked: list[str]) -> None:
    ran = play(
        [LOOK, action(other, query="weather"), GIVES_UP, LOOK, answer("27")],
        tool("look", failing(BUSY), place=TEXT),
        tool(other, lambda query: found, query=TEXT),
        traits=replace(LOOKS, looking=LOOKS.looking | {"search"}),
    )
    assert [correction.reason for correction in ran.corrections] == asked
    assert ran.result.answer == ("27" if asked else "I cannot find out.")


def test_a_failure_of_long_ago_is_over() -> None:
    searches = [action("search", query=word) for word in ("a", "b", "c")]
    ran = play(
        [LOOK, *searches, GIVES_UP],
        tool("look", failing(BUSY), place=TEXT),
        tool("search", lambda query: [], query=TEXT),
        traits=replace(LOOKS, looking=LOOKS.looking | {"search"}),
    )
    assert (ran.result.answer, ran.corrections) == ("I cannot find out.", [])


def test_a_failure_that_stays_is_answered() -> None:
    ran = play([LOOK, GIVES_UP], tool("look", failing("no such place"), place=TEXT), traits=LOOKS)
    assert (ran.result.answer, ran.corrections) == ("I cannot find out.", [])


@pytest.mark.parametrize(
    "task",
    [
        "Look, but do not retry.",
        "Look; don't try again.",
        "Look, don’t retry",
        "看看奥斯陆的天气，失败了不要重试",
        "Look once only.",
        "Look exactly once, please.",
        "If it fails, tell me at once.",
        "查奥斯陆的天气，失败就算了",
        "只查一次",
    ],
)
def test_the_task_may_forbid_it(task: str) -> None:
    ran = play([LOOK, GIVES_UP], tool("look", failing(BUSY), place=TEXT), traits=LOOKS, task=task)
    assert (ran.result.answer, ran.corrections) == ("I cannot find out.", [])


@pytest.mark.parametrize(
    ("name", "description", "flags", "told"),
    [
        ("get_weather", "", {}, ["passing"]), ("look_up", "", {}, ["passing"]), ("查天气", "", {}, ["passing"]),
        ("weather", "Get the weather of a place.", {}, ["passing"]), ("weather", "", {"pure": True}, ["passing"]),
        ("send_ping", "", {"repeatable": True}, ["passing"]), ("weather", "", {}, []),
        ("read_file", "", {"dangerous": True}, []),
        *((name, "", {}, []) for name in (
            "pay_fee", "make_payment", "sell_stock", "withdraw_cash", "transfer_balance", "缴费", "买票", "push_commit",
            "add_row", "write_file", "update_user", "save_note", "set_alarm", "upload_file", "frobnicate",
        )),
    ],
)  # fmt: skip
def test_only_a_tool_that_is_known_to_look_is_called_again(
    name: str, description: str, flags: dict[str, bool], told: list[str]
) -> None:
    schema = {"type": "object", "properties": {"place": TEXT}, "required": ["place"]}
    fails = failing("status 503: service unavailable")
    made = Tool.from_schema(name, description, schema, fails, **flags)  # type: ignore[arg-type]
    model = ScriptedModel([action(name, place="Oslo"), GIVES_UP, GIVES_UP])
    events = Agent(model, [made], approve=lambda call: True).stream("How warm is it in Oslo?")
    assert [event.reason for event in events if isinstance(event, Corrected)] == told


def test_the_other_try_is_not_scolded_when_it_fails_too() -> None:
    ran = play([LOOK, GIVES_UP, LOOK, GIVES_UP], tool("look", failing(BUSY, BUSY), place=TEXT), traits=LOOKS)
    assert [correction.reason for correction in ran.corrections] == ["passing"]
    assert ran.requests[3].messages[-1]["content"].endswith(BUSY)
    assert (ran.result.answer, ran.result.outcome) == ("I cannot find out.", Outcome.COMPLETED)


def test_one_more_try_than_that_is() -> None:
    ran = play([LOOK, LOOK, LOOK, GIVES_UP], tool("look", failing(BUSY, BUSY, BUSY), place=TEXT), traits=LOOKS)
    assert "repeated_error" in [correction.reason for correction in ran.corrections]


def test_a_call_that_has_used_up_its_time_is_answered() -> None:
    async def look(place: str) -> str:
        """Looks."""
        await asyncio.Event().wait()
        return place

    model = ScriptedModel([LOOK, GIVES_UP])
    result = Agent(model, [tool_of(look, timeout=0.01)]).run("How warm is it in Oslo?")
    assert (result.answer, result.outcome) == ("I cannot find out.", Outcome.COMPLETED)


def test_native_calls_are_not_given_up_for_an_answer_that_names_a_tool() -> None:
    call = ("look", '{"place": "Oslo"}')
    ran = play(
        [native(call), "I cannot.", native(call), "27"], tool("look", failing(BUSY), place=TEXT), traits=LOOKS, mode="auto"
    )
    assert ([correction.reason for correction in ran.corrections], ran.result.answer) == (["passing"], "27")
    assert (ran.modes, ran.learned, ran.result.mode) == ([], {}, "native")
