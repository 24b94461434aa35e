"""Whether an answer claims an act that nobody has done: «refunded», where `refund_order` was never called.

In: what was said so far, the answer, and the tools that act on the world.  Out: the tool that should have been called.  A tool
acts by the first verb of its name.  A claim counts when the task speaks of the act and neither the user nor a result says that
it was done: the status of an order may be «refunded», and a letter to be worded may say so.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from react_agent.messages import Message

from .effects import verb_of

_MAIL = ("mail|send", "mailed|sent", "发邮件|邮件|发")
_ACTS = {
    "send": ("send|mail", "sent|mailed", "发送|发"),
    "mail": _MAIL,
    "email": _MAIL,
    "post": ("post|publish", "posted|published", "发布|发"),
    "publish": ("publish|post", "published|posted", "发布"),
    "pay": ("pay", "paid", "支付|付款|付"),
    "buy": ("buy|purchase|order", "bought|purchased|ordered", "购买|买|订购"),
    "purchase": ("purchase|buy|order", "purchased|bought|ordered", "购买|买|订购"),
    "order": ("order|buy", "ordered|bought", "下单|订购|买"),
    "refund": ("refund", "refunded", "退款|退"),
    "transfer": ("transfer|send", "transferred|sent", "转账|转"),
    "charge": ("charge", "charged", "扣款|收费"),
    "book": ("book|reserve", "booked|reserved", "预订|预定|订"),
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
_LOOKED_AT = 4000  # characters of the task and of the answer


def claimed(history: Iterable[Message], task: str, answer: str, acting: Iterable[str]) -> str:
    """The tool whose act the answer claims though it was never called; "" for none."""
    said = list(history)
    called = {call.name for message in said for call in message.calls}
    told = [message.result.content if message.result else message.content for message in said if message.role != "assistant"]
    for name in sorted(set(acting) - called):
        wish, done = _words(verb_of(name))
        if wish.search(task[:_LOOKED_AT]) and done.search(answer[:_LOOKED_AT]) and not any(map(done.search, told)):
            return name
    return ""


@functools.lru_cache(maxsize=256)
def _words(verb: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """How an act is asked for, and how it is said to be done."""
    plain = re.escape(verb)
    wish, past, chinese = _ACTS.get(verb, (plain, f"{plain.removesuffix('e')}ed", plain))
    english = rf"(?<!not )(?<!not been )(?<!n't )(?<!be )\b(?:e-?)?(?:{past})\b"
    done = rf"已经?[^，。；！？\n未没]{{0,8}}(?:{chinese})|(?:{chinese})(?:已经?|成功|完成|好了)"
    return re.compile(rf"\b(?:e-?)?(?:{wish})|{chinese}", re.IGNORECASE), re.compile(f"{english}|{done}", re.IGNORECASE)
