"""Reads tool calls out of whatever a model wrote, in any dialect, whole or as it streams."""

from __future__ import annotations

from .parser import Parser, parse

__all__ = ["Parser", "parse"]
