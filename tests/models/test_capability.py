"""Facts are kept per endpoint and model, can be looked at, expire, and outlive the process."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args

import pytest

from react_agent.models.capability import LIFETIME, Capabilities, Page
from react_agent.models.constraining import GRAMMARS
from react_agent.models.facts import NAMES, Facts, Tools, is_fact, start_mode
from react_agent.models.openai import OpenAIModel

HERE = "http://127.0.0.1:1/v1"


class Clock:
    """Stands still unless it is moved."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def kept_in(path: Path, **options: Any) -> Capabilities:
    return Capabilities(lambda: path, **options)


@pytest.fixture(params=["in memory", "in a file"])
def notes(request: pytest.FixtureRequest, tmp_path: Path) -> Capabilities:
    return Capabilities() if request.param == "in memory" else kept_in(tmp_path / "folder" / "notes.json")


def test_nothing_is_known_at_first(notes: Capabilities) -> None:
    assert notes.facts(HERE, "m") == Facts()
    assert Facts().known() == {}


def test_facts_add_up_and_stay_apart(notes: Capabilities) -> None:
    notes.learn(HERE, "a", tools="ignored")
    notes.learn(HERE, "a", stop=False, max_stops=None)
    notes.learn(HERE, "b", context=8192)
    assert notes.known() == {(HERE, "a"): Facts(tools="ignored", stop=False), (HERE, "b"): Facts(context=8192)}


def test_a_later_answer_overrules_an_earlier_one(notes: Capabilities) -> None:
    notes.learn(HERE, "a", stop=True, context=8192)
    notes.learn(HERE, "a", stop=False, context=4096)
    assert notes.facts(HERE, "a") == Facts(stop=False, context=4096)


def test_what_is_suspected_is_learnt_when_it_is_said_twice_in_a_row(notes: Capabilities) -> None:
    page = Page(notes, HERE, "a")
    said: list[Any] = [{"options": False}, {}, {"options": False}, {"stream": False}, {"stream": True}]
    for lesson in said:
        page.suspect(lesson)
        Page(notes, HERE, "b").suspect({"options": False} if lesson == said[0] else {})
    assert notes.known() == {}
    for _ in range(2):
        page.suspect({"stream": True, "options": False})
    assert notes.known() == {(HERE, "a"): Facts(stream=True, options=False)}


@pytest.mark.parametrize("before", ["refused", "ignored"])
def test_native_calls_are_trusted_again_only_by_a_probe(notes: Capabilities, before: Tools) -> None:
    notes.learn(HERE, "a", tools=before)
    notes.learn(HERE, "a", tools="works")
    assert notes.facts(HERE, "a").native is False
    notes.learn(HERE, "a", probed=True, tools="works")
    assert notes.facts(HERE, "a").native is True


def test_native_calls_that_stop_working_are_noticed(notes: Capabilities) -> None:
    notes.learn(HERE, "a", tools="works")
    notes.learn(HERE, "a", tools="refused")
    assert notes.facts(HERE, "a").native is False


def test_what_is_no_longer_true_is_dropped(notes: Capabilities) -> None:
    notes.learn(HERE, "a", stop=True, context=8192)
    notes.forget(HERE, "a", "context", "system_role")
    notes.forget(HERE, "b", "context")
    assert notes.known() == {(HERE, "a"): Facts(stop=True)}


def test_facts_expire(tmp_path: Path) -> None:
    clock = Clock()
    notes = kept_in(tmp_path / "notes.json", clock=clock)
    notes.learn(HERE, "a", tools="refused")
    clock.now += LIFETIME - 1
    notes.learn(HERE, "a", stop=True)
    assert notes.facts(HERE, "a") == Facts(tools="refused", stop=True)
    clock.now += 2
    assert notes.facts(HERE, "a") == Facts(stop=True)
    notes.learn(HERE, "a", stop=False)
    assert "refused" not in (tmp_path / "notes.json").read_text()
    clock.now -= 3 * LIFETIME  # a clock that was wrong
    assert notes.facts(HERE, "a") == Facts()


def test_clear_forgets(notes: Capabilities) -> None:
    notes.learn(HERE, "a", stop=False)
    notes.clear()
    assert notes.known() == {}


def test_the_inspected_facts_are_a_copy_and_can_be_written_down(notes: Capabilities) -> None:
    notes.learn(HERE, "a", tools="ignored", context=5)
    notes.known().clear()
    fact = notes.facts(HERE, "a")
    assert Facts.from_dict(fact.to_dict()) == fact == Facts(tools="ignored", context=5)


def test_only_facts_can_be_learnt(notes: Capabilities) -> None:
    with pytest.raises(TypeError, match="no fact colour, smell"):
        notes.learn(HERE, "a", smell=True, colour="red")


def test_assumptions_hold_until_something_is_learnt(notes: Capabilities) -> None:
    page = Page(notes, HERE, "a", Facts(max_stops=4, json_schema=False))
    assert page.facts == Facts(max_stops=4, json_schema=False)
    page.learn({"json_schema": True, "stop": None})
    assert page.facts == Facts(max_stops=4, json_schema=True)
    assert notes.facts(HERE, "a") == Facts(json_schema=True)


def test_many_threads_lose_nothing(notes: Capabilities) -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(100):
            pool.submit(notes.learn, HERE, str(number % 10), **{("stop", "temperature")[number // 10 % 2]: True})
    assert notes.known() == {(HERE, str(number)): Facts(stop=True, temperature=True) for number in range(10)}


def test_auto_means_text_where_native_calls_do_not_work() -> None:
    modes = {tools: start_mode("auto", Facts(tools=tools)) for tools in (*get_args(Tools), None)}
    assert modes == {"works": "auto", "refused": "text", "ignored": "text", None: "auto"}
    assert start_mode("native", Facts(tools="refused")) == "native"
    assert start_mode("auto", Facts(tools="ignored", mode="constrained")) == "constrained"


# --- the file --------------------------------------------------------------------------------------------------------


def test_the_next_program_knows_what_this_one_learnt(tmp_path: Path) -> None:
    kept_in(tmp_path / "notes.json").learn(HERE, "模型", tools="ignored", context=8192, reasoning="reasoning")
    assert kept_in(tmp_path / "notes.json").facts(HERE, "模型") == Facts("ignored", context=8192, reasoning="reasoning")


def test_what_another_process_learns_is_seen(tmp_path: Path) -> None:
    one, other = kept_in(tmp_path / "notes.json"), kept_in(tmp_path / "notes.json")
    one.learn(HERE, "a", stop=True)
    assert other.facts(HERE, "a") == Facts(stop=True)
    other.learn(HERE, "a", temperature=False)
    assert one.facts(HERE, "a") == Facts(stop=True, temperature=False)
    other.clear()
    assert one.known() == {}
    (tmp_path / "notes.json").unlink()
    assert one.known() == other.known() == {}


def test_several_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from react_agent.models.capability import Capabilities\n"
        "notes = Capabilities(lambda: Path(sys.argv[1]))\n"
        "for number in range(25): notes.learn('http://h/v1', f'{sys.argv[2]}-{number}', stop=True)"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "notes.json")]
    running = [subprocess.Popen([*command, str(number)]) for number in range(4)]
    assert [process.wait() for process in running] == [0, 0, 0, 0]
    assert len(kept_in(tmp_path / "notes.json").known()) == 100
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.json", "notes.json.lock"]


def test_a_place_where_nothing_can_be_written_costs_only_the_memory_of_later_programs(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    notes = kept_in(tmp_path / "file" / "notes.json")
    notes.learn(HERE, "a", stop=False)
    notes.learn(HERE, "a", context=5)
    assert notes.facts(HERE, "a") == Facts(stop=False, context=5)
    assert kept_in(tmp_path / "file" / "notes.json").known() == {}
    notes.clear()
    assert notes.known() == {}


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"version": 0, "data": {}}', '{"version": 1, "data": []}', "[" * 100_000, "\xff",
     '{"version": 1, "data": {"u": 1, "v": {"m": 2, "n": {"stop": 3, "tools": ["x", 1], "max_stops": [true, 1]}}}}'],
)  # fmt: skip
def test_a_broken_file_counts_as_empty_and_is_replaced(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes.json"
    path.write_text(text, encoding="latin-1")
    notes = kept_in(path)
    assert notes.known() == {}
    notes.learn(HERE, "a", stop=False)
    assert kept_in(path).known() == {(HERE, "a"): Facts(stop=False)}


def test_what_a_later_version_knows_besides_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    now = Clock()
    kept_in(path, clock=now).learn(HERE, "a", stop=False)
    document = json.loads(path.read_text())
    document["data"][HERE]["a"]["dreams"] = [True, now.now]
    path.write_text(json.dumps(document))
    assert kept_in(path, clock=now).facts(HERE, "a") == Facts(stop=False)


def test_no_password_is_written(tmp_path: Path) -> None:
    notes = kept_in(tmp_path / "notes.json")
    secret = "http://user:pass-word@127.0.0.1:1/v1/?key=sk-secret#frag"
    notes.learn(secret, "a", stop=False)
    assert notes.facts(secret, "a") == notes.facts(HERE, "a") == Facts(stop=False)
    written = (tmp_path / "notes.json").read_text()
    assert not [word for word in ("user", "pass-word", "sk-secret", "frag") if word in written]


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [("tools", "works", "yes"), ("stop", False, 0), ("max_stops", 4, True), ("context", 5, -5), ("server", "vllm", 5),
     ("token_limit", "none", ""), ("stop", True, None)],
)  # fmt: skip
def test_values_of_facts(name: str, good: object, bad: object) -> None:
    assert name in NAMES
    assert is_fact(name, good)
    assert not is_fact(name, bad)


def test_the_file_is_not_looked_at_at_each_use_when_that_is_enough(tmp_path: Path) -> None:
    clock = Clock()
    mine, other = kept_in(tmp_path / "n.json", clock=clock, look=2.0), kept_in(tmp_path / "n.json", clock=clock)
    assert mine.facts(HERE, "m") == Facts()
    other.learn(HERE, "m", stop=False)
    assert mine.facts(HERE, "m") == Facts()
    clock.now += 2
    assert mine.facts(HERE, "m") == Facts(stop=False)


def test_what_is_learnt_is_known_at_once_though_the_file_is_not_looked_at(tmp_path: Path) -> None:
    notes = kept_in(tmp_path / "notes.json", look=60, clock=Clock())
    assert notes.facts(HERE, "m").stop is None
    notes.learn(HERE, "m", stop=False)
    assert notes.facts(HERE, "m").stop is False
    notes.forget(HERE, "m", "stop")
    assert notes.facts(HERE, "m").stop is None


def test_ages_tell_when_something_new_was_learnt() -> None:
    now = [1000.0]
    notes = Capabilities(clock=lambda: now[0])
    notes.learn("http://a/v1", "m", stop=False)
    now[0] += 50
    notes.learn("http://b/v1", "m", stop=True)
    notes.learn("http://a/v1", "m", stop=False)  # nothing new
    now[0] += 10
    assert notes.ages() == {("http://a/v1", "m"): 60.0, ("http://b/v1", "m"): 10.0}
    now[0] += LIFETIME - 60
    assert notes.ages() == {("http://b/v1", "m"): LIFETIME - 50}


def test_what_is_advised_is_what_is_known(tmp_path: Path) -> None:
    notes = kept_in(tmp_path / "notes.json", look=60, clock=Clock())
    model = OpenAIModel("m", base_url=HERE, capabilities=notes)
    assert model.advice() == ("auto", False, "")
    notes.learn(HERE, "m", server="vllm")
    model.recommend("constrained", "hermes")
    assert model.advice() == (model.mode, model.constrains, model.dialect) == ("constrained", True, "hermes")
    notes.learn(HERE, "m", **dict.fromkeys(GRAMMARS, False))
    assert not model.advice().constrains
