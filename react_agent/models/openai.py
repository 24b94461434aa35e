"""Models behind an OpenAI-compatible address: Ollama, vLLM, SGLang, llama.cpp, LM Studio, DashScope, Zhipu, OpenAI …

In: a `ModelRequest`.  Out: `ModelChunk`s, or one `ModelFailure` that says what to do.  The parts: `body` writes the request,
`fitting` writes it as the server takes it, `exchange` decides what happens, `lines` does the I/O, `pieces` reads the answer,
`faults` and `failures` explain what went wrong, `lessons` draw conclusions and `capability` remembers them.  The openai SDK is
imported at the first request.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from copy import copy
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

from react_agent.driving.ports import ModeChoice
from react_agent.events import ModelFailure, ModelPiece, ModelRequest
from react_agent.expected import check, flag, json_fields, key, mapping, number, or_none, text, whole
from react_agent.messages import Json, Mode

from .asking import Exchange
from .body import body_of
from .capability import SHARED, Capabilities, Page
from .clients import Clients, endpoint
from .constraining import GRAMMARS, Way
from .exchange import exchange, pick_model
from .facts import Facts, checked_mode, start_mode
from .failures import Situation
from .lines import AsyncLine, AsyncWire, Line, SdkWire
from .lookups import context_window, count_tokens, identified, listed
from .prefix import SECONDS, goes_on, trial
from .recording import About, Recorder
from .retrying import Patience
from .vendors import Vendor, vendor_of

NOTHING: Mapping[str, Any] = MappingProxyType({})


_EXPECTED = {
    "model": or_none(text),
    "base_url": or_none(text),
    "api_key": or_none(key),
    "timeout": number(above=0, unit="seconds"),
    "deadline": or_none(number(above=0, unit="seconds")),
    "max_retries": whole(0),
    "max_wait": number(unit="seconds"),
    "thinking": or_none(flag),
    "extra_body": json_fields('such as {"seed": 1}'),
    "headers": or_none(mapping("a dict of names and values (both str)", text, secret=True)),
    "max_chars": whole(1),
    "place": text,
}


class Advice(NamedTuple):
    """How a model is best asked, as far as it is known."""

    mode: ModeChoice
    constrains: bool
    dialect: str


class OpenAIModel:
    """A chat model at `base_url`.

        OpenAIModel("qwen3:8b", base_url="http://127.0.0.1:11434/v1")

    Args:
        model: its name at the server; None takes the first one the server lists.  base_url: where the API is, mostly ending in
        /v1, or a name of docs/servers.md such as "ollama" or "dashscope"; by default
            OPENAI_BASE_URL, else OpenAI.
        api_key: by default the vendor's own variable, else OPENAI_API_KEY; servers that want none are sent a placeholder.
        mode: how tools are offered: "native" function calling; "text"; "constrained", which is text that the server holds to
            the form; or "auto": native first, the others where that does not work.
        timeout: seconds the server may be silent before the request is given up.
        deadline: seconds for a whole reply, repetitions and waits included; None sets no limit.
        max_retries: how often a request is sent again after a transient fault (no connection, a broken answer, a timeout, 408,
            409, 429, 5xx).  Each repetition is announced by a `RetryWaiting`.
        max_wait: seconds to spend waiting between repetitions, in all; a server that asks for more is not waited for.
        thinking: switches the reasoning of models that can do with and without; None leaves it to the server.
        extra_body: more fields for every request, such as `{"seed": 1}`; they win over ours.
        headers: more HTTP headers for every request.
        max_chars: a reply is cut after so many characters, with finish_reason "length".
        capabilities: where to remember what the server does; by default shared by all models, and kept for the next program.
        place: the address under which that is remembered; by default `base_url`.
        record: writes down what goes over the line, for `ReplayModel`.

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
        deadline: float | None = None,
        max_retries: int = 2,
        max_wait: float = 60.0,
        thinking: bool | None = None,
        extra_body: Mapping[str, Any] = NOTHING,
        headers: Mapping[str, str] | None = None,
        max_chars: int = 1_000_000,
        capabilities: Capabilities = SHARED,
        place: str = "",
        record: Recorder | None = None,
    ) -> None:
        check(
            _EXPECTED,
            model=model,
            base_url=base_url,
            api_key=api_key,
            timeout=timeout,
            deadline=deadline,
            max_retries=max_retries,
            max_wait=max_wait,
            thinking=thinking,
            extra_body=extra_body,
            headers=headers,
            max_chars=max_chars,
            place=place,
        )
        self._endpoint = endpoint(base_url, api_key, timeout=timeout, headers=headers)
        self._clients = Clients(self._endpoint)
        self._model = model or ""
        self._mode = checked_mode(mode)
        self._deadline = deadline
        self._patience = Patience(max_retries, max_wait)
        self._thinking = thinking
        self._extra_body = extra_body
        self._max_chars = max_chars
        self._capabilities = capabilities
        self._pages: dict[str, Page] = {}  # by model, which may be named by the server only
        self._place = place or self._endpoint.base_url
        self._record = record

    def __copy__(self) -> OpenAIModel:
        """The same over connections of its own; what is known of servers, and what is recorded, is shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._clients = Clients(self._endpoint)
        twin._pages = {}
        return twin

    def __deepcopy__(self, memo: object) -> OpenAIModel:
        """As `copy.copy`."""
        return copy(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError("an OpenAIModel cannot be pickled, as it is connected to a server: make it anew in the other process")

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
        """As it was given; "auto" becomes another mode once native calls are known not to work here."""
        return self.advice().mode

    @property
    def constrains(self) -> bool:
        """Whether a probe found constrained decoding to be the best, and the server has not refused a grammar since."""
        return self.advice().constrains

    @property
    def dialect(self) -> str:
        """The dialect that a probe has recommended; "" for none."""
        return self.advice().dialect

    def advice(self) -> Advice:
        """`mode`, `constrains` and `dialect`, by one look at what is known."""
        facts = self._page().facts
        constrains = facts.mode == "constrained" and any(
            way in GRAMMARS and getattr(facts, way) is not False for way in self._vendor(facts).constrains
        )
        return Advice(start_mode(self._mode, facts), constrains, facts.dialect or "")

    def recommend(self, mode: Mode, dialect: str) -> None:
        """Remember what a probe has found to be best; `dialect` is "" for native calls."""
        tools = {"tools": "works"} if mode == "native" else {}
        self._capabilities.learn(self._place, self._model, probed=True, mode=mode, dialect=dialect or None, **tools)

    def learn(self, mode: Mode, *, works: bool, refused: bool = False) -> None:
        """Remember whether a mode works with this model at this server; a refusal is known more exactly already."""
        if refused:
            return
        if mode == "native":
            self._capabilities.learn(self._place, self._model, probed=True, tools="works" if works else "ignored")
        elif mode == "constrained" and (way := self._way()):
            self._capabilities.learn(self._place, self._model, **{way: works})

    def continues(self) -> bool | None:
        """Whether the server goes on with a last message of the assistant: tried once, and remembered.

        None when it cannot be told now: the server has no answer, or no model was named yet.
        """
        facts = self._page().facts
        if facts.assistant_prefix is None and self._model:
            alone = Page(Capabilities(), self._place, self._model, facts)  # what this request meets says nothing of others
            body = trial(self._model, self._vendor(facts).prefix)
            steps = exchange(body, alone, self._situation(), patience=Patience(0), max_chars=self._max_chars)
            self._page().learn({"assistant_prefix": goes_on(Line(self._clients, SECONDS).run(steps))})
        return self._page().facts.assistant_prefix

    def stream(self, request: ModelRequest) -> Iterator[ModelPiece]:
        """The pieces of the reply; closing the iterator closes the connection."""
        return Line(self._clients, self._seconds(request)).run(self._steps(request))

    def astream(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        """As `stream`, for an event loop."""
        return AsyncLine(self._wire(), self._seconds(request)).run(self._steps(request))

    def offered(self) -> tuple[str, ...]:
        """The names of the models the server lists; () when it cannot tell."""
        names: tuple[str, ...] = Line(self._clients).answer(listed())
        return names

    def window(self) -> int | None:
        """The context window in tokens, as errors or pages of the server tell it; None when they do not."""
        window: int | None = Line(self._clients).answer(context_window(self.base_url, self._model, self._page()))
        return window

    def count_tokens(self, text: str) -> int | None:
        """How many tokens `text` has, counted by the server (vLLM, SGLang, llama.cpp); None where it does not count."""
        count: int | None = Line(self._clients).answer(count_tokens(text, self._model, self._page()))
        return count

    def measure(self, text: str) -> int | None:
        """As `count_tokens`, but for a recorded model, as a recording holds completions only."""
        return None if self._record is not None else self.count_tokens(text)

    async def ameasure(self, text: str) -> int | None:
        """As `measure`, for an event loop."""
        if self._record is not None:
            return None
        count: int | None = await AsyncLine(self._wire()).answer(count_tokens(text, self._model, self._page()))
        return count

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
        page = self._page()
        if request.constraint is not None:
            yield from identified(self.base_url, page)
        body = self._body(request)
        steps = exchange(body, page, self._situation(), patience=self._patience, max_chars=self._max_chars)
        if self._record is not None:
            steps = self._record.record(steps, request, body, self._about(page), self.secrets())
        yield from steps

    def _body(self, request: ModelRequest) -> Json:
        vendor = self._vendor(self._page().facts)
        extra = {**self._thinking_fields(vendor), **self._extra_body}
        return body_of(request, model=self._model, extra=extra, ways=vendor.constrains)

    def _way(self) -> Way | None:
        """The way to hold replies to a form that the server has taken."""
        facts = self._page().facts
        return next((way for way in self._vendor(facts).constrains if getattr(facts, way)), None)

    def _vendor(self, facts: Facts) -> Vendor:
        return vendor_of(self.base_url, facts.server)

    def _wire(self) -> AsyncWire:
        return SdkWire(self._clients)

    def _about(self, page: Page) -> About:
        place = self._endpoint
        limits = place.timeout, self._patience, self._max_chars
        return About(self._model, *self.advice(), place.base_url, page.facts, *limits, len(place.key))

    def secrets(self) -> tuple[str, ...]:
        """The key and the values of the headers: what must not be written down."""
        return (self._endpoint.key, *self._endpoint.headers.values())

    def _thinking_fields(self, vendor: Vendor) -> Mapping[str, Any]:
        switch = vendor.thinking
        return NOTHING if self._thinking is None or switch is None else switch[not self._thinking]

    def _page(self) -> Page:
        page = self._pages.get(self._model)
        if page is None:
            page = self._pages[self._model] = Page(
                self._capabilities, self._place, self._model, vendor_of(self.base_url).assume
            )
        return page

    def _situation(self) -> Situation:
        place = self._endpoint
        return Situation(place.base_url, self._model, place.key, place.timeout)

    def _seconds(self, request: ModelRequest) -> float | None:
        limits = [seconds for seconds in (self._deadline, request.seconds) if seconds is not None]
        return min(limits, default=None)
