"""Keys of clients: only their digests are kept.

In: the headers of a request.  Out: whether it may come in.  Keys are drawn here with 256 bits of chance, so a plain digest
keeps them as well as a slow one would, and checking one costs a microsecond.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection

from .refusal import Refusal


def new_key() -> tuple[str, str]:
    """A key for a client, and the digest to put under `keys`."""
    key = f"ra-{secrets.token_urlsafe(32)}"
    return key, digest(key)


def digest(key: str) -> str:
    """What is kept of a key."""
    return "sha256:" + hashlib.sha256(key.encode("utf-8", "surrogateescape")).hexdigest()


def check(header: Callable[[str], str], digests: Collection[str]) -> None:
    """Let a request in, whose headers are told by name.

    Raises:
        Refusal: keys are wanted, and it brings none of them.
    """
    if not digests:
        return
    said = header("x-api-key") or header("authorization").removeprefix("Bearer ").strip()
    came = digest(said)
    if not any(hmac.compare_digest(came, known) for known in digests):
        raise Refusal("this proxy wants a key that it knows", status=401, code="invalid_api_key")
