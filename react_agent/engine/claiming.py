"""Whether an answer claims an act that nobody has done: «refunded», where `refund_order` was never called.

In: what was said so far, the answer, and the tools that act on the world.  Out: the tool that should have been called.  A tool
acts by the first verb of its name.  As a model that is sent back may well act, only the plain case counts: the task orders the
act, asks nothing and forbids nothing; the answer says that it was done, with no word of doubt; and neither the user nor a
result says so: the status of an order may be «refunded».
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from react_agent.messages import Message

from .effects import verb_of

_MAIL = ("mail|send", "mailed|sent", "发邮件|发送|发信")
_ACTS = {
    "send": ("send|mail", "sent|mailed", "发送|发邮件|发信"),
    "mail": _MAIL,
    "email": _MAIL,
    "post": ("post|publish", "posted|published", "发布"),
    "publish": ("publish|post", "published|posted", "发布"),
    "pay": ("pay", "paid", "支付|付款"),
    "buy": ("buy|purchase|order", "bought|purchased|ordered", "购买|订购"),
    "purchase": ("purchase|buy|order", "purchased|bought|ordered", "购买|订购"),
    "order": ("order|buy", "ordered|bought", "下单|订购"),
    "refund": ("refund", "refunded", "退款"),
    "transfer": ("transfer|send", "transferred|sent", "转账"),
    "charge": ("charge", "charged", "扣款|收费"),
    "book": ("book|reserve", "booked|reserved", "预订|预定"),
    "reserve": ("reserve|book", "reserved|booked", "预订|预约|预留"),
    "cancel": ("cancel", "cancell?ed", "取消"),
    "submit": ("submit", "submitted", "提交"),
    "create": ("create", "created", "创建|新建"),
    "delete": ("delete|remove", "deleted|removed", "删除|移除"),
    "remove": ("remove|delete", "removed|deleted", "移除|删除"),
    "drop": ("drop|delete", "dropped|deleted", "删除"),
    "deploy": ("deploy", "deployed", "部署"),
    "restart": ("restart", "restarted", "重启"),
    "invite": ("invite", "invited", "邀请"),
    "approve": ("approve", "approved", "批准"),
}
"""Verb of a tool → words of a wish, words of what is done, and the same act in Chinese."""
_LONGEST = 1000  # characters of a task or an answer that is plain
_NO_ORDER = re.compile(
    r"[?？]|\b(?:how|what|why|whether|can|could|should|would|if|draft|compose|write|word|translate|explain|describe|not|never|no|only"
    r"|without|nothing)\b|n['’]t|怎么|怎样|如何|是否|吗|能不能|可不可以|如果|起草|草拟|写|翻译|解释|说明|介绍|不|别|勿|只",
    re.IGNORECASE,
)
_DOUBT = re.compile(
    r"[?？]|\b(?:not|no|none|never|nothing|cannot|unable|fail(?:ed|s|ure)?|error|yet|if|once|will|would|should|could|can|may|please)\b|n['’]t"
    r"|没|未|不|无|失败|出错|如果|是否|请|将|可以",
    re.IGNORECASE,
)


def claimed(history: Iterable[Message], task: str, answer: str, acting: Iterable[str]) -> str:
    """The tool whose act the answer claims though it was never called; "" for none."""
    if max(len(task), len(answer)) > _LONGEST or _NO_ORDER.search(task) or _DOUBT.search(answer):
        return ""
    said = list(history)
    called = {call.name for message in said for call in message.calls}
    told = [message.result.content if message.result else message.content for message in said if message.role != "assistant"]
    for name in sorted(set(acting) - called):
        order, done, mention = _words(verb_of(name))
        if order.search(task) and done.search(answer) and not any(map(mention.search, told)):
            return name
    return ""


@functools.lru_cache(maxsize=256)
def _words(verb: str) -> tuple[re.Pattern[str], ...]:
    """How an act is ordered, how it is said to be done, and how that may be mentioned."""
    plain = re.escape(verb)
    wish, past, chinese = _ACTS.get(verb, (plain, f"{plain.removesuffix('e')}ed", plain))
    past = rf"(?:e-?)?(?:{past})\b"
    spoken = r"(?:^|\b(?:has|have|had|was|were|been|I|I've|and)\s)(?:(?:now|just|successfully|fully|also)\s){0,2}"
    done = rf"已经?[^，。；！\n]{{0,8}}(?:{chinese})|(?:{chinese})(?:已经?|成功|完成|好了)"
    order = rf"(?:^|[.;,:!]\s{{0,4}}|\b(?:please|then|and|also)\s{{1,4}})(?:e-?)?(?:{wish})\b|{chinese}"
    patterns = order, f"{spoken}{past}|{done}", rf"\b{past}|{done}"
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)
