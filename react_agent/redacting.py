"""Takes secrets out of a text: those that are known, and what looks like one.

In: a line of JSON, or any text.  Out: the same with `***` in the place of each secret, still JSON.  Known are the keys of the
model and of the environment; keys of well-known services, tokens, private keys, logins in addresses and values that are
named as secrets are recognised.  Linear in the text.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping

MASK = "***"
SHORTEST = 6
"""Characters; shorter known values are words that stand everywhere."""

_NAMES = (
    r"api[_ -]?key|access[_ -]?key|secret(?:[_ -]?key)?|passw(?:or)?d|passphrase|token|authorization|credential"
    "|密码|口令|密钥|令牌"
)
_NAMED = re.compile(
    rf"(?P<name>(?:{_NAMES})\\{{0,4}}[\"'`]?\s{{0,4}}(?:[:=：]|是|为|is\b)\s{{0,4}}\\{{0,4}}[\"'`]?(?:(?:Bearer|Basic)\s)?)"
    r"[^\s\"'`\\,;&<>{}()\[\]，。；]{4,}",
    re.I,
)
_SHAPES = re.compile(
    r"(?<![A-Za-z0-9])(?:(?:sk|pk|rk)[-_](?:[A-Za-z]{1,10}[-_])?[A-Za-z0-9_-]{16,}"
    r"|(?:gh[pousr]|github_pat|glpat|hf|npm|dop_v1)[_-][A-Za-z0-9_-]{16,}"
    r"|xox[a-z]-[A-Za-z0-9-]{10,}"
    r"|(?:AKIA|ASIA|LTAI)[0-9A-Za-z]{12,}"
    r"|AIza[0-9A-Za-z_-]{30,}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"
    r")|-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-\"]*"
)
_SHAPE_HINTS = (
    "sk-", "pk-", "rk-", "sk_", "pk_", "rk_", "ghp", "gho", "ghu", "ghs", "ghr", "github", "glpat", "hf_",
    "npm_", "dop_", "xox", "AKIA", "ASIA", "LTAI", "AIza", "eyJ", "PRIVATE KEY",
)  # fmt: skip
_LOGIN = re.compile(r"(?P<name>://)[^\s/\"\\]{1,300}(?=@)")
_BEARER = re.compile(r"(?P<name>(?<![A-Za-z0-9])(?:Bearer|Basic)\s{1,4})[A-Za-z0-9._~+/=-]{8,}")
_NAME_HINTS = ("key", "secret", "passw", "passphrase", "token", "authorization", "credential", "密码", "口令", "密钥", "令牌")
_VARIABLE = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.I)


class Redactor:
    """Takes out what is known to be secret, and what looks like it."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = {secret for secret in secrets if len(secret) >= SHORTEST}
        forms = {json.dumps(secret, ensure_ascii=plain)[1:-1] for secret in known for plain in (True, False)}
        self._known = sorted(known | forms, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        for secret in self._known:
            text = text.replace(secret, MASK)
        if any(hint in text for hint in _SHAPE_HINTS):
            text = _SHAPES.sub(MASK, text)
        if "://" in text:
            text = _LOGIN.sub(_masked, text)
        if "Bearer " in text or "Basic " in text:
            text = _BEARER.sub(_masked, text)
        low = text.lower().replace("tokens", "")  # those are counted, and stand in every trace
        return _NAMED.sub(_masked_value, text) if any(hint in low for hint in _NAME_HINTS) else text


def secrets_of(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """The values of variables that are named as secrets."""
    return tuple(value for name, value in environment.items() if _VARIABLE.search(name) and _is_value(value))


def _is_value(value: str) -> bool:
    """A path or a switch is no secret."""
    return len(value) >= 8 and not value.startswith(("/", "~", "."))


def _masked(found: re.Match[str]) -> str:
    return found["name"] + MASK


def _masked_value(found: re.Match[str]) -> str:
    """A number or word that stands for itself in JSON becomes a text there, so the line stays JSON."""
    name = found["name"]
    bare = name.rstrip().endswith('":') and not name.rstrip().endswith('\\":')
    return f'{name}"{MASK}"' if bare else name + MASK
