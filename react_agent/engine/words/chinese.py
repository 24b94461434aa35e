"""The words of the judges in Chinese; what each name holds is said in `english`."""

# --- what will be done: `objections.announced` -----------------------------------------------------------------------

FILLER = r"好的?|当然(?:可以)?|没问题|可以|明白了?|收到|请?稍(?:等|候).*|请等.*"
ANNOUNCES = (
    r"我(?:来|先|这就|马上|现在|将|会|要|需要)|让我|正在(?:为您|为你|查|搜|获取|读取|计算|调用)|接下来我"
    r"|首先，?我?(?:需要|要|来|将)"
)

# --- what failed: `objections.passing` -------------------------------------------------------------------------------

MAY_PASS = (
    r"稍后(?:再试|重试)|请重试|(?<!登录)(?<!登录已)(?<!会话)(?<!会话已)超时(?!时间|参数|设置)|繁忙|暂时(?:不可用|无法|失败)"
    r"|连接(?:被)?(?:重置|中断|断开)"
)
NO_RETRY = r"(?:不要|别|勿|不用)再?(?:重试|重复|再试|试)"

# --- what was done: `objections.claimed` -----------------------------------------------------------------------------

_MAIL = "发邮件|发送|发信"
ACTS = {
    "send": "发送|发邮件|发信",
    "mail": _MAIL,
    "email": _MAIL,
    "post": "发布",
    "publish": "发布",
    "pay": "支付|付款",
    "buy": "购买|订购",
    "purchase": "购买|订购",
    "order": "下单|订购",
    "refund": "退款",
    "transfer": "转账",
    "charge": "扣款|收费",
    "book": "预订|预定",
    "reserve": "预订|预约|预留",
    "cancel": "取消",
    "submit": "提交",
    "create": "创建|新建",
    "delete": "删除|移除",
    "remove": "移除|删除",
    "drop": "删除",
    "deploy": "部署",
    "restart": "重启",
    "invite": "邀请",
    "approve": "批准",
}
"""Verb of a tool → words of the act, which are the same for a wish and for what is done."""
ORDERED = "<act>"
DONE = r"已经?[^，。；！\n]{0,8}(?:<act>)|(?:<act>)(?:已经?|成功|完成|好了)"
MENTIONED = DONE
NO_ORDER = r"怎么|怎样|如何|是否|吗|能不能|可不可以|如果|起草|草拟|写|翻译|解释|说明|介绍|不|别|勿|只"
DOUBT = r"没|未|不|无|失败|出错|如果|是否|请|将|可以"

# --- numbers that are not in digits: `numbers` -----------------------------------------------------------------------

NUMBERS = r"[十百千万亿廿半]|[一二两三四五六七八九]{2}"
