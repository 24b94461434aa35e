import json
from pathlib import Path

import pytest

from react_agent.errors import UsageError
from react_agent.messages import Call
from react_agent.tools import Toolbox
from react_agent.tools.builtin import docs_tool
from react_agent.tools.builtin.docs import MAX_PASSAGE_CHARS, MAX_PASSAGES, tokens


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    (docs / "hr").mkdir(parents=True)
    (docs / "hr" / "leave.md").write_text(
        "# 休假\n\n员工每年有10天带薪年假。入职满五年后为15天。\n\n## 病假\n\n病假需要医院证明。", encoding="utf-8"
    )
    (docs / "warranty.txt").write_text(
        "Lamps carry a warranty of 24 months.\n\nChairs carry a warranty of 60 months; the frame of a chair is included.\n",
        encoding="utf-8",
    )
    (docs / "data.csv").write_text("chair,warranty", encoding="utf-8")
    (tmp_path / "outside.md").write_text("the secret chair", encoding="utf-8")
    (docs / "link.md").symlink_to(tmp_path / "outside.md")
    return docs


def search(folder: Path, query: str) -> list[dict[str, str]]:
    result = Toolbox([docs_tool(folder)]).run(Call("search_docs", {"query": query}))
    assert result.status in ("ok", "empty")
    found: list[dict[str, str]] = json.loads(result.content)
    return found


def test_the_best_passage_comes_first(folder: Path) -> None:
    first, second = search(folder, "How long is the warranty of a chair?")
    assert first == {
        "file": "warranty.txt",
        "text": "Chairs carry a warranty of 60 months; the frame of a chair is included.",
    }
    assert second["text"].startswith("Lamps")


def test_chinese_is_found_by_pairs_of_characters(folder: Path) -> None:
    assert search(folder, "年假有几天")[0] == {
        "file": "hr/leave.md",
        "text": "# 休假\n员工每年有10天带薪年假。入职满五年后为15天。",
    }
    assert search(folder, "病假")[0]["text"] == "## 病假\n病假需要医院证明。"


def test_file_names_count(folder: Path) -> None:
    assert search(folder, "leave")[0]["file"] == "hr/leave.md"


def test_nothing_found(folder: Path) -> None:
    assert search(folder, "zebra") == []
    assert search(folder, "") == []
    assert Toolbox([docs_tool(folder)]).run(Call("search_docs", {"query": "zebra"})).status == "empty"


def test_only_text_files_of_the_folder_are_read(folder: Path) -> None:
    assert {found["file"] for found in search(folder, "chair warranty secret")} == {"warranty.txt"}


def test_changes_are_seen(folder: Path) -> None:
    tool = docs_tool(folder)
    assert tool("zebra") == []
    (folder / "new.txt").write_text("A zebra.", encoding="utf-8")
    assert [passage.text for passage in tool("zebra")] == ["A zebra."]


def test_number_and_length_are_bounded(folder: Path) -> None:
    (folder / "long.txt").write_text("zebra " * 20_000, encoding="utf-8")
    (folder / "many.txt").write_text("\n\n".join(f"zebra number {n}" for n in range(500)), encoding="utf-8")
    (folder / "huge.txt").write_text("zebra giant " * 200_000, encoding="utf-8")
    (folder / "binary.txt").write_bytes(bytes(range(256)))
    found = search(folder, "zebra")
    assert len(found) == MAX_PASSAGES
    assert all(len(each["text"]) <= MAX_PASSAGE_CHARS for each in found)
    assert search(folder, "giant") == []


def test_tokens() -> None:
    assert list(tokens("iPhone手机 的 Prices, glass")) == ["iphone", "手机", "的", "price", "glas"]


def test_not_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not a folder"):
        docs_tool(tmp_path / "nowhere")
