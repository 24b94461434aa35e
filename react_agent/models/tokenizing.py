"""A tokenizer on this machine, as a way to count.

In: a `tokenizer.json` file, or any function that counts.  Out: such a function.  Nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath

from react_agent.errors import MissingExtraError, UsageError
from react_agent.memory import Count


def counter(tokenizer: str | PathLike[str] | Callable[[str], float]) -> Count:
    """A function that counts the tokens of a text.

    Raises:
        UsageError: the file cannot be read as a tokenizer.
        MissingExtraError: it is a file, and the extra "tokenizers" is not installed.
    """
    if callable(tokenizer):
        return tokenizer
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise MissingExtraError("A tokenizer from a file", "tokenizers") from None
    try:
        loaded = Tokenizer.from_file(fspath(tokenizer))
    except Exception as error:  # the library raises nothing narrower
        raise UsageError(f"cannot read the tokenizer {tokenizer}: {error}; give a tokenizer.json, or a function") from None
    return lambda text: len(loaded.encode(text, add_special_tokens=False).ids)
