"""Search in a folder of text files, by words.

In: a folder of `.txt` and `.md` files and a query.  Out: the passages that match best, each with its file.  Latin words count
whole, Chinese, Japanese and Korean text by pairs of neighbouring characters, rare ones more than common ones (BM25).  The
files are read anew for each query, so that changes are seen; their size and number are bounded.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from react_agent.errors import UsageError
from react_agent.tools.spec import Tool, tool

MAX_FILES = 2_000
MAX_FILE_BYTES = 1_000_000
MAX_BYTES = 10_000_000
MAX_PASSAGES = 5
MAX_PASSAGE_CHARS = 500
_SUFFIXES = (".txt", ".md")
_CJK = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"([{_CJK}]+)|[^\W_{_CJK}]+")
_SENTENCE = re.compile(r"(?<=[。！？；!?])|(?<=[.;]\s)")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a file, its name relative to the folder with `/` between."""

    file: str
    text: str


def docs_tool(folder: str | Path) -> Tool:
    """The tool `search_docs` over the `.txt` and `.md` files in `folder` and below; symbolic links are not followed.

    Raises:
        UsageError: `folder` is not a folder.
    """
    root = Path(folder)
    if not root.is_dir():
        raise UsageError(f'search_docs needs a folder of text files, but "{folder}" is not a folder')

    @tool(
        description="当用户询问文档、资料或规定中的内容时调用。Use when the user asks for something that the documents may say."
    )
    def search_docs(query: Annotated[str, "要查找的关键词。Keywords to look for."]) -> list[Passage]:
        return search(query, [passage for path in _files(root) for passage in _passages(path, root)])

    return search_docs


def search(query: str, passages: list[Passage]) -> list[Passage]:
    """The best passages for `query`, best first; none when no word of it occurs."""
    words = [Counter(tokens(f"{passage.file} {passage.text}")) for passage in passages]
    weights = {word: _rarity(sum(word in each for each in words), len(words)) for word in set(tokens(query))}
    usual = sum(each.total() for each in words) / max(1, len(words))
    scores = [sum(weight * _presence(each, word, usual) for word, weight in weights.items()) for each in words]
    best = sorted(range(len(passages)), key=lambda index: (-scores[index], index))[:MAX_PASSAGES]
    return [passages[index] for index in best if scores[index] > 0]


def tokens(text: str) -> Iterator[str]:
    """Latin words in lower case without a plural s; of CJK runs each pair of neighbours, or the one character there is."""
    for found in _WORD.finditer(text.lower()):
        word = found[0]
        if found[1] and len(word) > 1:
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        else:
            yield word.removesuffix("s") if len(word) > 3 else word


def _rarity(found: int, passages: int) -> float:
    return math.log(1 + (passages - found + 0.5) / (found + 0.5))


def _presence(words: Counter[str], word: str, usual: float) -> float:
    count = words[word]
    return count * 2.2 / (count + 1.2 * (0.25 + 0.75 * words.total() / usual)) if count else 0.0


def _files(root: Path) -> Iterator[Path]:
    left, bytes_left = MAX_FILES, MAX_BYTES
    for folder, folders, names in os.walk(root):
        folders.sort()
        for path in (Path(folder, name) for name in sorted(names) if name.lower().endswith(_SUFFIXES)):
            if path.is_symlink() or not path.is_file() or (size := path.stat().st_size) > MAX_FILE_BYTES:
                continue
            left, bytes_left = left - 1, bytes_left - size
            if left < 0 or bytes_left < 0:
                return
            yield path


def _passages(path: Path, root: Path) -> Iterator[Passage]:
    """Paragraphs, each with the headings right above it; long ones in pieces."""
    name, heading = path.relative_to(root).as_posix(), ""
    for paragraph in re.split(r"\n[ \t]*\n", path.read_text(encoding="utf-8", errors="replace")):
        text = paragraph.strip()
        if text.startswith("#") and "\n" not in text:
            heading += text + "\n"
        elif text:
            yield from (Passage(name, piece) for piece in _pieces(heading + text))
            heading = ""


def _pieces(text: str) -> Iterator[str]:
    piece = ""
    for sentence in _SENTENCE.split(text):
        if piece and len(piece) + len(sentence) > MAX_PASSAGE_CHARS:
            yield piece.strip()
            piece = ""
        piece += sentence
        while len(piece) > MAX_PASSAGE_CHARS:
            yield piece[:MAX_PASSAGE_CHARS]
            piece = piece[MAX_PASSAGE_CHARS:]
    if piece.strip():
        yield piece.strip()
