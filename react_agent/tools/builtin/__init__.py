"""The tools that come with the package, and nothing that needs a key or the network.

    calculator, current_time, get_weather     ready to use; `demo_tools()` gives the three
    file_tools(root, write=False)             list_files, read_file, write_file below one folder
    docs_tool(folder)                         search_docs over a folder of text files

Descriptions are in Chinese and English, say when to call, and hold no example: small models copy examples as arguments.
"""

from .calculator import calculator
from .clock import current_time
from .demo import demo_tools, get_weather
from .docs import docs_tool
from .files import file_tools

__all__ = ["calculator", "current_time", "demo_tools", "docs_tool", "file_tools", "get_weather"]
