"""One chat completion as a pure flow: it asks for I/O, hands out pieces, and never sees a socket.

In: the body that is wanted, the `Page` of what is known of the endpoint, the `Situation`, limits.  Out: a generator of steps:
pieces for the consumer, and what `asking` lists for the driver in `lines`, of which there is a blocking and an asynchronous
one.  Everything that is decided is decided here: what to send after a refusal (`lessons`), when to try again (`retrying`), how
a repeated answer joins the one that broke off (`seam`), when a reply is complete, too long or only blank.  Whole and streamed
answers take the same path: `documents` turns bytes into JSON, `pieces` turns JSON into chunks.

The last piece handed out has `last=True` or is a `ModelFailure`.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Any

from react_agent.events import STOPPED, ModelChunk, ModelFailure, ModelPiece
from react_agent.messages import Json

from .asking import Ask, Exchange, Look, Open, Read, Rest, Wait
from .blanks import Blanks
from .body import cleaned
from .capability import Page
from .constraining import HELD, is_free, way_in
from .documents import Documents
from .facts import Facts, Lesson
from .failures import Situation, failure_of, kind_of, refuses_form
from .faults import Fault
from .fitting import fitted
from .lessons import WORDLESS, accepted, is_of_one_tool, is_unexplained, lesson_of, shortened
from .lookups import names_of
from .pieces import NOTHING, Gathered, Pieces, lengthened
from .retrying import Patience, Pauses
from .seam import Seam
from .thinking import CUT, Said, lesson_of_stops

MAX_AMENDMENTS = 8
"""How often a body is written otherwise before a refusal is final."""

REFUSES_TOOLS = (*WORDLESS, 500)
"""Statuses by which servers refuse tools without a word of it; 500 when it is the model's template that cannot write them."""

MODEST: Lesson = {"options": False, "stream": False}
GUESSES: tuple[Lesson, ...] = ({"options": False}, {"stream": False}, MODEST)
"""What is tried, in turn, after refusals that say nothing."""

BROKEN = ("error", "abort", "network_error")
"""Finish reasons of a reply that broke off in the server (OpenRouter, SGLang, Zhipu)."""

Steps = Generator[Ask | ModelPiece, Any, Fault | None]


def exchange(wanted: Json, page: Page, situation: Situation, *, patience: Patience, max_chars: int) -> Exchange:
    """The steps of one completion."""
    opening, seam, pauses = _Opening(wanted, page), Seam(), Pauses(patience)
    if HELD in wanted and is_free(wanted, page.facts):
        yield ModelFailure("constraint_refused", f"No way is known to hold replies at {situation.base_url} to this form.")
        return
    while True:
        fault = yield from opening.steps()
        opened = fault is None
        fault = fault or (yield from _read(opening, seam, max_chars))
        if fault is None:
            return
        held = HELD in wanted and way_in(opening.sent) is not None
        situation = dataclasses.replace(situation, sent=frozenset(opening.sent), opened=opened, held=held)
        if fault.trouble in ("reported", "thinking_cut") and opening.amended(fault):  # a refusal in the place of an answer
            seam.again()
            continue
        retry = yield from pauses.after(fault, situation)
        if retry is None:
            yield from _fail(fault, situation, opening)
            return
        yield retry
        yield Wait(retry.seconds)
        seam.again()


def pick_model(situation: Situation) -> Generator[Ask, Any, str | ModelFailure]:
    """The first model the server offers, for callers that name none."""
    listing: object = yield Look("/models")
    if isinstance(listing, Fault):
        failure = failure_of(listing, situation)
        return dataclasses.replace(failure, message=f"{failure.message} (No model was named, so /models was asked.)")
    names = names_of(listing)
    if not names:
        return ModelFailure(
            "unknown_model", f"The server at {situation.base_url} offers no model: load one, or name one by `model`."
        )
    return names[0]


class _Opening:
    """Sends a body until it is taken or nothing else can be sent; `sent` is the last one, `page` what is known."""

    def __init__(self, wanted: Json, page: Page) -> None:
        self._wanted = wanted
        self._lesson: Lesson = {}
        self._guess: Lesson = {}
        self._try: Lesson = {}  # its reason is not known
        self._guesses = 0
        self._taken = False
        self._unexplained: Fault | None = None
        self._left = MAX_AMENDMENTS
        self.page = page
        self.sent: Json = {}

    def steps(self) -> Generator[Ask, Any, Fault | None]:
        """None when a body was taken; else the fault that tells most."""
        while True:
            self.sent = fitted(self._wanted, self._facts())
            fault: Fault | None = yield Open(self.sent)
            if fault is None:
                return None
            if not self.amended(fault):
                return self._unexplained if self._unexplained and is_unexplained(fault) else fault

    def toolless(self) -> Json | None:
        """The last body without tools and the messages that go with them; None when there is none to send."""
        if "tools" not in self.sent or self._left < 0:
            return None
        wanted = {name: value for name, value in self._wanted.items() if name not in ("tools", "tool_choice")}
        guess = MODEST if self._guesses else {}
        return fitted(wanted, dataclasses.replace(self._facts(), **{**guess, "tool_role": False}))

    def taken(self) -> None:
        """An answer has begun: remember what was sent, and the lessons that led to it."""
        self.page.learn({**accepted(self.sent), **self._lesson})
        if not self._taken:  # a repetition of the request says nothing new
            self.page.suspect(self._try)
        self._taken = True

    def ended(self, reply: Said) -> bool:
        """Whether a complete reply is the reply: one that stop words may have ended inside its reasoning is asked for again."""
        if reply.thought_only and self.sent.get("stop") and self._left > 0:
            return False
        if not reply.thought_only:
            self.page.learn({**lesson_of_stops(self.sent, reply), **self._guess})
        return True

    def amended(self, fault: Fault) -> bool:
        """Whether there is another body to send after this fault; then that one comes next."""
        self._left -= 1
        if self._left < 0:
            return False
        if fault.trouble == "thinking_cut":
            self._guess = CUT
            return True
        if fault.trouble == "unsendable":
            before, self._wanted = self._wanted, cleaned(self._wanted)
            return before != self._wanted
        if (shorter := shortened(self._wanted, fault)) != self._wanted:
            self._wanted = shorter
            return True
        lesson = lesson_of(fault, self._wanted, self._facts())
        self._lesson = {**self._lesson, **lesson}
        return bool(lesson) or self._guessed(fault)

    def _guessed(self, fault: Fault) -> bool:
        """Whether there is something to try after a refusal that says nothing.

        First the bare body, then the answer as a whole with all options again; then both, unless there are tools to do
        without (`toolless`).
        """
        if not is_unexplained(fault):
            return False
        self._unexplained = self._unexplained or fault
        last = 2 if "tools" in self.sent else 3
        for guess in GUESSES[self._guesses : last]:
            self._guesses += 1
            taught = dataclasses.replace(self._known(), **guess)
            body = fitted(self._wanted, taught)
            if body not in (self.sent, fitted(self._wanted, self._known())) and not is_free(self._wanted, taught):
                self._try = guess
                return True
        return False

    def _facts(self) -> Facts:
        """What is known, what has been concluded since, and what is tried."""
        return dataclasses.replace(self._known(), **self._try) if self._try else self._known()

    def _known(self) -> Facts:
        lesson = {**self._lesson, **self._guess}
        return dataclasses.replace(self.page.facts, **lesson) if lesson else self.page.facts


def _fail(fault: Fault, situation: Situation, opening: _Opening) -> Exchange:
    """The failure, remembered where it teaches something; when the model is unknown, with the names that are known."""
    kind, page = kind_of(fault, situation), opening.page
    said = kind == "tools_refused" and not is_of_one_tool(fault.words, opening.sent)
    if kind == "server" and fault.status in REFUSES_TOOLS and not situation.opened and (body := opening.toolless()):
        situation = dataclasses.replace(situation, toolless=(yield Open(body)) is None)
        kind = kind_of(fault, situation)
    if kind == "unknown_model":
        listing: object = yield Look("/models")
        situation = dataclasses.replace(situation, offers=names_of(listing))
    failure = failure_of(fault, situation)
    if said:  # of what was only tried, or is so of one tool, nothing is remembered
        page.learn({"tools": "refused"})
    if kind == "constraint_refused" and refuses_form(fault) and (way := way_in(opening.sent)):
        page.learn({way: False})
    if failure.window:
        page.learn({"context": failure.window})
    yield failure


def _read(opening: _Opening, seam: Seam, room: int) -> Steps:
    """Hand out the answer; None when it is complete."""
    documents, pieces, blanks, page = Documents(room), Pieces(), Blanks(), opening.page
    answer, held = _Answer(documents, opening.taken), Gathered()
    while isinstance(document := (yield from answer.next()), dict):
        chunk = pieces.read(document)
        room -= _size(chunk)
        if more := pieces.take_texts(answer.waiting, room):
            chunk = lengthened(chunk, more)
            room -= len(more)
        over = room <= 0 or blanks.flooded(chunk)
        if not held.fits(chunk):
            yield from _told(seam.join(held.taken()))
        held.add(chunk)
        if over or not (answer.ready or answer.over):  # what came together is handed out together
            yield from _told(seam.join(held.taken()))
        if over:
            held.add(pieces.rest())
            finish_reason = "length" if room <= 0 or pieces.called else STOPPED
            yield from _complete(page, seam, pieces, [held.taken()], finish_reason)
            return None
    if documents.done:
        yield Rest()
    held.add(pieces.rest())
    rest = [*seam.join(held.taken())]
    ended = pieces.finish_reason or (document is None and (documents.done or documents.whole))
    if ended and pieces.finish_reason not in BROKEN:
        if pieces.finish_reason == "length" or opening.ended(seam.said):
            yield from _complete(page, seam, pieces, rest)  # what happens after the end of a reply does not matter
            return None
        document = Fault("thinking_cut")
    yield from _told(rest)
    return _broken_off(document, pieces)


def _broken_off(fault: Fault | None, pieces: Pieces) -> Fault:
    """Why there is no more of a reply; what is no chunk, behind good ones, was damaged on the way."""
    if fault is None:
        said = f'the server ended the reply with "{pieces.finish_reason}"' if pieces.finish_reason else ""
        return Fault("connection", words=said)
    return dataclasses.replace(fault, trouble="connection") if fault.trouble == "malformed" and pieces.streamed else fault


def _complete(page: Page, seam: Seam, pieces: Pieces, rest: list[ModelPiece], finish_reason: str = "") -> Iterator[ModelPiece]:
    """The end of a reply: what is left of it comes as one piece with the end."""
    page.learn(pieces.lesson())
    if pieces.usage is not None and pieces.usage.prompt_tokens > (page.facts.context or pieces.usage.prompt_tokens):
        page.forget("context")
    *before, last = (*rest, *seam.end())
    assert isinstance(last, ModelChunk)  # both close with what the reply says
    yield from _told(before)
    finish_reason = finish_reason or last.finish_reason
    yield ModelChunk(last.text, last.reasoning, last.tool_calls, finish_reason, pieces.usage, last=True)


def _told(pieces: Iterable[ModelPiece]) -> Iterator[ModelPiece]:
    return (piece for piece in pieces if piece != NOTHING)


class _Answer:
    """The documents of an answer, read as they are wanted; `begun` is called before the first one."""

    def __init__(self, documents: Documents, begun: Callable[[], None]) -> None:
        self._documents = documents
        self._begun: Callable[[], None] | None = begun
        self.waiting: deque[Json | Fault] = deque()
        self._ended = False

    def next(self) -> Generator[Ask, Any, Json | Fault | None]:
        """The next document, a fault, or None when there is none left."""
        while not self.waiting and not self._ended:
            block: bytes | Fault | None = yield Read()
            self._take(block)
        if self._begun and self.waiting and isinstance(self.waiting[0], dict):
            self._begun()
            self._begun = None
        return self.waiting.popleft() if self.waiting else None

    @property
    def ready(self) -> bool:
        """Whether the next document is there already."""
        return bool(self.waiting) and isinstance(self.waiting[0], dict)

    @property
    def over(self) -> bool:
        """Whether it is known that nothing more comes."""
        return self._ended and not self.waiting

    def _take(self, block: bytes | Fault | None) -> None:
        if isinstance(block, bytes):
            self.waiting.extend(self._documents.feed(block))
            self._ended = self._documents.done
        else:
            self.waiting.extend(self._documents.end() if block is None else [block])
            self._ended = True


def _size(piece: ModelChunk) -> int:
    """Characters that count towards the limit; a piece without any counts as one, so that nothing is endless."""
    calls = sum([len(call.name) + len(call.arguments) for call in piece.tool_calls])
    return len(piece.text) + len(piece.reasoning) + calls or 1
