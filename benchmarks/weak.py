"""Fifty small tasks for a model that is too weak for them: whatever it writes, nothing may break.

    python -m benchmarks weak http://127.0.0.1:8080/v1 [MODE …]

In: the address of a server with a real model, maybe modes (all four without).  Out: for each mode how many runs raised, how
many calls were run whose arguments break their tool's schema, and how many runs did not come to an end of their own.  The
schemas are checked inside the tools, by `jsonschema` and not by what the engine uses.  How many tasks were solved does not
count; how runs ended is printed.  Each run meets the server as a new one, so that `auto` starts with native calls every time.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import jsonschema

from react_agent import Agent, OpenAIModel, Outcome, Tool
from react_agent.driving.ports import ModeChoice
from react_agent.models.capability import Capabilities
from react_agent.models.facts import checked_mode

from .row import Row

MODES: tuple[ModeChoice, ...] = ("text", "auto", "native", "constrained")
MAX_STEPS = 3
MAX_TOKENS = 96
MAX_SECONDS = 60.0  # of a run; a machine may be busy, so reaching it is no fault

Schema = dict[str, Any]


def _object(required: Sequence[str], **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


_CODE = {"type": "string", "pattern": "^[A-Z]{3}$"}
_TEXT = {"type": "string", "minLength": 1}

SCHEMAS: dict[str, tuple[str, Schema]] = {
    "get_weather": (
        "当前天气。The weather of a city now.",
        _object(["city"], city=_TEXT, unit={"enum": ["celsius", "fahrenheit"]}),
    ),
    "convert_money": (
        "按今日汇率换算金额。Converts an amount by today's rate.",
        _object(["amount", "source", "target"], amount={"type": "number", "exclusiveMinimum": 0}, source=_CODE, target=_CODE),
    ),
    "book_room": (
        "预订会议室。Books a meeting room.",
        _object(
            ["date", "people"],
            date={"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"},
            people={"type": "integer", "minimum": 1, "maximum": 12},
            extras={"type": "array", "items": {"enum": ["screen", "phone", "coffee"]}, "uniqueItems": True},
        ),
    ),
    "send_note": (
        "发送便条。Sends a note.",
        _object(
            ["to", "text"],
            to=_object(["name"], name=_TEXT, team={"type": "string"}),
            text={**_TEXT, "maxLength": 200},
            urgent={"type": "boolean"},
        ),
    ),
    "find_page": (
        "搜索手册。Searches the manual.",
        _object(["query"], query=_TEXT, limit={"type": "integer", "minimum": 1, "maximum": 20}),
    ),
}

QUESTIONS = (
    ("{}现在天气怎么样？", ("西安", "成都", "大连", "三亚", "拉萨")),
    ("把{}换算成人民币。", ("30 美元", "80 欧元", "5000 日元", "12.5 英镑", "100 港币")),
    ("订一间会议室：{}。", ("明天 4 个人", "2026-05-01，12 人", "周五，要投影", "下周一 3 人，带咖啡", "2026-07-09，6 人")),
    ("给{}", ("小王发便条：材料已到", "财务组的李姐留言，急", "Tom 说会议取消了", "大家发“下午停电”", "老张写一句谢谢")),
    ("手册里关于{}怎么说？", ("年假", "报销", "门禁卡", "打印机", "加班")),
    ("Is it warmer in {}?", ("Bergen or Porto", "Quito or Lagos", "Leeds or Malta", "Osaka or Hanoi", "Perth or Davos")),
    ("How much is {}?", ("70 EUR in USD", "9 GBP in JPY", "1,250 CNY in EUR", "-5 USD in CNY", "half of 40 CHF in USD")),
    (
        "Book a room for {}",
        ("3 people on 2026-04-02.", "a dozen, today.", "40 people.", "2, with coffee.", "me and Ann, Friday."),
    ),
    (
        "Tell {}",
        ("Ann that I am late.", 'Bob: "a {x} b"', "the team, urgently: leave!", "Eve nothing.", "Max the weather in Rome."),
    ),
    ("What does the manual say of {}?", ("parking", "the VPN", "sick days", "fire drills", "C:\\temp and \\n")),
)
TASKS = tuple(question.format(value) for question, values in QUESTIONS for value in values)


@dataclass
class Tally:
    """What came of the runs in one mode; `invalid` are calls that should not have been run."""

    outcomes: Counter[str] = field(default_factory=Counter)
    raised: list[str] = field(default_factory=list)
    invalid: list[str] = field(default_factory=list)
    calls: int = 0

    def rows(self, mode: str) -> Iterator[Row]:
        unended = len(TASKS) - len(self.raised) - sum(self.outcomes.values())
        yield Row(f"{mode}: runs that raised", len(self.raised), 0)
        yield Row(f"{mode}: invalid calls that were run", len(self.invalid), 0)
        yield Row(f"{mode}: runs without an outcome", unended, 0)
        yield Row(f"{mode}: runs that the server failed", self.outcomes[Outcome.SERVER_ERROR], 0)


def measure(arguments: Sequence[str]) -> Iterator[Row]:
    """Arguments are the address of the server, and modes."""
    if not arguments:
        raise SystemExit("which server? python -m benchmarks weak http://127.0.0.1:8080/v1")
    base_url, *names = arguments
    for mode in map(checked_mode, names) if names else MODES:
        tally, begun = Tally(), time.perf_counter()
        for task in TASKS:
            _try(task, mode, base_url, tally)
        seconds, ends = time.perf_counter() - begun, ", ".join(f"{end} {n}" for end, n in tally.outcomes.most_common())
        print(f"{mode}: {len(TASKS)} runs, {tally.calls} calls, {seconds:.0f} s; {ends}", flush=True)
        for what in itertools.chain(tally.raised, tally.invalid):
            print(f"    {what}")
        yield from tally.rows(mode)


def _try(task: str, mode: ModeChoice, base_url: str, tally: Tally) -> None:
    model = OpenAIModel(base_url=base_url, mode=mode, capabilities=Capabilities())
    agent = Agent(model, _tools(tally), max_steps=MAX_STEPS, max_tokens=MAX_TOKENS, max_seconds=MAX_SECONDS)
    try:
        result = agent.run(task)
    except Exception as error:
        tally.raised.append(f"{task!r}: {error!r}")
    else:
        tally.outcomes[result.outcome] += isinstance(result.outcome, Outcome)
    finally:
        model.close()


def _tools(tally: Tally) -> list[Tool]:
    return [_tool(name, tally) for name in SCHEMAS]


def _tool(name: str, tally: Tally) -> Tool:
    description, schema = SCHEMAS[name]
    validator = jsonschema.Draft202012Validator(schema)

    def run(**arguments: Any) -> str:
        tally.calls += 1
        tally.invalid += [f"{name}({arguments}): {problem.message}" for problem in validator.iter_errors(arguments)]
        return f"{name}: done"

    return Tool.from_schema(name, description, schema, run)
