"""A scripted model that can do the task, behind servers without tool calling.

`refusing` answers 400 to a request with tools.  `leaking` takes them, and the model writes its calls as text.  Without tools in
the request, the model uses those that the prompt tells of, in the form that it asks for, and none when it tells of none.
"""

from __future__ import annotations

import json
import re
from typing import Any

from tests.support.server import Fail, Plain

from .task import FOUND

ANSWER = "A lamp costs {}, and {} are in stock.".format(*FOUND)
REFUSED = "this model does not support tools"


_CALL = "<tool_call>\n{}\n</tool_call>"
_STEP = "Thought: I take the next step.\nAction: {}"


def refusing(body: Any) -> Plain:
    return Fail(400, REFUSED) if body.get("tools") else _in_text(body)


def leaking(body: Any) -> Plain:
    return _said(body, _CALL, "name", "arguments") if body.get("tools") else _in_text(body)


def _in_text(body: Any) -> str:
    """What the model writes when the request has no tools: steps in the house dialect, if the prompt asks for them."""
    told = _dumped(body["messages"][0])
    if "price_of" not in told or "Action: {" not in told.replace('\\"', '"'):
        return "I have no tools, so I cannot know the price."
    return _said(body, _STEP, "name", "args", {"type": "tool_call"})


def _said(body: Any, form: str, name: str, arguments: str, more: Any = None) -> str:
    """The next step, after the results that stand behind the task; some clients want the answer as a call too."""
    told, talk = _dumped([body.get("tools"), body["messages"][0]]), _dumped(body["messages"][1:])
    left = [tool for tool, found in zip(("price_of", "stock_of"), FOUND, strict=True) if not _holds(talk, found)]
    if not left and "final_answer(answer" not in told and '"name": "final_answer"' not in told:
        return ANSWER
    step = (left[0], {"item": "lamp"}) if left else ("final_answer", {"answer": ANSWER})
    return form.format(_dumped({**(more or {}), name: step[0], arguments: step[1]}))


def _holds(talk: str, number: str) -> bool:
    """Whether the number stands in the talk; digits within the random ids of calls are none."""
    return re.search(rf"(?<![0-9a-f]){number}(?![0-9a-f])", talk) is not None


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
