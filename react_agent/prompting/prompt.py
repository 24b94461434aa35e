"""What stays the same from the first request of a run to the last: system texts, tools, few-shot examples.

In: tools, language, dialect, the user's instructions.  Out: a `Prompt`, built once per run, so that every request of the run
begins with the same bytes and the server's prefix cache holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from react_agent.messages import Call, Json, Message, ToolSpec
from react_agent.parsing.dialects import render
from react_agent.parsing.reasoning import leading

from . import files
from .language import Lang
from .samples import sample_arguments
from .shots import shots
from .signatures import signature
from .wire_tools import Names, wire_names, wire_tools

SAMPLE_ANSWER = "…"
"""Says nothing: a small model gives any sentence that stands here as its answer."""


@dataclass(frozen=True)
class Prompt:
    """The fixed part of a run; everything is derived from these fields, on first use.

    Without tools there is no system text but the instructions: a plain chat.
    """

    specs: tuple[ToolSpec, ...] = ()
    lang: Lang = "en"
    dialect: str = "zh_json_steps"
    instructions: str = ""
    few_shot: int = 0

    @cached_property
    def text_system(self) -> str:
        """The system text for a model that writes its calls as text."""
        if not self.specs:
            return self.instructions
        return files.fill(
            self.lang,
            "system",
            instructions=self.instructions,
            dialect=self.dialect,
            call=self.call_form,
            answer=self.answer_form,
            tools=[signature(spec) for spec in self.specs],
        )

    @cached_property
    def native_system(self) -> str:
        """The system text beside native tools; these are described by the request itself."""
        if not self.specs:
            return self.instructions
        return files.fill(self.lang, "system_native", instructions=self.instructions)

    @cached_property
    def call_form(self) -> str:
        """A filled-in call of one of the tools, in the dialect."""
        return self.show(self._typical) if self.specs else ""

    @cached_property
    def answer_form(self) -> str:
        """A filled-in answer in the dialect."""
        return render(self.dialect, answer=SAMPLE_ANSWER, lang=self.lang)

    @cached_property
    def thinks_apart(self) -> bool:
        """Whether a thought of the dialect, and so of the examples, is reasoning that is set apart."""
        return leading(render(self.dialect, thought="I think.", answer="Yes.", lang=self.lang), "I think.") > 0

    def show(self, spec: ToolSpec) -> str:
        """A call of `spec` with sample arguments, in the dialect."""
        return render(self.dialect, calls=(Call(spec.name, sample_arguments(spec, self.lang)),), lang=self.lang)

    def is_example(self, call: Call) -> bool:
        """Whether `call` is the one shown by `show`, copied: it must hold text, as numbers may be right by chance."""
        spec = next((spec for spec in self.specs if spec.name == call.name), None)
        texts = any(isinstance(value, str) for value in call.arguments.values())
        return spec is not None and texts and call.arguments == sample_arguments(spec, self.lang)

    @cached_property
    def shots(self) -> tuple[Message, ...]:
        """The few-shot examples as history."""
        if not self.few_shot or not self.specs:
            return ()
        return shots(self.specs, lang=self.lang, dialect=self.dialect, count=self.few_shot)

    @cached_property
    def names(self) -> Names:
        """Tool names on the wire."""
        return wire_names(self.specs)

    @cached_property
    def wire_tools(self) -> tuple[Json, ...]:
        """The value of `tools` in a native request."""
        return wire_tools(self.specs, self.names)

    @property
    def _typical(self) -> ToolSpec:
        """The tool to show a call of: one with parameters, as that is where models go wrong."""
        return next((spec for spec in self.specs if spec.parameters.get("required")), self.specs[0])
