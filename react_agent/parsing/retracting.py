"""What is said behind a call takes it back: «Wait, do not run this.», «刚才的调用作废。».

In: the prose behind a run of wrapped calls.  Out: yes or no.  A retraction names the act (run, execute, call, send …) and
points at the call, in a sentence of its own.  What is said of another time or another case is none: «if it fails, I will not
run it», «I will not run it again»; neither is a word about the subject of the call, such as what was searched for.
"""

from __future__ import annotations

import re

_SENTENCE = re.compile(r"(?:[^。.!！?？\n]|\.(?=[\d\w]))+")
_IF = r"\b(?:if|unless|when|once|after|until|before|in case)\b|如果|假如|要是|若|除非|一旦|万一|否则|[之以]前(?!的)"

_CALL = r"(?:(?:last |previous |above )?(?:tool |function )?(?:call|request|command|action)s?)"
_THIS = rf"(?:(?:this|that|the|my)(?: {_CALL})|this|that|it|them|these|those|any of (?:it|this|them)|the instructions?)"
_OVER = r"(?=\W*(?:[;,!]|\Z|\b(?:because|as|since|and|but)\b))"
"""Nothing else is the object: «I did not call it», not «I did not call the other one»."""
_ACT = r"(?:follow|execut|run|call|mak|send|obey|comply|act|heed|carr)(?:y|e|ed|ied|ning|ing)?\b(?: (?:on|with|out))?"
_ORDERED = r"(?:run|execute|call|send|make|use|submit|invoke|perform|process)"
_TURN = r"(?:\A\W*|[,;:—–-]\s*|\b(?:wait|actually|sorry|no|hm+|oops|so|but|please|on second thought),? )(?:please )?"
_ENGLISH = (
    rf"\bI (?:(?:did|do|have|will|would|must|should|can)(?: not|n['’]t)|haven['’]t|won['’]t|cannot|can['’]t|never) "
    rf"{_ACT}(?: {_THIS})?{_OVER}"
    rf"|\bI(?:['’]ve| have| am| will|['’]ll)? (?:ignored?|ignoring|disregard(?:ed|ing)?|refused?|skipped) {_THIS}{_OVER}"
    rf"|{_TURN}(?:do not|don['’]t|never) (?:actually |really )?{_ORDERED} {_THIS}{_OVER}"
    rf"|{_TURN}(?:ignore|disregard|cancel|scratch|forget) {_THIS}{_OVER}"
    r"|\A\W*(?:on second thought|no|wait|actually),? (?:please )?(?:don['’]t|do not|no|never mind)(?=\W*\Z)"
    r"|\b(?:this|that|the (?:above|last|previous)) (?:tool |function )?call (?:is|was) (?:void|cancell?ed|withdrawn)\b"
)

_ACT_ZH = r"(?:执行|理会|照做|调用|运行|遵从|发送|发出)"
_WHICH = r"(?:上面|上述|以上|刚才|刚刚|前面|这个|这次|这条|该|此|它)"
_CALL_ZH = r"(?:的|那个|那次|那条|这个)?(?:工具|函数)?(?:调用|请求|操作|命令)"
_CHINESE = (
    rf"我(?:并)?(?:没有|没|未|不会|不能|不打算)(?:去|真的)?{_ACT_ZH}(?=[它该这此]|上[述面]|其中|\W|\Z)"
    rf"|(?<!\w)(?:等等|算了|抱歉|请|先){{0,2}}(?:不要|切勿|勿|别)(?:真的|再|去)?(?:执行|运行|调用|发送)(?:了|{_WHICH}(?:{_CALL_ZH})?)?(?!\w)"
    rf"|(?:忽略|取消|撤回|撤销|作废|不要(?:执行|运行))(?:掉)?{_WHICH}{_CALL_ZH}"
    rf"|{_WHICH}{_CALL_ZH}(?:已|就|请)?(?:不要执行|作废|无效|取消|撤回|撤销|不算)"
)
_TAKEN_BACK = re.compile(f"{_ENGLISH}|{_CHINESE}", re.IGNORECASE)
_CASE = re.compile(_IF, re.IGNORECASE)
_CASE_NEXT = re.compile(rf"[\s,，]*(?:{_IF})", re.IGNORECASE)


def takes_back(remark: str) -> bool:
    """Does the prose behind a call say plainly that it was not made, or is not to be made?

    >>> takes_back("Wait, do not run this."), takes_back("If it fails, I will not run it."), takes_back("我没有再执行。")
    (True, False, False)
    """
    return any(_is_retraction(sentence) for sentence in _SENTENCE.findall(remark))


def _is_retraction(sentence: str) -> bool:
    match = _TAKEN_BACK.search(sentence)
    if match is None or _CASE.search(sentence, 0, match.start()):
        return False
    return _CASE_NEXT.match(sentence, match.end()) is None
