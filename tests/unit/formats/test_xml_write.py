"""Writing XML: what is escaped comes back, what XML cannot hold is replaced."""

from hypothesis import given
from hypothesis import strategies as st

from corefbench.formats import xml
from corefbench.formats.xml_write import DECLARATION, attributes, content, is_clean, is_name


@given(st.text(st.characters(codec="utf-8")))
def test_text_and_attributes_come_back_unless_xml_cannot_hold_them(text):
    element = f"<a{attributes({'x': text})}>{content(text)}</a>"
    root = xml.parse(DECLARATION + element.encode(), "made")
    if is_clean(text):
        assert (root.get("x"), root.text or "") == (text, text)
    else:
        assert "\ufffd" in root.get("x")
        assert root.get("x") == root.text


def test_a_name_is_plain_and_not_xmls_own():
    assert [n for n in ("a", "_b-2.c", "", "2a", "a b", "é", "XMLthing") if is_name(n)] == [
        "a",
        "_b-2.c",
    ]
