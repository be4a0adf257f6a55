"""MATE: stand-off coreference between discourse entities (MATE Deliverable 2.1; its heir is MMAX2).

``<coref:de ID="de_2" href="words.xml#id(w4)..id(w6)"/>`` is a mention, ``<coref:link
href="#id(de_2)" type="ident"><coref:anchor href="#id(de_1)"/></coref:link>`` a link to its
antecedent; links of other types are bridging. Words stand in the file that is named, or in the
same one. It is written as one file: documents with their words, entities and links.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from corefbench.corpus.builder import CorpusBuilder, Span
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.errors import FormatError, Place
from corefbench.formats.base import ANY_MENTIONS, DOCUMENTS, FormatCard, Reading, write_documents
from corefbench.formats.common import xml
from corefbench.formats.common.decode import read_bytes
from corefbench.formats.common.spans import connected_components, merge_spans
from corefbench.formats.common.xml import XML_DECLARATION, escape_text, format_attributes, local_name
from corefbench.formats.source import Source, is_valid_path

_WORDS = frozenset({"word", "w", "token", "tok"})
_TAGS = [f"{{*}}{name}" for name in sorted(_WORDS)]
_SENTENCES = frozenset({"s", "sentence", "utterance", "u"})
_IDENTITY = ("", "ident", "identity")
_TAG = re.compile(rb"<mate[\s>]|<coref:(?:de|link)[\s>/]")
_ROOT = re.compile(rb"<[A-Za-z_][\w.-]*")
_NAME = r"(?:id\()?(?P<{}>[^()#,]+?)\)?"
_RANGE = re.compile(rf"(?P<file>[^#,\s]*)#{_NAME.format('a')}(?:\.\.{_NAME.format('b')})?")
_NAMESPACE = "urn:mate:coref"


class Mate:
    """Reads and writes MATE coreference.

    >>> text = b'<t><w ID="a">Hi</w><coref:de ID="d" href="#id(a)"/></t>'
    >>> list(Mate().read(Source.of(text), Reading()))
    [<Corpus 'memory': 1 documents, 1 tokens, 1 mentions, 1 chains>]
    """

    card = FormatCard(
        name="mate",
        title="MATE",
        description="Stand-off discourse entities and links between them, in XML.",
        extensions=(".xml",),
        holds=DOCUMENTS | ANY_MENTIONS | {"discontinuous mentions"},
        cites=("poesio2004",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of discourse entities and links in the namespace of coreference."""
        return 0.95 if _TAG.search(head) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents of a file."""
        root = xml.parse(_declare_namespace(read_bytes(source, reading)), source.name, allow_doctype=True)
        build = CorpusBuilder(source.stem, words=reading.words)
        documents = [element for element in root if element.tag == "document"]
        for element in documents or [root]:
            name = element.get("name") if documents else None
            _DocumentReader(element, source.stem if name is None else name, source, reading).add(build)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """All documents in one file; every mention is linked to the one before it in its chain."""
        root = f'<mate xmlns:coref="{_NAMESPACE}">\n'.encode()
        write_documents(corpus, stream, _document_text, XML_DECLARATION + root, b"</mate>\n")


def read_words(
    element: xml.Element, file: str, source: Source, reading: Reading
) -> tuple[list[list[str]], dict[str, int]]:
    """Return the sentences of the element, or of the file if one is named, and the places of the IDs."""
    if file:
        source = _words_source(source, file)
        element = xml.read(source, reading, allow_doctype=True)
    sentences: list[list[str]] = []
    positions: dict[str, int] = {}
    last: object = None
    parent = inside = None
    for word in element.iter(*_TAGS):
        name = _id(word)
        if not name or name in positions:
            raise FormatError(
                "a word's ID occurs twice" if name else "a word has no ID",
                code="CB126" if name else "CB125",
                place=xml.element_place(word, source.name),
                found=name,
            )
        # Walking up to the sentence for every word would double the time of reading.
        if parent is None or word.getparent() is not parent:
            parent = word.getparent()
            above = (e for e in word.iterancestors() if local_name(e) in _SENTENCES)
            inside = next(above, None)
        if inside is not last or not sentences:
            sentences.append([])
            last = inside
        sentences[-1].append((word.text or "").strip())
        positions[name] = len(positions)
    return sentences, positions


def _words_source(source: Source, file: str) -> Source:
    """Return the words file, which must lie in the folder of the source or below it."""
    code = "CB130"
    if source.path is None:
        message = "the words are in another file"
    elif not is_valid_path(file):
        message = "the words file cannot be there"
    else:
        folder = source.path.parent
        path = folder / Path(file.replace("\\", "/"))
        if not path.resolve().is_relative_to(folder.resolve()):
            code, message = "CB131", "the words are in a file outside the folder"
        elif path.is_file():
            return Source.of(path)
        else:
            message = "the words file is not there"
    raise FormatError(
        message,
        code=code,
        place=Place(source=source.name),
        found=file[:200],
        remedy="give the path of the file, with the words file in its folder",
    )


def _declare_namespace(content: bytes) -> bytes:
    """The file with the namespace declared, which MATE's examples leave out."""
    if b"<coref:" not in content or b"xmlns:coref" in content:
        return content
    return _ROOT.sub(rb'\g<0> xmlns:coref="' + _NAMESPACE.encode() + b'"', content, count=1)


class _DocumentReader:
    """One document on its way into a corpus."""

    def __init__(self, element: xml.Element, name: str, source: Source, reading: Reading) -> None:
        self.element, self.name, self.source, self.reading = element, name, source, reading
        self.spans: dict[str, list[Span]] = {}
        self.numbers: dict[str, int] = {}

    def add(self, build: CorpusBuilder) -> None:
        build.begin_document(self.name)
        entities = list(self.element.iter("{*}de"))
        sentences, positions = read_words(self.element, self._file(entities), self.source, self.reading)
        for sentence in sentences:
            build.sentence(sentence)
        for entity in entities:
            self._read_entity(entity, positions)
        # In order of appearance, by which chains are numbered.
        order = sorted(self.spans, key=lambda n: (self.spans[n][0][0], -self.spans[n][-1][1]))
        self.numbers = {name: number for number, name in enumerate(order)}
        links = [link for e in self.element.iter("{*}link") for link in self._links(e)]
        same = [(a, b) for a, b, kind in links if kind in _IDENTITY]
        chains = connected_components(len(order), same)
        mentions = [build.mention(str(c), self.spans[n]) for c, n in zip(chains, order, strict=True)]
        for anaphor, anchor, kind in links:
            if kind not in _IDENTITY:
                build.bridge(mentions[anaphor], mention=mentions[anchor], label=kind)

    def _file(self, entities: Sequence[xml.Element]) -> str:
        """The file that the first entity finds its words in; none where it is this one."""
        match = _RANGE.match(entities[0].get("href", "")) if entities else None
        return match["file"] if match else ""

    def _read_entity(self, entity: xml.Element, positions: Mapping[str, int]) -> None:
        name, href = _id(entity), entity.get("href", "")
        if not name or not href:
            self._fault("CB125", "an entity has no ID or no href", entity, name or href)
        elif name in self.spans:
            self._fault("CB126", "an entity's ID occurs twice", entity, name)
        elif spans := _parse_spans(href, positions):
            self.spans[name] = spans
        else:
            self._fault("CB112", "an href names no words", entity, href)

    def _links(self, link: xml.Element) -> Iterator[tuple[int, int, str]]:
        """Anaphor, anchor and type of each anchor of a link."""
        for anchor in link:
            ends = [self._target(element) for element in (link, anchor)]
            if ends[0] is not None and ends[1] is not None:
                yield ends[0], ends[1], link.get("type", "").lower()

    def _target(self, element: xml.Element) -> int | None:
        match = _RANGE.fullmatch(element.get("href", "").strip())
        number = self.numbers.get(match["a"]) if match else None
        if number is None:
            self._fault("CB115", "a link names no entity", element, element.get("href", ""))
        return number

    def _fault(self, code: str, message: str, element: xml.Element, found: str) -> None:
        place = xml.element_place(element, self.source.name, self.name)
        self.reading.fault(code, message, place, found, "left out")


def _id(element: xml.Element) -> str:
    return str(element.get("ID") or element.get("id") or "")


def _parse_spans(href: str, positions: Mapping[str, int]) -> list[Span]:
    """The spans of words, none where one of them does not exist.

    >>> _parse_spans("w.xml#id(a)..id(b),w.xml#id(d)", {"a": 0, "b": 1, "c": 2, "d": 3})
    [(0, 2), (3, 4)]
    """
    spans: list[Span] = []
    for piece in href.split(","):
        match = _RANGE.fullmatch(piece.strip())
        start = positions.get(match["a"]) if match else None
        end = positions.get(match["b"] or match["a"]) if match else None
        if start is None or end is None or end < start:
            return []
        spans.append((start, end + 1))
    return merge_spans(spans)


def _document_text(document: Document) -> str:
    words = document.words
    lines = [f"<document{format_attributes({'name': document.label})}>\n"]
    for start, end in document.sentences:
        inside = "".join(f'<word ID="w{n}">{escape_text(words[n])}</word>' for n in range(start, end))
        lines.append(f"<s>{inside}</s>\n")
    last: dict[int, int] = {}
    links: list[str] = []
    for number, mention in enumerate(document.mentions):
        href = ",".join(f"#id(w{a})..id(w{b - 1})" for a, b in mention.parts)
        lines.append(f'<coref:de ID="de{number}" href="{href}"/>\n')
        chain = mention.chain.index
        if chain in last:
            anchor = f'<coref:anchor href="#id(de{last[chain]})"/>'
            links.append(f'<coref:link href="#id(de{number})" type="ident">{anchor}</coref:link>\n')
        last[chain] = number
    return "".join([*lines, *links, "</document>\n"])
