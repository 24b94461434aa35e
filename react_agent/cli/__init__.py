"""Command line (placeholder until built)."""
