"""An answer that says «done» though the tool that does it was never called."""

from __future__ import annotations

import pytest

from react_agent.engine.effects import Traits
from react_agent.engine.objections.claimed import claimed_act
from react_agent.engine.words import chinese, english
from react_agent.messages import Message, Outcome, Result
from tests.engine.playing import TEXT, action, answer, play, tool

REFUND = tool("refund_order", lambda order: "refunded 42.50", order=TEXT)
LOOK_UP = tool("get_order", lambda order: '{"amount": 42.5, "status": "shipped"}', order=TEXT)
ACTS = Traits(acting=frozenset({"refund_order"}), looking=frozenset({"get_order"}))
DONE = answer("Order B7 has been refunded: 42.50.")


def claims(task: str, said: str, *names: str, history: tuple[Message, ...] = ()) -> str:
    return claimed_act((*history, Message("user", task)), task, said, names)


@pytest.mark.parametrize(
    ("task", "said", "name"),
    [
        ("Refund order B7.", "I have refunded order B7.", "refund_order"),
        ("Refund order B7.", "Order B7 was fully refunded", "refund_order"),
        ("请把订单 B7 全额退款。", "已退款 259.0 元。", "refund_order"),
        ("看看订单 B7，然后退款", "订单 B7 已经全额退款。", "refund_order"),
        ("Look order B7 up, then refund it.", "Refunded 42.50 to the customer.", "refund_order"),
        ("请把订单 B7 退款", "好的，退款成功，共 259 元。", "refund_order"),
        ("E-mail Ana that lunch is at noon", "I sent Ana a message.", "send_email"),
        ("给小王发邮件说会议改期", "邮件已发送给小王。", "send_email"),
        ("给小王发邮件说会议改期", "已给小王发邮件。", "send_email"),
        ("Cancel my booking", "Your booking has been canceled.", "cancel_booking"),
        ("Delete the file", "Deleted.", "deleteFile"),
        ("取消订单 7", "已为您取消。", "取消订单"),
        ("Stop the server", "The server was stopped.", "stop_server"),
        ("Notify the user", "I have notified the user.", "notify_user"),
        ("Withdraw the cash", "I have withdrawn the cash.", "withdraw_cash"),
        ("Create a ticket for this", "I've created a ticket.", "create_ticket"),
    ],
)
def test_an_act_that_is_claimed(task: str, said: str, name: str) -> None:
    assert claims(task, said, name) == name


@pytest.mark.parametrize(
    ("task", "said", "name"),
    [
        ("请把订单 B7 全额退款，并告诉我退了多少钱。", "退款金额为 259.0 元。", "refund_order"),
        ("Refund order B2001 in full.", "The order with ID B2001 is a desk lamp for 42.5 USD.", "refund_order"),
        ("取消订单 7", "订单 7 是一件外套。", "取消订单"),
        ("Please cancel order #12.", "Order 12 is a coat.", "cancel_order"),
        ("请帮我取消订单12，然后告诉我结果。", "订单12是一件外套。", "cancel_order"),
        ("Delete my account 77", "Account 77 belongs to Ana.", "delete_account"),
    ],
)
def test_an_act_that_is_skipped(task: str, said: str, name: str) -> None:
    assert claims(task, said, name) == name


@pytest.mark.parametrize(
    ("task", "said", "name"),
    [
        ("Refund order B7.", "Order B7 could not be found.", "refund_order"),
        ("Refund order B7.", "Order B7 has not been refunded.", "refund_order"),
        ("Refund order B7.", "Order B7 was not refunded.", "refund_order"),
        ("Refund order B7.", "The refund is 42.50. Shall I go on?", "refund_order"),
        ("Refund order B7.", "It can be refunded within 30 days.", "refund_order"),
        ("请把订单 B7 退款", "订单 B7 还未退款。", "refund_order"),
        ("请把订单退款", "退款金额为 259.0 元。", "refund_order"),
        ("Email etiquette, in three rules.", "Be brief, be kind, be clear.", "send_email"),
        ("What does order B7 cost?", "It was refunded.", "refund_order"),
        ("Was order B7 refunded?", "Yes, it was refunded.", "refund_order"),
        ("Refund order B7.", "I have refunded it.", "get_order"),
        ("Write a letter: your parcel was sent; send no mail", "Your parcel was sent.", "send_email"),
        ("发送邮件", "", "send_email"),
        ("Send Bob an email", "I have not yet sent it: what is his address?", "send_email"),
        ("Send Bob an email", "Nothing was sent.", "send_email"),
        ("Send Bob an email", "No e-mail has been sent", "send_email"),
        ("Cancel order 7", "Order 7 hasn't been cancelled: it left the warehouse.", "cancel_order"),
        ("Cancel order 7", "Order 7 hasn’t been cancelled: it left the warehouse.", "cancel_order"),
        ("What is your refund policy?", "Orders are refunded within 14 days", "refund_order"),
        ("How do I create a ticket?", "A ticket is created in the portal", "create_ticket"),
        ("Sort the names in alphabetical order", "Ordered alphabetically: Ana, Bob", "order_pizza"),
        ("Explain the payload format", "Each field was paid for by the sender", "pay_invoice"),
        ("Draft an email, do not send it", "Subject: hello. I sent the figures to Ana", "send_email"),
        ("Can you refund order 7? Only tell me the rules.", "It was refunded.", "refund_order"),
        ("今天发生了什么新闻", "今天已发生三件大事。", "send_email"),
        ("帮我开发一个脚本", "脚本已开发完毕。", "send_email"),
        ("订单7可以退款吗", "退款已超过期限", "refund_order"),
        ("取消订单7", "还没有取消成功", "cancel_order"),
        ("写一封邮件草稿，先不发送", "已发送给小王的草稿如下", "send_email"),
    ],
)
def test_what_is_no_such_claim(task: str, said: str, name: str) -> None:
    assert claims(task, said, name) == ""


@pytest.mark.parametrize(
    ("task", "said", "name"),
    [
        ("Cancel order 12.", "Order 12 has been cancelled.", "cancel_subscription"),
        ("Send Ana an email.", "The email was sent.", "send_sms"),
        ("Create a file", "I have created the file.", "create_user"),
        ("Create a haiku on snow.", "I have created a haiku: white, soft, slow.", "create_ticket"),
        ("创建一个三天的北京旅行计划", "已创建三天的北京旅行计划。", "create_ticket"),
        ("创建一个三天的北京旅行计划", "已创建三天的北京旅行计划。", "创建工单"),
        ("Remove the duplicates from this list: 1, 1", "I have removed the duplicates: 1", "delete_file"),
        ("Order the numbers 3, 1, 2", "I have ordered them: 1, 2, 3", "order_items"),
        ("取消订单 7", "订单 7 已取消。", "取消会员"),
        ("取消订单 7", "订单 7 已取消。", "cancel_membership"),
        ("Look B7 up, then refund it.", "Refunded 42.50 to the customer.", "refund_order"),
        ("Deploy", "I have deployed it.", "deploy"),
    ],
)
def test_a_tool_for_another_thing_is_not_missed(task: str, said: str, name: str) -> None:
    assert claims(task, said, name) == ""


@pytest.mark.parametrize("does", ["cancel_order", "update_order", "order_desk"])
def test_after_any_act_no_other_tool_is_missed(does: str) -> None:
    ran = play(
        [action(does, order="12"), answer("Order 12 has been cancelled.")],
        tool(does, lambda order: "ok", order=TEXT),
        tool("cancel_subscription", lambda order: "ok", order=TEXT),
        tool("cancel_sales_order", lambda order: "ok", order=TEXT),
        task="Cancel order 12.",
        traits=Traits(acting=frozenset({"cancel_order", "cancel_subscription", "cancel_sales_order"})),
    )
    assert (ran.corrections, len(ran.ran)) == ([], 1)


def test_an_act_that_failed_is_none() -> None:
    def fails(order: str) -> str:
        raise ValueError("no such field")

    done = answer("Order 12 has been cancelled.")
    ran = play(
        [action("update_order", order="12"), done, done],
        tool("update_order", fails, order=TEXT),
        tool("cancel_order", lambda order: "ok", order=TEXT),
        task="Cancel order 12.",
        traits=Traits(acting=frozenset({"cancel_order", "update_order"})),
    )
    assert [correction.reason for correction in ran.corrections] == ["claimed"]


def test_words_that_are_not_regular_belong_to_verbs_of_tools() -> None:
    verbs = {*english.ACTS, *english.ACTS_OR_THINGS, *english.THINGS}
    assert verbs.issuperset(english.FORMS)
    assert verbs.issuperset(chinese.FORMS)


def test_what_a_result_or_an_earlier_turn_says_may_be_repeated() -> None:
    seen = Message("tool", result=Result("c1", "get_order", '{"status": "refunded"}'))
    assert claims("Refund order B7.", "It was refunded already.", "refund_order", history=(seen,)) == ""


def test_the_claim_is_sent_back_and_the_act_is_done() -> None:
    replies = [action("get_order", order="B7"), DONE, action("refund_order", order="B7"), DONE]
    ran = play(replies, REFUND, LOOK_UP, task="Refund order B7 in full.", traits=ACTS)
    assert [name for name, _ in ran.ran] == ["get_order", "refund_order"]
    assert [correction.reason for correction in ran.corrections] == ["claimed"]
    assert ran.corrections[0].text.startswith("refund_order was not called, so that is not done.")
    assert ran.result.outcome is Outcome.COMPLETED


@pytest.mark.parametrize(
    ("task", "said", "name"),
    [
        ("查询订单B7的退款金额", "退款金额为259元。", "refund_order"),
        ("列出2024年取消的订单", "订单1、订单2。", "cancel_order"),
        ("统计5月取消的订单数量", "共3个订单。", "cancel_order"),
        ("订单B7退款要多久", "订单B7的退款要3天。", "refund_order"),
        ("123号账单支付了多少", "账单123支付了20元。", "pay_bill"),
        ("查一下订单7为什么被取消", "订单7的库存已空。", "cancel_order"),
        ("文件12是谁删除的", "是小王删除了文件12。", "delete_file"),
        ("取消订单7要多久", "取消订单7要3天。", "cancel_order"),
        ("取消订单7的原因", "订单7缺货。", "cancel_order"),
        ("订单7超过100元的话就取消", "订单7为80元。", "cancel_order"),
        ("把“请取消订单7”改成礼貌语气", "麻烦您取消订单7。", "cancel_order"),
        ("提取订单号：请给订单B7退款", "订单B7", "refund_order"),
        ("为用户12创建一个3步的学习计划", "用户12：读，写，练。", "create_user"),
        ("Refund order B7 as long as it is under 50 USD.", "Order B7 costs 120 USD.", "refund_order"),
        ("Cancel order 7 unless it has shipped.", "Order 7 is on its way.", "cancel_order"),
        ("Classify this ticket: Please cancel order 7", "order cancellation", "cancel_order"),
        ("Put into German: Cancel order 7.", "Bestellung 7 stornieren; order 7.", "cancel_order"),
        ("Order history of customer 12, please.", "Customer 12: two orders of pizza 3", "order_pizza"),
        ("Transfer fees for account 12", "Account 12: 2 EUR", "transfer_account"),
        ("Find file 12, then send me the path", "File 12 is at /a", "send_file"),
        ("Please send me the link to file 12", "File 12: http://a", "send_file"),
        ("Create a report of 2023 sales.", "Report: 3", "create_report"),
        ("Make a table of 3 rows", "table: 1 2 3", "make_table"),
        ("Book value of table 3", "Table 3: 90", "book_table"),
        ("Approve or reject request 12", "Rejected request 12", "approve_request"),
        ("Restart times of server 3", "Server 3: 12:00", "restart_server"),
    ],
)
def test_what_is_no_plain_order(task: str, said: str, name: str) -> None:
    assert claims(task, said, name) == ""


def test_a_call_that_was_doubted_is_no_act() -> None:
    refund = tool("refund_order", lambda order, amount: "refunded", order=TEXT, amount={"type": "number"})
    replies = [
        action("refund_order", order="B7", amount=950.0),
        action("get_order", order="B7"),
        DONE,
        action("refund_order", order="B7", amount=42.5),
        DONE,
    ]
    ran = play(replies, refund, LOOK_UP, task="Refund order B7 in full.", traits=ACTS)
    assert [name for name, _ in ran.ran] == ["get_order", "refund_order"]
    assert [correction.reason for correction in ran.corrections] == ["ungrounded", "claimed"]


def test_it_is_sent_back_once() -> None:
    ran = play([DONE, DONE], REFUND, task="Refund order B7 in full.", traits=ACTS)
    assert (ran.ran, ran.result.outcome, len(ran.corrections)) == ([], Outcome.COMPLETED, 1)


def test_after_the_act_the_claim_is_an_answer() -> None:
    ran = play([action("refund_order", order="B7"), DONE], REFUND, task="Refund order B7 in full.", traits=ACTS)
    assert (ran.corrections, ran.result.outcome) == ([], Outcome.COMPLETED)


def test_a_tool_that_does_not_act_is_not_missed() -> None:
    ran = play([DONE], REFUND, task="Refund order B7 in full.")
    assert (ran.corrections, ran.result.outcome) == ([], Outcome.COMPLETED)


def test_the_usage_of_the_tool_is_told_without_sample_values() -> None:
    """A sample amount would be copied, and that is money."""
    refund = tool("refund_order", lambda order, amount: "ok", order=TEXT, amount={"type": "number"})
    ran = play([action("get_order", order="B7"), DONE, DONE], refund, LOOK_UP, task="Refund order B7 in full.", traits=ACTS)
    (told,) = ran.corrections
    assert "refund_order(order: string, amount: number)" in told.text
    assert not any(char.isdigit() for char in told.text)
