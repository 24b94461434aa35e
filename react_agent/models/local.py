"""A model in this process: llama.cpp by the package xllamacpp (extra `local`), no server to set up.

In: the name of a model of the catalogue, or the path of a GGUF file.  Out: what `OpenAIModel` gives, because llama.cpp's own
server listens on a free loopback port as long as the model is open, and one code path serves local and remote.  The port
answers only to a key made for it, so that other users of the machine cannot use it.

Loading takes about a second, at the first request or at `start()`, and holds up every thread of the process meanwhile, event
loops too.
"""

from __future__ import annotations

import importlib.util
import secrets
import threading
import weakref
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from react_agent.driving.ports import ModeChoice
from react_agent.errors import MissingExtraError, ModelError
from react_agent.events import ModelFailure, ModelPiece, ModelRequest
from react_agent.messages import Mode

from . import weights
from .capability import SHARED, Capabilities, Page
from .facts import Facts, checked_mode, start_mode
from .openai import NOTHING, OpenAIModel
from .recording import Recorder

HERE = "in this process"  # stands for the address where facts are kept, as the port differs every time
PROMPT_CACHE = 512  # MiB of prompts llama.cpp may keep for later; its own default is 8 GiB


class LocalModel:
    """Real weights, run by this process; close it to free their memory, or use it in a `with` block.

        with LocalModel() as model:
            Agent(model, tools=[…]).run("…")

    Args:
        name_or_path: a name of `weights.catalogue()` or the path of a GGUF file; None takes REACT_AGENT_MODEL, else the
            default of the catalogue.
        context: the context window, in tokens; memory grows with it.
        threads: how many threads compute; None lets llama.cpp choose.
        mode: as for `OpenAIModel`.
        timeout: seconds a reply may take to begin or to go on.
        extra_body: more fields for every request.
        thinking, record: as for `OpenAIModel`.
        verbose: let llama.cpp write its log to standard error.
        capabilities: as for `OpenAIModel`.

    Raises:
        MissingExtraError: xllamacpp is not installed.
        WeightsError: the weights are not on this machine; says how to get them.
        UsageError: the name or the mode is unknown.
    """

    def __init__(
        self,
        name_or_path: str | Path | None = None,
        *,
        context: int = 8192,
        threads: int | None = None,
        mode: ModeChoice = "auto",
        timeout: float = 600.0,
        extra_body: Mapping[str, Any] = NOTHING,
        thinking: bool | None = None,
        record: Recorder | None = None,
        verbose: bool = False,
        capabilities: Capabilities = SHARED,
    ) -> None:
        if importlib.util.find_spec("xllamacpp") is None:
            raise MissingExtraError("A model in this process", "local")
        self._path = weights.locate(name_or_path)
        self._context = context
        self._threads = threads
        self._mode = checked_mode(mode)
        self._options: dict[str, Any] = {
            "timeout": timeout,
            "thinking": thinking,
            "extra_body": extra_body,
            "record": record,
            "max_retries": 0,
        }
        self._verbose = verbose
        self._capabilities = capabilities
        self._lock = threading.Lock()
        self._running: _Running | None = None

    @property
    def name(self) -> str:
        """The name of the file, without its ending."""
        return self._path.stem

    @property
    def mode(self) -> ModeChoice:
        """As it was given; "auto" becomes another mode where native calls are known not to work with this model.

        What was learnt overrules what the catalogue says of the file.
        """
        return start_mode(self._mode, self._facts())

    @property
    def constrains(self) -> bool:
        """Whether a probe found constrained decoding to be the best, and the grammar was not refused or not heeded since."""
        facts = self._facts()
        return facts.mode == "constrained" and facts.grammar is not False

    @property
    def dialect(self) -> str:
        """The dialect that a probe has recommended; "" for none."""
        return self._facts().dialect or ""

    def recommend(self, mode: Mode, dialect: str) -> None:
        """Remember what a probe has found to be best; `dialect` is "" for native calls."""
        tools = {"tools": "works"} if mode == "native" else {}
        self._capabilities.learn(HERE, self.name, probed=True, mode=mode, dialect=dialect or None, **tools)

    def learn(self, mode: Mode, *, works: bool, refused: bool = False) -> None:
        """Remember whether a mode works with this model; a refusal is known more exactly already."""
        if refused:
            return
        if mode == "native":
            self._capabilities.learn(HERE, self.name, probed=True, tools="works" if works else "ignored")
        elif mode == "constrained":
            self._capabilities.learn(HERE, self.name, grammar=works)

    def continues(self) -> bool | None:
        """Whether a last message of the assistant is continued; loads the weights."""
        try:
            return self._remote().continues()
        except ModelError:
            return None

    def start(self) -> None:
        """Load the weights now instead of at the first request.

        Raises:
            ModelError: llama.cpp cannot load them.
        """
        self._remote()

    def stream(self, request: ModelRequest) -> Iterator[ModelPiece]:
        """The pieces of the reply; closing the iterator stops the model."""
        try:
            remote = self._remote()
        except ModelError as error:
            return iter([ModelFailure("server", str(error))])
        return remote.stream(request)

    def astream(self, request: ModelRequest) -> AsyncIterator[ModelPiece]:
        """As `stream`, for an event loop."""
        try:
            remote = self._remote()
        except ModelError as error:
            return _only(ModelFailure("server", str(error)))
        return remote.astream(request)

    def measure(self, text: str) -> int | None:
        """The tokens of `text`; loads the weights, as the request that follows would."""
        try:
            return self._remote().measure(text)
        except ModelError:
            return None

    async def ameasure(self, text: str) -> int | None:
        """As `measure`, for an event loop."""
        try:
            return await self._remote().ameasure(text)
        except ModelError:
            return None

    def close(self) -> None:
        """Free the memory; a later request loads the weights again."""
        with self._lock:
            running, self._running = self._running, None
        if running is not None:
            running.stop()

    def __enter__(self) -> LocalModel:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _facts(self) -> Facts:
        told = Facts("ignored" if weights.native_by_file(self._path.name) is False else None)
        return Page(self._capabilities, HERE, self.name, told).facts

    def _remote(self) -> OpenAIModel:
        with self._lock:
            if self._running is None:
                self._running = self._load()
            return self._running.remote

    def _load(self) -> _Running:
        key = secrets.token_urlsafe()
        server = self._serve(key)
        url = f"{server.listening_address}/v1"
        notes = self._capabilities
        remote = OpenAIModel(self.name, base_url=url, api_key=key, capabilities=notes, place=HERE, **self._options)
        running = _Running(server, remote)
        weakref.finalize(self, running.stop)  # also when the interpreter exits
        return running

    def _serve(self, key: str) -> Any:
        """llama.cpp's server, listening."""
        import xllamacpp  # type: ignore[import-untyped,import-not-found,unused-ignore]

        params = xllamacpp.CommonParams()
        params.model.path = str(self._path)
        params.model_alias = {self.name}
        params.n_ctx = self._context
        params.n_parallel = 1
        params.cache_ram_mib = PROMPT_CACHE
        params.port = 0  # a free one
        params.api_keys = [key]
        params.ui = False
        params.endpoint_metrics = True
        params.verbosity = 3 if self._verbose else 0
        if self._threads is not None:
            params.cpuparams.n_threads = self._threads
        try:
            server = xllamacpp.Server(params)
        except RuntimeError as error:
            raise ModelError(
                f"llama.cpp cannot load {self._path} ({str(error).rstrip('.')}): is it a complete GGUF file, and is there room "
                f"for a context of {self._context} tokens?"
            ) from error
        server.handle_metrics()  # answered by its main loop: closing it before that has begun would wait for ever
        return server


class _Running:
    """A server and the model that talks to it."""

    def __init__(self, server: Any, remote: OpenAIModel) -> None:
        self.remote = remote
        self._server = server

    def stop(self) -> None:
        self.remote.close()
        self._server = None  # it listens as long as the object lives


async def _only(piece: ModelPiece) -> AsyncIterator[ModelPiece]:
    yield piece
