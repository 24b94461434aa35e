import pytest

from react_agent.tools.docstring import read_docstring

GOOGLE = """Find orders.

    Only open ones.

    Args:
        user: Who ordered,
            by name.
        limit (int, optional): How many.

    Returns:
        list: the orders, e.g. ["A1"]
    """
NUMPY = """Find orders.

    Only open ones.

    Parameters
    ----------
    user : str
        Who ordered, by name.
    limit, offset : int
        How many.

    Returns
    -------
    list
    """
SPHINX = """Find orders.

    Only open ones.

    :param user: Who ordered, by name.
    :param int limit: How many.
    :returns: the orders
    """


@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX])
def test_the_three_styles(text: str) -> None:
    docs = read_docstring(text)
    assert docs.description == "Find orders.\n\nOnly open ones."
    assert docs.parameters["user"] == "Who ordered, by name."
    assert docs.parameters["limit"] == "How many."


def test_numpy_style_documents_several_parameters_together() -> None:
    assert read_docstring(NUMPY).parameters["offset"] == "How many."


@pytest.mark.parametrize("text", [None, "", "   "])
def test_no_docstring(text: str | None) -> None:
    assert read_docstring(text).description == ""


def test_a_docstring_in_no_style_is_description() -> None:
    assert read_docstring("查订单。\n\n只查未完成的。").description == "查订单。\n\n只查未完成的。"
    assert read_docstring("Find.\n\nArgs:\n    :param: ?\n:param").description.startswith("Find.")
