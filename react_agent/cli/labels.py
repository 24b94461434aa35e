"""The words the terminal shows, by language of the task.

One table per language, same keys; a language without a table gets English.
"""

from __future__ import annotations

Labels = dict[str, str]

ENGLISH: Labels = {
    "thought": "Thought",
    "reply": "Reply",
    "action": "Action",
    "observation": "Observation",
    "answer": "Answer",
    "refused": "Refused",
    "correction": "Correction",
    "guard": "Guard",
    "mode": "Mode",
    "closing": "last request, without tools",
    "reading": "Reading the prompt",
    "writing": "Writing the reply",
    "retry": "again in {seconds:.1f} s (repetition {attempt})",
    "restarted": "the reply broke off and begins anew",
    "shortened": "the history is shortened: {left_out} messages are not shown any more",
    "characters": "characters",
    "steps": "steps",
    "tokens": "tokens",
    "approve": "Run {call}? ({why})",
    "completed": "completed",
    "step_limit": "not completed: the step limit was reached",
    "loop_guard": "not completed: the model got nowhere",
    "budget": "not completed: the tokens or the money of the run are spent",
    "format_failed": "not completed: the model did not keep to the format",
    "empty_reply": "not completed: the model said nothing",
    "output_limit": "not completed: the reply was cut at its maximum length",
    "content_filter": "not completed: the server's content filter stopped it",
    "context_overflow": "not completed: the conversation no longer fits the model",
    "rate_limited": "not completed: the server limits the rate of requests",
    "deadline": "not completed: the time was up",
    "cancelled": "cancelled",
    "server_error": "not completed: the model's server failed",
}

CHINESE: Labels = {
    "thought": "思考",
    "reply": "回复",
    "action": "行动",
    "observation": "观察",
    "answer": "回答",
    "refused": "拒绝",
    "correction": "纠正",
    "guard": "护栏",
    "mode": "模式",
    "closing": "最后一次请求，不带工具",
    "reading": "读取提示",
    "writing": "书写回复",
    "retry": "{seconds:.1f} 秒后重试（第 {attempt} 次）",
    "restarted": "回复中断，重新开始",
    "shortened": "历史已压缩：{left_out} 条消息不再显示给模型",
    "characters": "字符",
    "steps": "步数",
    "tokens": "词元",
    "approve": "执行 {call}？（{why}）",
    "completed": "完成",
    "step_limit": "未完成：达到步数上限",
    "loop_guard": "未完成：模型没有进展",
    "budget": "未完成：本次运行的词元或费用已用完",
    "format_failed": "未完成：模型没有遵守格式",
    "empty_reply": "未完成：模型没有回复",
    "output_limit": "未完成：回复达到最大长度而被截断",
    "content_filter": "未完成：被服务器的内容过滤器拦截",
    "context_overflow": "未完成：对话超出模型的上下文",
    "rate_limited": "未完成：服务器限制了请求频率",
    "deadline": "未完成：时间用尽",
    "cancelled": "已取消",
    "server_error": "未完成：模型服务器出错",
}


def labels_for(lang: str) -> Labels:
    """The words for a language code such as "zh" or "en"."""
    return CHINESE if lang.startswith("zh") else ENGLISH
