"""A tolerant scanner for SGML and for XML that is none: tags in any case, values without quotes.

Corpora of the nineties carry unescaped ``&`` and ``<``, stray ``<p>`` and attributes as they came.
What does not look like a tag is text. Well-formed XML goes through ``formats.xml`` instead.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

from corefbench.errors import Place

_NAME = r"[A-Za-z_][\w.:-]*+"
_VALUE = r"""(?:"[^"]*+"|'[^']*+'|[^\s"'>/]++(?:/++[^\s"'>/]++)*+)"""
_TAG = re.compile(
    rf"<!--.*?-->|<[!?][^<>]*>"
    rf"|<(?P<closing>/?)\s*+(?P<name>{_NAME})"
    rf"(?:(?P<attributes>(?:(?:\s++|(?<=[\"']))(?:{_NAME})(?:\s*+=\s*+{_VALUE})?+)*+)\s*+(?P<empty>/?)>"
    rf"|(?P<loose>\s[^<>]*)>)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(rf"({_NAME})(?:\s*+=\s*+({_VALUE}))?")
_LOOSE = re.compile(rf"""({_NAME})\s*=\s*["']?([^\s"'/]*)""")
_REFERENCE = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")


class Tag(NamedTuple):
    """A tag, its name in capitals, where it stands, and what it says."""

    name: str
    closing: bool
    empty: bool
    attributes: dict[str, str]
    begin: int
    end: int

    def get(self, name: str, default: str = "") -> str:
        """The value of an attribute whose name is compared without regard to case."""
        value = self.attributes.get(name)
        if value is None:
            for key, other in self.attributes.items():
                if key.upper() == name:
                    return other
        return default if value is None else value


def tags(text: str, begin: int = 0, end: int | None = None) -> Iterator[Tag]:
    """The tags in their order; comments are tags of the name ``!``.

    >>> [(t.name, t.attributes) for t in tags('AT&T <coref id=" 1 " ref=2>it</COREF> < 3')]
    [('COREF', {'id': '1', 'ref': '2'}), ('COREF', {})]
    """
    for match in _TAG.finditer(text, begin, len(text) if end is None else end):
        name = match["name"]
        if name is None:
            yield Tag("!", False, True, {}, match.start(), match.end())
        else:
            yield Tag(
                name.upper(),
                bool(match["closing"]),
                bool(match["empty"]),
                _attributes(match["attributes"], match["loose"]),
                match.start(),
                match.end(),
            )


def _attributes(text: str | None, loose: str | None) -> dict[str, str]:
    """Names as they are written, values trimmed and decoded; the first of a name counts."""
    found: dict[str, str] = {}
    if text:
        for name, value in _ATTRIBUTE.findall(text):
            bare = value[1:-1] if value[:1] in ("'", '"') else value
            found.setdefault(name, decoded(bare.strip()))
    elif loose:
        for name, value in _LOOSE.findall(loose):
            found.setdefault(name, decoded(value))
    return found


def decoded(text: str) -> str:
    """The five references of XML and numbers become characters; all else is left as it is.

    >>> decoded("AT&T &lt; R&amp;D &#233; &MD;")
    'AT&T < R&D é &MD;'
    """
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    character = html.unescape(match[0])
    return character if character != "\ufffd" else match[0]


def escaped(text: str) -> str:
    """Text that ``decoded`` gives back and that holds no tags.

    >>> escaped("a < b & c")
    'a &lt; b &amp; c'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quoted(name: str, value: str) -> str:
    """An attribute with its value, as a tag carries it.

    >>> quoted("MIN", 'the "box"')
    ' MIN="the &quot;box&quot;"'
    """
    value = escaped(value).replace('"', "&quot;")
    value = re.sub(r"^\s+|\s+$|[\n\r\t]", _numbers, value)
    return f' {name}="{value}"'


def blanks_as_references(word: str) -> str:
    """A word without blanks or line ends, which ``decoded`` brings back.

    >>> blanks_as_references("1 000")
    '1&#32;000'
    """
    return re.sub(r"[ \n\r]", _numbers, word) if not word.isalnum() else word


def _numbers(match: re.Match[str]) -> str:
    return "".join(f"&#{ord(c)};" for c in match[0])


def is_name(text: str) -> bool:
    """Whether the text can name an attribute."""
    return re.fullmatch(_NAME, text) is not None


def place(text: str, offset: int, source: str, document: str = "") -> Place:
    """The line and column of an offset, counted only when something is to be said."""
    line = text.count("\n", 0, offset) + 1
    return Place(
        source=source, line=line, column=offset - text.rfind("\n", 0, offset), document=document
    )
