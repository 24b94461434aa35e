"""The model a command talks to.

In: what the user said (`Target`).  Out: a model, open as long as the `with` block.  The rule, first match wins:

    --local [NAME]                        that model, on this machine
    --base-url, or --model with a key     a server
    the extra "local" is installed        the default model, on this machine
    else                                  an error that says in two lines how to get either

Weights that are not there yet are fetched, with a progress bar on stderr.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec

from react_agent.driving.ports import Model
from react_agent.errors import UsageError
from react_agent.models.local import LocalModel
from react_agent.models.openai import OpenAIModel
from react_agent.models.recording import Recorder

from .fetch import ready
from .options import DEFAULT_LOCAL, Target

NO_MODEL = """\
No model: for one on this machine, pip install "react-agent[local]" and run this again.
For a server, give --base-url URL --model NAME, or set OPENAI_BASE_URL (OPENAI_API_KEY, where it wants a key)."""


@contextmanager
def connect(target: Target) -> Iterator[Model]:
    """The model the user means.

    Raises:
        UsageError: nothing says which model, or what is said cannot work.
        WeightsError: the weights cannot be had.
    """
    with closing(_choose(target)) as model:
        yield model


def _choose(target: Target) -> OpenAIModel | LocalModel:
    if target.local:
        return _local(target)
    if target.base_url or (target.model and target.api_key):
        return OpenAIModel(
            target.model or None,
            base_url=target.base_url or None,
            api_key=_key(target),
            mode=target.mode,
            thinking=target.thinking,
            record=_recorder(target),
        )
    if target.model:
        raise UsageError(
            f"--model {target.model} is a model of which server? Add --base-url URL (on this machine: --local NAME)"
        )
    if find_spec("xllamacpp") is not None:
        return _local(target)
    raise UsageError(NO_MODEL)


def _local(target: Target) -> LocalModel:
    name = target.model if target.local in ("", DEFAULT_LOCAL) else target.local
    return LocalModel(ready(name or None), mode=target.mode, thinking=target.thinking, record=_recorder(target))


def _recorder(target: Target) -> Recorder | None:
    return Recorder(target.record) if target.record else None


def _key(target: Target) -> str | None:
    """The key the user gave; OPENAI_API_KEY is left to the model, which knows whose variable comes first."""
    return None if target.api_key in ("", os.environ.get("OPENAI_API_KEY")) else target.api_key
