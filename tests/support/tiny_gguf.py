"""Writes the smallest model llama.cpp will load: random weights, a byte vocabulary, about 100 kB.

    write_tiny_model(tmp_path / "tiny.gguf")

It speaks gibberish, which is enough to test that a model is loaded, served and let go.  GGUF, version 3, little endian:
magic, version, counts, the metadata as (key, type, value), then for each tensor (name, shape, type, offset), then the data.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Sequence
from pathlib import Path

UINT32, FLOAT32, STRING, ARRAY, INT32 = 4, 6, 8, 9, 5
ALIGNMENT = 32
WIDTH, FEED, HEADS, CONTEXT = 32, 64, 2, 512
TOKENS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *"▁etaoinshr"]
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6
KINDS = [UNKNOWN, CONTROL, CONTROL, *[BYTE] * 256, *[NORMAL] * 10]


def write_tiny_model(path: Path, *, seed: int = 0) -> Path:
    """Write the file and return its path; the same seed gives the same bytes."""
    source = random.Random(seed)
    infos, data = b"", b""
    for name, shape in _tensors().items():
        values = [source.gauss(0, 0.1) for _ in range(shape[0] * (shape[1] if len(shape) > 1 else 1))]
        infos += _text(name) + _pack("<I", len(shape)) + _pack(f"<{len(shape)}Q", *shape) + _pack("<IQ", 0, len(data))
        data += _padded(_pack(f"<{len(values)}f", *values))
    metadata = _metadata()
    head = b"GGUF" + _pack("<IQQ", 3, len(_tensors()), len(metadata)) + b"".join(metadata) + infos
    path.write_bytes(_padded(head) + data)
    return path


def _tensors() -> dict[str, Sequence[int]]:
    square, block = (WIDTH, WIDTH), "blk.0."
    return {
        "token_embd.weight": (WIDTH, len(TOKENS)),
        "output_norm.weight": (WIDTH,),
        "output.weight": (WIDTH, len(TOKENS)),
        block + "attn_norm.weight": (WIDTH,),
        block + "attn_q.weight": square,
        block + "attn_k.weight": square,
        block + "attn_v.weight": square,
        block + "attn_output.weight": square,
        block + "ffn_norm.weight": (WIDTH,),
        block + "ffn_gate.weight": (WIDTH, FEED),
        block + "ffn_up.weight": (WIDTH, FEED),
        block + "ffn_down.weight": (FEED, WIDTH),
    }


def _metadata() -> list[bytes]:
    numbers = {
        "llama.context_length": CONTEXT,
        "llama.embedding_length": WIDTH,
        "llama.block_count": 1,
        "llama.feed_forward_length": FEED,
        "llama.attention.head_count": HEADS,
        "llama.rope.dimension_count": WIDTH // HEADS,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.ggml.unknown_token_id": 0,
    }
    return [
        _text("general.architecture") + _pack("<I", STRING) + _text("llama"),
        _text("tokenizer.ggml.model") + _pack("<I", STRING) + _text("llama"),
        _text("llama.attention.layer_norm_rms_epsilon") + _pack("<If", FLOAT32, 1e-5),
        *(_text(key) + _pack("<II", UINT32, value) for key, value in numbers.items()),
        _text("tokenizer.ggml.tokens") + _pack("<IIQ", ARRAY, STRING, len(TOKENS)) + b"".join(map(_text, TOKENS)),
        _text("tokenizer.ggml.scores")
        + _pack("<IIQ", ARRAY, FLOAT32, len(TOKENS))
        + _pack(f"<{len(TOKENS)}f", *[0.0] * len(TOKENS)),
        _text("tokenizer.ggml.token_type") + _pack("<IIQ", ARRAY, INT32, len(KINDS)) + _pack(f"<{len(KINDS)}i", *KINDS),
    ]


def _text(text: str) -> bytes:
    data = text.encode()
    return _pack("<Q", len(data)) + data


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % ALIGNMENT)


_pack = struct.pack
