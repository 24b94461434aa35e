"""Several upstreams, limits, keys, and the pages for those who run it."""

from __future__ import annotations

import json
import logging
import threading
import urllib.request
from base64 import b64encode
from pathlib import Path
from typing import Any, get_args

import openai
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from react_agent.errors import UsageError
from react_agent.events import FailureKind, ModelFailure
from react_agent.models import OpenAIModel
from react_agent.serving import Config, Limits, Override, Upstream, create_app, read_config
from react_agent.serving.keys import new_key
from react_agent.serving.refusal import refusal_of
from tests.support.server import Fail, Reply, ScriptedServer

from .proxying import CALL, WEATHER, ask, client, proxy, serving
from .test_relay import body, post

NOBODY = "http://127.0.0.1:9/v1"


def page(url: str, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url.removesuffix("/v1") + path, timeout=30) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def test_a_model_goes_to_the_upstream_that_serves_it() -> None:
    with ScriptedServer(["left"], models=["qwen3"]) as left, ScriptedServer(["right"], models=["glm", "qwen3"]) as right:
        qwen, rest = Upstream(left.base_url, models=("qwen*",)), Upstream(right.base_url, name="rest")
        with proxy(qwen, rest) as url, client(url) as openai_client:
            answer = openai_client.chat.completions.create(model="glm", messages=ask(), tools=[WEATHER])
            assert answer.choices[0].message.content == "right"
            assert [model.id for model in openai_client.models.list()] == ["qwen3", "glm"]


def test_one_model_is_told_of() -> None:
    with (
        ScriptedServer(models=["qwen/qwen3", "qwen3"]) as upstream,
        proxy(upstream.base_url) as url,
        client(url) as openai_client,
    ):
        assert openai_client.models.retrieve("qwen/qwen3").id == "qwen/qwen3"
        with pytest.raises(openai.NotFoundError, match="no upstream lists") as caught:
            openai_client.models.retrieve("glm")
        assert caught.value.code == "model_not_found"


def test_what_is_not_served_is_an_error_in_the_shape_of_the_api() -> None:
    with ScriptedServer() as upstream, proxy(upstream.base_url) as url:
        for path, status in (("/v1/files", 404), ("/v1/chat/completions", 405), ("/", 404)):
            got, text = page(url, path)
            assert (got, json.loads(text)["error"]["message"]) == (status, f"GET {path} is not served here")
        got, text = page(url, "/v1/messages/batches")
        assert (got, json.loads(text)["type"]) == (404, "error")


@pytest.mark.parametrize("path", ["/chat/completions/", "/messages/count_tokens/", "/messages//", "/models/", "/models/m/"])
def test_a_slash_at_the_end_of_an_address_changes_nothing(path: str) -> None:
    with ScriptedServer(["hi"], models=["m"]) as upstream, proxy(upstream.base_url) as url:
        if "models" in path:
            assert page(url, f"/v1{path}")[0] == 200
        else:
            assert post(url, body(max_tokens=9), path)[0] == 200


def test_routes_that_are_added_keep_their_slashes(tmp_path: Path) -> None:
    async def extra(request: Request) -> PlainTextResponse:
        return PlainTextResponse(request.url.path)

    (tmp_path / "index.html").write_text("hello")
    app = create_app(upstream=NOBODY)
    app.add_route("/v1/chat/completions/extra/", extra)
    app.add_route("/plain", extra)
    app.mount("/static", StaticFiles(directory=tmp_path, html=True))
    with serving(app) as address:
        for path, said in (
            ("/v1/chat/completions/extra/", "/v1/chat/completions/extra/"),
            ("/v1/chat/completions/extra", "/v1/chat/completions/extra/"),  # as Starlette does it
            ("/plain", "/plain"),
            ("/plain/", "/plain"),
            ("/static/", "hello"),
            ("/static", "hello"),
        ):
            assert page(address, path) == (200, said)
        assert page(address, "/healthz/")[0] == 200
        assert page(address, "/else/")[0] == 404


@pytest.mark.parametrize(
    ("method", "path", "status", "told"),
    [
        ("GET", "/v1//models", 404, "/v1//models"),
        ("GET", "/", 404, "/"),
        ("GET", "/a%0A2026%20b", 404, "/a%0A2026%20b"),
        ("GET", "/" + "x" * 500, 404, "/" + "x" * 199),
        ("GET", "/v1/chat/completions", 405, "/v1/chat/completions"),
        ("DELETE", "/v1/models/m/", 405, "/v1/models/m"),
        ("POST", "/healthz", 405, "/healthz"),
    ],
)
def test_what_is_not_served_is_logged_and_counted(
    method: str, path: str, status: int, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "react_agent.access")
    with serving(create_app(upstream=NOBODY)) as address:
        place = urllib.request.Request(address + path, method=method)
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(place, timeout=30)
        caught.value.close()
        assert caught.value.code == status
        counts = page(address, "/metrics")[1]
    assert [record.getMessage() for record in caplog.records] == [f"{method} {told} {status} 0ms"]
    assert f'react_agent_requests_total{{path="unknown",status="{status}"}} 1.0' in counts


@pytest.mark.parametrize("layered", [False, True], ids=["as it is", "with a layer of the other app"])
def test_it_can_be_mounted_in_another_app(layered: bool) -> None:
    with ScriptedServer(["hi"], models=["m"]) as upstream:
        inner = create_app(upstream=upstream.base_url)
        seen: list[str] = []

        class Layer:
            def __init__(self, app: ASGIApp) -> None:
                self._app = app

            async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
                seen.append(scope["path"])
                await self._app(scope, receive, send)

        if layered:
            inner.add_middleware(Layer)
        with serving(Starlette(routes=[Mount("/llm", inner)], lifespan=inner.router.lifespan_context)) as address:
            url = f"{address}/llm/v1"
            assert post(url, body())[0] == 200
            assert page(url, "/v1/models/m")[0] == page(url, "/v1/models/")[0] == 200
            assert json.loads(page(url, "/v1/files")[1])["error"]["message"] == "GET /v1/files is not served here"
        assert seen[:1] == (["/llm/v1/chat/completions"] if layered else [])


@pytest.mark.parametrize("more", [{}, {"tools": [WEATHER]}], ids=["passed on", "with a tool"])
def test_a_login_in_the_address_is_sent_instead_of_a_key(more: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-server")
    with ScriptedServer(["It rains."]) as upstream:
        with proxy(upstream.base_url.replace("http://", "http://some%40one:pass@")) as url:
            assert post(url, body(**more))[0] == 200
            assert page(url, "/v1/models")[0] == 200
            assert json.loads(page(url, "/readyz")[1])["upstreams"] == {upstream.base_url.split("/")[2]: True}
        assert upstream.requests[0].headers["authorization"] == f"Basic {b64encode(b'some@one:pass').decode()}"


def test_a_model_that_nobody_serves_is_not_found() -> None:
    elsewhere = Upstream(NOBODY, models=("a*",))
    with proxy(elsewhere) as url, client(url) as openai_client, pytest.raises(openai.NotFoundError, match="no upstream"):
        openai_client.chat.completions.create(model="b", messages=ask())


@pytest.mark.parametrize("more", [{}, {"tools": [WEATHER]}, {"tools": [WEATHER], "stream": True}])
def test_an_upstream_that_is_down_is_replaced(more: Any) -> None:
    with ScriptedServer(["one", "two"]) as upstream, proxy(Upstream(NOBODY, name="down"), upstream.base_url) as url:
        assert post(url, body(**more))[0] == 200
        assert json.loads(page(url, "/readyz")[1])["upstreams"]["down"] is False
        assert post(url, body(**more))[0] == 200


@pytest.mark.parametrize("more", [{}, {"tools": [WEATHER]}])
def test_an_upstream_that_fails_is_replaced(more: Any) -> None:
    with (
        ScriptedServer([Fail(503, "busy")]) as bad,
        ScriptedServer(["fine"]) as good,
        proxy(bad.base_url, good.base_url) as url,
    ):
        assert "fine" in post(url, body(**more))[1].decode()


def test_no_upstream_at_all() -> None:
    with proxy(NOBODY) as url:
        assert post(url, body())[0] == 502
        assert post(url, body(tools=[WEATHER]))[0] == 502
        assert page(url, "/readyz")[0] == 503
        assert page(url, "/healthz")[0] == 200


def test_the_file_says_how_a_model_is_served() -> None:
    with ScriptedServer([CALL]) as upstream:
        with proxy(upstream.base_url, overrides=(Override("m*", "text", "hermes"),)) as url:
            assert post(url, body(tools=[WEATHER]))[2]["x-react-agent-mode"] == "text"
        assert "<tool_call>" in upstream.requests[0].body["messages"][0]["content"]


@pytest.mark.parametrize("name", ["X-React-Agent-Mode", "X-React-Agent-Dialect"])
def test_a_header_that_says_nonsense_is_refused(name: str) -> None:
    with ScriptedServer() as upstream, proxy(upstream.base_url) as url:
        assert post(url, body(tools=[WEATHER]), **{name: "klingon"})[0] == 400


def test_only_known_keys_come_in() -> None:
    key, digest = new_key()
    with ScriptedServer(["hi"]) as upstream, proxy(upstream.base_url, keys=(digest,)) as url:
        assert post(url, body(), Authorization="Bearer wrong")[0] == 401
        assert post(url, body(), Authorization=f"Bearer {key}")[0] == 200
        assert page(url, "/healthz")[0] == 200
        assert key not in upstream.requests[0].headers.get("authorization", "")


def test_a_body_that_is_too_long_is_refused() -> None:
    with ScriptedServer() as upstream, proxy(upstream.base_url, limits=Limits(body=100)) as url:
        assert post(url, body(filler="x" * 200))[0] == 413


def test_too_many_requests_are_refused() -> None:
    gate = threading.Event()
    with ScriptedServer([Reply("late", gate=gate)]) as upstream, proxy(upstream.base_url, limits=Limits(requests=1)) as url:
        first = threading.Thread(target=post, args=(url, body(tools=[WEATHER])))
        first.start()
        while not upstream.requests:
            first.join(0.01)
        assert post(url, body())[0] == 503
        gate.set()
        first.join(30)


def test_a_request_that_takes_too_long_ends() -> None:
    never, limits = Reply("late", gate=threading.Event()), Limits(seconds=1, retries=0)
    with ScriptedServer([never]) as upstream, proxy(upstream.base_url, limits=limits) as url:
        assert post(url, body(tools=[WEATHER]))[0] == 504


def test_what_happens_is_counted() -> None:
    with ScriptedServer([CALL]) as upstream, proxy(upstream.base_url) as url:
        post(url, body(tools=[WEATHER]))
        text = page(url, "/metrics")[1]
        assert 'react_agent_tool_calls_total{dialect="hermes"} 1.0' in text
        assert 'react_agent_fixes_total{fix="text_to_number"} 1.0' in text


FILE = """
health = 5
[[upstream]]
base_url = "http://127.0.0.1:1/v1"
models = ["qwen*"]
key_env = "PROXY_TEST_KEY"
[[model]]
match = "qwen2*"
mode = "text"
dialect = "hermes"
[limits]
requests = 7
"""


def test_the_file_is_read(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROXY_TEST_KEY", "secret")
    path = tmp_path / "proxy.toml"
    path.write_text(FILE)
    config = read_config(path, (Upstream("http://127.0.0.1:2/v1"),))
    assert [upstream.name for upstream in config.candidates("qwen3")] == ["127.0.0.1:2", "127.0.0.1:1"]
    assert config.override("qwen2.5").dialect == "hermes"
    assert (config.limits.requests, config.health) == (7, 5)
    assert "secret" not in repr(config)


UPSTREAM = '[[upstream]]\nbase_url = "http://x/v1"\n'
REFUSED = [
    ("", r"no upstream is given"),
    ("[[upstream]]", r"\[\[upstream\]\] lacks base_url"),
    ("nonsense = [", "cannot be read"),
    ('[[upstream]]\nbase_url = "ftp://x"', "base_url must look like"),
    (UPSTREAM + 'key_env = "NOT_SET_ANYWHERE"', "the upstream x takes its key from NOT_SET_ANYWHERE"),
    ('[[upstream]]\nbase_url = "http://a:b@x/v1"\nkey_env = "HOME"', "x has a login in its address and a key_env: only one"),
    (UPSTREAM + 'colour = "red"', "does not know colour; it takes base_url, name, models"),
    (UPSTREAM + 'models = "qwen*"', "models must be a list of globs"),
    (UPSTREAM + "models = [5]", "models must be a list of globs"),
    (UPSTREAM + 'timeout = "long"', "timeout must be a number above 0"),
    ("[[upstream]]\nbase_url = 5", "base_url must be a text"),
    (UPSTREAM + "[limits]\nbody = 0", "the limit body must be a number"),
    (UPSTREAM + "[[limits]]\nbody = 1", r"\[limits\] is to be written"),
    (UPSTREAM + '[[model]]\nmode = "text"', r"\[\[model\]\] lacks match"),
    (UPSTREAM + '[[model]]\nmatch = "*"\nmode = "magic"', "mode must be one of"),
    (UPSTREAM + '[[model]]\nmatch = "*"\ndialect = ["hermes"]', "dialect must be one of"),
    ('[[upstreams]]\nbase_url = "http://x/v1"', r"does not know upstreams; it takes \[\[upstream\]\], \[\[model\]\]"),
    (UPSTREAM + '[[overrides]]\nmatch = "*"', "does not know overrides"),
    ('[upstream]\nbase_url = "http://x/v1"', r"\[\[upstream\]\] is to be written"),
    ('upstream = ["http://x/v1"]', r"\[\[upstream\]\] is to be written"),
    ('health = "often"\n' + UPSTREAM, "health must be a number above 0"),
    ('keys = ["plain-word"]\n' + UPSTREAM, "keys must be a list of digests .sha256:….*--new-key"),
    ('keys = "plain-word"\n' + UPSTREAM, "keys must be a list of digests"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_a_file_that_cannot_work_is_refused(text: str, said: str, tmp_path: Any) -> None:
    path = tmp_path / "proxy.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=said) as error:
        read_config(path)
    assert "plain-word" not in str(error.value)


def test_a_configuration_needs_an_upstream() -> None:
    with pytest.raises(UsageError, match="upstream"):
        Config(())


@pytest.mark.parametrize("kind", get_args(FailureKind))
def test_every_failure_has_a_status(kind: FailureKind) -> None:
    assert 400 <= refusal_of(ModelFailure(kind, "why")).status < 600


def test_what_a_probe_has_recommended_is_used() -> None:
    with ScriptedServer([CALL]) as upstream, proxy(upstream.base_url) as url:
        OpenAIModel("m", base_url=upstream.base_url).recommend("text", "hermes")
        assert post(url, body(tools=[WEATHER]))[2]["x-react-agent-mode"] == "text"
        assert "<tool_call>" in upstream.requests[0].body["messages"][0]["content"]
