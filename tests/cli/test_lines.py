"""Events as JSON lines."""

from __future__ import annotations

import io
import json

from react_agent.cli.lines import JsonLines
from react_agent.events import AnswerDelta, Event, StopModel


def test_one_event_per_line_that_reads_back() -> None:
    stream = io.StringIO()
    write = JsonLines(stream)
    events = [AnswerDelta("北京\n更热"), AnswerDelta("。")]
    for event in events:
        write(event)
    lines = stream.getvalue().splitlines()
    assert [Event.from_dict(json.loads(line)) for line in lines] == events
    assert "北京" in lines[0]


def test_requests_are_for_traces_only() -> None:
    stream = io.StringIO()
    JsonLines(stream)(StopModel())
    assert stream.getvalue() == ""
