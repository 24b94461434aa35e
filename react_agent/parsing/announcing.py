"""What stands around a call-shaped text says about it: that it is quoted, an example, or not to be run.

In: the text and a place in it, or the prose behind one.  Out: yes or no.  Before a candidate only the sentence that leads to it
is asked, for what was said earlier is about something else.  `announces_example` hears every word that goes with
documentation, reports and warnings, and is for text that has little else to show that it is a call; `disowns` and
`is_mentioned` need the plain statement, and hold even for a call in a wrapper.  What is said behind a call is for `retracting`.
"""

from __future__ import annotations

import re

_LOOK_BACK = 200
_SENTENCE_END = re.compile(r"[。.!！?？\n](?=\s|\Z|[^\s\d])")

_NEGATED = (
    r"\b(?:do|does|did|should|must|would|will|could|can|may|need)(?: not|n['’]t)\b|\bcannot\b|\bwon['’]t\b|\bnever\b|"
    r"(?<!to )\bavoid\b|\A(?:(?!\bnot?\b|n['’]t\b|\bcannot\b|\bnever\b).)*\bwithout\b|\brefuse[ds]? to\b|\bnot (?:be|to)\b"
)
"""No denial: what is avoided on purpose, or cannot be without the call («to avoid a guess», «no answer without calling it»)."""
_SENDING = (
    r"(?:call|send|use|run|execut|emit|writ|submit|invok|issu|copy|typ|past|post|trigger)"
    r"(?:e|es|s|ed|t|ing|ting|ning)?\b"
)
_POINTED = r"(?:this|that|these|those|it|them|the following|the above|such(?: an?)?|anything like (?:this|that))"
_CALLED = r"(?:(?:the|tool|function|following|next|call|request|command|action|code|instruction|kind|one|thing|way)s?\b)"
_DENIED = (
    rf"(?:{_NEGATED})(?:\s+(?:ever|just|simply|directly|actually|yet|please|even|be|to|me|it|again))?\s+"
    rf"(?:{_SENDING}(?:\s+{_POINTED}\b(?:\s+{_CALLED}){{0,3}})?|(?:mak|do)(?:e|ing)?\s+{_POINTED}(?:\s+{_CALLED}){{1,3}})\s*\Z"
    rf"|\A\W*(?:please\s+)?(?:do not|don['’]t|never)\s+do\s+{_POINTED}\s*\Z"
    r"|(?:不要|不会|不能|不应|不该|不可|不得|不必|不用|(?<![分特个区级类识])别|勿|禁止|(?<!为)(?<!为了)避免|拒绝)"
    r"(?:直接|真的|真正|实际|再|去|随意|擅自|立即|马上|轻易|自己|在此|照着?){0,2}"
    r"(?:调用|执行|使用|发送|发出|发|运行|跑|提交|触发|照抄|照搬|复制|输出|写)(?:出|成)?"
    r"(?:以下|下面|下列|如下|此|该|这一?[个些样条段种次]?|它们?)?的?(?:任何)?(?:工具|函数)?(?:调用|操作|命令|请求|内容|指令|工具|函数|代码|示例)?\s*\Z"
)
"""What is denied is the act, of what follows: «I cannot do this», «I will not write the answer myself» leads to a call."""

_TOLD = (
    r"\b(?:assistant|model|bot|agent|user|reader|he|she|they)(?: has| had)? "
    r"(?:wrote|written|sent|said|replied|answered|asked (?:me|us) to)(?:\s+[\w'’\"]+){0,4}\s*\Z"
    r"|(?:助手|模型|机器人|用户|对方|上一轮|上次|刚才|之前)[^，。；]{0,8}(?:输出|写|发|说|回复|回答|调用)[了过的道][^，。；：]{0,12}\Z"
)
_CONDITION = (
    r"\A\W*if (?:you|one|the user|someone|anyone)\b|\b(?:one|you|they) would (?:call|send|use|run|write|type|say)\b"
    r"|\byourself\b"
    r"|\A\W*(?:如果|假如|要是|若)(?:您|你|要|想|需要|用户)|自己(?:来|去)?(?:调用|执行|运行|查|写)"
)
_TURN = re.compile(
    r"\bI(?:['’]ll| will| am|['’]m)\b|\blet(?: me|['’]s| us)\b|\b(?:so|but|therefore|hence)\b"
    r"|我(?:来|去|就|先|马上|现在|这就|会|要|将)|让我|那就|所以|因此|先",
    re.I,
)
"""Behind it the sentence speaks of what is done now: «don't worry, I will call it»."""

_SHOWN = (
    r"\bfor example\b|\bfor instance\b|\be\.g\.|\blooks? like\b|\blike (?:this|so|the following)\b|"
    r"\bfor (?:your )?reference\b|\b(?:here(?:['’]s| is)|this is|as) an example\b|\bexample of (?:how|a|the|using)\b|"
    r"\bhow (?:to (?:use|call|write|send)|it is written)\b"
    r"|例如|比如|示例|举例|样例|举个例子|形如|格式(?:如下|为|是)|写法(?:如下|为|是)|写成|长这样|如下所示"
)
_MARKED_NEXT = (
    r"(?:\bfor example|\bfor instance|\A\W*examples?(?: calls?)?|\b(?:as|like) in the (?:documentation|docs|manual)|"
    r"例如|比如|举个例子|(?<!\w)例|文档(?:中|里|上)?(?:的)?(?:例子|示例|所示))[\W_]*\Z"
)
"""Marks an example, whoever speaks."""
_SHOWN_NEXT = (
    r"(?:\blooks? like(?: this| so)?|\blike (?:this|so|the following)|"
    r"\bfor (?:your )?reference|\b(?:an example|how to (?:use|call|write|send))\b(?:\s+\w+){0,8}|"
    r"(?:\A\W*|\bthe )(?:syntax|format)(?: is)?|"
    r"\bsuch as|"
    r"示例(?:如下)?|(?:格式|写法)(?:如下|为|是)?|长这样|如下所示|"
    r"(?:这样|如此|如下)(?:写|书写|填写))[\W_]*\Z"
)
"""Shows how something is written, unless the sentence says that it is done now."""
_EXPLAINS = r"(?:show|explain|demonstrat|illustrat|describ|giv|tell|present|provid|not\b|never\b)"
_I_DO = (
    r"\b(?:(?:I|we)(?:['’]ll| will|['’]m| am|['’]re| are)(?: going to)?|(?:I|we) (?:need|have) to|let(?: me|['’]s| us))\s"
    rf"(?:(?:now|just|first|then|also|simply)\s){{0,3}}(?!{_EXPLAINS})"
    r"|(?:我们?|让我)(?:们|先|再|就|现在|马上|这就|立即|直接|来|去|会|要|将|需要|得|按){1,4}"
    r"(?!.{0,6}(?:演示|展示|示范|举|说明|解释|介绍|给出|给[你您]))"
)
"""Says that the speaker does it now."""
_NOW_DONE = (
    rf"{_I_DO}|\bhere(?:['’]s| is) (?:the|my) (?:tool |function )?call\b(?! (?:format|syntax))"
    r"|(?<!\w)(?:本次|这次)?(?:工具|函数)?调用(?:格式|方式|内容|参数|语句)?如下"
)
"""Says that the call is made now, for a call in a wrapper; before bare text it may be a heading."""
_MENTIONED = (
    r"\bexamples?\b|\bformat\b|\btemplate\b|\bschema\b|\bsyntax\b|\bsuch as\b|\bsamples?\b|\blogs?\b|"
    r"\bwould (?:be|emit|look|send|call|write|destroy)\b|类似|格式|模板|语法|写法|文档|日志"
)
_LISTED = r"\A\W*(?:the )?(?:available|supported) (?:functions?|tools?)\b|\A\W*可用(?:的)?(?:工具|函数)|(?:工具|函数)列表"
_NOT_MADE = (
    r"\bnot (?:needed|necessary|executed|sent|called)\b|\btraceback\b|\b(?-i:[A-Z]\w*Error)\b|\bignore (?:that|this|it)\b|"
    r"\bon second thought\b"
    r"|没有必要|(?:并未|没有|未)(?:真正|实际)?(?:执行|调用|运行|发送)"
)
_ASKED_BACK = (
    r"\A(?:shall|should|may) I(?: (?:send|run|call|make|execute|proceed|go ahead|do)\b[^?]{0,20})?\??\Z"
    r"|\b(?:do you want|would you like) me to (?:send|run|call|execute|make) (?:it|this|that)\b"
    r"|(?:要不要|是否|可以|需要我|要我)(?:现在)?(?:执行|调用|发送|运行)"
)
_OPEN_END = re.compile(r"[\w,\"'’)]\s\s?\Z|[\u4e00-\u9fff，、”）]\s?\Z")
"""A sentence that is not over: what follows on its line belongs to it."""
_CONTINUED = re.compile(r"[,，、;；]|\s[a-z]|\s?(?:是|的|等|来自|属于|并|会|不|没|表示|用于|这(?:一|种|样|段|类|句|行))")
_LOG_HEAD = re.compile(
    r"\W{0,3}(?:\d{4}-\d\d-\d\d|\d{1,2}:\d\d:\d\d)\S{0,20}\s|\W{0,3}(?:DEBUG|INFO|WARN(?:ING)?|ERROR|TRACE)\b"
)
_REPORTED = re.compile(f"{_DENIED}|{_TOLD}|{_CONDITION}", re.I)
_FORBIDDEN = re.compile(_DENIED, re.I)
_EXAMPLE = re.compile(f"{_SHOWN}|{_MENTIONED}|{_LISTED}|{_NOT_MADE}", re.I)
_EXPLAINED = re.compile(f"{_SHOWN}|{_MENTIONED}|{_ASKED_BACK}|{_NOT_MADE}", re.I)
_MARKED = re.compile(_MARKED_NEXT, re.I)
_PLAIN = re.compile(_SHOWN_NEXT, re.I)
_I_CALL = re.compile(_I_DO, re.I)
_CALL_FOLLOWS = re.compile(_NOW_DONE, re.I)
_CLOSED = re.compile(
    r"\be\.\s?g\.[,:\s]*\Z"
    r"|(?:\A|[.!?:;,\n])\s*(?:please )?(?:do not|don['’]t|never) (?:ever |actually )?"
    rf"(?:run|execute|call|send|make|submit|invoke|use) {_POINTED}\b(?: {_CALLED}){{0,3}}\s?[.!]\s*\Z"
    r"|(?<!\w)(?:请)?(?:不要|勿|切勿|别|禁止)(?:真的|直接|实际|再)?(?:执行|调用|运行|发送)(?:以下|下面|下列|此|该|这一?[个条段次]?|它)?的?(?:工具|函数)?"
    r"(?:调用|操作|命令|请求)?[。！]\s*\Z",
    re.I,
)
"""A mark, or an order, that ends with a full stop of its own right before a call."""

_QUOTES = (("“", "”"), ("「", "」"), ("『", "』"), ("‘", "’"), ("<!--", "-->"))


def is_quoted(text: str, start: int, end: int, since: int = 0) -> bool:
    """Does text[start:end] stand inside quotation marks, or a comment, on its line?  Quotes before `since` belong to calls."""
    before = text[max(text.rfind("\n", 0, start) + 1, start - 2 * _LOOK_BACK, since) : start]
    if not before.strip():
        return False
    after = text[end : end + _LOOK_BACK].split("\n")[0]
    if any(before.count(opening) > before.count(closing) and closing in after for opening, closing in _QUOTES):
        return True
    return before.count('"') % 2 == 1 and '"' in after


def is_mentioned(text: str, start: int, end: int, since: int = 0) -> bool:
    """Does text[start:end] stand amid a sentence that speaks of it, or in a line of a log?

    A sentence that says what is done now («I'll call … to find out») is none.  Text before `since` belongs to calls.
    """
    before = text[max(text.rfind("\n", 0, start) + 1, start - 2 * _LOOK_BACK, since) : start]
    if _LOG_HEAD.match(before):
        return True
    if not _OPEN_END.search(before) or _TURN.search(_SENTENCE_END.split(before.rstrip())[-1]):
        return False
    return _CONTINUED.match(text, end, end + _LOOK_BACK) is not None


_LEADS = (":", "：", ".", "。", "!", "！", ">")


def stands_alone(text: str, start: int, end: int) -> bool:
    """Is nothing else written on the lines of text[start:end], but maybe a sentence that leads to it?"""
    before = text[max(text.rfind("\n", 0, start) + 1, start - 2 * _LOOK_BACK) : start].strip()
    return (not before or before.endswith(_LEADS)) and not text[end : end + _LOOK_BACK].split("\n")[0].strip()


def sentence_before(text: str, start: int) -> str:
    """The sentence that leads to `start`, "" when nothing does."""
    before = text[max(0, start - _LOOK_BACK) : start].rstrip(" \t\r\n:：")
    return _SENTENCE_END.split(before)[-1] if before else ""


def announces_example(text: str, start: int) -> bool:
    """Does the sentence before `start` talk of an example, tell what someone else does, or forbid what follows?"""
    sentence = sentence_before(text, start)
    if _PLAIN.search(sentence) is not None and _I_CALL.search(sentence) is not None:
        return False
    return _EXAMPLE.search(sentence) is not None or _says(_REPORTED, sentence)


def explains(prose: str) -> bool:
    """Does the first sentence behind a candidate talk of examples and formats, or ask whether it should be sent?"""
    return _EXPLAINED.search(_SENTENCE_END.split(prose, 1)[0]) is not None


def forbids(remark: str) -> bool:
    """Does a remark beside a candidate forbid it?"""
    return _FORBIDDEN.search(remark) is not None


def disowns(text: str, start: int) -> bool:
    """Does the sentence before `start` plainly say that an example follows, or that it is not to be sent?"""
    sentence = sentence_before(text, start)
    if any(says.search(sentence) for says in (_MARKED, _FORBIDDEN)) or _CLOSED.search(text[max(0, start - _LOOK_BACK) : start]):
        return True
    return _PLAIN.search(sentence) is not None and _CALL_FOLLOWS.search(sentence) is None


def _says(pattern: re.Pattern[str], sentence: str) -> bool:
    """Is the sentence still about that at its end?"""
    match = pattern.search(sentence)
    return match is not None and _TURN.search(sentence, match.end()) is None
