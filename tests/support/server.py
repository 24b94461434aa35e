"""A real OpenAI-compatible server on loopback that answers by a script: sockets, HTTP and streaming are genuine.

    with ScriptedServer(["思考：…", Reply(calls=[("add", {"a": 1})]), Fail(429, "slow down")]) as server:
        model = OpenAIModel("any", base_url=server.base_url)
        ...
        assert server.requests[0].body["messages"][-1]["content"] == "hi"

A script is a list of replies, used in order of arrival, or one function that answers every request.  A reply is

    "text"                      the same as Reply("text")
    Reply(text, calls=…)        a good answer, streamed or whole as the request asks
    Fail(status, message)       an HTTP error; a str becomes {"error": {"message": …}}, a dict or bytes go out as they are
    Sse(part, part, …)          a stream written by hand: dicts and strings become `data:` lines, bytes go out as they are
    Raw(bytes, content_type=…)  any body at all
    a function of the request's JSON body that returns one of these

Time is under the test's control.  A `threading.Event` among the parts of `Sse`, or as `Reply(gate=…)`, holds the answer back
until it is set.  `RESET` among the parts cuts the connection without a goodbye.  Parts may be endless
(`Sse(*head, rest=itertools.repeat(delta("x")))`).

    gate = threading.Event()
    Sse(delta("Hel"), gate, delta("lo"), delta(finish="stop"), "[DONE]")     # clean
    Sse(delta("Hel"), RESET)                                                 # broken

Seen afterwards: `server.requests` (body, headers, path; `request.closed_early` is an Event set when the client hung up before
the end), `server.listings` (how often GET /v1/models came), `server.asked` (other pages), `server.connections`.  A request
beyond the script gets status 418, so the test fails with the server's own words.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import socketserver
import struct
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, Final

Json = dict[str, Any]

RESET: Final = "\0reset"
"""A part that resets the connection."""

PATIENCE = 30.0  # seconds a gate may stay shut before the connection is given up, so that a failing test ends


@dataclass(frozen=True)
class Reply:
    """A good completion.

    `calls` are (name, arguments) pairs or whole wire dicts; arguments may be a dict (sent as JSON text) or the text itself.
    `chunk` is the number of characters of each streamed piece.  `usage` None sends none.
    """

    text: str | None = ""
    calls: Sequence[tuple[str, object] | Json] = ()
    reasoning: str = ""
    finish: str | None = None
    usage: tuple[int, int] | None = (7, 3)
    chunk: int = 4
    gate: threading.Event | None = None


@dataclass(frozen=True)
class Fail:
    """An HTTP error."""

    status: int
    body: str | bytes | Json = "refused"
    headers: Json = field(default_factory=dict)


class Sse:
    """A stream written by hand; `rest` goes on after `parts`, possibly for ever."""

    def __init__(self, *parts: Json | str | bytes | threading.Event, rest: Iterable[Json | str] = ()) -> None:
        self.parts, self.rest = parts, rest


@dataclass(frozen=True)
class Raw:
    """Any body, with status 200 unless told otherwise."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200


Plain = str | Reply | Fail | Sse | Raw
Item = Plain | Callable[[Json], Plain]
Script = Sequence[Item] | Callable[[Json], Plain]


@dataclass
class Recorded:
    """A chat completion that was asked for; `headers` have lower-case names."""

    path: str
    headers: dict[str, str]
    body: Json
    closed_early: threading.Event = field(default_factory=threading.Event)


class ScriptedServer:
    """Serves `script` while the `with` block lasts; `models` are the names GET /v1/models tells (or how it fails).

    `pages` are what other addresses answer, by "METHOD path"; `asked` are those that were asked for.  `forgetful`: a second
    request on a connection is not answered, the connection is closed.
    """

    def __init__(
        self,
        script: Script = (),
        *,
        models: Sequence[str] | Fail = ("scripted",),
        pages: Mapping[str, Json] | None = None,
        forgetful: bool = False,
    ) -> None:
        self.forgetful = forgetful
        self.requests: list[Recorded] = []
        self.listings = 0
        self.connections = 0
        self._open = 0
        self._changed = threading.Condition()
        self.models = models
        self.pages = pages or {}
        self.asked: list[str] = []
        self._script = script
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.scripted = self

    @property
    def base_url(self) -> str:
        """The address to give to a client, ending in /v1."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> ScriptedServer:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def kept_at_most(self, count: int) -> bool:
        """Whether so few connections are open, now or soon."""
        with self._changed:
            return self._changed.wait_for(lambda: self._open <= count, PATIENCE)

    def moved(self, opened: int) -> None:
        """A connection was opened (1) or closed (-1)."""
        with self._changed:
            self.connections += max(0, opened)
            self._open += opened
            self._changed.notify_all()

    def answer(self, request: Recorded) -> Plain:
        """The next reply of the script; a function of the script that raises becomes an answer that says so."""
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
        try:
            item = self._script if callable(self._script) else self._script[number]
            return item(request.body) if callable(item) else item
        except Exception as error:
            return Fail(418, f"the script has no answer to request {number + 1}: {error!r}")


def delta(
    text: str | None = None,
    *,
    reasoning: str | None = None,
    calls: Sequence[Json] | None = None,
    finish: str | None = None,
    **more: object,
) -> Json:
    """One streamed chunk; `calls` are wire dicts, `more` goes into the delta as it is."""
    fields = {"content": text, "reasoning_content": reasoning, "tool_calls": calls, **more}
    content = {key: value for key, value in fields.items() if value is not None}
    return {**_head("chat.completion.chunk"), "choices": [{"index": 0, "delta": content, "finish_reason": finish}]}


def usage(prompt: int, completion: int) -> Json:
    """The last chunk of a stream, which carries the token counts."""
    return {**_head("chat.completion.chunk"), "choices": [], "usage": _usage((prompt, completion))}


# --- replies as bytes ------------------------------------------------------------------------------------------------


def _head(kind: str) -> Json:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": "scripted"}


def _usage(counts: tuple[int, int]) -> Json:
    return {"prompt_tokens": counts[0], "completion_tokens": counts[1], "total_tokens": sum(counts)}


def _wire_calls(reply: Reply) -> list[Json]:
    return [call if isinstance(call, dict) else _wire_call(number, *call) for number, call in enumerate(reply.calls)]


def _wire_call(number: int, name: str, arguments: object) -> Json:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return {"index": number, "id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": text}}


def _finish(reply: Reply) -> str:
    return reply.finish or ("tool_calls" if reply.calls else "stop")


def _whole(reply: Reply) -> Json:
    message: Json = {"role": "assistant", "content": reply.text}
    if reply.calls:
        message["tool_calls"] = _wire_calls(reply)
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    counts = {"usage": _usage(reply.usage)} if reply.usage else {}
    return {
        **_head("chat.completion"),
        "choices": [{"index": 0, "message": message, "finish_reason": _finish(reply)}],
        **counts,
    }


def _streamed(reply: Reply, with_usage: bool) -> Iterator[Json | str]:
    yield delta("", role="assistant")
    yield from (delta(reasoning=piece) for piece in _cut(reply.reasoning, reply.chunk))
    yield from (delta(piece) for piece in _cut(reply.text or "", reply.chunk))
    for call in _wire_calls(reply):
        yield from (delta(calls=[piece]) for piece in _cut_call(call, reply.chunk))
    yield delta(finish=_finish(reply))
    if with_usage and reply.usage:
        yield usage(*reply.usage)
    yield "[DONE]"


def _cut(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def _cut_call(call: Json, size: int) -> Iterator[Json]:
    """Name and id first, then the arguments; a hand-written call whose arguments are no text goes out in one piece."""
    arguments = call.get("function", {}).get("arguments")
    if not isinstance(arguments, str):
        yield call
        return
    yield {**call, "function": {**call["function"], "arguments": ""}}
    yield from ({"index": call.get("index"), "function": {"arguments": piece}} for piece in _cut(arguments, size))


def _event(part: Json | str) -> bytes:
    text = part if isinstance(part, str) else json.dumps(part, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


# --- HTTP ------------------------------------------------------------------------------------------------------------


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True
    request_queue_size = 128
    scripted: ScriptedServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that breaks is part of the tests: say nothing."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        self.server.scripted.moved(1)
        self._posts = 0
        super().setup()

    def finish(self) -> None:
        self.server.scripted.moved(-1)
        with contextlib.suppress(OSError):  # what is left to send cannot be sent to a client that is gone
            super().finish()

    def log_message(self, format: str, *args: object) -> None:
        """Keep standard error clean."""

    def do_GET(self) -> None:
        if self.path != "/v1/models" or "GET /v1/models" in self.server.scripted.pages:
            return self._page()
        self.server.scripted.listings += 1
        models = self.server.scripted.models
        if isinstance(models, Fail):
            return self._send(_failure(models), models.headers)
        listing = {"object": "list", "data": [{"id": name, "object": "model"} for name in models]}
        return self._send(Raw(json.dumps(listing).encode()))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        self._posts += 1
        if self.server.scripted.forgetful and self._posts > 1:
            self.close_connection = True
            return None
        if self.path != "/v1/chat/completions":
            return self._page()
        request = Recorded(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
        try:
            self._answer(self.server.scripted.answer(request), body)
        except ConnectionError:
            request.closed_early.set()
            self.close_connection = True

    def _page(self) -> None:
        scripted, name = self.server.scripted, f"{self.command} {self.path}"
        scripted.asked.append(name)
        if name not in scripted.pages:
            return self._send(_failure(Fail(404, "no such page")))
        return self._send(Raw(json.dumps(scripted.pages[name]).encode()))

    def _answer(self, item: Plain, body: Json) -> None:
        reply = Reply(item) if isinstance(item, str) else item
        match reply:
            case Fail():
                self._send(_failure(reply), reply.headers)
            case Raw():
                self._send(reply)
            case Sse():
                self._stream((*reply.parts,), reply.rest)
            case Reply():
                self._complete(reply, body)

    def _complete(self, reply: Reply, body: Json) -> None:
        if reply.gate:
            self._wait(reply.gate)
        if body.get("stream"):
            self._stream(_streamed(reply, bool(body.get("stream_options", {}).get("include_usage"))))
        else:
            self._send(Raw(json.dumps(_whole(reply), ensure_ascii=False).encode()))

    def _send(self, raw: Raw, headers: Json | None = None) -> None:
        self.send_response(raw.status)
        for name, value in {"content-type": raw.content_type, "content-length": len(raw.body), **(headers or {})}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(raw.body)

    def _stream(self, parts: Iterable[Any], rest: Iterable[Any] = ()) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for part in (part for some in (parts, rest) for part in some):
            if isinstance(part, threading.Event):
                self._wait(part)
            elif part == RESET:
                return self._reset()
            else:
                self._chunk(part if isinstance(part, bytes) else _event(part))
        return self._chunk(b"")

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))

    def _reset(self) -> None:
        """Closing with a linger time of zero sends RST instead of an orderly end."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def _wait(self, gate: threading.Event) -> None:
        """Until the gate opens; a client that hangs up meanwhile is noticed."""
        for _ in range(int(PATIENCE / 0.02)):
            if gate.wait(0.02):
                return
            if select.select([self.connection], [], [], 0)[0] and not self._peek():
                raise ConnectionResetError
        raise ConnectionAbortedError

    def _peek(self) -> bytes:
        with contextlib.suppress(ConnectionError):
            return bytes(self.connection.recv(1, socket.MSG_PEEK))
        return b""


def _failure(fail: Fail) -> Raw:
    match fail.body:
        case bytes():
            return Raw(fail.body, "text/html", fail.status)
        case dict():
            return Raw(json.dumps(fail.body, ensure_ascii=False).encode(), status=fail.status)
        case str():
            error = {"error": {"message": fail.body, "type": "invalid_request_error", "code": fail.status}}
            return Raw(json.dumps(error, ensure_ascii=False).encode(), status=fail.status)
