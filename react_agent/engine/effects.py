"""What the engine must know of the tools besides their schemas: which may not repeat, which give the answer themselves.

In: tools with their flags.  Out: `Traits`.  A second mail is worse than a second look: so a tool that declares nothing, but is
named after an act, is not called twice with the same arguments.  Declared flags always win over the name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from react_agent.tools import Tool
from react_agent.tools.policy import Policy

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_VERBS = frozenset((
    "send", "mail", "email", "post", "pay", "buy", "order", "purchase", "refund", "transfer", "charge", "book", "reserve",
    "cancel", "submit", "publish", "create", "insert", "append", "delete", "remove", "drop", "deploy", "restart", "trigger",
    "invite", "subscribe", "approve",
))  # fmt: skip
_ONLY_VERBS = frozenset((
    "send", "pay", "buy", "cancel", "submit", "publish", "create", "insert", "append", "delete", "remove", "deploy", "restart",
    "invite", "subscribe", "approve", "charge", "reserve",
))  # fmt: skip
"""Verbs that are no nouns: an order may be looked up, but nobody has a «send»."""
_LOOKS = frozenset((
    "get", "list", "find", "search", "read", "check", "query", "lookup", "fetch", "count", "is", "has", "describe", "track",
    "status", "history", "info", "information", "price", "prices", "policy", "policies", "details", "detail", "summary",
))  # fmt: skip
_LOOKS_FIRST = _LOOKS | {"show", "view"}
"""A show may be booked."""
_LOOKS_LATER = _LOOKS | {"log", "logs", "rate", "rates"}
"""A purchase may be logged."""
_CHINESE = ("发送", "发邮件", "支付", "付款", "购买", "下单", "退款", "转账", "预订", "取消", "提交", "发布", "创建", "删除")
_ONLY_CHINESE_VERBS = ("发送", "发邮件", "下单", "取消", "发布", "创建", "删除")
_CHINESE_LOOKS = re.compile("查|搜索|获取|状态|历史|政策|列表|详情|价格|进度|统计|.记录")

_WRITES = frozenset((
    "write", "add", "update", "set", "save", "put", "store", "edit", "move", "rename", "copy", "upload", "record", "log",
))  # fmt: skip
"""First words of tools that leave something behind each time, which asks for no care as an act does."""
_CHINESE_WRITES = ("写", "添加", "新增", "更新", "修改", "保存", "上传", "移动", "设置", "记录")


@dataclass(frozen=True, slots=True)
class Traits:
    """Names of tools: `once` must not run twice with the same arguments, the result of `answering` ones is the answer.
    `repeatable` ones may always run again; of `writing` ones it is no standstill when they all say «saved».

    `max_calls` says of tools how often they may run in one run.  `dangerous` ones want the user's word, `acting` ones do
    something in the world, `pure` ones do nothing at all.  `policy` is the user's.
    """

    once: frozenset[str] = frozenset()
    answering: frozenset[str] = frozenset()
    max_calls: Mapping[str, int] = field(default_factory=dict)
    dangerous: frozenset[str] = frozenset()
    acting: frozenset[str] = frozenset()
    pure: frozenset[str] = frozenset()
    policy: Policy | None = None
    repeatable: frozenset[str] = frozenset()
    writing: frozenset[str] = frozenset()


def traits(tools: Iterable[Tool], policy: Policy | None = None) -> Traits:
    """The traits of a set of tools."""
    tools = tuple(tools)
    return Traits(
        frozenset(tool.name for tool in tools if _only_once(tool)),
        frozenset(tool.name for tool in tools if tool.returns_answer),
        {tool.name: tool.max_calls for tool in tools if tool.max_calls is not None},
        frozenset(tool.name for tool in tools if tool.dangerous),
        frozenset(tool.name for tool in tools if not tool.pure and acts_on_the_world(tool.name)),
        frozenset(tool.name for tool in tools if tool.pure and not tool.dangerous),
        policy,
        frozenset(tool.name for tool in tools if tool.repeatable),
        frozenset(tool.name for tool in tools if not tool.pure and (tool.dangerous or _writes(tool.name))),
    )


def _only_once(tool: Tool) -> bool:
    if tool.repeatable:
        return False
    return tool.pure or tool.dangerous or acts_on_the_world(tool.name)


def _writes(name: str) -> bool:
    words = _WORD.findall(name)
    return acts_on_the_world(name) or (bool(words) and words[0].lower() in _WRITES) or name.startswith(_CHINESE_WRITES)


def acts_on_the_world(name: str) -> bool:
    """True when the name of a tool says that it changes something that a second call would change again.

    >>> acts_on_the_world("send_email"), acts_on_the_world("get_order"), acts_on_the_world("退款")
    (True, False, True)
    """
    return bool(verb_of(name))


def verb_of(name: str) -> str:
    """The act a tool is named after, "" when it only looks.

    Many verbs are nouns too.  A name that begins or ends with a word that is only a verb acts; any other one with a word for
    looking in it looks only; what is left acts by the first verb in it.

    >>> verb_of("refund_order"), verb_of("createUser"), verb_of("list_orders"), verb_of("订单退款")
    ('refund', 'create', '', '退款')
    >>> verb_of("refund_policy"), verb_of("send_status"), verb_of("退款政策")
    ('', 'send', '')
    """
    words = [word.lower() for word in _WORD.findall(name)]
    if _only_looks(words) or _only_looks_in_chinese(name):
        return ""
    return next((word for word in words if word in _VERBS), "") or next((verb for verb in _CHINESE if verb in name), "")


def _only_looks(words: list[str]) -> bool:
    if not words or words[0] in _LOOKS_FIRST:
        return bool(words)
    acts = words[0] in _ONLY_VERBS or words[-1] in _ONLY_VERBS
    return not acts and not _LOOKS_LATER.isdisjoint(words[1:])


def _only_looks_in_chinese(name: str) -> bool:
    acts = name.startswith(_ONLY_CHINESE_VERBS) or name.endswith(_ONLY_CHINESE_VERBS)
    return not acts and _CHINESE_LOOKS.search(name) is not None
