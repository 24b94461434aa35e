"""A scripted model that misbehaves in the ways that small models do, each with a task that shows whether a loop survives it.

In: a task.  Out: a real HTTP server whose model follows the task's script.  A script is a generator: it yields what the model
does next and is sent what the model has been told since.  So the model does better when it is told what was wrong, and only
then.  Moves are written in the form that was asked for: native calls where the request has tools, else as its prompt wants.

A token is four characters, of what was sent and what was answered, for every loop alike.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from react_agent import Tool, tool
from tests.support.server import Fail, Plain, Reply, ScriptedServer

WINDOW = 3_000
"""Tokens that the scripted model can read."""
CHARS = 4
MAX_WORDS = 8_000
"""Characters at which a reply that goes on for ever is cut by the server."""

Json = dict[str, Any]


@dataclass(frozen=True)
class Made:
    """A call that reached its tool."""

    name: str
    arguments: Json
    ok: bool


Log = list[Made]


@dataclass(frozen=True)
class Act:
    """A call; `tail` is what the model invents behind it."""

    name: str
    arguments: Json
    tail: str = ""


@dataclass(frozen=True)
class Done:
    """The final answer."""

    text: str


Move = Act | Done | str | Plain
"""Text is said as it is."""
Script = Generator[Move, str, None]


@dataclass(frozen=True)
class Task:
    """What is to be done with which tools, and how to tell from the answer and the calls made whether it was done.

    `loops`: the model goes round in it for ever when nobody stops it.
    """

    name: str
    prompt: str
    tools: Callable[[Log], Sequence[Tool]]
    solved: Callable[[str, Log], bool]
    script: Callable[[], Script]
    loops: bool = False


@dataclass
class Played:
    """What the scripted model was asked and said."""

    requests: int = 0
    characters: int = 0
    last: Done = field(default_factory=lambda: Done(""))

    @property
    def tokens(self) -> int:
        return self.characters // CHARS


@contextmanager
def playing(task: Task) -> Iterator[tuple[str, Played]]:
    """The address of a server for one run of a task, and what happened at it."""
    script, played = task.script(), Played()

    def answer(body: Json) -> Plain:
        played.requests += 1
        asked = len(json.dumps([body["messages"], body.get("tools", [])], ensure_ascii=False))
        if asked > WINDOW * CHARS:
            return Fail(400, f"This model's maximum context length is {WINDOW} tokens, but {asked // CHARS} were asked for.")
        reply = written(_next(script, body, played), body)
        played.characters += asked + (len(reply.text or "") if isinstance(reply, Reply) else 0)
        return reply

    with ScriptedServer(answer) as server:
        yield server.base_url, played


def _next(script: Script, body: Json, played: Played) -> Move:
    """The next move; behind its last one a model repeats itself."""
    try:
        move = next(script) if played.requests == 1 else script.send(_heard(body))
    except StopIteration:
        return played.last
    played.last = move if isinstance(move, Done) else played.last
    return move


def _heard(body: Json) -> str:
    """All that was said since the model spoke last."""
    since = itertools.takewhile(lambda message: message["role"] != "assistant", reversed(body["messages"]))
    return "\n".join(str(message["content"]) for message in since)


def written(move: Move, body: Json) -> Plain:
    if isinstance(move, Act) and body.get("tools"):
        return Reply(move.tail, calls=[(move.name, move.arguments)], usage=None)
    match move:
        case Act():
            return Reply(_action(move, _labelled(body)) + move.tail, usage=None)
        case Done():
            return Reply(
                move.text if body.get("tools") else f"Thought: I know it.\n{_answer(move, _labelled(body))}", usage=None
            )
        case str():
            return Reply(move, usage=None)
    return move


def _labelled(body: Json) -> bool:
    """Whether the prompt wants a call under two labels."""
    return "Action Input:" in str(body["messages"])


def _action(move: Act, labelled: bool) -> str:
    arguments = json.dumps(move.arguments)
    if labelled:
        return f"Thought: I need {move.name}.\nAction: {move.name}\nAction Input: {arguments}"
    return f'Thought: I need {move.name}.\nAction: {{"type": "tool_call", "name": "{move.name}", "args": {arguments}}}'


def _answer(move: Done, labelled: bool) -> str:
    if labelled:
        return f"Answer: {move.text}"
    return f"Action: {json.dumps({'type': 'final_answer', 'content': move.text})}"


# --- the tools: a store ----------------------------------------------------------------------------------------------


def _logged(log: Log, function: Callable[..., str]) -> Tool:
    @functools.wraps(function)
    def run(**arguments: Any) -> str:
        try:
            result = function(**arguments)
        except Exception:
            log.append(Made(function.__name__, arguments, ok=False))
            raise
        log.append(Made(function.__name__, arguments, ok=True))
        return result

    return tool(run)


def store(log: Log, *, fails: int = 0, padding: int = 0) -> Sequence[Tool]:
    """Tools of a store: `fails` calls of `count_boxes` fail before one works; results end with `padding` characters."""
    ticks = itertools.count(1)

    def count_boxes(shelf: int) -> str:
        """Count the boxes on a shelf."""
        if sum(made.name == "count_boxes" for made in log) < fails:
            raise ConnectionError("the store does not answer, please try again")
        return f"shelf {shelf} has {shelf * 14} boxes" + "." * padding

    def look_around(place: str) -> str:
        """Look around in a place, at a time."""
        return f"08:00:{next(ticks):02}: nobody is at the {place}"

    def send_mail(to: str, text: str) -> str:
        """Send a mail."""
        return f"sent to {to}: {text}"

    return [_logged(log, function) for function in (count_boxes, look_around, send_mail)]


COUNT = Act("count_boxes", {"shelf": 3})
RESULT = "shelf 3 has 42 boxes"
FOUND = Done("There are 42 boxes on shelf 3.")
LINE = "Let me think about the boxes on the shelf once more.\n"


def _told(heard: str, *words: str) -> bool:
    return any(word in heard for word in words)


def _urged(heard: str, result: str) -> bool:
    """Whether more was said than a result."""
    return len(heard) > len(result) + 60


def _until(move: Move, *words: str) -> Generator[Move, str, str]:
    """The same over and over, until it is told one of these words."""
    heard = yield move
    while not _told(heard, *words):
        heard = yield move
    return heard


def clean() -> Script:
    yield COUNT
    yield FOUND


def thinks_only() -> Script:
    yield from _until("Thought: I have to count the boxes on shelf 3.", "count_boxes")
    yield from clean()


def announces() -> Script:
    yield from _until("Sure! I will check that for you.", "count_boxes", "tool", "action")
    yield from clean()


def misnames_the_tool() -> Script:
    yield from _until(Act("box_counter", {"shelf": 3}), "count_boxes")
    yield from clean()


def passes_a_word() -> Script:
    yield from _until(Act("count_boxes", {"shelf": "the third"}), "integer")
    yield from clean()


def tries_again_when_told() -> Script:
    heard = yield COUNT
    while _told(heard, "does not answer"):
        heard = yield COUNT
    yield FOUND if _told(heard, RESULT) else Done("I do not know.")


def repeats_a_call() -> Script:
    heard = yield COUNT
    while not _urged(heard, RESULT):
        heard = yield COUNT
    yield FOUND


def goes_in_a_circle(period: int) -> Script:
    places = itertools.cycle(("door", "gate", "ramp", "yard")[:period])
    heard = ""
    while not _urged(heard, "08:00:00: nobody is at the door"):
        heard = yield Act("look_around", {"place": next(places)})
    yield Done("Nobody is there.")


def invents_the_result() -> Script:
    heard = yield Act("count_boxes", {"shelf": 3}, "\nObservation: shelf 3 has 999 boxes\nFinal Answer: 999 boxes")
    yield FOUND if _told(heard, RESULT) else Done("There are 999 boxes.")


def babbles() -> Script:
    yield from _until(Reply(f"Thought: {LINE * (MAX_WORDS // len(LINE))}", finish="length", usage=None), "count_boxes", "over")
    yield from clean()


def says_nothing() -> Script:
    yield ""
    yield from clean()


def is_cut_in_a_call() -> Script:
    cut = 'Thought: I count.\nAction: {"type": "tool_call", "name": "count_boxes", "args": {"shelf'
    yield from _until(Reply(cut, finish="length", usage=None), "shorter", "cut", "count_boxes")
    yield from clean()


def mails_twice() -> Script:
    mail = Act("send_mail", {"to": "ann@example.com", "text": "42 boxes"})
    yield COUNT
    yield mail
    yield mail
    yield Done("The mail is sent.")


def is_busy() -> Script:
    yield Fail(429, "slow down", {"retry-after": "0"})
    yield from clean()


def walks_along(shelves: int) -> Script:
    for shelf in range(1, shelves + 1):
        yield Act("count_boxes", {"shelf": shelf})
    yield Done(f"Shelf {shelves} has {shelves * 14} boxes.")


def _says(*words: str) -> Callable[[str, Log], bool]:
    return lambda answer, log: all(word in answer for word in words)


def _one_mail(answer: str, log: Log) -> bool:
    return "sent" in answer and sum(made.name == "send_mail" for made in log) == 1


_HOW_MANY = "How many boxes are on shelf 3?"


def _task(script: Callable[[], Script], name: str = "", *, loops: bool = False, fails: int = 0) -> Task:
    name = name or script.__name__.replace("_", " ")
    return Task(name, _HOW_MANY, functools.partial(store, fails=fails), _says("42"), script, loops)


TASKS = (
    _task(clean, "does it right"),
    _task(thinks_only),
    _task(announces),
    _task(misnames_the_tool),
    _task(passes_a_word),
    _task(tries_again_when_told, "a tool fails once", fails=1),
    _task(tries_again_when_told, "a tool fails twice", fails=2),
    _task(repeats_a_call, loops=True),
    *(
        Task(
            f"goes in a circle of {period}",
            "Is anybody there?",
            store,
            _says("Nobody"),
            functools.partial(goes_in_a_circle, period),
            loops=True,
        )
        for period in (1, 2, 3, 4)
    ),
    _task(invents_the_result),
    _task(babbles, loops=True),
    _task(says_nothing),
    _task(is_cut_in_a_call),
    Task("mails twice", "Mail Ann how many boxes are on shelf 3.", store, _one_mail, mails_twice),
    _task(is_busy, "the server is busy once"),
    Task(
        "long results",
        "How many boxes are on shelf 7? Count them all.",
        functools.partial(store, padding=1_500),
        _says("98"),
        functools.partial(walks_along, 7),
    ),
)
