"""Pages of a server besides completions: its models, its context window, its tokenizer.

In: an endpoint as far as it is known.  Out: flows that ask for pages and return what they tell; they never fail, what cannot
be had is not known.  Where the pages are stands in `vendors`, how they are read in `windows`.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from react_agent.messages import Json

from .asking import Ask, Look
from .capability import Page
from .faults import Fault
from .vendors import UNKNOWN, VENDORS, Vendor, owner, vendor_of
from .windows import row_of, window_on

NO_PAGE = (404, 405, 501)
NOBODY = "unknown"
"""Stands for a server that its pages do not name."""


def names_of(listing: object) -> tuple[str, ...]:
    """The names in the answer of GET /models; anything unreadable gives none."""
    return tuple(name for row in rows_of(listing) if isinstance(name := row.get("id"), str))


def rows_of(listing: object) -> tuple[Json, ...]:
    """The entries in the answer of GET /models."""
    rows = listing.get("data") if isinstance(listing, dict) else None
    return tuple(row for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()


def listed() -> Generator[Ask, Any, tuple[str, ...]]:
    """The names of the models the server lists; () when it cannot tell."""
    listing: object = yield Look("/models")
    return names_of(listing)


def identified(base_url: str, page: Page) -> Generator[Ask, Any, None]:
    """Find out whose server it is where the address does not say it; asked once, also when nobody knows it."""
    if page.facts.server is not None or vendor_of(base_url) is not UNKNOWN:
        return
    listing: object = yield Look("/models")
    if not isinstance(listing, Fault) or listing.status in NO_PAGE:
        page.learn({"server": next((name for row in rows_of(listing) if (name := owner(row.get("owned_by")))), NOBODY)})


def context_window(base_url: str, model: str, page: Page) -> Generator[Ask, Any, int | None]:
    """The context window in tokens, remembered; None when the server does not tell.

    The list of models also says whose server it is, and with that where else to look.
    """
    if page.facts.context is not None:
        return page.facts.context
    listing: object = yield Look("/models")
    row = row_of(listing, model)
    server = owner(row.get("owned_by")) if isinstance(row, dict) else None
    window = window_on(row) if server != "llamacpp" else 0  # there it is what the model was made for, not what was loaded
    window = window or (yield from _on_pages(vendor_of(base_url, server), model)) or window_on(row)
    page.learn({"server": server, "context": window or None})
    return window or None


def _on_pages(vendor: Vendor, model: str) -> Generator[Ask, Any, int]:
    """What the page of this server tells; where the server is not known, of any that is kept on a machine of one's own."""
    pages = [one.window_page for one in (VENDORS if vendor is UNKNOWN else (vendor,)) if one.window_page]
    for method, path in (page.split() for page in pages):
        found: object = yield Look(f"/{path}", {"model": model} if method == "POST" else None)
        if window := window_on(row_of(found, model) or found):
            return window
    return 0


def count_tokens(text: str, model: str, page: Page) -> Generator[Ask, Any, int | None]:
    """How many tokens `text` has for this model; None where the server does not count."""
    if page.facts.tokenize is False:
        return None
    body: Json = {"model": model, "prompt": text, "content": text}  # vLLM and SGLang read `prompt`, llama.cpp `content`
    counted: object = yield Look("//tokenize", body)
    count = _count(counted)
    page.learn({"tokenize": count is not None})
    return count


def _count(counted: object) -> int | None:
    match counted:
        case {"count": int(count)}:
            return count
        case {"tokens": list(tokens)}:
            return len(tokens)
        case _:
            return None
