"""A run that knows of earlier ones, and is remembered itself.

In: the state of a run and a `Recall`.  Out: the events of the run.  What is recalled stands in the history before the task.
The file is read before the first event and written behind the last; an event loop does both in a thread.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import aclosing

from react_agent.engine import State
from react_agent.events import Event, RunFinished
from react_agent.prompting.notes import recalled

from .recall import Recall


def remembered(state: State, recall: Recall, events: Callable[[], Iterator[Event]]) -> Generator[Event, None, None]:
    """The events of the run."""
    _tell(state, recall)
    for event in events():
        if isinstance(event, RunFinished):
            recall.remember(state.task, event.result)
        yield event


async def aremembered(
    state: State, recall: Recall, events: Callable[[], AsyncGenerator[Event, None]]
) -> AsyncGenerator[Event, None]:
    """As `remembered`, for an event loop."""
    import asyncio

    await asyncio.to_thread(_tell, state, recall)
    async with aclosing(events()) as running:
        async for event in running:
            if isinstance(event, RunFinished):
                await asyncio.to_thread(recall.remember, state.task, event.result)
            yield event


def _tell(state: State, recall: Recall) -> None:
    state.recalled = recalled(state.prompt.lang, ((hit.task, hit.answer) for hit in recall.context(state.task)))
