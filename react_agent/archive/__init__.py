"""What outlives a program: conversations in files, and a store of earlier runs that can be searched."""

from .conversations import load_conversation, save_conversation
from .recall import Recall, Recollection

__all__ = ["Recall", "Recollection", "load_conversation", "save_conversation"]
