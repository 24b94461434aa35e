"""The proxy: function calling for every model and every client, over HTTP.

In: requests of clients that know nothing of this project.  Out: answers with tool calls that are declared and valid.

    visit ─► fields ─► chat.request ─► Asked ─► preparing ─► turns ◄─► answering ◄─► pool ─► wire ─► upstream
                                                              │
    visit ◄─ service ◄─ chat.response ◄──────────────── deltas, Told

    create_app      an ASGI application
    Config          upstreams, models, limits; `read_config` takes them from a TOML file

It needs the extra `server`.
"""

from typing import TYPE_CHECKING, Any

from .config import Config, Limits, Override, Upstream, read_config

if TYPE_CHECKING:
    from .app import create_app

__all__ = ["Config", "Limits", "Override", "Upstream", "create_app", "read_config"]


def __getattr__(name: str) -> Any:
    """`create_app` is loaded when it is asked for: it needs the extra."""
    if name != "create_app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from react_agent.errors import MissingExtraError

    try:
        from .app import create_app
    except ImportError as error:
        if error.name is None or error.name.startswith("react_agent"):
            raise
        raise MissingExtraError("The proxy", "server") from error
    return create_app
