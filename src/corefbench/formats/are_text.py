"""The text of an ARE document: its words, nodes and entities, from wherever they are to be had."""

import re
from collections.abc import Callable
from typing import TypeAlias

from corefbench.errors import FormatError, Place
from corefbench.formats.xml import Element
from corefbench.model.document import Document
from corefbench.record import Columns

Span: TypeAlias = tuple[int, int]
Reference: TypeAlias = tuple[str, ...]
"""The id of an entity, or the nodes of its first and last word."""
Fault: TypeAlias = Callable[[str, str, Element, str], None]
"""Told of a code, a message, the element at fault and the repair."""

LONGEST = 1 << 20
"""The most words that answers without an input may span."""

_WORD = re.compile(r"[^ \t\r\n]+")
_ANSWERS = ("chain", "pronoun", "anaphoric_pronouns", "answers")


class Text(Columns, frozen=True, eq=False):
    """Words by paragraph, the node of every word, and the entities in opening order."""

    paragraphs: list[list[str]]
    nodes: list[str]
    """The node of every word; none where the text has no nodes."""
    entities: list[tuple[str, Span]]
    anaphoric: frozenset[str] = frozenset()
    """The ids of pronouns to be resolved."""


def text_of(document: Element, fault: Fault) -> Text | None:
    """The text that stands in the document, or None where it has only answers."""
    paragraphs = list(document.iter("p"))
    if not paragraphs:
        own = [document.text or "", *(child.tail or "" for child in document)]
        marked = any(child.tag in ("node", "entity") for child in document)
        if not marked and not "".join(own).strip():
            return None
        paragraphs = [document]
    walk = _Walk(fault)
    for paragraph in paragraphs:
        walk.paragraph(paragraph)
    return Text(
        paragraphs=[words for words in walk.paragraphs if words],
        nodes=walk.nodes_of_words(),
        entities=[(name, span) for name, span in walk.entities if span[0] < span[1]],
        anaphoric=listed_in(document),
    )


def listed_in(document: Element) -> frozenset[str]:
    """The ids of the pronouns that are to be resolved."""
    listed = (p for some in document.iter("anaphoric_pronouns") for p in some.iter("pronoun"))
    return frozenset(p.get("id", "") for p in listed)


class _Walk:
    """Goes through paragraphs and gathers words and entities."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self.paragraphs: list[list[str]] = []
        self.words: list[str] = []
        """Those of the open paragraph."""
        self.count = 0
        self.nodes: dict[int, str] = {}
        """The nodes of the words that have one."""
        self.node = ""
        self.entities: list[tuple[str, Span]] = []
        self.ids: set[str] = set()

    def paragraph(self, element: Element) -> None:
        self.words = []
        self.paragraphs.append(self.words)
        self.take(element.text or "")
        for child in element:
            tag = child.tag
            if tag == "node" and child.text is None and not len(child):
                self.node = child.get("id", "")
            elif tag not in _ANSWERS:
                self.inside(child)
            self.take(child.tail or "")

    def inside(self, element: Element) -> None:
        """An element within a paragraph; what is neither node nor entity is passed through."""
        number, start = -1, self.count
        tag, name = element.tag, element.get("id", "")
        if tag == "node":
            self.node = name
        elif tag == "entity" and self.is_new(name, element):
            number = len(self.entities)
            self.entities.append((name, (0, 0)))
        if text := element.text:
            self.take(text)
        if len(element):  # most have nothing inside, and to find that by iteration takes longer
            for child in element:
                self.inside(child)
                if tail := child.tail:
                    self.take(tail)
        if number >= 0:
            self.entities[number] = (name, (start, self.count))
            if start == self.count:
                self.fault("CB129", "an entity has no words", element, "entity left out")

    def is_new(self, name: str, element: Element) -> bool:
        if not name:
            self.fault("CB125", "an entity has no id", element, "entity left out")
        elif name in self.ids:
            self.fault("CB126", "an id occurs twice", element, "entity left out")
        else:
            self.ids.add(name)
            return True
        return False

    def take(self, text: str) -> None:
        """White space divides words; the first word after a node is the node's."""
        # XML has no white space in ASCII but these four, and to split at any takes half the time.
        words = text.split() if text.isascii() else _WORD.findall(text)
        if words:
            if self.node:
                self.nodes[self.count] = self.node
                self.node = ""
            self.words += words
            self.count += len(words)

    def nodes_of_words(self) -> list[str]:
        """The node of every word; none where no word has one."""
        return [self.nodes.get(word, "") for word in range(self.count)] if self.nodes else []


def text_of_input(document: Document) -> Text:
    """The text of a document that was read from the input."""
    words = document.words
    mentions = document.corpus.mentions
    ids, anaphoric = (mentions.columns.get(name) for name in ("id", "anaphoric"))
    first = int(document.corpus.tokens.offsets[document.index])
    nodes = document.corpus.tokens.columns.get("node")
    found = [(ids[m.index] if ids else "", m) for m in document.mentions]
    return Text(
        paragraphs=[words[a:b] for a, b in document.sentences],
        nodes=nodes.slice(first, first + len(document)) if nodes else [],
        entities=[(name, (m.start, m.end)) for name, m in found if name],
        anaphoric=frozenset(name for name, m in found if anaphoric and anaphoric[m.index]),
    )


def text_of_answers(
    references: list[Reference], place: Place, anaphoric: frozenset[str] = frozenset()
) -> Text:
    """Where there is no input: a word for every entity, or for every node of the range."""
    ids = sorted({name for reference in references for name in reference}, key=_by_number)
    if all(len(reference) == 1 for reference in references):
        return Text(
            paragraphs=[ids] if ids else [],
            nodes=[],
            entities=[(name, (at, at + 1)) for at, name in enumerate(ids)],
            anaphoric=anaphoric,
        )
    if all(name.isascii() and name.isdigit() and len(name) < 10 for name in ids):
        first, last = int(ids[0]), int(ids[-1])
        if last - first >= LONGEST:
            raise FormatError(
                "the nodes of the answers lie too far apart",
                code="CB112",
                place=place,
                found=f"{first} to {last}",
                expected=f"at most {LONGEST} words",
                remedy="read the answers together with their input",
            )
        ids = [str(node) for node in range(first, last + 1)]
    return Text(paragraphs=[ids], nodes=ids, entities=[])


def _by_number(name: str) -> tuple[int, str]:
    return (int(name) if name.isascii() and name.isdigit() and len(name) < 10 else 1 << 31, name)
