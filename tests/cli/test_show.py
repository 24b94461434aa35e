"""What a run looks like on a terminal, event by event."""

from __future__ import annotations

import io

import pytest

from react_agent.cli.show import OBSERVATION_LIMIT, Report, clip, show_arguments
from react_agent.cli.terminal import open_console
from react_agent.events import (
    AnswerDelta,
    ArgumentsDelta,
    CallFinished,
    CallRejected,
    CallStarted,
    Corrected,
    Event,
    GuardTripped,
    HistoryShortened,
    ModeChanged,
    ModelFailure,
    ReplyRestarted,
    RetryWaiting,
    RunFinished,
    RunStarted,
    StepStarted,
    TextDelta,
    ThoughtDelta,
    ToolFinished,
)
from react_agent.messages import Call, Outcome, Rejected, Result, RunResult, Step, Usage

BEIJING = Call("get_weather", {"city": "北京"}, id="1")
DONE = RunResult("北京更热。", Outcome.COMPLETED, (Step(1, "text"),), Usage(10, 5, 1))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(*events: Event, stream: io.StringIO | None = None) -> str:
    stream = stream or io.StringIO()
    report = Report(open_console(stream))
    for event in events:
        report(event)
    return stream.getvalue()


def test_a_whole_run_reads_from_thought_to_answer() -> None:
    text = shown(
        RunStarted("哪个更热？", lang="zh"),
        StepStarted(1),
        ThoughtDelta("先查"),
        ThoughtDelta("北京。"),
        CallStarted(0, "get_weather"),
        CallFinished(0, BEIJING),
        ToolFinished(Result("1", "get_weather", "34 °C")),
        StepStarted(2),
        AnswerDelta("北京"),
        AnswerDelta("更热。"),
        RunFinished(DONE),
    )
    assert text.splitlines() == [
        "思考  先查北京。",
        '行动  get_weather(city="北京")',
        "观察  34 °C",
        "回答  北京更热。",
        "",
        "完成 · 步数 1 · 词元 15 · text",
    ]


def test_labels_are_english_for_an_english_task_and_line_up() -> None:
    text = shown(RunStarted("hi", lang="en"), StepStarted(1), ThoughtDelta("a\nb"), AnswerDelta("c"))
    assert text.splitlines() == ["Thought      a", "             b", "Answer       c"]


def test_an_answer_that_was_streamed_is_not_repeated_and_one_that_was_not_is_shown() -> None:
    streamed = shown(RunStarted("?", lang="zh"), StepStarted(1), TextDelta("北京更热。\n"), RunFinished(DONE))
    silent = shown(RunStarted("?", lang="zh"), StepStarted(1), RunFinished(DONE))
    assert streamed.count("北京更热。") == silent.count("北京更热。") == 1
    assert "回复  北京更热。" in streamed
    assert "回答  北京更热。" in silent


def test_a_call_that_was_not_announced_is_shown_with_its_name() -> None:
    assert shown(StepStarted(1), CallFinished(0, BEIJING)) == 'Action       get_weather(city="北京")\n'


def test_calls_that_start_before_the_first_ends_take_one_line_each() -> None:
    shanghai = Call("get_weather", {"city": "上海"})
    text = shown(
        CallStarted(0, "get_weather"),
        ArgumentsDelta(0, '{"city": "北京"}'),
        CallStarted(1, "get_weather"),
        CallFinished(0, BEIJING),
        CallFinished(1, shanghai),
    )
    assert [line.split("  ")[-1].strip() for line in text.splitlines()] == [
        'get_weather(city="北京")',
        'get_weather(city="上海")',
    ]


def test_an_answer_behind_prose_that_was_reasoning_is_not_repeated() -> None:
    text = shown(RunStarted("?", lang="zh"), StepStarted(1), TextDelta("先比。"), TextDelta("北京更热。"), RunFinished(DONE))
    assert text.count("北京更热。") == 1


def test_two_calls_take_two_lines() -> None:
    shanghai = Call("get_weather", {"city": "上海"})
    text = shown(
        CallStarted(0, "get_weather"), CallFinished(0, BEIJING), CallStarted(1, "get_weather"), CallFinished(1, shanghai)
    )
    assert text.count("Action ") == 2
    assert text.endswith('(city="上海")\n')


def test_trouble_is_shown() -> None:
    text = shown(
        CallRejected(Rejected("unknown_tool", name="weather")),
        Corrected("unknown_tool", "There is no tool weather."),
        GuardTripped("repeated_call", "get_weather"),
        ModeChanged("native", "text", "the server refuses tools"),
        HistoryShortened(7),
        StepStarted(3, closing=True),
        ToolFinished(Result("1", "f", "boom", status="error")),
        RunFinished(RunResult(None, Outcome.SERVER_ERROR, error="No server at http://x: is it running?")),
    )
    for part in (
        "weather: unknown_tool",
        "There is no tool weather.",
        "repeated_call get_weather",
        "native → text: the server refuses tools",
        "7 messages are not shown any more",
        "last request, without tools",
        "[error] boom",
        "No server at http://x: is it running?",
        "not completed: the model's server failed",
    ):
        assert part in text


def test_what_a_model_writes_cannot_steer_the_terminal() -> None:
    text = shown(TextDelta("a\x1b[2Jb\rc\x07d\u202ee\x9bf"))
    assert not set(text) & {"\x1b", "\r", "\x07", "\u202e", "\x9b"}


def test_markup_of_the_console_is_plain_text() -> None:
    assert "[bold]x[/bold] :smile: http://y" in shown(AnswerDelta("[bold]x[/bold] :smile: http://y"))


def test_colour_is_only_for_a_terminal_whose_user_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    event = ToolFinished(Result("1", "f", "fine"))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" not in shown(event)
    assert "\x1b[" in shown(event, stream=Terminal())
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in shown(event, stream=Terminal())


def test_a_long_observation_is_clipped_and_says_how_long_it_is() -> None:
    text = shown(ToolFinished(Result("1", "f", "x" * (OBSERVATION_LIMIT + 1))))
    assert text.count("x") == OBSERVATION_LIMIT
    assert f"… ({OBSERVATION_LIMIT + 1} characters)" in text


def test_white_space_opens_no_section() -> None:
    assert shown(StepStarted(1), ThoughtDelta("\n"), TextDelta("  "), AnswerDelta("\nyes")) == "Answer       yes"


def test_arguments_are_written_like_a_call() -> None:
    assert show_arguments(Call("f", {"a": "ü", "b": [1], "c": None})) == '(a="ü", b=[1], c=null)'
    assert show_arguments(Call("f")) == "()"


def test_clip_keeps_what_fits() -> None:
    assert clip("abc", 3) == "abc"
    assert clip("abcd", 3) == "abc … (4 characters)"


def test_a_repetition_is_shown_and_an_answer_that_goes_on_is_not_repeated() -> None:
    wait = RetryWaiting(1, 0.25, ModelFailure("broken_stream", "the connection broke"))
    text = shown(RunStarted("?", lang="en"), StepStarted(1), TextDelta("The "), wait, TextDelta("beach."), RunFinished(DONE))
    assert [line.strip() for line in text.splitlines()][:3] == [
        "Reply        The",
        "Guard        again in 0.2 s (repetition 1): the connection broke",
        "Reply        beach.",
    ]


def test_a_reply_that_begins_anew_is_told_and_its_answer_shown_once() -> None:
    result = RunResult("Yes.", Outcome.COMPLETED)
    text = shown(
        RunStarted("?", lang="zh"),
        StepStarted(1),
        AnswerDelta("No"),
        ReplyRestarted(),
        AnswerDelta("Yes."),
        RunFinished(result),
    )
    assert "回复中断，重新开始" in text
    assert text.count("Yes.") == 1
