"""`ScriptedModel` says what it was told, in the pieces it was told."""

from __future__ import annotations

import pytest

from react_agent.driving.ports import Model
from react_agent.errors import UsageError
from react_agent.events import ModelChunk, ModelFailure, ModelRequest, ToolCallDelta
from react_agent.models.scripted import ScriptedModel
from tests.models.asking import REQUEST, Ask

FAILURE = ModelFailure("rate_limited", "wait", 429)
NATIVE = ModelChunk(tool_calls=(ToolCallDelta(0, "a", "add", "{}"),), finish_reason="tool_calls", last=True)


def test_replies_of_every_form_come_in_order(ask: Ask) -> None:
    def echo(request: ModelRequest) -> str:
        return str(request.messages[0]["content"])

    model = ScriptedModel(["one", FAILURE, NATIVE, [ModelChunk("a"), NATIVE], echo])
    end = ModelChunk(finish_reason="stop", last=True)
    assert ask(model) == [ModelChunk("one"), end]
    assert [ask(model) for _ in range(3)] == [[FAILURE], [NATIVE], [ModelChunk("a"), NATIVE]]
    assert ask(model) == [ModelChunk("hi"), end]
    assert model.requests == [REQUEST] * 5


@pytest.mark.parametrize(
    ("chunk", "texts"), [(1, ["思", "考", "："]), (2, ["思考", "："]), (9, ["思考："]), (None, ["思考："])]
)
def test_text_is_cut_into_pieces(ask: Ask, chunk: int | None, texts: list[str]) -> None:
    *pieces, last = ask(ScriptedModel(["思考："], chunk=chunk))
    assert pieces == [ModelChunk(text) for text in texts]
    assert last == ModelChunk(finish_reason="stop", last=True)


def test_an_empty_text_is_an_empty_reply(ask: Ask) -> None:
    assert ask(ScriptedModel([""])) == [ModelChunk(finish_reason="stop", last=True)]


def test_a_script_that_has_run_out_says_so(ask: Ask) -> None:
    model = ScriptedModel(["one"], name="play")
    ask(model)
    with pytest.raises(UsageError, match="'play' has 1 replies, and this is request 2"):
        ask(model)


def test_mode_and_what_was_learnt() -> None:
    model = ScriptedModel([], mode="auto")
    assert isinstance(model, Model)
    assert (model.name, model.mode, model.learned) == ("scripted", "auto", {})
    model.learn("native", works=False)
    assert (model.mode, model.learned) == ("text", {"native": False})
    assert ScriptedModel([]).mode == "text"


@pytest.mark.parametrize("options", [{"chunk": 0}, {"mode": "json"}])
def test_misuse(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        ScriptedModel([], **options)  # type: ignore[arg-type]
