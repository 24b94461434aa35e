"""Vendors and servers as data: where they are, how they are recognised, what is known to be odd about them.

In: an address, or what a server says of itself.  Out: a `Vendor`.  This is the only place that knows names.  What stands here
are starting assumptions: what an answer teaches overrules them.  docs/servers.md is written from this table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from react_agent.messages import Json

from .constraining import Way
from .facts import Facts
from .prefix import Prefix


class Quirk(NamedTuple):
    """Something to know about a server, and who says so."""

    says: str
    source: str


@dataclass(frozen=True, slots=True)
class Vendor:
    """One vendor or server.

    `name` may stand for `base_url`.  `hosts` are the ends of its host names, `port` the usual one on a machine of one's own,
    `owned_by` what its list of models says.  `key` is the variable that holds the key.  `assume` are facts until something
    else is learnt.  `constrains` are its ways to hold replies to a form, the best first.  `thinking` are the fields that switch
    thinking on and off, `prefix` those that ask to go on with a last message of the assistant, `window_page` is where the
    context window is told besides the list of models ("POST …" is sent the model's name).
    """

    name: str
    title: str
    base_url: str
    key: str = ""
    hosts: tuple[str, ...] = ()
    port: int = 0
    owned_by: tuple[str, ...] = ()
    assume: Facts = Facts()
    constrains: tuple[Way, ...] = ("json_schema",)
    thinking: tuple[Json, Json] | None = None
    window_page: str = ""
    prefix: Prefix = Prefix()
    quirks: tuple[Quirk, ...] = field(default=(), repr=False)


def _typed(name: str = "thinking") -> tuple[Json, Json]:
    return {name: {"type": "enabled"}}, {name: {"type": "disabled"}}


_PARTIAL = Prefix({"partial": True})
_CONTINUED = Prefix(body={"continue_final_message": True, "add_generation_prompt": False})

_TEMPLATE: tuple[Json, Json] = (
    {"chat_template_kwargs": {"enable_thinking": True, "thinking": True}},
    {"chat_template_kwargs": {"enable_thinking": False, "thinking": False}},
)
"""Qwen3, GLM-4.5 and later templates ask for `enable_thinking`; DeepSeek V3.1 and Granite ask for `thinking`."""

VENDORS = (
    Vendor(
        "dashscope",
        "DashScope (Alibaba Model Studio)",
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "DASHSCOPE_API_KEY",
        hosts=("dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "dashscope-us.aliyuncs.com"),
        thinking=({"enable_thinking": True}, {"enable_thinking": False}),
        prefix=_PARTIAL,
        quirks=(
            Quirk("Open Qwen3 models take thinking only in a streamed request.", "Model Studio, deep thinking"),
            Quirk("tool_choice may be auto, none or one function, not required.", "Model Studio, function calling"),
        ),
    ),
    Vendor(
        "zhipu",
        "Zhipu (BigModel, Z.ai)",
        "https://open.bigmodel.cn/api/paas/v4",
        "ZAI_API_KEY",
        hosts=("open.bigmodel.cn", "api.z.ai"),
        assume=Facts(max_stops=1),
        thinking=_typed(),
        quirks=(
            Quirk("One stop word.", "BigModel, chat completion, stop"),
            Quirk("tool_choice may be auto only.", "BigModel, function calling"),
            Quirk("The address does not end in /v1.", "BigModel, OpenAI SDK"),
        ),
    ),
    Vendor(
        "deepseek",
        "DeepSeek",
        "https://api.deepseek.com/v1",
        "DEEPSEEK_API_KEY",
        hosts=("api.deepseek.com",),
        assume=Facts(json_schema=False, max_stops=16),
        thinking=_typed(),
        prefix=Prefix({"prefix": True}),
        quirks=(
            Quirk("Thinking models demand reasoning_content back beside tool calls.", "deepseek-ai/DeepSeek-V3 issue 1053"),
            Quirk("R1 refuses reasoning_content in the history.", "DeepSeek, reasoning model guide"),
            Quirk("response_format knows json_object only.", "DeepSeek, JSON output"),
        ),
    ),
    Vendor(
        "moonshot",
        "Moonshot (Kimi)",
        "https://api.moonshot.cn/v1",
        "MOONSHOT_API_KEY",
        hosts=("api.moonshot.cn", "api.moonshot.ai"),
        assume=Facts(max_stops=5),
        thinking=_typed(),
        prefix=_PARTIAL,
        quirks=(
            Quirk("At most five stop words, of 32 bytes each.", "Moonshot, chat completion"),
            Quirk("Some models take one temperature only.", "error text: «invalid temperature: only 1 is allowed»"),
        ),
    ),
    Vendor(
        "openai",
        "OpenAI",
        "https://api.openai.com/v1",
        "OPENAI_API_KEY",
        hosts=("api.openai.com",),
        assume=Facts(max_stops=4),
        thinking=({"reasoning_effort": "medium"}, {"reasoning_effort": "none"}),
        quirks=(
            Quirk("At most four stop words; reasoning models take none.", "OpenAI, chat completion, stop"),
            Quirk("Reasoning models want max_completion_tokens and take no temperature.", "OpenAI, error texts"),
        ),
    ),
    Vendor(
        "openrouter",
        "OpenRouter",
        "https://openrouter.ai/api/v1",
        "OPENROUTER_API_KEY",
        hosts=("openrouter.ai",),
        thinking=({"reasoning": {"enabled": True}}, {"reasoning": {"enabled": False}}),
        quirks=(
            Quirk("Models without tools answer with status 404.", "evalstate/fast-agent issue 122"),
            Quirk("Comments keep the stream alive: «: OPENROUTER PROCESSING».", "OpenRouter, streaming"),
            Quirk("Errors may come inside a stream of status 200.", "OpenRouter, errors"),
        ),
    ),
    Vendor(
        "ollama",
        "Ollama",
        "http://127.0.0.1:11434/v1",
        hosts=("ollama.com",),
        port=11434,
        owned_by=("library",),
        thinking=({"reasoning_effort": "medium"}, {"reasoning_effort": "none"}),
        window_page="POST /api/show",
        quirks=(
            Quirk("Models without tools in their template answer with status 400.", "ollama/ollama issue 6027"),
            Quirk("A prompt that is too long is cut at its beginning without a word.", "ollama/ollama, num_ctx"),
            Quirk("tool_choice is ignored.", "Ollama, OpenAI compatibility"),
            Quirk("Thinking is switched by reasoning_effort.", "ollama/ollama issue 14820"),
        ),
    ),
    Vendor(
        "vllm",
        "vLLM",
        "http://127.0.0.1:8000/v1",
        port=8000,
        owned_by=("vllm",),
        constrains=("structured_outputs", "guided_grammar", "json_schema"),
        thinking=_TEMPLATE,
        prefix=_CONTINUED,
        quirks=(
            Quirk("Tools need --enable-auto-tool-choice and --tool-call-parser.", "vLLM, tool calling"),
            Quirk("Fields that it does not know are ignored: guided_grammar from 0.12 on.", "vLLM, structured outputs"),
            Quirk("A parser that does not fit the model leaves calls in the text.", "vllm-project/vllm issue 32926"),
        ),
    ),
    Vendor(
        "sglang",
        "SGLang",
        "http://127.0.0.1:30000/v1",
        port=30000,
        owned_by=("sglang",),
        constrains=("ebnf", "json_schema"),
        thinking=_TEMPLATE,
        prefix=_CONTINUED,
        quirks=(Quirk("Tools need --tool-call-parser.", "sgl-project/sglang issue 9102"),),
    ),
    Vendor(
        "llamacpp",
        "llama.cpp",
        "http://127.0.0.1:8080/v1",
        port=8080,
        owned_by=("llamacpp",),
        constrains=("grammar", "json_schema"),
        thinking=_TEMPLATE,
        window_page="GET /props",
        quirks=(
            Quirk("Tools need --jinja (the default of newer versions).", "llama.cpp, common/chat.cpp"),
            Quirk("Errors of templates come with status 500.", "llama.cpp server"),
        ),
    ),
    Vendor(
        "lmstudio",
        "LM Studio",
        "http://127.0.0.1:1234/v1",
        port=1234,
        owned_by=("organization_owner",),
        assume=Facts(json_object=False),
        window_page="GET /api/v0/models",
        quirks=(
            Quirk("response_format knows json_schema only.", "lmstudio-ai/lmstudio-bug-tracker, error text"),
            Quirk("Models without native tools get a default form, which may stay in the text.", "LM Studio, tool use"),
        ),
    ),
)  # fmt: skip

UNKNOWN = Vendor("", "any other server", "", thinking=_TEMPLATE)

THINKING_FIELDS = frozenset(name for vendor in VENDORS for fields in vendor.thinking or () for name in fields)


def named(name: str) -> Vendor | None:
    """The vendor of this name."""
    return next((vendor for vendor in VENDORS if vendor.name == name.lower()), None)


@lru_cache(maxsize=256)
def vendor_of(base_url: str, server: str | None = None) -> Vendor:
    """Whose address it is: told by its host, by what was learnt of the server, or by the usual port; else `UNKNOWN`."""
    parts = urlsplit(base_url)
    host = parts.hostname or ""
    by_host = (vendor for vendor in VENDORS for end in vendor.hosts if host == end or host.endswith(f".{end}"))
    by_port = (vendor for vendor in VENDORS if vendor.port and vendor.port == parts.port)
    return next(by_host, None) or named(server or "") or next(by_port, None) or UNKNOWN


def owner(owned_by: object) -> str | None:
    """The name of the server whose list of models says this in `owned_by`."""
    return next((vendor.name for vendor in VENDORS if owned_by in vendor.owned_by), None)
