"""The one XML parser: what it refuses, with which code, and how it streams."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.errors import CODES, FormatError
from corefbench.formats.base import Reading
from corefbench.formats.common import xml
from corefbench.formats.common.decode import declared_encoding, decode_text, read_bytes
from corefbench.formats.common.xml import (
    MAX_DEPTH,
    XML_DECLARATION,
    element_place,
    escape_text,
    format_attributes,
    is_name,
    is_valid_text,
    parse,
    read,
)
from corefbench.formats.source import Source

LAUGHS = b'<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;</a>'
REFUSED = {
    "empty": ("CB102", b""),
    "blank": ("CB102", b" \n "),
    "a document type": ("CB119", b"<!DOCTYPE a><a/>"),
    "a document type after a comment": ("CB119", b'<?xml version="1.0"?><!-- x -->\n<!DOCTYPE a><a/>'),
    "entities that grow": ("CB119", LAUGHS),
    "an external entity": ("CB119", b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><a>&x;</a>'),
    "a parameter entity": ("CB119", b'<!DOCTYPE a [<!ENTITY % x SYSTEM "http://x/">%x;]><a/>'),
    "an unknown entity": ("CB119", b"<a>&eacute;</a>"),
    "a bare ampersand": ("CB121", b"<a>R & D</a>"),
    "tags that cross": ("CB121", b"<a>\n<b></a>"),
    "cut short": ("CB121", b"<a"),
    "no tag": ("CB121", b"hello"),
    "an attribute twice": ("CB121", b'<a x="1" x="2"/>'),
    "two roots": ("CB121", b"<a/><b/>"),
    "a NUL": ("CB121", b"<a>\0</a>"),
    "a document type inside": ("CB121", b"<a><!DOCTYPE a></a>"),
    "too deep": ("CB122", b"<a>" * (MAX_DEPTH + 1) + b"</a>" * (MAX_DEPTH + 1)),
    "far too deep": ("CB122", b"<a>" * 5000 + b"</a>" * 5000),
    "a text too long": ("CB121", b"<a>" + b"x" * 10_500_000 + b"</a>"),
    "UTF-16": ("CB103", "<a/>".encode("utf-16")),
    "UTF-16 without mark": ("CB103", "<a/>".encode("utf-16-le")),
    "UTF-7": ("CB103", b'<?xml version="1.0" encoding="utf-7"?><a/>'),
    "undeclared Latin-1": ("CB103", b"<a>caf\xe9</a>"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_is_refused_has_its_code(fault):
    code, content = REFUSED[fault]
    with pytest.raises(FormatError) as caught:
        parse(content, "file.xml")
    assert caught.value.code == code
    assert caught.value.place.source == "file.xml"
    assert code in CODES


def test_a_syntax_error_has_its_line_and_column():
    with pytest.raises(FormatError) as caught:
        parse(b"<a>\n<b></a>", "f")
    assert (caught.value.place.line, caught.value.place.column) == (2, 8)


@pytest.mark.parametrize(
    "content",
    [
        b"<a/>",
        b"\xef\xbb\xbf<a/>",
        b'<?xml version="1.0" encoding="ISO-8859-1"?><a>caf\xe9</a>',
        b"<a><![CDATA[<!DOCTYPE a>]]></a>",
        b"<a><!-- <!ENTITY --><?pi?>&amp;&#233;</a>",
        b"<a>" * MAX_DEPTH + b"</a>" * MAX_DEPTH,
    ],
)
def test_plain_xml_is_parsed(content):
    assert parse(content, "f").tag == "a"


def test_a_bare_reference_to_a_dtd_may_be_allowed_and_is_never_opened():
    bare = b'<!DOCTYPE a SYSTEM "http://example.invalid/a.dtd">\n<a/>'
    assert parse(bare, "f", allow_doctype=True).tag == "a"
    for bad in (LAUGHS, b'<!DOCTYPE a SYSTEM "a.dtd"><a>&x;</a>'):
        with pytest.raises(FormatError) as caught:
            parse(bad, "f", allow_doctype=True)
        assert caught.value.code == "CB119"


def test_a_file_beyond_the_budget_is_refused_also_when_packed():
    packed = gzip.compress(b"<a>" + b" " * 100_000 + b"</a>")
    with pytest.raises(FormatError) as caught:
        read_bytes(Source.of(packed), Reading(block_bytes=1000), budget=50_000)
    assert caught.value.code == "CB120"


def test_a_source_is_read_and_an_element_has_its_place():
    root = read(Source.of(b"<a>\n<b/></a>"), Reading())
    assert element_place(root[0], "f", "d").line == 2


def test_text_is_decoded_as_declared_or_by_the_fallback():
    assert declared_encoding(b"<a/>", "f") == "utf-8"
    assert decode_text(b"\xef\xbb\xbfa\r\nb\rc", "f") == "a\nb\nc"
    assert decode_text(b"caf\xe9", "f", fallback="latin-1") == "café"
    assert decode_text('<?xml version="1.0" encoding="latin1"?>é'.encode("latin-1"), "f")[-1] == "é"
    with pytest.raises(FormatError) as caught:
        decode_text(b"a\ncaf\xe9", "f")
    assert (caught.value.code, caught.value.place.line) == ("CB103", 2)


@given(st.text(st.characters(codec="utf-8")))
def test_text_and_attributes_come_back_unless_xml_cannot_hold_them(text):
    element = f"<a{format_attributes({'x': text})}>{escape_text(text)}</a>"
    root = xml.parse(XML_DECLARATION + element.encode(), "made")
    if is_valid_text(text):
        assert (root.get("x"), root.text or "") == (text, text)
    else:
        assert "\ufffd" in root.get("x")
        assert root.get("x") == root.text


def test_a_name_is_plain_and_not_xmls_own():
    assert [n for n in ("a", "_b-2.c", "", "2a", "a b", "é", "XMLthing") if is_name(n)] == ["a", "_b-2.c"]
