"""Every exception this package raises, by who can answer it.

    ReactAgentError                 catch this one to catch them all
    ├── UsageError                  the caller's fault: a wrong argument, two tools of one name, no task
    │   ├── SchemaError             a tool's JSON Schema is not a valid schema
    │   └── ToolDefinitionError     a function cannot be turned into a tool
    ├── ModelError                  the model's server cannot be used (address, key, model name)
    ├── WeightsError                local weights cannot be had (network, disk, digest)
    ├── MissingExtraError           an optional dependency is not installed
    └── Transient                   raised by a tool: it may work when it is tried again

What a model writes never raises: it becomes text, a rejected call or a named fix.  What a tool raises becomes an
observation.  Each message says what was expected, what came and what to do.
"""

from __future__ import annotations


class ReactAgentError(Exception):
    """Base of all exceptions of this package."""


class UsageError(ReactAgentError, ValueError):
    """The caller passed something that cannot work."""


class SchemaError(UsageError):
    """A tool's parameters are not a valid JSON Schema (Draft 2020-12)."""


class ToolDefinitionError(UsageError):
    """A function, model or schema cannot be turned into a tool."""


class ModelError(ReactAgentError):
    """The model cannot be reached or used; the message says what to change."""


class WeightsError(ReactAgentError):
    """Local model weights could not be found, fetched or verified."""


class MissingExtraError(ReactAgentError, ImportError):
    """A feature needs an optional dependency: names the extra that brings it."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f'{feature} needs the extra "{extra}": pip install "react-agent[{extra}]"')
        self.extra = extra


class Transient(ReactAgentError):  # noqa: N818  says what kind of failure a tool met
    """Raised by a tool whose failure may pass: the call is repeated (`retries` of the tool), then told as an error.

    `after`: seconds to wait before, where the tool knows them; else the wait grows from one repetition to the next.
    """

    def __init__(self, message: str = "", *, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after
