"""What the name of a tool says that it does: act on the world, or look."""

from __future__ import annotations

import pytest

from react_agent.engine.naming import named, verb_of
from react_agent.engine.words import chinese, english

ACTS = """
    send_email sendEmail mail.send refund_order CreateTicket send_status user_info_delete delete_history cancelOrderLookup
    log_purchase book_show post_message charge_card chargeCustomer reserve_table reserve_seats deploy_service deploy order
    order_pizza order_items place_order pay_invoice buy_stock transfer_money book_flight post_tweet post_status
    email_report email_summary mail_invoice approve_price approve_policy cancel_policy create_list create_summary
    send_price_list send_history publish_report submit_report append_log insert_record remove_details delete_status
    stripe_refund stripe.charge github_create_issue crm_send_email db_insert invoice_send order_list_delete
    order_status_update price_order history_delete restart_server invite_user subscribe_topic trigger_build drop_table
    退款 发送邮件 发送价格列表 订单取消 订单退款 退款给客户 扣款 预约挂号 预留座位 部署服务 重启服务器 邀请成员 删除记录
    创建列表 发布状态 批准申请 下单 发送记录
    pay_fee transfer_balance charge_fee charge_fees make_payment do_payment sell_stock withdraw_cash deposit_money execute_sql
    run_command unlock_door reset_password wipe_disk git_push push_commit confirm_booking notify_user pay_bill bill_payment
    move_money update_order add_to_cart get_or_create order_and_notify search_history_delete check_out check_in_guest
    refund_fee refund_balance drop_record drop_history trigger_report schedule_report reserve_amount top_up lend_money
    打车 申请退款 取消订单记录 cancel_booking_history pay_order_status run_query process_payment
    挂号 缴费 买票 订机票 拨打电话 注销账号 重置密码 清空购物车 开门 取消预约记录 查找并删除文件 支付余额 更新订单退款
    设置购物车 搜索历史删除
"""
LOOKS = """
    get_order search_orders checkPayment list_bookings add weather order_status orderLookup order_history email_search
    book_info book_price post_count transfer.status refund_policy purchase_history drop_rate transfer_details mail_log
    show_posts ORDER_STATUS charge_history reserve_price deploy_status order_list orderList chargeHistory refund_policies
    order_statuses transfer_limits deploy_logs restart_count pay_status buy_price subscribe_list cancel_status
    approve_status invite_list book_availability order_progress order_total charge_summary order_status_by_id
    order_history_for_user refund_policy_text deploy_status_v2 order_details_json get_refund find_charge fetch_deploy_log
    read_email view_order retrieve_charge validate_order verify_email calculate_refund estimate_charge summarize_book
    translate_post parse_email preview_email compare_order crm_get_order stripe_list_charge shop_order_status
    stripe.charge.history is_order_paid count_orders describe_deploy order_get_by_id email_list_members mail_read_message
    book_search_results order_tracking refund_eligibility post_stats reserve_options
    查天气 退款政策 查询退款 支付记录 订单退款进度 扣款历史 预留价格 部署状态 下单记录 订单列表 取消政策 取消原因 创建时间
    book_title book_author email_address email_content email_validator post_code order_date order_amount refund_amount
    refund_calculator create_time buy_signal pay_slip charge_level invite_code payment_status list_payments
    支付方式 退款金额 退款流程 预订须知 转账限额 邀请码 发布日期 提交记录 部署文档 退款查询 订单 买家评价
    发布时间 发送次数 收费标准 获取订单 搜索预订 查看部署 列出退款 重启次数 预约列表
"""


@pytest.mark.parametrize("name", ACTS.split())
def test_names_of_acts(name: str) -> None:
    assert verb_of(name)


@pytest.mark.parametrize("name", LOOKS.split())
def test_names_of_questions(name: str) -> None:
    assert verb_of(name) == ""


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("order_items", "Lists the items of an order."),
        ("order_items", "The items of one order."),
        ("charge", "Look up a charge by its id"),
        ("transfer", "Returns the state of a transfer"),
        ("purchase", "Details of a purchase"),
        ("订单退款", "查询一笔退款到账没有"),
        ("charge", "查询扣款"),
        ("order", "用于查询订单"),
    ],
)
def test_the_description_may_say_that_a_noun_was_meant(name: str, description: str) -> None:
    assert verb_of(name)
    assert verb_of(name, description) == ""


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("refund_order", "Refunds an order."),
        ("order", "Order something"),
        ("order", ""),
        ("order", "Finds a shop and orders there"),
        ("charge", "Check the card and charge it."),
        ("refund", "查询订单并退款"),
        ("charge", "A tool that charges the card"),
        ("refund", "Provides a refund."),
        ("order", "Return an order to the shop"),
        ("退款", "给客户退款"),
        ("充值", "给账户增加余额"),
        ("send_email", "Returns the id of the mail that was sent."),
        ("退款", "先核对，然后退款"),
        ("发送邮件", "获取地址"),
    ],
)
def test_a_description_that_acts_takes_nothing_back(name: str, description: str) -> None:
    assert verb_of(name, description)


@pytest.mark.parametrize(
    "name", ["add_row", "写文件", "saveFile", "set_volume", "update_user", "read_and_write", "update_order_status", "设置音量"]
)
def test_names_that_leave_something_behind(name: str) -> None:
    assert named(name).kind == "writes"


@pytest.mark.parametrize(
    ("name", "verb"),
    [
        ("refund_order", "refund"), ("createUser", "create"), ("stripe_charge", "charge"), ("订单退款", "退款"),
        ("update_order", "update"), ("order_cancel", "cancel"), ("archive_email", "archive"), ("like_post", "like"),
        ("email_send", "send"), ("order_status_update", "update"), ("订单取消", "取消"), ("取消订单", "取消"),
    ],
)  # fmt: skip
def test_the_verb_of_an_act(name: str, verb: str) -> None:
    assert verb_of(name) == verb


@pytest.mark.parametrize("verb", sorted(english.ACTS))
@pytest.mark.parametrize("what", ["fee", "balance", "user_status", "order_history", "payment"])
def test_a_verb_that_is_no_thing_acts_whatever_stands_behind_it(verb: str, what: str) -> None:
    assert verb_of(f"{verb}_{what}") == verb
    assert verb_of(f"shop.{verb}_{what}", "Returns what was done.") == verb


@pytest.mark.parametrize("verb", sorted(chinese.ACTS))
def test_a_chinese_verb_that_is_no_thing_acts_on_the_records_of_others(verb: str) -> None:
    assert verb_of(f"{verb}预约记录") == verb
    assert verb_of(f"用户{verb}") == verb


@pytest.mark.parametrize(
    ("name", "description", "kind"),
    [
        ("weather", "Get the weather of a city.", "looks"),
        ("天气", "查询城市的天气", "looks"),
        ("weather", "", ""),
        ("weather", "Checks the list and stores it", ""),
        ("天气", "查询天气并保存", ""),
        ("add_row", "Returns the number of the row", "writes"),
    ],
)
def test_of_a_name_that_tells_nothing_the_description_does(name: str, description: str, kind: str) -> None:
    assert named(name, description).kind == kind


def test_every_word_of_a_tool_has_one_place() -> None:
    tables = (english.ACTS, english.ACTS_OR_THINGS, english.THINGS, english.WRITES, english.LOOKS, english.DEEDS)
    assert sum(map(len, tables)) == len(set().union(*tables))
    assert len({*chinese.ACTS, *chinese.ACTS_OR_THINGS, *chinese.THINGS, *chinese.WRITES}) == sum(
        map(len, (chinese.ACTS, chinese.ACTS_OR_THINGS, chinese.THINGS, chinese.WRITES))
    )
