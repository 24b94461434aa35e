"""Words for the model: tools, format, history, corrections.

In: tools, the neutral history, language and dialect.  Out: wire messages, ready to send.  All sentences live in `prompts/`
and `fewshot/` as data; the code here chooses and fills them in.
"""

from .constraint import constraint, may_begin
from .corrections import closing, correction
from .history import Wire, native_messages, observation, text_messages
from .language import Lang, language
from .notes import truncated
from .prompt import Prompt
from .signatures import signature

__all__ = [
    "Lang",
    "Prompt",
    "Wire",
    "closing",
    "constraint",
    "correction",
    "language",
    "may_begin",
    "native_messages",
    "observation",
    "signature",
    "text_messages",
    "truncated",
]
