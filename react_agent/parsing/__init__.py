"""Reads tool calls out of whatever a model wrote, in any dialect, whole or as it streams."""

from __future__ import annotations

from .manner import Strictness
from .parser import Parser, parse

__all__ = ["Parser", "Strictness", "parse"]
