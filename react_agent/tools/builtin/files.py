"""The file tools, all below one root: `list_files`, `read_file` and, when asked for, `write_file`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from react_agent.tools.spec import Tool, tool

from .confined import MAX_NAMES, Confined


def file_tools(root: str | Path, *, write: bool = False) -> list[Tool]:
    """Tools for the text files in the folder `root` and below: to list and read them, with `write=True` to write them too.

    Nothing outside `root` can be reached: no `..`, no absolute path, no link that leads out.  A file read or written has at
    most 1,000,000 bytes of text.

    Raises:
        UsageError: `root` is not a folder.
    """
    files = Confined(root)
    tools = [_list_files(files), _read_file(files)]
    return [*tools, _write_file(files)] if write else tools


def _list_files(files: Confined) -> Tool:
    @tool(
        description="当用户询问有哪些文件，或不确定文件名时调用。"
        "Use when the user asks which files there are, or when you are not sure of a file's name."
    )
    def list_files(
        folder: Annotated[str, "文件夹的相对路径，不填则为根目录。Relative path of a folder; leave it out for the top."] = ".",
    ) -> list[str]:
        names = files.names(folder)
        return [*names[:MAX_NAMES], f"… {len(names) - MAX_NAMES} more"] if len(names) > MAX_NAMES else names

    return list_files


def _read_file(files: Confined) -> Tool:
    @tool(description="当需要某个文件的内容时调用。Use when the content of a file is needed.")
    def read_file(path: Annotated[str, "文件的相对路径。Relative path of the file."]) -> str:
        return files.read(path)

    return read_file


def _write_file(files: Confined) -> Tool:
    @tool(
        description="当用户要求新建文件或写入文件时调用，会覆盖原有内容。"
        "Use when the user asks to create or write a file; what it held before is replaced."
    )
    def write_file(
        path: Annotated[str, "文件的相对路径。Relative path of the file."],
        content: Annotated[str, "文件的全部内容。The whole content of the file."],
    ) -> str:
        return f'"{path}": {files.write(path, content)} bytes written'

    return write_file
