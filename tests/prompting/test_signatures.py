from __future__ import annotations

from react_agent.messages import ToolSpec
from react_agent.prompting import signature

from .specs import CLOCK, NESTED, TIDES, TRAINS, spec


def test_types_defaults_ranges_and_choices_are_shown() -> None:
    line = signature(TRAINS)
    assert line.startswith(
        'find_train(start: string, goal: string, seats?: integer 1..9 = 1, level?: "first"|"second")'
        " — 当用户询问两地之间的火车时调用。"
    )


def test_examples_are_not_shown() -> None:
    assert "苏州" not in signature(TRAINS)
    assert signature(TIDES) == "tide_table(harbour: string) — High and low water at a harbour. Times are local."


def test_a_bare_tool_is_its_name() -> None:
    assert signature(CLOCK) == "clock()"


def test_parameter_docs_that_say_no_more_than_the_name_are_left_out() -> None:
    city = {"type": "string", "description": "City."}
    unit = {"type": "string", "description": "the unit of the result"}
    assert (
        signature(spec("f", "Does it.", city=city, unit=unit))
        == "f(city: string, unit: string) — Does it. unit: the unit of the result"
    )


def test_it_is_one_line_without_json_schema() -> None:
    for each in (TRAINS, TIDES, NESTED):
        line = signature(each)
        assert "\n" not in line
        assert '"type"' not in line
        assert "properties" not in line


def test_long_words_are_shortened() -> None:
    assert len(signature(ToolSpec("f", "word " * 10_000))) < 500
