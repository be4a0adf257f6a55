"""The answers of an ARE document, and the document that text and answers make together."""

import itertools

import numpy as np

from corefbench.formats.are_text import Fault, Reference, Span, Text
from corefbench.formats.xml import Element
from corefbench.model.builder import CorpusBuilder, firsts
from corefbench.record import Columns


class Answers(Columns, frozen=True, eq=False):
    """Chains of entities, and pronouns with the antecedent that was chosen for them."""

    chains: list[tuple[Element, list[tuple[Element, Reference]]]]
    links: list[tuple[Element, Reference, Reference]]
    """A pronoun and its antecedent, which is empty where none was given."""

    def references(self) -> list[Reference]:
        """All entities that are spoken of."""
        chained = [reference for _, some in self.chains for _, reference in some]
        return chained + [r for _, *pair in self.links for r in pair if r]


def answers_of(document: Element, fault: Fault) -> Answers:
    """The chains and pronouns of a document."""
    chains = []
    for chain in document.iter("chain"):
        found = [(entity, _reference(entity, fault)) for entity in chain.iter("entity")]
        chains.append((chain, [(e, r) for e, r in found if r]))
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


def _reference(entity: Element, fault: Fault) -> Reference:
    """What an entity in an answer names; nothing where it names nothing."""
    if entity.get("id"):
        return (entity.get("id"),)
    start = entity.get("start", "")
    end = entity.get("end", start)
    if not start or not end:
        fault("CB125", "an entity has neither id nor start", entity, "entity left out")
        return ()
    return (start, end)


def add_document(
    build: CorpusBuilder, element: Element, name: str, text: Text, answers: Answers, fault: Fault
) -> None:
    """Add text and answers as one document."""
    part = element.get("part", "")
    number = int(part) if part.isascii() and part.isdigit() and len(part) < 9 else -1
    if part and number < 0:
        fault("CB125", "the part is not a number", element, "read as no part")
    columns = {
        key: value for key, value in element.attrib.items() if key not in ("id", "part", "task")
    }
    build.begin_document(name, number, columns)
    build.sentences(
        list(itertools.chain.from_iterable(text.paragraphs)),
        firsts(list(map(len, text.paragraphs))),
        columns={"node": text.nodes} if text.nodes else None,
    )
    _Resolved(text, fault).add(build, answers)


class _Resolved:
    """Finds what the answers name, and joins it in chains."""

    def __init__(self, text: Text, fault: Fault) -> None:
        self.fault = fault
        self.nodes = {node: token for token, node in enumerate(text.nodes) if node}
        self.spans: list[Span] = [span for _, span in text.entities]
        self.ids: list[str] = [name for name, _ in text.entities]
        self.columns: dict[int, dict[str, str]] = {}
        """What few mentions have beside their ids."""
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
            self.chain(label, members)
        for pronoun, anaphor, antecedent in answers.links:
            self.link(pronoun, anaphor, antecedent)
        chains: dict[str, int] = {}
        labels = self.chain_labels()
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

    def chain_labels(self) -> list[str]:
        """The label of every mention's chain, made where it has none."""
        labels = self.labels
        taken = set(labels.values())
        found = []
        for number, above in enumerate(self.root):
            first = number if above == number else self.find(number)
            label = labels.get(first)
            if label is None:
                label = self.ids[first] or str(first + 1)
                while label in taken:
                    label += "'"
                labels[first] = label
                taken.add(label)
            found.append(label)
        return found

    def chain(self, label: str, members: list[tuple[Element, Reference]]) -> None:
        """One chain; an entity named by its nodes is a mention each time it is named."""
        numbers = []
        for element, reference in members:
            number = self.number(element, reference, new=True)
            if number is not None and number in self.chained:
                self.fault("CB113", "an entity is in two chains", element, "kept in the first")
            elif number is not None:
                numbers.append(number)
                self.chained.add(number)
        for number in numbers[1:]:
            self.join(numbers[0], number)
        if numbers and label:
            self.labels[self.find(numbers[0])] = label

    def link(self, pronoun: Element, anaphor: Reference, antecedent: Reference) -> None:
        source = self.number(pronoun, anaphor)
        if source is None:
            return
        columns = self.columns.setdefault(source, {})
        columns["anaphoric"] = "yes"
        target = self.number(pronoun, antecedent) if antecedent else None
        if target is not None:
            name = antecedent[0] if len(antecedent) == 1 else "..".join(antecedent)
            columns["antecedent"] = name
            self.join(source, target)

    def number(self, element: Element, reference: Reference, new: bool = False) -> int | None:
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

    def find(self, number: int) -> int:
        while self.root[number] != number:
            self.root[number] = self.root[self.root[number]]
            number = self.root[number]
        return number

    def join(self, one: int, other: int) -> None:
        """Make one chain of two; the label that one of them has is kept."""
        first, second = sorted((self.find(one), self.find(other)))
        if first != second:
            self.root[second] = first
            label = self.labels.pop(second, None)
            if label is not None:
                self.labels.setdefault(first, label)
