from __future__ import annotations

import json

import pytest
from jinja2 import UndefinedError

from react_agent.prompting.files import examples, fill, folder


def test_both_data_folders_are_found() -> None:
    assert (folder("prompts") / "zh" / "system.jinja").is_file()
    assert (folder("fewshot") / "en.jsonl").is_file()


def test_a_missing_folder_is_named() -> None:
    with pytest.raises(FileNotFoundError, match="nothing/"):
        folder("nothing")


def test_a_forgotten_value_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        fill("en", "truncated")


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_examples_are_whole(lang: str) -> None:
    for example in examples(lang):
        json.dumps(example)
        assert {"id", "tools", "task", "steps", "thought", "answer"} <= example.keys()
        for step in example["steps"]:
            assert len(step["calls"]) == len(step["results"])
            assert max(step["calls"]) <= example["tools"]


def test_the_languages_have_the_same_examples() -> None:
    assert [example["id"] for example in examples("zh")] == [example["id"] for example in examples("en")]
