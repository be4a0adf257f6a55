"""Safe XML parsing and writing.

A file with a document type is refused, since entities can make a small file large and can name
other files. Formats whose files always carry one (MMAX2) may allow a bare reference to an
external DTD, which is never opened.
"""

import re
from collections.abc import Mapping
from typing import Any, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.common.decode import declared_encoding, read_bytes
from corefbench.formats.source import Source

Element: TypeAlias = Any
"""An element of lxml, which comes without types."""
MAX_DEPTH = 200
"""How deep elements may be nested: people do not nest deeper, and parsers must not overflow."""
MAX_ATTRIBUTES = 1_000
"""How many attributes an element may have: looking them up one by one takes the square."""

_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_BARE_DOCTYPE = re.compile(rb"""<!DOCTYPE\s+[\w.:-]+(?:\s+(?:[A-Z]+|"[^"]*"|'[^']*'))*\s*>""")
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NAME = re.compile(r"(?!(?i:xml))[A-Za-z_][\w.-]*", re.ASCII)

XML_DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'


def parse(content: bytes, name: str, *, allow_doctype: bool = False) -> Element:
    """The root element of an XML file; comments and processing instructions are left out.

    >>> parse(b'<a><b x="1"/></a>', "sample")[0].get("x")
    '1'
    """
    from lxml import etree

    _check_beginning(content, name, allow_doctype)
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        attribute_defaults=False,
        huge_tree=False,
        recover=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise _syntax_error(name, error) from error
    _check_tree(root, name, allow_doctype)
    return root


def read(source: Source, reading: Reading, *, allow_doctype: bool = False) -> Element:
    """The root element of a source, within the size budget."""
    return parse(read_bytes(source, reading), source.name, allow_doctype=allow_doctype)


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace."""
    tag = element.tag
    return tag[tag.rfind("}") + 1 :] if type(tag) is str else str(tag)


def element_place(element: Element, name: str, document: str = "") -> Place:
    """Where an element stands."""
    return Place(source=name, line=element.sourceline or 0, document=document)


def _check_beginning(content: bytes, name: str, allow_doctype: bool) -> None:
    if not content.strip():
        raise FormatError("the file is empty", code="CB102", place=Place(source=name))
    declared_encoding(content, name)
    prolog = _PROLOG.match(content)
    rest = content[prolog.end() if prolog else 0 :][:2048]
    if rest[:9].upper() == b"<!DOCTYPE" and not (allow_doctype and _BARE_DOCTYPE.match(rest)):
        raise _dtd_error(name, rest[:60].decode("utf-8", "replace"))


def _check_tree(root: Element, name: str, allow_doctype: bool) -> None:
    """What the first look cannot see: entities left unresolved, and depth."""
    from lxml import etree

    if next(root.iter(etree.Entity), None) is not None:
        raise _dtd_error(name, "a reference to an entity")
    if root.getroottree().docinfo.internalDTD is not None and not allow_doctype:
        raise _dtd_error(name, root.getroottree().docinfo.doctype)
    place = Place(source=name)
    # One query of libxml2 is far faster than a walk over the elements in Python.
    if root.xpath("boolean(" + "/*" * (MAX_DEPTH + 1) + ")"):
        expected = f"at most {MAX_DEPTH} levels"
        raise FormatError("elements are nested too deep", code="CB122", place=place, expected=expected)
    if root.xpath(f"boolean(//*[@*[{MAX_ATTRIBUTES + 1}]])"):
        expected = f"at most {MAX_ATTRIBUTES}"
        raise FormatError("an element has too many attributes", code="CB122", place=place, expected=expected)


def _dtd_error(name: str, found: str) -> FormatError:
    return FormatError(
        "the file has a DTD or entities",
        code="CB119",
        place=Place(source=name, line=1),
        found=found,
        expected="an XML file without <!DOCTYPE … and <!ENTITY …",
        remedy="resolve the entities and take the document type out: xmllint --noent --dropdtd",
    )


def _syntax_error(name: str, error: Any) -> FormatError:
    """The parser's complaint under our code, with its line and column."""
    line, column = error.position if error.position else (0, 0)
    complaint = (error.msg or "").split(", line ")[0]
    code, message = "CB121", "the file is not well-formed XML"
    if "UTF-8" in complaint or "encoding" in complaint.lower():
        code, message = "CB103", "the text is not in the encoding it should be in"
    elif "depth" in complaint.lower():
        code, message = "CB122", "elements are nested too deep"
    elif "amplification" in complaint or "' not defined" in complaint:
        code, message = "CB119", "the file has a DTD or entities"
    place = Place(source=name, line=line, column=max(column, 0))
    return FormatError(message, code=code, place=place, found=complaint)


def is_name(text: str) -> bool:
    """Whether it can name an element or attribute everywhere: plain letters, no namespace.

    >>> is_name("coref_class"), is_name("2nd"), is_name("a:b"), is_name("xmlns")
    (True, False, False, False)
    """
    return _NAME.fullmatch(text) is not None


def escape_text(text: str) -> str:
    """Text between tags; what XML cannot hold becomes U+FFFD.

    >>> escape_text("AT&T <3")
    'AT&amp;T &lt;3'
    """
    return escape(_ILLEGAL.sub("\ufffd", text), {"\r": "&#13;"})


def format_attributes(values: Mapping[str, str]) -> str:
    """Attributes in their order, each with a blank before it.

    >>> format_attributes({"id": "7", "note": 'say "a"'})
    ' id="7" note=\\'say "a"\\''
    """
    return "".join(f" {name}={quoteattr(_ILLEGAL.sub(chr(0xFFFD), value))}" for name, value in values.items())


def is_valid_text(text: str) -> bool:
    """Whether XML can hold every character of it."""
    return _ILLEGAL.search(text) is None
