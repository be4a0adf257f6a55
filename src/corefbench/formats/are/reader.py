"""Text and answers of ARE documents."""

import itertools
import re
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from corefbench.corpus.arrays import run_starts
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.views import Document
from corefbench.errors import FormatError, Place
from corefbench.formats.common.xml import Element
from corefbench.records import Columns

Span: TypeAlias = tuple[int, int]
Reference: TypeAlias = tuple[str, ...]
"""The id of an entity, or the nodes of its first and last word."""
FaultHandler: TypeAlias = Callable[[str, str, Element, str], None]
"""Called with a code, a message, the element at fault and the repair."""
MAX_ANSWER_WORDS = 1 << 20
"""The most words that answers without an input may span."""

_WORD = re.compile(r"[^ \t\r\n]+")
_ANSWERS = ("chain", "pronoun", "anaphoric_pronouns", "answers")


class DocumentText(Columns, frozen=True, eq=False):
    """Words by paragraph, the node of every word, and the entities in opening order."""

    paragraphs: list[list[str]]
    nodes: list[str]
    """The node of every word; none where the text has no nodes."""
    entities: list[tuple[str, Span]]
    anaphoric: frozenset[str] = frozenset()
    """The ids of pronouns to be resolved."""


def read_text(document: Element, fault: FaultHandler) -> DocumentText | None:
    """Return the text of a document, or None if it has only answers."""
    paragraphs = list(document.iter("p"))
    if not paragraphs:
        texts = [document.text or "", *(child.tail or "" for child in document)]
        has_marks = any(child.tag in ("node", "entity") for child in document)
        if not has_marks and not "".join(texts).strip():
            return None
        paragraphs = [document]
    reader = _TextReader(fault)
    for paragraph in paragraphs:
        reader.add_paragraph(paragraph)
    return DocumentText(
        paragraphs=[words for words in reader.paragraphs if words],
        nodes=reader.token_nodes(),
        entities=[(name, span) for name, span in reader.entities if span[0] < span[1]],
        anaphoric=listed_pronouns(document),
    )


def listed_pronouns(document: Element) -> frozenset[str]:
    """The ids of the pronouns that are to be resolved."""
    lists = document.iter("anaphoric_pronouns")
    return frozenset(p.get("id", "") for pronouns in lists for p in pronouns.iter("pronoun"))


class _TextReader:
    """Collects the words and entities of paragraphs."""

    def __init__(self, fault: FaultHandler) -> None:
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

    def add_paragraph(self, element: Element) -> None:
        self.words = []
        self.paragraphs.append(self.words)
        self._add_words(element.text or "")
        for child in element:
            tag = child.tag
            if tag == "node" and child.text is None and not len(child):
                self.node = child.get("id", "")
            elif tag not in _ANSWERS:
                self._add_element(child)
            self._add_words(child.tail or "")

    def _add_element(self, element: Element) -> None:
        """Read an element in a paragraph; tags other than node and entity are ignored."""
        number, start = -1, self.count
        tag, name = element.tag, element.get("id", "")
        if tag == "node":
            self.node = name
        elif tag == "entity" and self._is_new_entity(name, element):
            number = len(self.entities)
            self.entities.append((name, (0, 0)))
        if text := element.text:
            self._add_words(text)
        if len(element):
            for child in element:
                self._add_element(child)
                if tail := child.tail:
                    self._add_words(tail)
        if number >= 0:
            self.entities[number] = (name, (start, self.count))
            if start == self.count:
                self.fault("CB129", "an entity has no words", element, "entity left out")

    def _is_new_entity(self, name: str, element: Element) -> bool:
        if not name:
            self.fault("CB125", "an entity has no id", element, "entity left out")
        elif name in self.ids:
            self.fault("CB126", "an id occurs twice", element, "entity left out")
        else:
            self.ids.add(name)
            return True
        return False

    def _add_words(self, text: str) -> None:
        """White space divides words; the first word after a node is the node's."""
        # XML has no other ASCII white space than these four, and ``split`` takes half the time.
        words = text.split() if text.isascii() else _WORD.findall(text)
        if words:
            if self.node:
                self.nodes[self.count] = self.node
                self.node = ""
            self.words += words
            self.count += len(words)

    def token_nodes(self) -> list[str]:
        """The node of every word; none where no word has one."""
        return [self.nodes.get(word, "") for word in range(self.count)] if self.nodes else []


def input_text(document: Document) -> DocumentText:
    """The text of a document that was read from the input."""
    words = document.words
    mentions = document.corpus.mentions
    ids, anaphoric = (mentions.columns.get(name) for name in ("id", "anaphoric"))
    first = int(document.corpus.tokens.offsets[document.index])
    nodes = document.corpus.tokens.columns.get("node")
    named = [(ids[m.index] if ids else "", m) for m in document.mentions]
    return DocumentText(
        paragraphs=[words[a:b] for a, b in document.sentences],
        nodes=nodes.slice(first, first + len(document)) if nodes else [],
        entities=[(name, (m.start, m.end)) for name, m in named if name],
        anaphoric=frozenset(name for name, m in named if anaphoric and anaphoric[m.index]),
    )


def placeholder_text(
    references: list[Reference], place: Place, anaphoric: frozenset[str] = frozenset()
) -> DocumentText:
    """Where there is no input: a word for every entity, or for every node of the range."""
    ids = sorted({name for reference in references for name in reference}, key=_by_number)
    if all(len(reference) == 1 for reference in references):
        return DocumentText(
            paragraphs=[ids] if ids else [],
            nodes=[],
            entities=[(name, (token, token + 1)) for token, name in enumerate(ids)],
            anaphoric=anaphoric,
        )
    if all(name.isascii() and name.isdigit() and len(name) < 10 for name in ids):
        first, last = int(ids[0]), int(ids[-1])
        if last - first >= MAX_ANSWER_WORDS:
            raise FormatError(
                "the nodes of the answers lie too far apart",
                code="CB112",
                place=place,
                found=f"{first} to {last}",
                expected=f"at most {MAX_ANSWER_WORDS} words",
                remedy="read the answers together with their input",
            )
        ids = [str(node) for node in range(first, last + 1)]
    return DocumentText(paragraphs=[ids], nodes=ids, entities=[])


def _by_number(name: str) -> tuple[int, str]:
    return (int(name) if name.isascii() and name.isdigit() and len(name) < 10 else 1 << 31, name)


class Answers(Columns, frozen=True, eq=False):
    """Chains of entities, and pronouns with the antecedent that was chosen for them."""

    chains: list[tuple[Element, list[tuple[Element, Reference]]]]
    links: list[tuple[Element, Reference, Reference]]
    """A pronoun and its antecedent, which is empty where none was given."""

    def references(self) -> list[Reference]:
        """Return all entities that the answers name."""
        chained = [reference for _, members in self.chains for _, reference in members]
        return chained + [r for _, *pair in self.links for r in pair if r]


def read_answers(document: Element, fault: FaultHandler) -> Answers:
    """The chains and pronouns of a document."""
    chains = []
    for chain in document.iter("chain"):
        members = [(entity, _reference(entity, fault)) for entity in chain.iter("entity")]
        chains.append((chain, [(e, r) for e, r in members if r]))
    links: list[tuple[Element, Reference, Reference]] = []
    for pronoun in document.iter("pronoun"):
        if pronoun.getparent().tag == "anaphoric_pronouns" and pronoun.get("antecedent") is None:
            continue
        node, name = pronoun.get("node"), pronoun.get("id")
        if not (node or name):
            fault("CB125", "a pronoun has neither id nor node", pronoun, "answer left out")
            continue
        antecedents = [_reference(entity, fault) for entity in pronoun.iter("entity")]
        chosen = pronoun.get("antecedent", "")
        target: Reference = (chosen,) if chosen else next(iter(antecedents), ())
        links.append((pronoun, (node, node) if node else (name,), target))
    return Answers(chains=chains, links=links)


def _reference(entity: Element, fault: FaultHandler) -> Reference:
    """Return what an entity in an answer refers to; nothing if it has no reference."""
    if entity.get("id"):
        return (entity.get("id"),)
    start = entity.get("start", "")
    end = entity.get("end", start)
    if not start or not end:
        fault("CB125", "an entity has neither id nor start", entity, "entity left out")
        return ()
    return (start, end)


def add_document(
    build: CorpusBuilder, element: Element, name: str, text: DocumentText, answers: Answers, fault: FaultHandler
) -> None:
    """Add text and answers as one document."""
    part = element.get("part", "")
    number = int(part) if part.isascii() and part.isdigit() and len(part) < 9 else -1
    if part and number < 0:
        fault("CB125", "the part is not a number", element, "read as no part")
    columns = {key: value for key, value in element.attrib.items() if key not in ("id", "part", "task")}
    build.begin_document(name, number, columns)
    build.sentences(
        list(itertools.chain.from_iterable(text.paragraphs)),
        run_starts(list(map(len, text.paragraphs))),
        columns={"node": text.nodes} if text.nodes else None,
    )
    _AnswerResolver(text, fault).add(build, answers)


class _AnswerResolver:
    """Finds the mentions that answers name, and joins them in chains."""

    def __init__(self, text: DocumentText, fault: FaultHandler) -> None:
        self.fault = fault
        self.nodes = {node: token for token, node in enumerate(text.nodes) if node}
        self.spans: list[Span] = [span for _, span in text.entities]
        self.ids: list[str] = [name for name, _ in text.entities]
        self.columns: dict[int, dict[str, str]] = {}
        """Attributes beside the id, which few mentions have."""
        self.by_id = {name: number for number, name in enumerate(self.ids)}
        self.by_span: dict[Span, int] = {}
        self.labels: dict[int, str] = {}
        self.chained: set[int] = set()
        self.root: list[int] = list(range(len(self.spans)))
        for name in text.anaphoric & self.by_id.keys():
            self.columns[self.by_id[name]] = {"anaphoric": "yes"}

    def add(self, build: CorpusBuilder, answers: Answers) -> None:
        used: set[str] = set()
        for chain, members in answers.chains:
            label = chain.get("id", "")
            if label and label in used:
                self.fault("CB126", "an id occurs twice", chain, "another id given")
                label = ""
            used.add(label)
            self._add_chain(label, members)
        for pronoun, anaphor, antecedent in answers.links:
            self._add_link(pronoun, anaphor, antecedent)
        chains: dict[str, int] = {}
        labels = self._chain_labels()
        numbers = np.array([chains.setdefault(label, len(chains)) for label in labels], np.int32)
        edges = np.array(self.spans, np.int32).reshape(-1, 2)
        first = build.add_chains(list(chains))
        build.add_mentions(
            edges[:, 0],
            edges[:, 1],
            numbers + first,
            columns=self.columns,
            full={"id": self.ids} if any(self.ids) else None,
        )

    def _chain_labels(self) -> list[str]:
        """The label of every mention's chain, made where it has none."""
        labels = self.labels
        used = set(labels.values())
        mention_labels = []
        for number, above in enumerate(self.root):
            first = number if above == number else self._find_root(number)
            label = labels.get(first)
            if label is None:
                label = self.ids[first] or str(first + 1)
                while label in used:
                    label += "'"
                labels[first] = label
                used.add(label)
            mention_labels.append(label)
        return mention_labels

    def _add_chain(self, label: str, members: list[tuple[Element, Reference]]) -> None:
        """One chain; an entity named by its nodes is a mention each time it is named."""
        numbers = []
        for element, reference in members:
            number = self._find_mention(element, reference, new=True)
            if number is not None and number in self.chained:
                self.fault("CB113", "an entity is in two chains", element, "kept in the first")
            elif number is not None:
                numbers.append(number)
                self.chained.add(number)
        for number in numbers[1:]:
            self._join(numbers[0], number)
        if numbers and label:
            self.labels[self._find_root(numbers[0])] = label

    def _add_link(self, pronoun: Element, anaphor: Reference, antecedent: Reference) -> None:
        source = self._find_mention(pronoun, anaphor)
        if source is None:
            return
        columns = self.columns.setdefault(source, {})
        columns["anaphoric"] = "yes"
        target = self._find_mention(pronoun, antecedent) if antecedent else None
        if target is not None:
            name = antecedent[0] if len(antecedent) == 1 else "..".join(antecedent)
            columns["antecedent"] = name
            self._join(source, target)

    def _find_mention(self, element: Element, reference: Reference, new: bool = False) -> int | None:
        """The mention that a reference names, made where nodes name a new one."""
        if len(reference) == 1:
            number = self.by_id.get(reference[0])
            if number is None:
                self.fault("CB115", f"no entity {reference[0]}", element, "left out")
            return number
        if reference[0] not in self.nodes or reference[1] not in self.nodes:
            self.fault("CB115", f"no nodes {'..'.join(reference)}", element, "left out")
            return None
        span = (self.nodes[reference[0]], self.nodes[reference[1]] + 1)
        if span[0] >= span[1]:
            self.fault("CB112", "a span ends before it begins", element, "left out")
            return None
        if new or span not in self.by_span:
            self.by_span[span] = len(self.spans)
            self.root.append(len(self.spans))
            self.spans.append(span)
            self.ids.append("")
        return self.by_span[span]

    def _find_root(self, number: int) -> int:
        while self.root[number] != number:
            self.root[number] = self.root[self.root[number]]
            number = self.root[number]
        return number

    def _join(self, mention: int, other: int) -> None:
        """Make one chain of two; the label that one of them has is kept."""
        first, second = sorted((self._find_root(mention), self._find_root(other)))
        if first != second:
            self.root[second] = first
            label = self.labels.pop(second, None)
            if label is not None:
                self.labels.setdefault(first, label)
