"""One reply of the model as read: the value that `turn` hands to `loop`."""

from __future__ import annotations

from dataclasses import dataclass, field

from react_agent.events import FILTERED, ModelFailure
from react_agent.messages import Call, Mode, Parsed, Rejected, Usage

CUT = ("length", FILTERED)
"""Finish reasons of a reply that is not whole: native calls in it cannot be trusted."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for one request.

    `text` is the raw content; up to `lead` it is reasoning, which is not sent back.  `prose` is what of it is neither call nor
    thought.  `native` are the calls of the native API in order, valid or not, with their ids; then `parsed` holds the valid
    ones too.  `dropped` are the names of calls that were not made, as they lean on results which are not there yet
    (`together`).  `repeated` is what the model went on to repeat, when the reply was cut for that.  `failure` is set when
    there is no reply.
    """

    mode: Mode
    text: str = ""
    prose: str = ""
    reasoning: str = ""
    parsed: Parsed = field(default_factory=Parsed)
    native: tuple[Call | Rejected, ...] = ()
    dropped: tuple[str, ...] = ()
    finish_reason: str = ""
    usage: Usage = Usage(requests=1)
    repeated: str = ""
    lead: int = 0
    failure: ModelFailure | None = None

    @property
    def leaked(self) -> bool:
        """Native calling was asked for, and the call came as text."""
        return self.mode == "native" and not self.native and bool(self.parsed.calls)

    @property
    def cut(self) -> bool:
        """The reply ended before the model was done."""
        return self.parsed.cut or self.finish_reason in CUT

    @property
    def filtered(self) -> bool:
        """A filter of the server has cut the reply before it made a call."""
        return self.finish_reason == FILTERED and not self.parsed.calls
