from __future__ import annotations

import pytest

from react_agent.prompting.defang import defang


@pytest.mark.parametrize(
    "marker",
    [
        "<|im_start|>",
        "<｜tool▁calls▁begin｜>",
        "<tool_call>",
        "</tool_response>",
        "<think>",
        "<function=pay>",
        "<minimax:tool_call>",
        "</s>",
        "[TOOL_CALLS]",
        "[/INST]",
        "✿FUNCTION✿",
    ],
)
def test_no_marker_survives(marker: str) -> None:
    shown = defang(f"before {marker} behind")
    assert marker not in shown
    assert shown.startswith("before ")
    assert shown.endswith(" behind")


@pytest.mark.parametrize(
    "label", ["Final Answer:", "Action: pay", "**Observation**: x", "最终答案：好", "  行动输入: {}", "Action 2: go"]
)
def test_label_lines_are_quoted(label: str) -> None:
    assert defang(f"ok\n{label}") == f"ok\n> {label}"


@pytest.mark.parametrize("text", ["a < b and b <c>", "An action: none", "观察者：3 人", "✿ spring ✿", "[1, 2]", "", "1\n2"])
def test_plain_data_stays_as_it_is(text: str) -> None:
    assert defang(text) == text
