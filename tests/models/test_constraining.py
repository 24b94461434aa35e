"""Every server is told in its own notation what a reply may look like; one that refuses or does not heed it is remembered."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from react_agent import Agent, OpenAIModel
from react_agent.events import Constraint, ModeChanged, ModelRequest, RunFinished
from react_agent.messages import Json, RunResult
from react_agent.models.capability import Capabilities
from tests.models.asking import Ask, failure_of, text_of
from tests.support.server import Fail, Reply, ScriptedServer, Sse, delta

GRAMMAR = 'root ::= "yes" | "no"\n'
SCHEMA: Json = {"enum": ["yes", "no"]}
FORMAT: Json = {"type": "json_schema", "json_schema": {"name": "action", "schema": SCHEMA}}
MESSAGES = ({"role": "user", "content": "Is it?"},)
WAYS = ("grammar", "structured_outputs", "guided_grammar", "ebnf", "response_format")


def request(schema: Json | None = SCHEMA) -> ModelRequest:
    return ModelRequest(MESSAGES, constraint=Constraint(GRAMMAR, schema))


def served_by(owner: str, script: Callable[[Json], object]) -> ScriptedServer:
    """A server that says whose it is."""
    listing = {"object": "list", "data": [{"id": "m", "object": "model", "owned_by": owner}]}
    return ScriptedServer(script, pages={"GET /v1/models": listing})  # type: ignore[arg-type]


def model_at(server: ScriptedServer, notes: Capabilities | None = None, **options: object) -> OpenAIModel:
    notes = Capabilities() if notes is None else notes
    return OpenAIModel("m", base_url=server.base_url, max_retries=0, capabilities=notes, **options)  # type: ignore[arg-type]


def held_by(body: Json) -> Json:
    return {name: body[name] for name in WAYS if name in body}


@pytest.mark.parametrize(
    ("owner", "fields"),
    [
        ("llamacpp", {"grammar": GRAMMAR}),
        ("vllm", {"structured_outputs": {"grammar": GRAMMAR}}),
        ("sglang", {"ebnf": GRAMMAR}),
        ("library", {"response_format": FORMAT}),
        ("organization_owner", {"response_format": FORMAT}),
        ("somebody", {"response_format": FORMAT}),
    ],
)
def test_each_server_is_told_in_its_notation(ask: Ask, owner: str, fields: Json) -> None:
    with served_by(owner, lambda _: "yes") as server:
        model = model_at(server)
        assert [text_of(ask(model, request())) for _ in range(2)] == ["yes", "yes"]
        assert [held_by(sent.body) for sent in server.requests] == [fields, fields]
        assert not any("held" in name for name in server.requests[0].body)
        assert server.asked.count("GET /v1/models") == 1


def test_a_request_that_is_free_asks_for_no_page(ask: Ask) -> None:
    with served_by("llamacpp", lambda _: "maybe") as server:
        ask(model_at(server), ModelRequest(MESSAGES))
        assert (held_by(server.requests[0].body), server.asked) == ({}, [])


@pytest.mark.parametrize("says", ["Failed to parse grammar", 'unknown field "grammar"', "extra_forbidden: grammar"])
def test_what_is_refused_is_said_in_the_next_way(ask: Ask, says: str) -> None:
    notes = Capabilities()
    with served_by("llamacpp", lambda body: Fail(400, says) if "grammar" in body else "yes") as server:
        model = model_at(server, notes)
        assert [text_of(ask(model, request())) for _ in range(2)] == ["yes", "yes"]
        assert [list(held_by(sent.body)) for sent in server.requests] == [["grammar"], ["response_format"], ["response_format"]]
    (facts,) = notes.known().values()
    assert (facts.grammar, facts.json_schema) == (False, True)


def test_a_form_that_is_more_than_json_needs_a_grammar(ask: Ask) -> None:
    with served_by("library", lambda _: "yes") as server:
        assert failure_of(ask(model_at(server), request(schema=None))).kind == "constraint_refused"
        assert server.requests == []


@pytest.mark.parametrize(("status", "says"), [(400, "Failed to parse grammar"), (500, "failed to parse grammar"), (400, "no")])
def test_no_reply_is_free_that_was_to_be_held(ask: Ask, status: int, says: str) -> None:
    with served_by("sglang", lambda body: Fail(status, says) if held_by(body) else "maybe") as server:
        failure = failure_of(ask(model_at(server), request(schema=None)))
    assert (failure.kind, says in failure.message) == ("constraint_refused", True)


def test_the_callers_own_field_wins(ask: Ask) -> None:
    with served_by("llamacpp", lambda _: "yes") as server:
        ask(model_at(server, extra_body={"grammar": "mine"}), request())
        assert held_by(server.requests[0].body) == {"grammar": "mine"}


def test_other_refusals_leave_the_form_alone(ask: Ask) -> None:
    refuses = "Unsupported parameter: 'temperature' is not supported with this model."
    with served_by("llamacpp", lambda body: Fail(400, refuses) if "temperature" in body else "yes") as server:
        assert text_of(ask(model_at(server), request())) == "yes"
        assert held_by(server.requests[-1].body) == {"grammar": GRAMMAR}


# --- whole runs ------------------------------------------------------------------------------------------------------


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def step(body: Json) -> str:
    """The first step calls, the second answers."""
    if len(body["messages"]) > 2:
        return action({"type": "final_answer", "content": "42"})
    return action({"type": "tool_call", "name": "add", "args": {"a": 2, "b": 40}})


def action(value: Json) -> str:
    return f"Thought: so.\nAction: {json.dumps(value)}"


def run(model: OpenAIModel, **options: object) -> tuple[RunResult, list[tuple[str, str]]]:
    events = list(Agent(model, [add], **options).stream("What is 2 plus 40?"))  # type: ignore[arg-type]
    assert isinstance(events[-1], RunFinished)
    return events[-1].result, [(event.before, event.after) for event in events if isinstance(event, ModeChanged)]


def test_a_run_that_is_held_to_the_form() -> None:
    with served_by("llamacpp", step) as server:
        result, changes = run(model_at(server, mode="constrained"))
        assert (result.answer, result.mode, changes) == ("42", "constrained", [])
        first, second = (sent.body for sent in server.requests)
        assert '"\\"a\\""' in first["grammar"]
        assert first["grammar"] == second["grammar"]
        assert first["messages"][0] == second["messages"][0]
        assert "tools" not in first


def test_a_run_goes_on_as_text_in_the_same_turn_where_no_grammar_is_taken() -> None:
    notes = Capabilities()
    refusal = Fail(400, "Failed to parse grammar")
    with served_by("llamacpp", lambda body: refusal if "grammar" in body else step(body)) as server:
        result, changes = run(model_at(server, notes, mode="constrained"))
        assert (result.answer, result.mode, changes) == ("42", "text", [("constrained", "text")])
        assert (len(result.steps), len(server.requests)) == (2, 3)
        run(model_at(server, notes, mode="constrained"))
        assert [bool(held_by(sent.body)) for sent in server.requests] == [True, False, False, False, False]


def test_a_server_that_takes_the_grammar_and_does_not_heed_it_is_remembered() -> None:
    replies = ["Thought: I would rather think.", action({"type": "final_answer", "content": "42"})]
    notes = Capabilities()
    with served_by("llamacpp", lambda body: replies[len(body["messages"]) > 2]) as server:
        result, changes = run(model_at(server, notes, mode="constrained"))
        assert (result.answer, changes) == ("42", [("constrained", "text")])
    (facts,) = notes.known().values()
    assert facts.grammar is False


@pytest.mark.parametrize("reply", [Reply("oftThou }上 oftThou", finish="length"), "It is 42.", 'Sure! {"answer": 42}'])
@pytest.mark.parametrize("dialect", ["zh_json_steps", "json_steps"])
def test_an_answer_that_is_not_held_to_the_form_tells_of_it(reply: object, dialect: str) -> None:
    notes = Capabilities()
    with served_by("llamacpp", lambda _: reply) as server:
        result, changes = run(model_at(server, notes, mode="constrained"), dialect=dialect)
        assert (result.mode, changes[0]) == ("text", ("constrained", "text"))
    (facts,) = notes.known().values()
    assert facts.grammar is False


@pytest.mark.parametrize(
    "reply",
    [
        action({"type": "final_answer", "content": "…"}),
        action({"type": "final_answer", "content": "I will call add."}),
        action({"type": "tool_call", "name": "add", "args": {"a": "x", "b": 40}}),
    ],
    ids=["a placeholder", "an announcement", "wrong arguments"],
)
def test_what_is_wrong_within_the_form_says_nothing_of_the_server(reply: str) -> None:
    replies = [reply, action({"type": "final_answer", "content": "42"})]
    notes = Capabilities()
    with served_by("llamacpp", lambda body: replies[len(body["messages"]) > 2]) as server:
        result, changes = run(model_at(server, notes, mode="constrained"))
        assert (result.answer, result.mode, changes, len(server.requests)) == ("42", "constrained", [], 2)
    (facts,) = notes.known().values()
    assert facts.grammar is True


UNMATCHED = "Model output does not match the requested response format: Expecting value: line 1 column 1 (char 0)"


@pytest.mark.parametrize("way", ["in the stream", "as a status"])
def test_a_server_that_checks_replies_and_does_not_hold_them_is_met_in_the_same_turn(way: str) -> None:
    """Not asked again for the same: a model that is not held to the form would miss it again."""
    error = {"error": {"type": "invalid_response_format", "message": UNMATCHED, "code": 500}}
    failure: object = Sse(delta("}上 oft"), error, "[DONE]") if way == "in the stream" else Fail(500, error)
    notes = Capabilities()
    with served_by("library", lambda body: failure if "response_format" in body else step(body)) as server:
        result, changes = run(model_at(server, notes, mode="constrained"), dialect="json_steps")
        assert (result.answer, result.mode, changes) == ("42", "text", [("constrained", "text")])
        assert len(server.requests) == 3
    (facts,) = notes.known().values()
    assert facts.json_schema is False


def test_a_reply_that_keeps_to_the_form_and_is_cut_says_nothing_of_the_server() -> None:
    replies = [Reply("Thought: I would rather", finish="length"), action({"type": "final_answer", "content": "42"})]
    notes = Capabilities()
    with served_by("llamacpp", lambda body: replies[len(body["messages"]) > 2]) as server:
        result, changes = run(model_at(server, notes, mode="constrained"))
        assert (result.answer, changes) == ("42", [])
    (facts,) = notes.known().values()
    assert facts.grammar is True


def test_where_native_calls_are_refused_auto_goes_on_in_text_unless_a_probe_recommends_more() -> None:
    def script(body: Json) -> object:
        return Fail(400, "m does not support tools") if "tools" in body else step(body)

    with served_by("llamacpp", script) as server:
        notes = Capabilities()
        notes.learn(server.base_url, "m", server="llamacpp")
        result, changes = run(model_at(server, notes))
        assert (result.answer, result.mode, changes) == ("42", "text", [("native", "text")])
        notes.learn(server.base_url, "m", mode="constrained")
        result, changes = run(model_at(server, notes))
        assert (result.answer, result.mode, changes) == ("42", "constrained", [])
    with served_by("library", script) as server:
        result, changes = run(model_at(server))
        assert (result.answer, result.mode, changes) == ("42", "text", [("native", "text")])


def test_a_server_that_only_knows_json_holds_a_dialect_that_is_json() -> None:
    def script(body: Json) -> object:
        return step(body).rpartition("Action: ")[2]

    with served_by("library", script) as server:
        result, changes = run(model_at(server, mode="constrained"), dialect="json_steps")
        assert (result.answer, result.mode, changes) == ("42", "constrained", [])
        schema = server.requests[0].body["response_format"]["json_schema"]["schema"]
        assert [each["properties"]["type"] for each in schema["anyOf"]] == [{"const": "tool_call"}, {"const": "final_answer"}]
        result, changes = run(model_at(server, mode="constrained"))
        assert (result.mode, changes) == ("text", [("constrained", "text")])
