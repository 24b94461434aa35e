"""Hermes tags: Hermes 2 to 4, Qwen 2.5 and 3, QwQ, Granite 4, SmolLM3 and many more.

    <tool_call>
    {"name": "get_weather", "arguments": {"city": "Oslo"}}
    </tool_call>

One pair of tags for each call; models also put several objects, a list, or another body into one pair.
"""

from __future__ import annotations

from react_agent.messages import Call

from .dialect import Dialect, Opener
from .writing import NAME_ARGUMENTS, compact, each, in_json, python


def prose(text: str, lang: str) -> str:
    """A thought in plain words, as a prompt shows it: reasoning tags in a history are cut out by chat templates."""
    return f"{text}\n"


def _code_mode(call: Call) -> str:
    """The argument `code` of Qwen-Agent stands behind the JSON, in a tag of its own."""
    code = call.arguments.get("code")
    if not isinstance(code, str) or "</code>" in code:
        return _hermes(call)
    arguments = {**call.arguments, "code": ""}
    head = compact({"name": call.name, "arguments": arguments})
    return f"<tool_call>\n{head}\n<code>\n{code}\n</code>\n</tool_call>"


_hermes = in_json(NAME_ARGUMENTS, "<tool_call>\n", "\n</tool_call>")

HERMES = Dialect(
    "hermes",
    "Hermes 2 to 4, Qwen2.5, Qwen3, QwQ, Granite 4, SmolLM3, EXAONE, Kimi-Dev, Falcon3",
    "chat templates of NousResearch Hermes and Qwen",
    "`<tool_call>` with a JSON object",
    (Opener("<tool_call>", "hermes", ("</tool_call>", "</tool_calls>", "<tool_call/>")),),
    each(_hermes),
    thought=prose,
    thinks=False,
)
ERNIE = Dialect(
    "ernie",
    "ERNIE 4.5, ERNIE X1",
    "chat template",
    "not at all: the tags are those of hermes, only text has tags of its own",
    calls=each(_hermes),
    answer=lambda text, lang: f"<response>\n{text}\n</response>",
    reported="hermes",
)
HYBRID = Dialect(
    "hybrid",
    "fine-tunes, merges and long contexts",
    "vllm-project/vllm#46863 and the like",
    "`<tool_call>` with Python, with a name and JSON, or with an object keyed by the name",
    calls=each(lambda call: f"<tool_call>\n{python(call)}\n</tool_call>"),
)
THINK_WRAP = Dialect(
    "think_wrap",
    "every model that reasons, around its own dialect",
    "chat templates of reasoning models",
    "reasoning is no call: the name is that of the dialect behind it",
    calls=each(_hermes),
    reported="hermes",
)
QWEN_CODE = Dialect(
    "qwen_code",
    "Qwen under Qwen-Agent's code mode",
    "Qwen-Agent, nous prompt with code_interpreter",
    "`<tool_call>` with a JSON object whose `code` is empty, and a `<code>` tag behind it",
    calls=each(_code_mode),
)
TAGGED = (HERMES, ERNIE, HYBRID, THINK_WRAP, QWEN_CODE)
