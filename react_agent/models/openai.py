"""Models behind an OpenAI-compatible address: Ollama, vLLM, SGLang, llama.cpp, LM Studio, DashScope, Zhipu, OpenAI …

In: a `ModelRequest`.  Out: `ModelChunk`s, or one `ModelFailure` that says what to do.  The parts: `body` writes the request,
`exchange` decides what happens, `lines` does the I/O, `pieces` reads the answer, `faults` and `failures` explain what went
wrong, `capability` remembers what the server refused.  The openai SDK is imported at the first request.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from react_agent.driving.ports import ModeChoice
from react_agent.events import ModelFailure, ModelPiece, ModelRequest

from .body import body_of
from .capability import SHARED, Capabilities, checked_mode, start_mode
from .clients import Clients, endpoint
from .exchange import Exchange, exchange, pick_model
from .failures import Situation
from .lines import AsyncLine, Line

NOTHING: Mapping[str, Any] = MappingProxyType({})


class OpenAIModel:
    """A chat model at `base_url`.

        OpenAIModel("qwen3:8b", base_url="http://127.0.0.1:11434/v1")

    Args:
        model: its name at the server; None takes the first one the server lists.
        base_url: where the API is, mostly ending in /v1; by default OPENAI_BASE_URL, else OpenAI.
        api_key: by default OPENAI_API_KEY; servers that want none are sent a placeholder.
        mode: how tools are offered: "native" function calling, "text", or "auto": native first, text where that does not work.
        timeout: seconds the server may be silent before the request is given up.
        max_retries: how often a request is sent again after a transient fault (no connection, 408, 409, 429, 5xx).
        extra_body: more fields for every request, such as `{"enable_thinking": False}`; they win over ours.
        headers: more HTTP headers for every request.
        max_chars: a reply is cut after so many characters, with finish_reason "length".
        capabilities: where to remember what the server refuses; by default shared by all models of the process.

    Raises:
        UsageError: the address, the key, a header or the mode cannot work.
    """

    def __init__(
        self,
        model: str | None = None,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        mode: ModeChoice = "auto",
        timeout: float = 300.0,
        max_retries: int = 2,
        extra_body: Mapping[str, Any] = NOTHING,
        headers: Mapping[str, str] | None = None,
        max_chars: int = 1_000_000,
        capabilities: Capabilities = SHARED,
    ) -> None:
        self._endpoint = endpoint(base_url, api_key, timeout=timeout, max_retries=max_retries, headers=headers)
        self._clients = Clients(self._endpoint)
        self._model = model or ""
        self._mode = checked_mode(mode)
        self._extra_body = extra_body
        self._max_chars = max_chars
        self._capabilities = capabilities

    @property
    def base_url(self) -> str:
        """The address requests go to."""
        return self._endpoint.base_url

    @property
    def name(self) -> str:
        """The model's name at its server; "" as long as none was named and no request was made."""
        return self._model

    @property
    def mode(self) -> ModeChoice:
        """As it was given; "auto" becomes "text" once native calls are known not to work here."""
        return start_mode(self._mode, self._capabilities.facts(self.base_url, self._model))

    def learn(self, *, native: bool) -> None:
        """Remember whether native function calling works with this model at this server."""
        self._capabilities.learn(self.base_url, self._model, native=native)

    def stream(self, request: ModelRequest) -> Iterator[ModelPiece]:
        """The pieces of the reply; closing the iterator closes the connection."""
        return Line(self._clients).run(self._steps(request))

    def astream(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        """As `stream`, for an event loop."""
        return AsyncLine(self._clients).run(self._steps(request))

    def offered(self) -> tuple[str, ...]:
        """The names of the models the server lists; () when it cannot tell."""
        return Line(self._clients).offered()

    def close(self) -> None:
        """Close idle connections; a later request opens new ones.  Not needed before the end of a program."""
        self._clients.close()

    async def aclose(self) -> None:
        """As `close`, for the connections of the running event loop."""
        await self._clients.aclose()

    def _steps(self, request: ModelRequest) -> Exchange:
        if not self._model:
            found = yield from pick_model(self._situation())
            if isinstance(found, ModelFailure):
                yield found
                return
            self._model = found
        facts = self._capabilities.facts(self.base_url, self._model)
        ask_usage = facts.stream_usage is not False
        body = body_of(request, model=self._model, extra=self._extra_body, ask_usage=ask_usage)
        yield from exchange(body, self._situation(), max_chars=self._max_chars, usage_refused=self._usage_refused)

    def _situation(self) -> Situation:
        place = self._endpoint
        return Situation(place.base_url, self._model, place.key, place.timeout)

    def _usage_refused(self) -> None:
        self._capabilities.learn(self.base_url, self._model, stream_usage=False)
