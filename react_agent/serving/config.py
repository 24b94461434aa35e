"""What the proxy is told before it starts: upstreams, models, limits.

    [[upstream]]
    name = "gpu"                              # for metrics and logs; by default the host
    base_url = "http://127.0.0.1:11434/v1"
    models = ["qwen*", "llama*"]              # globs; by default every model
    key_env = "GPU_KEY"                       # the variable that holds its key
    timeout = 300                             # seconds it may be silent

    [[model]]                                 # the first that matches counts
    match = "qwen2.5-coder*"
    mode = "text"                             # auto | native | text | constrained
    dialect = "hermes"

    [limits]
    body = 33554432
    requests = 512

In: a TOML file, or values.  Out: a frozen `Config`.  Keys never stand in the file, only the names of variables.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from react_agent.driving.ports import ModeChoice
from react_agent.engine.settings import STOPS
from react_agent.errors import UsageError
from react_agent.expected import Expected, check, number, text
from react_agent.models.clients import endpoint
from react_agent.models.facts import checked_mode

T = TypeVar("T")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def _list_of(words: str, holds: Callable[[str], object], *, hint: str = "", secret: bool = False) -> Expected:
    def each(value: object) -> bool:
        return isinstance(value, (list, tuple)) and all(isinstance(item, str) and bool(holds(item)) for item in value)

    return Expected(words, each, hint, secret)


_EXPECTED = {
    "base_url": text,
    "name": text,
    "models": _list_of("a list of globs", bool, hint='such as ["qwen*"]'),
    "key_env": text,
    "timeout": number(above=0, unit="seconds"),
    "match": text,
    "health": number(above=0, unit="seconds"),
    "keys": _list_of(
        "a list of digests (sha256:…)", _DIGEST.fullmatch, hint="react-agent proxy --new-key makes one", secret=True
    ),
}


@dataclass(frozen=True, slots=True)
class Upstream:
    """A server behind the proxy.

    `models` are globs of the names it serves.  `key_env` names the variable with its key; "" takes the vendor's own, else
    OPENAI_API_KEY.  A login in the address (`https://name:password@host/v1`) is sent instead of a key.  `timeout`: seconds it
    may be silent.

    Raises:
        UsageError: the address, a glob or the key cannot be used, the variable is not set, or a login stands beside it.
    """

    base_url: str
    name: str = ""
    models: tuple[str, ...] = ("*",)
    key_env: str = ""
    timeout: float = 300.0

    def __post_init__(self) -> None:
        check(
            _EXPECTED,
            base_url=self.base_url,
            name=self.name,
            models=self.models,
            key_env=self.key_env,
            timeout=self.timeout,
        )
        place = endpoint(self.base_url, self.key, timeout=self.timeout, headers=None)
        object.__setattr__(self, "base_url", place.base_url)
        object.__setattr__(self, "name", self.name or urlsplit(place.base_url).netloc.rpartition("@")[2])
        object.__setattr__(self, "models", tuple(self.models))
        if self.key_env and not os.environ.get(self.key_env):
            raise UsageError(f"the upstream {self.name} takes its key from {self.key_env}, which is not set")
        if self.key_env and self.has_login:
            raise UsageError(f"the upstream {self.name} has a login in its address and a key_env: only one of them can be sent")

    @property
    def key(self) -> str | None:
        """Its key, read where it is needed and never kept."""
        return os.environ.get(self.key_env) if self.key_env else None

    @property
    def has_login(self) -> bool:
        """Whether the address holds a name or a password."""
        parts = urlsplit(self.base_url)
        return bool(parts.username or parts.password)

    def serves(self, model: str) -> bool:
        return any(fnmatchcase(model, glob) for glob in self.models)


@dataclass(frozen=True, slots=True)
class Override:
    """How tools are offered to the models that `match`, a glob.

    Raises:
        UsageError: there is no such mode or dialect.
    """

    match: str
    mode: ModeChoice = "auto"
    dialect: str = ""

    def __post_init__(self) -> None:
        check(_EXPECTED, match=self.match)
        checked_mode(self.mode)
        checked_dialect(self.dialect)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one proxy process takes on.

    `body`: bytes of a request.  `requests`: at work at the same time; more get status 503.  `seconds`: for a whole request.
    `send`: seconds a client may not read before it counts as dead.  `retries`: repetitions of a failed upstream request.
    `rounds`: how often a model is asked again after a useless reply.  `drain`: seconds for requests at work when it ends.
    """

    body: int = 32 * 1024 * 1024
    requests: int = 512
    seconds: float = 600.0
    send: float = 60.0
    retries: int = 1
    rounds: int = 2
    drain: float = 30.0

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            least = 0 if limit.name in ("retries", "rounds") else 1
            if isinstance(value, bool) or not isinstance(value, (int, float)) or value < least:
                raise UsageError(f"the limit {limit.name} must be a number, at least {least}, not {value!r}")


@dataclass(frozen=True, slots=True)
class Config:
    """`health`: seconds between two looks at an upstream.  `keys`: digests of the keys clients must have (see `keys`).

    Raises:
        UsageError: there is no upstream, or `health` or a key cannot be one.
    """

    upstreams: tuple[Upstream, ...]
    overrides: tuple[Override, ...] = ()
    limits: Limits = Limits()
    health: float = 30.0
    keys: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not self.upstreams:
            raise UsageError("no upstream is given: use --upstream URL, or [[upstream]] in the file of --config")
        check(_EXPECTED, health=self.health, keys=self.keys)
        object.__setattr__(self, "keys", tuple(self.keys))

    def override(self, model: str) -> Override:
        """How tools are offered to `model`."""
        return next((item for item in self.overrides if item.match == "*" or fnmatchcase(model, item.match)), _USUAL)

    def candidates(self, model: str) -> tuple[Upstream, ...]:
        """The upstreams that serve `model`, in order."""
        return tuple(upstream for upstream in self.upstreams if upstream.serves(model))


def checked_dialect(dialect: str) -> str:
    """The dialect, if it is one that can be asked for; "" leaves the choice.

    Raises:
        UsageError: it is none.
    """
    if not isinstance(dialect, str) or (dialect and dialect not in STOPS):
        raise UsageError(f"dialect must be one of {', '.join(STOPS)}, not {dialect!r:.80}")
    return dialect


_USUAL = Override("*")


def read_config(path: Path, more: tuple[Upstream, ...] = ()) -> Config:
    """The configuration in a file; the upstreams in `more` come first.

    Raises:
        UsageError: the file cannot be read, or something in it is unknown or cannot work.
    """
    data = _toml(path)
    unknown = sorted(set(data) - set(_PARTS))
    if unknown:
        raise UsageError(f"{path} does not know {', '.join(unknown)}; it takes {', '.join(_PARTS.values())}")
    upstreams = tuple(_made(Upstream, item, "[[upstream]]") for item in _tables(data.pop("upstream", []), "[[upstream]]"))
    overrides = tuple(_made(Override, item, "[[model]]") for item in _tables(data.pop("model", []), "[[model]]"))
    (limits,) = _tables([data.pop("limits", {})], "[limits]")
    return Config((*more, *upstreams), overrides, _made(Limits, limits, "[limits]"), **data)


_PARTS = {"upstream": "[[upstream]]", "model": "[[model]]", "limits": "[limits]", "health": "health", "keys": "keys"}
"""What stands at the top of a file, and how it is written there."""


def _toml(path: Path) -> dict[str, Any]:
    tomllib = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        data: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
        return data
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None


def _tables(found: object, where: str) -> list[dict[str, Any]]:
    """The tables under one name.

    Raises:
        UsageError: something else stands there.
    """
    if not isinstance(found, list) or not all(isinstance(item, dict) for item in found):
        raise UsageError(f"{where} is to be written with a heading of that form, and its settings under it")
    return found


def _made(kind: type[T], item: Mapping[str, Any], where: str) -> T:
    known = {entry.name: entry for entry in fields(kind)}  # type: ignore[arg-type]  # each kind is a dataclass
    unknown = sorted(set(item) - set(known))
    if unknown:
        raise UsageError(f"{where} does not know {', '.join(unknown)}; it takes {', '.join(known)}")
    lacking = [name for name, entry in known.items() if entry.default is MISSING and name not in item]
    if lacking:
        raise UsageError(f"{where} lacks {', '.join(lacking)}")
    return kind(**item)
