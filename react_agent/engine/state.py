"""What one run knows: the only thing in the engine that changes, owned by one flow and never shared."""

from __future__ import annotations

from dataclasses import dataclass, field

from react_agent.events import Constraint
from react_agent.memory import Count, Memory
from react_agent.messages import Message, Mode, Outcome, RunResult, Step, ToolSpec, Usage, View
from react_agent.parsing.names import ToolNames
from react_agent.prompting import Prompt, Wire

from .effects import Traits
from .guards import Slip
from .numbers import Said
from .settings import STOPS, Settings


@dataclass(slots=True)
class State:
    """A run in progress.

    `auto`: native calling may be given up, first for constrained decoding where `constrained` says that it is worth a try.
    `history` only grows; `view` is what of it an earlier run showed at last, `count` a tokenizer, `recalled` what earlier runs
    have to say on the task.  `slips` are the useless replies since the last useful one, `last` is what the last request has
    used.  `task_at` is where the task stands in the history, `fixed` the guessed tokens of what stands before it, `shrunk`
    whether the turn was already tried with less history, `moves` how often the memory had made room when that was last told.
    `measured` whether the server was asked to count.  `objected`: what was sent back to the model already, "answer" or "call"
    (see `objections`), or told once ("several"), `doubted` the tools of those calls.  `best` is text that may serve as
    an answer when none comes.
    `parallel`: calls of several tools may be made at once (see `together`).  `extra` are the own tools of the engine that are
    offered by now, `cuts` counts the results that were cut, and `pages` holds what was left out of them, by handle.  `denied`
    are calls that the user did not allow, as digests.  `said` has the numbers that stand somewhere.
    `aloud`: somebody reads the replies along, so their events should not be late.
    """

    task: str
    prompt: Prompt
    settings: Settings
    mode: Mode = "text"
    auto: bool = False
    traits: Traits = field(default_factory=Traits)
    history: list[Message] = field(default_factory=list)
    view: View = View()
    count: Count | None = None
    steps: list[Step] = field(default_factory=list)
    slips: list[Slip] = field(default_factory=list)
    stop: tuple[str, ...] = ()
    usage: Usage = Usage()
    last: Usage = Usage()
    reminders: int = 0
    acts: int = 0
    objected: set[str] = field(default_factory=set)
    doubted: set[str] = field(default_factory=set)
    parallel: bool = False
    recalled: str = ""
    task_at: int = 0
    shrunk: bool = False
    moves: int = 0
    measured: bool = False
    denied: set[str] = field(default_factory=set)
    best: str | None = None
    constrained: bool = False
    extra: tuple[ToolSpec, ...] = ()
    cuts: int = 0
    pages: dict[str, tuple[str, ...]] = field(default_factory=dict)
    tools: ToolNames = field(init=False)
    memory: Memory = field(init=False)
    said: Said = field(init=False)
    fixed: dict[Mode, float] = field(default_factory=dict)
    constraints: dict[tuple[str, ...], Constraint] = field(default_factory=dict)
    wires: dict[bool, Wire] = field(default_factory=dict)
    aloud: bool = True

    def __post_init__(self) -> None:
        self.tools = ToolNames(self.prompt.specs)
        self.said = Said(self.settings.instructions)
        self.memory = Memory(
            self.settings.context_tokens,
            max_rounds=self.settings.max_rounds,
            summaries=self.settings.summary != "none",
            view=self.view,
            count=self.count,
        )
        self.stop = STOPS[self.settings.dialect] if self.prompt.specs and self.settings.stop_early else ()
        if not self.prompt.specs:
            self.mode = "text"

    @property
    def below(self) -> Mode:
        """The mode to go on in when this one does not work."""
        return "constrained" if self.mode == "native" and self.constrained else "text"

    @property
    def number(self) -> int:
        """The number of the step that comes next."""
        return len(self.steps) + 1

    @property
    def wire(self) -> Wire:
        """Writes the history for requests in this mode."""
        native = self.mode == "native"
        if native not in self.wires:
            self.wires[native] = Wire(self.prompt, native=native)
        return self.wires[native]

    @property
    def tried(self) -> set[str]:
        """The tools that this run has called, though the user may not have let it; a call that was doubted is none."""
        ran = {result.name for step in self.steps for result in step.results if result.status != "refused"}
        return ran | ({call.name for step in self.steps for call in step.calls} - self.doubted)

    @property
    def taken_ids(self) -> set[str]:
        """Ids of calls that the history holds."""
        return {call.id for message in self.history for call in message.calls}

    @property
    def id_prefix(self) -> str:
        """Begins the ids of the next calls; unique, as the history only grows."""
        return f"call_{len(self.history)}"

    def use(self, usage: Usage) -> None:
        """Count what a request has used."""
        self.usage += usage
        self.last = usage

    def result(self, answer: str | None, outcome: Outcome, error: str = "") -> RunResult:
        """The end of the run as it stands now."""
        return RunResult(
            answer, outcome, tuple(self.steps), self.usage, error, self.mode, tuple(self.history), self.memory.view
        )
