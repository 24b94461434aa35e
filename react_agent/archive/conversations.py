"""A conversation in a file, as JSON.

In: a `Conversation`.  Out: a file `{"version": 1, "conversation": {…}}`, and the conversation again.  The rules: a file is
whole or as it was before (it is written beside and renamed), and only its owner may read it; one of a later version is refused,
not guessed at.
"""

from __future__ import annotations

import json
from pathlib import Path

from react_agent.errors import UsageError
from react_agent.memory.view import checked_view
from react_agent.messages import Conversation
from react_agent.models.state_file import write_whole

VERSION = 1


def save_conversation(conversation: Conversation, path: str | Path) -> None:
    """Write `conversation` to `path`, in the place of what is there.

    Raises:
        UsageError: nothing can be written there.
    """
    path = Path(path)
    text = json.dumps({"version": VERSION, "conversation": conversation.to_dict()}, indent=1)
    try:
        write_whole(path, text)
    except OSError as error:
        raise UsageError(f"cannot write the conversation {path}: {error.strerror}") from None


def load_conversation(path: str | Path) -> Conversation:
    """The conversation that `save_conversation` wrote.

    Raises:
        UsageError: the file cannot be read, or holds no conversation that this version knows.
    """
    try:
        document = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read the conversation {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict) or not isinstance(document.get("conversation"), dict):
        raise UsageError(f"{path} is no conversation: save one with save_conversation or `react-agent chat --keep FILE`")
    if document.get("version") != VERSION:
        raise UsageError(f"{path} was written by another version ({document.get('version')!r:.20}, this one reads {VERSION})")
    found: Conversation = Conversation.from_dict(document["conversation"])
    checked_view(found.view, found.messages)
    return found
