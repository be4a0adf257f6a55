"""The one way to parse XML: no DTD, no entities, no network, bounded in size and depth.

A file with a document type is refused, since entities can make a small file large and can name
other files. Formats whose files always carry one (MMAX2) may allow a bare reference to an
external DTD, which is never opened.
"""

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.source import Source
from corefbench.formats.whole import BUDGET, contents, encoding, too_large

Element: TypeAlias = Any
"""An element of lxml, which comes without types."""

DEPTH = 200
"""How deep elements may be nested: people do not nest deeper, and parsers must not overflow."""
ATTRIBUTES = 1_000
"""How many attributes an element may have: looking them up one by one takes the square."""

_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|<\?.*?\?>|<!--.*?-->)*", re.DOTALL)
_BARE_DOCTYPE = re.compile(rb"""<!DOCTYPE\s+[\w.:-]+(?:\s+(?:[A-Z]+|"[^"]*"|'[^']*'))*\s*>""")


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
        raise _broken(name, error) from error
    _check_tree(root, name, allow_doctype)
    return root


def read(source: Source, reading: Reading, *, allow_doctype: bool = False) -> Element:
    """The root element of a source, within the size budget."""
    return parse(contents(source, reading), source.name, allow_doctype=allow_doctype)


def elements(
    source: Source, reading: Reading, tag: str, *, budget: int = BUDGET
) -> Iterator[Element]:
    """The elements of that tag one after another, each freed when the next is asked for.

    For large files of many small documents; memory does not grow with the file.
    """
    from lxml import etree

    parser = etree.XMLPullParser(
        events=("end",),
        tag=tag,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    fed = 0
    with source.open() as stream:
        while piece := stream.read(max(reading.block_bytes, 1 << 16)):
            if not fed:
                _check_beginning(piece, source.name, False)
            fed += len(piece)
            if fed > budget:
                raise too_large(source.name, budget)
            try:
                parser.feed(piece)
            except etree.XMLSyntaxError as error:
                raise _broken(source.name, error) from error
            reading.taken(len(piece))
            yield from _freed(parser)
        try:
            parser.close()
        except etree.XMLSyntaxError as error:
            raise _broken(source.name, error) from error
        yield from _freed(parser)


def place(element: Element, name: str, document: str = "") -> Place:
    """Where an element stands."""
    return Place(source=name, line=element.sourceline or 0, document=document)


def _freed(parser: Any) -> Iterator[Element]:
    for _, element in parser.read_events():
        yield element
        element.clear(keep_tail=True)
        while (before := element.getprevious()) is not None:
            before.getparent().remove(before)


def _check_beginning(content: bytes, name: str, allow_doctype: bool) -> None:
    if not content.strip():
        raise FormatError("the file is empty", code="CB102", place=Place(source=name))
    encoding(content, name)
    prolog = _PROLOG.match(content)
    rest = content[prolog.end() if prolog else 0 :][:2048]
    if rest[:9].upper() == b"<!DOCTYPE" and not (allow_doctype and _BARE_DOCTYPE.match(rest)):
        raise _has_dtd(name, rest[:60].decode("utf-8", "replace"))


def _check_tree(root: Element, name: str, allow_doctype: bool) -> None:
    """What the first look cannot see: entities left unresolved, and depth."""
    from lxml import etree

    if next(root.iter(etree.Entity), None) is not None:
        raise _has_dtd(name, "a reference to an entity")
    if root.getroottree().docinfo.internalDTD is not None and not allow_doctype:
        raise _has_dtd(name, root.getroottree().docinfo.doctype)
    if root.xpath("boolean(" + "/*" * (DEPTH + 1) + ")"):
        raise FormatError(
            "elements are nested too deep",
            code="CB122",
            place=Place(source=name),
            expected=f"at most {DEPTH} levels",
        )
    if root.xpath(f"boolean(//*[@*[{ATTRIBUTES + 1}]])"):
        raise FormatError(
            "an element has too many attributes",
            code="CB122",
            place=Place(source=name),
            expected=f"at most {ATTRIBUTES}",
        )


def _has_dtd(name: str, found: str) -> FormatError:
    return FormatError(
        "the file has a DTD or entities",
        code="CB119",
        place=Place(source=name, line=1),
        found=found,
        expected="an XML file without <!DOCTYPE … and <!ENTITY …",
        remedy="resolve the entities and take the document type out: xmllint --noent --dropdtd",
    )


def _broken(name: str, error: Any) -> FormatError:
    """The parser's complaint under our code, with its line and column."""
    line, column = error.position if error.position else (0, 0)
    said = (error.msg or "").split(", line ")[0]
    code = "CB121"
    if "UTF-8" in said or "encoding" in said.lower():
        code = "CB103"
    elif "depth" in said.lower():
        code = "CB122"
    elif "amplification" in said or "' not defined" in said:
        code = "CB119"
    return FormatError(
        {
            "CB103": "the text is not in the encoding it should be in",
            "CB119": "the file has a DTD or entities",
            "CB121": "the file is not well-formed XML",
            "CB122": "elements are nested too deep",
        }[code],
        code=code,
        place=Place(source=name, line=line, column=max(column, 0)),
        found=said,
    )
