import json
import re

import pytest

from react_agent.messages import Call
from react_agent.tools import Toolbox
from react_agent.tools.builtin import demo_tools, docs_tool, file_tools, get_weather


def weather(city: str) -> str:
    return Toolbox([get_weather]).run(Call("get_weather", {"city": city})).content


def test_beijing_and_shanghai() -> None:
    assert weather("北京") == '{"city": "北京", "sky": "晴", "temperature_c": 31, "note": "演示数据"}'
    assert json.loads(weather("上海"))["temperature_c"] == 28


@pytest.mark.parametrize(
    ("city", "name"),
    [
        ("北京市", "北京"),
        ("beijing", "Beijing"),
        (" Beijing, China ", "Beijing"),
        ("new york city", "New York"),
        ("XIAN", "Xi'an"),
    ],
)
def test_other_spellings(city: str, name: str) -> None:
    assert json.loads(weather(city))["city"] == name


def test_english_names_give_english_words() -> None:
    assert json.loads(weather("London")) == {"city": "London", "sky": "light rain", "temperature_c": 16, "note": "demo data"}


def test_a_city_that_is_not_in_the_table() -> None:
    assert weather("Atlantis").startswith(
        "Error: ValueError: no weather for 'Atlantis'; the demo table has only: 北京 Beijing,"
    )


def test_the_demo_set() -> None:
    assert [each.name for each in demo_tools()] == ["get_weather", "calculator", "current_time"]


def test_descriptions_say_when_to_call_in_both_languages_and_hold_nothing_to_copy(tmp_path: object) -> None:
    for each in [*demo_tools(), *file_tools(str(tmp_path), write=True), docs_tool(str(tmp_path))]:
        assert re.match("当.*时调用", each.description)
        assert "Use " in each.description
        texts = [each.description, *(part["description"] for part in each.parameters["properties"].values())]
        assert not any(re.search(r"e\.g\.|例如|比如|such as|[\"“`{]", text) for text in texts)
