"""Whether an answer comes too early: the last call failed in a way that may pass, and nobody has tried it again.

In: what has happened, and which tools act on the world.  Out: the name of the tool to call again.  Whether a failure may pass
is told by its own words, as results of tools have no codes.  A tool that acts on the world is left alone: a payment that timed
out may have gone through.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from react_agent.messages import Result, Step

from .guards import same_call

_LOOKED_AT = 2000  # characters of a failure or a task
_PASSING = re.compile(
    r"\b(?:try|retry)(?:ing)? (?:it |this |the request )?(?:again|later)\b(?! with| using)|\bplease retry\b"
    r"|(?<![\w/.])time[ds]?[ -]?out(?:error)?\b(?! (?:must|should|has|have|value|parameter|setting|is not))"
    r"|\btemporarily\b|\btemporary (?:failure|error|problem|outage|issue)|\btransient (?:failure|error|problem)"
    r"|\b(?:currently|service) unavailable\b(?! in)|\boverloaded\b|\btoo many requests|\brate[ -]limit"
    r"|\bconnection (?:was |has been )?(?:reset|aborted|closed|dropped)"
    r"|\b(?:status|code|http|error)\W{0,3}(?:429|50[234])"
    r"(?=\W*$|[:,.;)\]]|\W{1,3}(?:bad|service|too many|gateway|server|from)\b)"
    r"|稍后(?:再试|重试)|请重试|(?<!登录)(?<!登录已)(?<!会话)(?<!会话已)超时(?!时间|参数|设置)|繁忙|暂时(?:不可用|无法|失败)|连接(?:被)?(?:重置|中断|断开)",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"(?:\b(?:not|never|without)|n['’]t) (?:re-?try|try|trying|repeat)|(?:不要|别|勿|不用)再?(?:重试|重复|再试|试)",
    re.IGNORECASE,
)


def may_pass(failure: str) -> bool:
    """Whether the words of a failure say that the same call may succeed a little later."""
    return _PASSING.search(failure[:_LOOKED_AT]) is not None


def given_up(steps: Sequence[Step], acting: Set[str], task: str) -> str:
    """The tool whose failure in the last step may pass, when its call was made only once; "" for none.

    The task may forbid to try again.
    """
    if _FORBIDDEN.search(task[:_LOOKED_AT]):
        return ""
    for result in steps[-1].results if steps else ():
        if result.status == "error" and result.name not in acting and may_pass(result.content) and _only_try(steps, result):
            return result.name
    return ""


def _only_try(steps: Sequence[Step], result: Result) -> bool:
    call = next((call for call in steps[-1].calls if call.id == result.call_id), None)
    return call is not None and sum(same_call(call, other) for step in steps for other in step.calls) == 1
