"""Facts are kept per endpoint and model, can be looked at, and can be forgotten."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from react_agent.models.capability import Capabilities, Facts

HERE = "http://127.0.0.1:1/v1"


def test_nothing_is_known_at_first() -> None:
    assert Capabilities().facts(HERE, "m") == Facts(native=None, stream_usage=None)


def test_facts_add_up_and_stay_apart() -> None:
    notes = Capabilities()
    notes.learn(HERE, "a", native=False)
    notes.learn(HERE, "a", stream_usage=False)
    notes.learn(HERE, "b", native=True)
    assert notes.known() == {(HERE, "a"): Facts(False, False), (HERE, "b"): Facts(True, None)}
    notes.learn(HERE, "a", native=True)
    assert notes.facts(HERE, "a") == Facts(True, False)


def test_the_inspected_facts_are_a_copy_and_can_be_written_down() -> None:
    notes = Capabilities()
    notes.learn(HERE, "a", native=False)
    notes.known().clear()
    fact = notes.facts(HERE, "a")
    assert Facts.from_dict(fact.to_dict()) == fact == Facts(native=False)


def test_clear_forgets() -> None:
    notes = Capabilities()
    notes.learn(HERE, "a", native=False)
    notes.clear()
    assert notes.known() == {}


def test_many_threads_lose_nothing() -> None:
    notes = Capabilities()
    with ThreadPoolExecutor(8) as pool:
        for number in range(200):
            pool.submit(notes.learn, HERE, str(number % 10), **{("native", "stream_usage")[number // 10 % 2]: True})
    assert notes.known() == {(HERE, str(number)): Facts(True, True) for number in range(10)}
