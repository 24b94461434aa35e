"""The front door: an agent is a model, tools and settings; a run is a task.

    agent = Agent("qwen3:8b", tools=[get_weather], base_url="http://127.0.0.1:11434/v1")
    print(agent.run("北京今天热吗？").answer)

In: a task, maybe the history of an earlier run.  Out: a `RunResult`, or the events of the run as they happen.  An agent does
not change by its runs, so one agent may serve many threads and tasks at once.  A copy of it may be changed apart.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from copy import copy
from os import PathLike
from typing import Any, NoReturn

from react_agent.archive import Recall
from react_agent.archive.remembering import aremembered, remembered
from react_agent.driving import aio, sync
from react_agent.driving.approving import Approver
from react_agent.driving.ports import Confidential, ModeChoice, Model
from react_agent.engine import (
    HOUSE_DIALECT,
    LIMITS,
    STOPS,
    LangChoice,
    Limits,
    Settings,
    State,
    SummaryChoice,
    run,
    traits,
)
from react_agent.errors import UsageError
from react_agent.events import CallTools, Event, Note, RunFinished
from react_agent.expected import any_of, check, function, instance, key, number, one_of, or_none, path, text
from react_agent.memory import Count
from react_agent.memory.view import checked_view
from react_agent.messages import Call, Conversation, Json, Message, RunResult, View
from react_agent.models.facts import checked_mode
from react_agent.prompting import Prompt, language
from react_agent.prompting.reading import Readable, paired, plain, read_messages, with_pinned_lead
from react_agent.tools import RunContext, Tool, Toolbox
from react_agent.tools.context import key_of
from react_agent.tools.policy import Policy
from react_agent.tracing import Tracer
from react_agent.tracing.watching import Watchers, aobserved, observed

History = Conversation | Sequence[Readable]
"""What a run goes on with; messages may be those of the chat API, as dicts or as objects of an SDK."""
_EXPECTED = {
    "max_seconds": or_none(number(unit="seconds")),
    "tokenizer": or_none(any_of("a path of a tokenizer.json, or a function of a text that gives a number", path, function(""))),
    "policy": or_none(function("a function of a call", 'such as Rules(ask=("send_*",))')),
    "approve": or_none(function("a function of an Approve", "to allow all that is asked about: approve=lambda request: True")),
    "recall": or_none(instance(Recall, "a Recall", "Recall() is one with a file of its own")),
    "trace": or_none(path),
    "dialect": or_none(one_of(*STOPS)),
    "base_url": or_none(text),
    "api_key": or_none(key),
    "task": text,
}
"""What is not checked where it goes: limits and choices by `Settings`, tools and their limits by `Toolbox`."""


class Agent:
    """A model with tools.

    Args:
        model: a `Model`, or the name of a model behind `base_url`.
        tools: `Tool`s, functions, or OpenAI-style dicts with the function to run under "run"; none makes a plain chat.
        instructions: system text that stands before everything else.
        lang: language of the prompts; "auto" takes the language of each task.
        mode: how tools are offered: "native"; "text"; "constrained" (text that the server holds to the form, and plain text
            where it cannot); or "auto" (native, and the others where that does not work); None asks the model, which is "auto"
            for a model given by name.
        dialect: how a model in text mode is told to write its calls; None takes what `react-agent probe` has recommended, else
            the house dialect.
        few_shot: how many worked examples to show in text mode.
        max_steps: replies with tool calls, before the model is asked to answer with what it has.
        limits: those of the guards, which stop a run that gets nowhere or costs too much.
        max_seconds: of a run, 0 included (no time is left); then it ends with outcome "deadline".  A tool that is running is
            not interrupted.
        max_tokens: of one reply; None is the server's default.
        context_tokens: the room of a request with its reply; older history is left out to stay below it.  None: no limit, until
            the server names one.
        stop_early: stop the model as soon as nothing more can be wanted of its reply; False reads every reply to its end.
        check_numbers: in text mode, send a call back, once in a run, whose required numbers stand neither in the conversation
            nor in the tool's schema: a small model makes them up.
        max_rounds: replies of the model that are shown to it at most; older ones are left out.
        summary: what stands in the place of what is left out: "extract" (lines taken from it), "model" (a summary by the model,
            which costs a request each time) or "none".
        tokenizer: counts tokens more exactly than the guess: a `tokenizer.json` (extra "tokenizers") or a function of a text.
        max_output: characters of a tool's result that the model is shown at once; the rest it may ask for.
        max_parallel: calls of one reply that run at the same time.
        policy: says of a call "allow", "ask", "deny" or None (the tool's own flags decide); see `Rules` for lists of names.
        approve: asked about dangerous calls and others that want the user's word; without it, these are denied.
        dry_run: only pure tools run; of others the model is told to go on as if they had.
        temperature: of the model; None is the server's default.
        recall: remembers completed runs, and tells the model of earlier ones that have to do with its task.
        trace: writes what happens in each run, without secrets: a folder with a file for each run, or a .jsonl file for all.
        deps: handed to tools as `RunContext.deps`.
        base_url, api_key: of the server, when `model` is a name.

    Raises:
        UsageError: a value that cannot work, two tools of one name, or `base_url` beside a `Model`.
        ToolDefinitionError: something in `tools` is not a tool.
    """

    def __init__(
        self,
        model: str | Model,
        tools: Iterable[Tool | Callable[..., Any] | Json] = (),
        *,
        instructions: str = "",
        lang: LangChoice = "auto",
        mode: ModeChoice | None = None,
        dialect: str | None = None,
        few_shot: int = 0,
        max_steps: int = 10,
        limits: Limits = LIMITS,
        max_seconds: float | None = None,
        max_tokens: int | None = 2048,
        context_tokens: int | None = None,
        stop_early: bool = True,
        check_numbers: bool = True,
        max_rounds: int | None = None,
        summary: SummaryChoice = "extract",
        tokenizer: str | PathLike[str] | Callable[[str], float] | None = None,
        max_output: int = 20_000,
        max_parallel: int = 8,
        policy: Policy | None = None,
        approve: Approver | None = None,
        dry_run: bool = False,
        temperature: float | None = 0.0,
        recall: Recall | None = None,
        trace: str | PathLike[str] | None = None,
        deps: Any = None,
        base_url: str | None = None,
        api_key: str | None = None,
    ) -> None:
        check(
            _EXPECTED,
            max_seconds=max_seconds,
            tokenizer=tokenizer,
            policy=policy,
            approve=approve,
            recall=recall,
            trace=trace,
            dialect=dialect,
            base_url=base_url,
            api_key=api_key,
        )
        self.toolbox = Toolbox(tools, max_output=max_output, max_parallel=max_parallel, dry_run=dry_run)
        self.model = _model(model, base_url, api_key)
        self.settings = Settings(
            lang=lang,
            dialect=_dialect(dialect, self.model),
            instructions=instructions,
            few_shot=few_shot,
            temperature=temperature,
            max_tokens=max_tokens,
            max_steps=max_steps,
            limits=limits,
            context_tokens=context_tokens,
            stop_early=stop_early,
            check_numbers=check_numbers,
            max_rounds=max_rounds,
            summary=summary,
        )
        self._mode = None if mode is None else checked_mode(mode)
        self._max_seconds = max_seconds
        self._deps = deps
        self._recall = recall
        self._approve = (lambda _: True) if dry_run else approve
        self._tracer = None if trace is None else _tracer(trace, self.model)
        self._count = _counter(tokenizer)
        self._traits = traits(self.toolbox, policy)
        self._prompts: dict[str, Prompt] = {}

    def __copy__(self) -> Agent:
        """An agent of its own with the same model, recall, trace and deps: what these are connected to is not doubled."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.toolbox = copy(self.toolbox)
        twin._prompts = {}
        return twin

    def __deepcopy__(self, memo: object) -> Agent:
        """As `copy.copy`."""
        return copy(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError("an Agent cannot be pickled, as it is connected to a server: make it anew in the other process")

    def run(self, task: str, history: History = ()) -> RunResult:
        """Do `task`; `history` is the `conversation` of an earlier result, or messages, to go on from there.

        Messages are `Message`s, dicts of the chat API, `{"role": "user", "content": …}`, with `tool_calls` and their results,
        or the objects of an SDK for them.  System messages that they begin with are shown in every request.

        With the conversation a long history is shown as it was shown last, so that requests begin with the same bytes.

        A run always ends with a result: what goes wrong in the world or the model is its `outcome`.  Ctrl-C ends it with
        outcome "cancelled" and the steps so far.

        Raises:
            UsageError: the task is empty or no text, or `history` holds something that is no message.
            MissingExtraError: the model needs an optional dependency.
        """
        return _last(self._stream(self._state(task, history, aloud=False)))

    def stream(self, task: str, history: History = ()) -> Iterator[Event]:
        """The events of a run as they happen, the last one `RunFinished`; raises as `run` does, before the first."""
        return self._stream(self._state(task, history, aloud=True))

    def _stream(self, state: State) -> Iterator[Event]:
        run_id = _run_id()

        def run_tools(request: CallTools, note: Note) -> Iterator[None]:
            return self.toolbox.paced(self._prepared(request, run_id), note)

        def events() -> Iterator[Event]:
            return sync.drive(run(state), self.model, run_tools, self._max_seconds, self._approve)

        told = events() if self._recall is None else remembered(state, self._recall, events)
        return observed(told, self._watchers(run_id))

    async def arun(self, task: str, history: History = ()) -> RunResult:
        """As `run`, on the running event loop; sync tools run in threads."""
        async with aclosing(self._astream(self._state(task, history, aloud=False))) as events:
            async for event in events:
                if isinstance(event, RunFinished):
                    return event.result
        raise AssertionError("a run ends with RunFinished")

    def astream(self, task: str, history: History = ()) -> AsyncGenerator[Event, None]:
        """As `stream`, on the running event loop."""
        return self._astream(self._state(task, history, aloud=True))

    def _astream(self, state: State) -> AsyncGenerator[Event, None]:
        run_id = _run_id()

        def run_tools(request: CallTools, note: Note) -> AsyncGenerator[None, None]:
            return self.toolbox.apaced(self._prepared(request, run_id), note)

        def events() -> AsyncGenerator[Event, None]:
            return aio.drive(run(state), self.model, run_tools, self._max_seconds, self._approve)

        told = events() if self._recall is None else aremembered(state, self._recall, events)
        return aobserved(told, self._watchers(run_id))

    def _watchers(self, run: str) -> Watchers:
        return Watchers(run, self.model.name, self._tracer)

    def _prepared(self, request: CallTools, run_id: str) -> list[tuple[Call, RunContext]]:
        """Each call with what its tool may know of the run."""
        done = request.done or (0,) * len(request.calls)
        return [
            (call, RunContext(run_id, request.number, self._deps, key_of(run_id, call, times)))
            for call, times in zip(request.calls, done, strict=True)
        ]

    def _state(self, task: str, history: History, *, aloud: bool) -> State:
        check(_EXPECTED, task=task)
        if not task.strip():
            raise UsageError("the task is empty: say what is to be done")
        mode = self._mode or self.model.mode
        messages, view = _begun(history)
        return State(
            task,
            self._prompt(task),
            self.settings,
            "native" if mode == "auto" else mode,
            mode == "auto",
            self._traits,
            messages,
            view=view,
            count=self._count,
            constrained=self.model.constrains,
            aloud=aloud,
        )

    def _prompt(self, task: str) -> Prompt:
        chosen = self.settings
        lang = language(task) if chosen.lang == "auto" else chosen.lang
        if lang not in self._prompts:  # two threads may both make it: they make the same
            self._prompts[lang] = Prompt(self.toolbox.specs, lang, chosen.dialect, chosen.instructions, chosen.few_shot)
        return self._prompts[lang]


def _dialect(chosen: str | None, model: Model) -> str:
    """The one the user has chosen, the one that is recommended for the model, or the house dialect."""
    return chosen or (model.dialect if model.dialect in STOPS else HOUSE_DIALECT)


def _model(model: str | Model, base_url: str | None, api_key: str | None) -> Model:
    if isinstance(model, str):
        from react_agent.models.openai import OpenAIModel

        return OpenAIModel(model, base_url=base_url, api_key=api_key)
    if base_url is not None or api_key is not None:
        raise UsageError("base_url and api_key belong to a model given by name; give them to the Model instead")
    if not isinstance(model, Model):
        raise UsageError(f"model must be a name or a Model, not {type(model).__name__}")
    return model


def _tracer(trace: str | PathLike[str], model: Model) -> Tracer:
    return Tracer(trace, model.secrets() if isinstance(model, Confidential) else ())


def _counter(tokenizer: str | PathLike[str] | Callable[[str], float] | None) -> Count | None:
    if tokenizer is None:
        return None
    from react_agent.models.tokenizing import counter

    return counter(tokenizer)


def _begun(history: History) -> tuple[list[Message], View]:
    """The messages to go on from, and what of them was shown."""
    view = history.view if isinstance(history, Conversation) else View()
    given = _checked(history.messages if isinstance(history, Conversation) else history)
    messages = paired(given)
    return messages, checked_view(view, given) if len(messages) == len(given) else View()


def _checked(history: Iterable[object]) -> list[Message]:
    wanted = (
        "history takes the conversation of an earlier result (result.conversation), or a list of messages: "
        'dicts {"role": "user", "content": …}, the message objects of an SDK, or Message(role, content)'
    )
    if not isinstance(history, Iterable) or isinstance(history, (str, bytes)):
        raise UsageError(f"{wanted}, but {type(history).__name__} came")
    messages: list[Any] = [message if isinstance(message, Message) else plain(message) for message in history]
    for place, message in enumerate(messages):
        if not isinstance(message, (Message, Mapping)):
            raise UsageError(f"{wanted}, but its entry {place} is a {type(message).__name__}")
    return with_pinned_lead(list(read_messages(messages, "history")))


def _last(events: Iterator[Event]) -> RunResult:
    for event in events:
        if isinstance(event, RunFinished):
            return event.result
    raise AssertionError("a run ends with RunFinished")


def _run_id() -> str:
    import uuid

    return uuid.uuid4().hex
