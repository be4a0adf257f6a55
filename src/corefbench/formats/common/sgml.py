"""Tolerant scanner and writer for SGML and malformed XML, and the COREF tags of MUC.

Corpora of the nineties carry unescaped ``&`` and ``<``, stray ``<p>`` and attributes as they came.
What does not look like a tag is text. Well-formed XML goes through ``common.xml`` instead.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, cast

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.strings import Strings
from corefbench.corpus.views import Mention
from corefbench.diagnostics import Strictness
from corefbench.errors import Place
from corefbench.formats.common.spans import Span, connected_components

_NAME = r"[A-Za-z_][\w.:-]*+"
_VALUE = r"""(?:"[^"]*+"|'[^']*+'|[^\s"'<>/]++(?:/++[^\s"'<>/]++)*+)"""
_TAG = re.compile(
    rf"<!--|<[!?][^<>]*>"
    rf"|<(/?)({_NAME})"
    rf"(?:((?:(?:\s++|(?<=[\"']))(?:{_NAME})(?:\s*+=\s*+{_VALUE})?+)*+)\s*+(/?)>"
    rf"|(\s[^<>]*)>)"
)
_ATTRIBUTE = re.compile(rf"({_NAME})(?:\s*+=\s*+({_VALUE}))?")
_BEFORE_QUOTE = re.compile(rf"\s*({_NAME})\s*=\s*")
_LOOSE_ATTRIBUTE = re.compile(rf"""({_NAME})\s*=\s*["']?([^\s"'/]*)""")
_REFERENCE = re.compile(r"&(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][0-9A-Fa-f]{1,6});")
_new = tuple.__new__
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


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
        if value is None and not "".join(self.attributes).isupper():
            for key, candidate in self.attributes.items():
                if key.upper() == name:
                    return candidate
        return default if value is None else value


def scan_tags(text: str, begin: int = 0, end: int | None = None) -> Iterator[Tag]:
    """The tags in their order; comments are tags of the name ``!``.

    >>> [(t.name, t.attributes) for t in scan_tags('AT&T <coref id=" 1 " ref=2>it</COREF> < 3')]
    [('COREF', {'id': '1', 'ref': '2'}), ('COREF', {})]
    """
    comments = True
    position: int | None = begin
    end = len(text) if end is None else end
    while position is not None:
        begin, position = position, None
        for match in _TAG.finditer(text, begin, end):
            closing, name, attributes, empty, loose = match.groups()
            start, end_of_tag = match.span()
            if name is not None:
                parsed = parse_attributes(attributes, loose) if attributes or loose else {}
                # The tuple's own constructor takes half the time of the named one.
                fields = (name.upper(), closing == "/", empty == "/", parsed, start, end_of_tag)
                yield _new(Tag, fields)
                continue
            if match[0] == "<!--":
                # A comment that never ends is none, and is not looked for again.
                until = text.find("-->", end_of_tag, end) if comments else -1
                if until < 0:
                    comments = False
                    continue
                position = until + len("-->")
                yield Tag("!", False, True, {}, start, position)
                break
            yield Tag("!", False, True, {}, start, end_of_tag)


def parse_attributes(text: str | None, loose: str | None = None) -> dict[str, str]:
    """What the attributes of a tag say, in regular form or ``loose``: names as they are
    written, values trimmed and decoded; the first of a name counts."""
    found: dict[str, str] = {}
    if text:
        references = "&" in text
        if not references and (plain := _plain_attributes(text)) is not None:
            return plain
        for name, value in _ATTRIBUTE.findall(text):
            bare = (value[1:-1] if value[:1] in ("'", '"') else value).strip()
            found.setdefault(name, unescape(bare) if references else bare)
    elif loose:
        for name, value in _LOOSE_ATTRIBUTE.findall(loose):
            found.setdefault(name, unescape(value))
    return found


def _plain_attributes(text: str) -> dict[str, str] | None:
    """The attributes where all are of the form ``name="value"`` and no name recurs, else None.

    >>> _plain_attributes(' id="1" min="a b"'), _plain_attributes(" id=1")
    ({'id': '1', 'min': 'a b'}, None)
    """
    pieces = text.split('"')
    if len(pieces) == 3:
        name = name_before_quote(pieces[0])
        return None if name is None or pieces[2] else {name: pieces[1].strip()}
    values = pieces[1::2]
    pairs = zip(pieces[:-1:2], values, strict=False)
    found = {name_before_quote(name): value.strip() for name, value in pairs}
    if pieces[-1] or len(found) < len(values) or None in found:
        return None
    return cast(dict[str, str], found)


@lru_cache(maxsize=1024)
def name_before_quote(text: str) -> str | None:
    """The name in what stands before a quote, if that is a name and a sign of equality.

    >>> name_before_quote(" ID=")
    'ID'
    """
    match = _BEFORE_QUOTE.fullmatch(text)
    return match[1] if match else None


def unescape(text: str) -> str:
    """The five references of XML and numbers become characters; all else is left as it is.

    >>> unescape("AT&T &lt; R&amp;D &#233; &MD;")
    'AT&T < R&D é &MD;'
    """
    return _REFERENCE.sub(_character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    name = match[0][1:-1]
    if name in _NAMED:
        return _NAMED[name]
    code = int(name[2:], 16) if name[1] in "xX" else int(name[1:])
    return match[0] if code > 0x10FFFF or 0xD800 <= code < 0xE000 else chr(code)


def escape(text: str) -> str:
    """Text that ``unescape`` gives back and that holds no tags.

    >>> escape("a < b & c")
    'a &lt; b &amp; c'
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def format_attribute(name: str, value: str) -> str:
    """An attribute with its value, as a tag carries it.

    >>> format_attribute("MIN", 'the "box"')
    ' MIN="the &quot;box&quot;"'
    """
    return f' {name}="{escape_attribute(value)}"'


def escape_attribute(value: str) -> str:
    """A value as it stands between quotes; its own outer blanks are kept."""
    value = escape(value).replace('"', "&quot;")
    return re.sub(r"^\s+|\s+$|[\n\r\t]", _numeric_references, value)


def escape_blanks(word: str) -> str:
    """A word without blanks or line ends, which ``unescape`` brings back.

    >>> escape_blanks("1 000")
    '1&#32;000'
    """
    return re.sub(r"[ \t\n\r]", _numeric_references, word) if not word.isalnum() else word


def _numeric_references(match: re.Match[str]) -> str:
    return "".join(f"&#{ord(c)};" for c in match[0])


def is_attribute_name(text: str) -> bool:
    """Whether the text can name an attribute."""
    return re.fullmatch(_NAME, text) is not None


class TextLocator:
    """Lines and columns of offsets into a text, found when first asked for, and faults there.

    >>> str(TextLocator("ab\\ncd", "file").at(4))
    'file:2:2'
    """

    def __init__(self, text: str, source: str, strictness: Strictness = Strictness(), first_line: int = 1) -> None:
        self.text, self.source, self.strictness, self.first_line = text, source, strictness, first_line
        self._ends: list[int] | None = None

    def at(self, offset: int) -> Place:
        if self._ends is None:
            self._ends = [match.start() for match in re.finditer("\n", self.text)]
        line = bisect_left(self._ends, offset)
        start = self._ends[line - 1] + 1 if line else 0
        return Place(source=self.source, line=self.first_line + line, column=offset - start + 1)

    def fault(self, code: str, message: str, tag: Tag, repair: str) -> None:
        """Raise for a tag or, if lenient, report that ``repair`` was done."""
        found = self.text[tag.begin : tag.end][:80]
        self.strictness.fault(code, message, place=self.at(tag.begin), found=found, repair=repair)


LINK_ATTRIBUTES = frozenset({"ID", "REF", "MIN", "MINSPAN", "TYPE"})
"""The attributes that a corpus holds otherwise than as columns."""


def add_linked_mentions(
    build: CorpusBuilder,
    tags: Sequence[Tag],
    spans: Sequence[Span],
    locator: TextLocator,
    minima: Sequence[Sequence[Span]] = (),
) -> None:
    """Add mentions that are marked by tags to the open document, with their chains and bridging.

    Chains are the connected components of REF, which may point forwards (MUC-7 task definition);
    the ID of the first mention labels the chain. A REF whose TYPE is not IDENT is bridging.
    ``minima`` are the minimal spans of the mentions, if there are any.
    """
    ids = _mentions_by_id(tags, locator)
    links: list[tuple[int, int]] = []
    bridges: list[tuple[int, int]] = []
    for number, tag in enumerate(tags):
        target = tag.get("REF")
        if target and target not in ids:
            locator.fault("CB115", "REF points to nothing", tag, "link left out")
        elif target:
            is_identity = tag.get("TYPE").upper() in ("IDENT", "")
            (links if is_identity else bridges).append((number, ids[target]))
    labels: dict[int, str] = {}
    mentions = []
    components = connected_components(len(tags), links)
    rows = zip(tags, components, spans, minima or [()] * len(spans), strict=True)
    for number, (tag, component, span, minimum) in enumerate(rows):
        name = tag.get("ID")
        label = labels.setdefault(component, name if ids.get(name) == number else f"#{number}")
        columns = _mention_columns(tag)
        mentions.append(build.mention(label, [span], minimum=minimum, columns=columns))
    for anaphor, anchor in bridges:
        kind = tags[anaphor].get("TYPE")
        build.bridge(mentions[anaphor], mention=mentions[anchor], label=kind)


def _mentions_by_id(tags: Sequence[Tag], locator: TextLocator) -> dict[str, int]:
    ids: dict[str, int] = {}
    for number, tag in enumerate(tags):
        name = tag.get("ID")
        if not name:
            locator.fault("CB125", "a COREF has no ID", tag, "kept without one")
        elif name in ids:
            message = "an ID occurs twice; where IDs are those of chains, the format is ontonotes"
            locator.fault("CB126", message, tag, "REF means the first")
        else:
            ids[name] = number
    return ids


def _mention_columns(tag: Tag) -> dict[str, str]:
    """Return the attributes to keep; those that the format defines get lower-case names."""
    columns = {"id": tag.get("ID")}
    for name, value in tag.attributes.items():
        upper = name.upper()
        if upper == "STATUS" or (upper == "TYPE" and value.upper() != "IDENT"):
            columns[upper.lower()] = value
        elif upper not in LINK_ATTRIBUTES:
            columns[name] = value
    return {name: value for name, value in columns.items() if value}


def linked_tags(
    mentions: Sequence[Mention],
    ids: Sequence[str],
    columns: Mapping[str, Sequence[str] | Strings],
    attribute: Callable[[str, str], str],
    *,
    identity: str = "",
    minima: Sequence[str] = (),
) -> list[str]:
    """Return the COREF tags that open mentions: ID, REF to the preceding mention, other columns.

    ``attribute`` formats a name and its value, and ``identity`` stands before REF.
    """
    last: dict[int, str] = {}
    tags = []
    for name, mention, minimum in zip(ids, mentions, minima or [""] * len(ids), strict=True):
        chain = mention.chain.index
        tag = "<COREF" + attribute("ID", name)
        if chain in last:
            tag += identity + attribute("REF", last[chain])
        tag += minimum
        for column, values in columns.items():
            label = "STATUS" if column == "status" else column
            if label.upper() not in LINK_ATTRIBUTES:
                tag += attribute(label, values[mention.index])
        last[chain] = name
        tags.append(tag + ">")
    return tags
