"""Labels cut a reply into blocks: each label with what follows it, up to the next one."""

from __future__ import annotations

from dataclasses import dataclass, field

from .segments import Segment

_ENDS = ("end", "observe", "unthink")


@dataclass
class Block:
    """A label and its parts; the first block of a reply has no label.  The content is text[start:end]."""

    label: Segment | None
    parts: list[Segment] = field(default_factory=list)
    end: int = 0

    @property
    def kind(self) -> str:
        return self.label.word if self.label is not None else ""

    @property
    def strong(self) -> bool:
        """True for a label that counts anywhere."""
        return self.label is not None and self.label.strong

    @property
    def begin(self) -> int:
        """Where the label stands."""
        return self.label.start if self.label is not None else self.start

    @property
    def start(self) -> int:
        if self.label is not None:
            return self.label.end
        return self.parts[0].start if self.parts else self.end


def blocks_of(segments: list[Segment], size: int) -> list[Block]:
    """The blocks of a reply of `size` characters."""
    blocks = [Block(None)]
    for segment in segments:
        if segment.kind == "label":
            blocks[-1].end = segment.start
            blocks.append(Block(segment))
        else:
            blocks[-1].parts.append(segment)
    blocks[-1].end = size
    return blocks


def without_tokens(text: str, start: int, end: int, blocks: list[Block]) -> str:
    """text[start:end] up to the first token that ends the turn, without reasoning and tokens that mean nothing."""
    kept, index = [], start
    for part in (part for block in blocks for part in block.parts):
        if part.start >= end:
            break
        if part.start >= start and part.kind in (*_ENDS, "noise", "think"):
            kept.append(text[index : part.start])
            index = part.end
            if part.kind in _ENDS:
                return "".join(kept)
    kept.append(text[index:end])
    return "".join(kept)
