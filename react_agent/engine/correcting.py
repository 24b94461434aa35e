"""Says to the model what was wrong with its reply.

In: the state, the reply and the slip.  Out: `Corrected`, and the history with the model's own reply and one feedback.
Sentences come from `prompting`; which one is chosen by how often the same slip came in a row.
"""

from __future__ import annotations

from react_agent.events import Corrected, Flow, ModeChanged
from react_agent.messages import Message, Mode, Step
from react_agent.prompting import correction

from .guards import Slip, bad_arguments, is_slip
from .reply import Reply
from .state import State

FORMLESS = ("format", "malformed", "empty")
"""Slips that a reply which is held to the form cannot have; whatever else is wrong with it can be said in the form."""
MAX_KEPT = 2000  # characters of a useless reply that stay in the history


def correct(state: State, reply: Reply, slip: Slip) -> Flow[None]:
    """Put the reply and the feedback on it into the history, as one step."""
    state.slips.append(slip)
    if reply.mode == "native" and _is_leak(state, reply, slip):
        yield from give_up_native(state, "the reply wrote a call as text")
    if reply.mode == state.mode == "constrained" and slip.reason in FORMLESS:
        yield from give_up_form(state)
    text = yield from feedback(state, state.mode, slip, level=level_of(state, slip))
    state.history += [
        Message("assistant", sound(reply)[:MAX_KEPT], reasoning=reply.reasoning),
        Message("user", text, note=True),
    ]
    record(state, reply, text)


def feedback(state: State, mode: Mode, slip: Slip, *, level: int) -> Flow[str]:
    """The words for a slip, which are an event too."""
    state.reminders += 1
    text = correction(
        state.prompt,
        mode,
        slip.reason,
        level=level,
        number=state.reminders,
        name=slip.name,
        quote=slip.quote,
        problems=_problems(state, slip),
    )
    yield Corrected(slip.reason, text)
    return text


def level_of(state: State, slip: Slip) -> int:
    """How often this has been told: wrong arguments by tool, anything else by reason, since the last useful reply.

    The slip itself is among the slips of the state, its step not yet among the steps.
    """
    return bad_arguments(state.steps, slip.name) + 1 if slip.family == "bad_arguments" else _in_a_row(state.slips)


def give_up_native(state: State, why: str) -> Flow[None]:
    """Go on in another mode, when the run may."""
    if state.auto and state.mode == "native":
        yield from go_down(state, why)


def give_up_form(state: State) -> Flow[None]:
    """Go on without constrained decoding."""
    yield from go_down(state, "the server did not hold the reply to the form")


def go_down(state: State, why: str, *, refused: bool = False) -> Flow[None]:
    """Go on in the mode below."""
    before, state.mode = state.mode, state.below
    yield ModeChanged(before, state.mode, why, refused)


def _is_leak(state: State, reply: Reply, slip: Slip) -> bool:
    """Whether what is wrong is a call of a tool that stands in the text."""
    return slip.name in state.tools.tools and any(rejected.name == slip.name for rejected in reply.parsed.rejected)


def kept(reply: Reply) -> str:
    """What of a reply may stay in the history: no reasoning that is set apart, and nothing that was invented."""
    text, at = reply.text[: reply.parsed.end or None], reply.lead
    parts = []
    for start, end in reply.parsed.invented:
        parts.append(text[at:start])
        at = max(at, end)
    return "".join([*parts, text[at:]])


def sound(reply: Reply) -> str:
    """What of a reply without calls may stay: up to its first call, which cannot run, or observation."""
    parsed = reply.parsed
    calls = [rejected.span[1] for rejected in parsed.rejected if is_slip(rejected) and rejected.span]
    return reply.text[reply.lead : min([*calls, *(start for start, _ in parsed.invented)], default=None)]


def record(state: State, reply: Reply, said: str = "") -> None:
    """Add a step without calls."""
    parsed = reply.parsed
    state.steps.append(
        Step(
            state.number,
            reply.mode,
            reply.text,
            parsed.thought or reply.reasoning or None,
            rejected=parsed.rejected,
            feedback=said,
            finish_reason=reply.finish_reason,
            usage=reply.usage,
        )
    )


def _in_a_row(slips: list[Slip]) -> int:
    count = 0
    for slip in reversed(slips):
        if slip.reason != slips[-1].reason:
            break
        count += 1
    return count


def _problems(state: State, slip: Slip) -> tuple[str, ...]:
    """What is wrong with the arguments, in the language of the prompt."""
    tool = state.tools.tools.get(slip.name)
    if slip.reason != "invalid_arguments" or tool is None or slip.arguments is None:
        return slip.problems
    return tuple(problem.say(state.prompt.lang) for problem in tool.checker.problems(slip.arguments))
