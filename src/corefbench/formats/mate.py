"""MATE: stand-off coreference between discourse entities (MATE Deliverable 2.1; its heir is MMAX2).

``<coref:de ID="de_2" href="words.xml#id(w4)..id(w6)"/>`` is a mention, ``<coref:link
href="#id(de_2)" type="ident"><coref:anchor href="#id(de_1)"/></coref:link>`` a link to its
antecedent; links of other types are bridging. Words stand in the file that is named, or in the
same one. It is written as one file: documents with their words, entities and links.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from corefbench.formats import xml
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.components import components
from corefbench.formats.layout import merged, require_words
from corefbench.formats.mate_words import Words, words_of
from corefbench.formats.source import Source
from corefbench.formats.whole import contents
from corefbench.formats.xml_write import DECLARATION, attributes, content
from corefbench.model.builder import CorpusBuilder, Span
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document

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
        holds=frozenset(
            {
                "document names",
                "words",
                "sentences",
                "singletons",
                "crossing mentions",
                "crossing mentions of one chain",
                "repeated mentions",
                "discontinuous mentions",
                "mentions across sentences",
            }
        ),
        cites=("poesio2004",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of discourse entities and links in the namespace of coreference."""
        return 0.95 if _TAG.search(head) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents of a file."""
        root = xml.parse(_declared(contents(source, reading)), source.name, allow_doctype=True)
        build = CorpusBuilder(source.stem, words=reading.words)
        documents = [element for element in root if element.tag == "document"]
        for element in documents or [root]:
            name = element.get("name") if documents else None
            _Annotation(element, source.stem if name is None else name, source, reading).add(build)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """All documents in one file; every mention is linked to the one before it in its chain."""
        require_words(corpus)
        stream.write(DECLARATION + f'<mate xmlns:coref="{_NAMESPACE}">\n'.encode())
        for document in corpus:
            stream.write("".join(_written(document)).encode())
        stream.write(b"</mate>\n")


def _declared(content: bytes) -> bytes:
    """The file with the namespace declared, which MATE's examples leave out."""
    if b"<coref:" not in content or b"xmlns:coref" in content:
        return content
    return _ROOT.sub(rb'\g<0> xmlns:coref="' + _NAMESPACE.encode() + b'"', content, count=1)


class _Annotation:
    """One document on its way into a corpus."""

    def __init__(self, element: xml.Element, name: str, source: Source, reading: Reading) -> None:
        self.element, self.name, self.source, self.reading = element, name, source, reading
        self.spans: dict[str, list[Span]] = {}
        self.numbers: dict[str, int] = {}

    def add(self, build: CorpusBuilder) -> None:
        build.begin_document(self.name)
        entities = list(self.element.iter("{*}de"))
        words = words_of(self.element, self._file(entities), self.source, self.reading)
        for sentence in words.sentences:
            build.sentence(sentence)
        for entity in entities:
            self._entity(entity, words)
        # In order of appearance, by which chains are numbered.
        order = sorted(self.spans, key=lambda n: (self.spans[n][0][0], -self.spans[n][-1][1]))
        self.numbers = {name: number for number, name in enumerate(order)}
        links = [link for e in self.element.iter("{*}link") for link in self._links(e)]
        same = [(a, b) for a, b, kind in links if kind in _IDENTITY]
        chains = components(len(order), same)
        made = [build.mention(str(c), self.spans[n]) for c, n in zip(chains, order, strict=True)]
        for anaphor, anchor, kind in links:
            if kind not in _IDENTITY:
                build.bridge(made[anaphor], mention=made[anchor], label=kind)

    def _file(self, entities: Sequence[xml.Element]) -> str:
        """The file that the first entity finds its words in; none where it is this one."""
        match = _RANGE.match(entities[0].get("href", "")) if entities else None
        return match["file"] if match else ""

    def _entity(self, entity: xml.Element, words: Words) -> None:
        name, href = _id(entity), entity.get("href", "")
        if not name or not href:
            self._fault("CB125", "an entity has no ID or no href", entity, name or href)
        elif name in self.spans:
            self._fault("CB126", "an entity's ID occurs twice", entity, name)
        elif spans := _spans(href, words.positions):
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
        place = xml.place(element, self.source.name, self.name)
        self.reading.strictness.fault(code, message, place=place, found=found, repair="left out")


def _id(element: xml.Element) -> str:
    return str(element.get("ID") or element.get("id") or "")


def _spans(href: str, positions: Mapping[str, int]) -> list[Span]:
    """The spans of words, none where one of them does not exist.

    >>> _spans("w.xml#id(a)..id(b),w.xml#id(d)", {"a": 0, "b": 1, "c": 2, "d": 3})
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
    return merged(spans)


def _written(document: Document) -> Iterator[str]:
    words = document.words
    yield f"<document{attributes({'name': document.label})}>\n"
    for start, end in document.sentences:
        inside = "".join(f'<word ID="w{n}">{content(words[n])}</word>' for n in range(start, end))
        yield f"<s>{inside}</s>\n"
    last: dict[int, int] = {}
    links: list[str] = []
    for number, mention in enumerate(document.mentions):
        href = ",".join(f"#id(w{a})..id(w{b - 1})" for a, b in mention.parts)
        yield f'<coref:de ID="de{number}" href="{href}"/>\n'
        chain = int(document.corpus.mentions.chain[mention.index])
        if chain in last:
            links.append(
                f'<coref:link href="#id(de{number})" type="ident">'
                f'<coref:anchor href="#id(de{last[chain]})"/></coref:link>\n'
            )
        last[chain] = number
    yield "".join(links)
    yield "</document>\n"
