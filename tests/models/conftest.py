"""`ask` stands for the blocking and for the asynchronous way: a test that takes it runs twice."""

from __future__ import annotations

import pytest

from tests.models.asking import WAYS, Ask


@pytest.fixture(params=WAYS, ids=["blocking", "asynchronous"])
def ask(request: pytest.FixtureRequest) -> Ask:
    return request.param
