"""What a trace must not hold, and what it may."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from react_agent.redacting import Redactor, secrets_of

BODY = "q7Rt2Lm9Xv4Kp8Wz3Nd6"
SECRETS = [
    f"sk-{BODY}", f"sk-proj-{BODY}", f"ghp_{BODY}", f"github_pat_{BODY}", f"hf_{BODY}", f"glpat-{BODY}", f"xoxb-{BODY}",
    f"AKIA{BODY.upper()[:16]}", f"AIza{BODY}{BODY}", f"eyJhbGciOi{BODY}.{BODY}.{BODY}",
]  # fmt: skip
NAMED = [
    "api_key={}", '{{"api_key": "{}"}}', "Authorization: Bearer {}", "password: {}", "密码是{}。", "密钥：{}", "secret = '{}'",
    "postgres://user:{}@host/db", "the token is {}", '{{"a": "{{\\"access_key\\": \\"{}\\"}}"}}',
]  # fmt: skip


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["{}", "see {}.", "键{}；", "'{}'"])
def test_what_looks_like_a_key(secret: str, around: str) -> None:
    assert secret[-12:] not in Redactor()(around.format(secret))


@pytest.mark.parametrize(
    "login", ["annika:hunter2pw", "annika:", ":hunter2pw", "annika", "annika%40work:hunter2pw", "a:hunter2@pw"]
)
def test_the_login_of_an_address(login: str) -> None:
    said = Redactor()(f"cannot reach https://{login}@host.example/v1: refused")
    assert said == "cannot reach https://***@host.example/v1: refused"


@pytest.mark.parametrize("around", NAMED)
def test_what_is_named_as_a_secret(around: str) -> None:
    assert "hunter2pw" not in Redactor()(around.format("hunter2pw"))


@pytest.mark.parametrize(
    "text",
    [
        '{"max_tokens": 2048, "prompt_tokens": 120}',
        "token usage is low",
        "the task-force of the desk",
        "see http://host/a:b",
        "mail ann@host.example, see http://host/@ann",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert Redactor()(text) == text


def test_what_is_known_is_taken_out_in_every_form() -> None:
    secret = 'a"b\\c/密钥值'
    redact = Redactor([secret])
    for text in (secret, json.dumps(secret), json.dumps(secret, ensure_ascii=False)):
        assert "b" not in redact(text)


def test_variables_that_are_named_as_secrets() -> None:
    found = secrets_of({"MY_API_KEY": "12345678", "DB_PASSWORD": "abcdefgh", "HOME": "abcdefgh", "KEY_FILE": "/etc/key.pem"})
    assert found == ("12345678", "abcdefgh")


NAMES = st.sampled_from(["password", "api_key", "token", "n"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.sampled_from(SECRETS),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_json_stays_json(value: Any) -> None:
    json.loads(Redactor()(json.dumps(value, ensure_ascii=False)))
