"""The end of docs/servers.md, from a mark on: vendors and servers as `react_agent.models.vendors` has them."""

from __future__ import annotations

from pathlib import Path

from react_agent.models.vendors import VENDORS, Vendor

MARK = "<!-- written by scripts/write_docs.py from react_agent/models/vendors.py -->"


def servers_page(path: Path) -> str:
    """The page with its tables as the data has them."""
    written = path.read_text(encoding="utf-8").partition(MARK)[0]
    table = ["| | address | key | holds replies to a form by | assumed |", "|---|---|---|---|---|", *map(row, VENDORS)]
    odd = [f"* {vendor.title}: {quirk.says} ({quirk.source})" for vendor in VENDORS for quirk in vendor.quirks]
    return "\n".join([written + MARK, "", *table, "", "Known to be odd:", "", *odd, ""])


def row(vendor: Vendor) -> str:
    assumed = ", ".join(f"`{name}` {value}" for name, value in vendor.assume.known().items())
    ways = ", ".join(f"`{way}`" for way in vendor.constrains)
    key = f"`{vendor.key}`" if vendor.key else ""
    return f"| `{vendor.name}`: {vendor.title} | {vendor.base_url} | {key} | {ways} | {assumed} |"
