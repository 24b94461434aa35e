"""Tools: what a model may call, made from functions, pydantic models or schemas, and run so that nothing can go wrong.

In: `@tool` functions and calls.  Out: `Tool`s, and by a `Toolbox` the `Result` of each call.  Rules: no call runs whose
arguments do not satisfy the tool's schema, and no exception of a tool leaves the toolbox.

A toolbox keeps each tool's timeout, repeats what may pass, and remembers the results of pure tools.  Which calls may run at all
belongs to the engine; the flags of a `Tool` tell it what the tool is.
The built-in tools are in `react_agent.tools.builtin`.
"""

from .context import RunContext
from .loading import load
from .policy import Rules
from .spec import Tool, tool
from .toolbox import Toolbox, as_tool

__all__ = ["Rules", "RunContext", "Tool", "Toolbox", "as_tool", "load", "tool"]
