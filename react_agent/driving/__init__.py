"""Drivers: they answer the requests of a flow, in a thread or in an event loop.  `ports` says what they need of a model."""
