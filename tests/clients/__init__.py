"""Clients of others on a task with two tools: `python -m tests.clients`."""
