"""Mentions of CorefUD with heads, minimal spans and relations.

The entity after ``<`` begins a mention at this word; the one before it may come later in the
document, so relations wait until all its chains are known.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import TypeAlias

import numpy as np

from corefbench.corpus.builder import CorpusBuilder, Span
from corefbench.corpus.hashing import hash_words
from corefbench.errors import Place
from corefbench.formats.common.conllu import COLUMNS, TokenRows
from corefbench.formats.common.decode import parse_natural
from corefbench.formats.common.mention_heads import FirstOutside
from corefbench.formats.corefud.brackets import (
    Attributes,
    FaultReporter,
    Fields,
    Minimum,
    ParsedMention,
    RegularMentions,
    join_adjacent,
    word_indices,
)
from corefbench.formats.corefud.tokens import ITEM_KEYS, MiscItems
from corefbench.records import Flags, Longs

ROOT, UNKNOWN = -1, -2
NumberedMention: TypeAlias = tuple[str, list[Span], int]
"""A mention that was added: its entity, its parts in rows of the block, its number."""

_Key: TypeAlias = tuple[str, *tuple[Span, ...]]
_LONG_MENTION = 100
"""Words from which heads are searched in blocks: many long mentions may nest."""

Item: TypeAlias = tuple[int, str, str]
"""A row, the key of an item, and its value."""

_Order: TypeAlias = tuple[int, int, int]
"""First row and end (negative) of a mention and its number: sorts as the corpus does."""


def find_governors(rows: TokenRows) -> Longs:
    """Return the row of each row's governor: ROOT for a root, UNKNOWN if it is not given.

    A root without a relation says nothing: files without trees make every word one.
    A governor is named by its ID, which is unique in its sentence: ID and sentence are hashed
    together, and the hashes of governors are looked up among those of the words.
    """
    start, end = rows.cells(COLUMNS.index("head"))
    heads = hash_words(rows.data, start, end, rows.sentence)
    ids = hash_words(rows.data, *rows.cells(COLUMNS.index("id")), rows.sentence)
    order = np.argsort(ids, kind="stable")
    candidate = order[np.searchsorted(ids[order], heads, "right") - 1]
    exists = (ids[candidate] == heads) & (rows.sentence[candidate] == rows.sentence)
    known: Longs = np.where(exists, candidate, ROOT)
    unrelated = _is_blank(rows, "deprel") & ~exists
    return np.where(_is_blank(rows, "head") | unrelated, UNKNOWN, known)


def _is_blank(rows: TokenRows, column: str) -> Flags:
    start, end = rows.cells(COLUMNS.index(column))
    return np.asarray((end == start + 1) & (rows.data[start] == ord("_")))


class TreeHeads:
    """The heads of mentions by the ``find_governors`` of a block's rows.

    >>> heads = TreeHeads(np.array([2, 3, 1, ROOT, UNKNOWN]))
    >>> heads.of(np.array([0, 2, 4, 0]), np.array([3, 3, 5, 5])).tolist()
    [1, 2, -1, 3]
    """

    def __init__(self, governors: Longs) -> None:
        known = governors != UNKNOWN
        self.governors = governors
        self._known = np.flatnonzero(known)
        self._before = np.append(0, np.cumsum(known))
        """How many words before each have a governor that is known."""
        self._outliers = FirstOutside(governors[known])

    def of(self, start: Longs, end: Longs) -> Longs:
        """Return the heads of mentions ``start`` to ``end``, -1 if the tree has none."""
        # A mention of one word is its own head, whatever governs it.
        heads = np.where(self.governors[start] == UNKNOWN, -1, start)
        several = np.flatnonzero(end > start + 1)
        start, end = start[several], end[several]
        index = self._outliers.first(self._before[start], self._before[end], start, end - 1)
        heads[several] = np.where(index < 0, -1, np.append(self._known, -1)[index])
        return heads


class MentionAdder:
    """Adds the mentions of a block to its corpus; ``origin`` is the first row of a document."""

    def __init__(self, build: CorpusBuilder, faults: FaultReporter, regular: RegularMentions) -> None:
        self._build = build
        self._faults = faults
        self._regular = regular

    def add_regular(self, run: range, fields: Fields, origin: int) -> int:
        """Add mentions of regular sentences of one document; return the number of the first."""
        regular, build, rows = self._regular, self._build, slice(run.start, run.stop)
        attributes = list(map(fields.after_entity, regular.rests[rows])) if fields.others else []
        if {"head", "minspan"} & set(fields.others):
            heads, minima = self._counted(run, attributes, origin)
        else:
            heads, minima = self._tree_heads[rows], {}
        return build.add_mentions(
            regular.start[rows] - origin,
            regular.end[rows] - origin,
            np.array(build.chain_numbers(regular.labels[rows]), np.int32),
            head=np.where(heads >= 0, heads - origin, -1),
            minimum=minima,
            columns={row: a.columns for row, a in enumerate(attributes) if a.columns},
        )

    def _counted(self, run: range, attributes: list[Attributes], origin: int) -> tuple[Longs, dict[int, list[Span]]]:
        """The heads of a run of mentions, and the minimal spans of those that have one."""
        heads: list[int] = []
        minima: dict[int, list[Span]] = {}
        for row, (mention, fields) in enumerate(zip(run, attributes, strict=True)):
            spans, head = [self._regular.spans[mention]], fields.head
            heads.append(int(self._tree_heads[mention]) if head is None else self._head(spans, head))
            if fields.minimum.spans and (minimum := self._minimum(spans, fields.minimum, origin)):
                minima[row] = minimum
        return np.array(heads, np.int64), minima

    def numbered(self, run: range, first: int) -> list[NumberedMention]:
        """A run of mentions that was added, the first of them under that number."""
        labels, spans = self._regular.labels, self._regular.spans
        return [(labels[m], [spans[m]], n) for n, m in enumerate(run, first)]

    def add(self, mentions: list[ParsedMention], origin: int) -> list[NumberedMention]:
        """Add the mentions of an irregular sentence."""
        added: dict[_Key, NumberedMention] = {}
        for label, spans, fields in mentions:
            key: _Key = (label, *spans)
            if key in added and self._faults.strictness.lenient:
                message, first = "a mention occurs twice", spans[0][0]
                self._faults.fault("CB113", message, first, label, "one of them left out")
                continue
            head, minimum = self._head(spans, fields.head), fields.minimum
            number = self._build.mention(
                label,
                [(a - origin, b - origin) for a, b in spans],
                head=head - origin if head >= 0 else -1,
                minimum=self._minimum(spans, minimum, origin) if minimum.spans else (),
                columns=fields.columns,
            )
            added[key] = (label, spans, number)
        return list(added.values())

    @cached_property
    def _heads(self) -> TreeHeads:
        return TreeHeads(find_governors(self._faults.rows))

    @cached_property
    def _tree_heads(self) -> Longs:
        return self._heads.of(self._regular.start, self._regular.end)

    def _head(self, spans: list[Span], text: str | None) -> int:
        """Return the word that the head field counts to, -1 if it is empty.

        Without such a field, or if it is wrong, the tree tells the head.
        """
        if text == "":
            return -1
        if text is not None:
            words = word_indices(spans)
            if 1 <= parse_natural(text, 0) <= len(words):
                return words[int(text) - 1]
            message = "the head lies outside its mention"
            self._faults.fault("CB114", message, words[0], text, "taken from the tree")
        return self._head_by_tree(spans)

    def _head_by_tree(self, spans: list[Span]) -> int:
        """The first word whose governor lies outside the mention, or -1."""
        governors, (first, last) = self._heads.governors, spans[0]
        if last == first + 1 and len(spans) == 1:
            return -1 if governors[first] == UNKNOWN else first
        if last - first > _LONG_MENTION and len(spans) == 1:
            return int(self._heads.of(np.array([first]), np.array([last]))[0])
        words = word_indices(spans)
        inside = set(words) if len(spans) > 1 else words
        for word in words:
            if governors[word] != UNKNOWN and governors[word] not in inside:
                return word
        return -1

    def _minimum(self, spans: list[Span], minimum: Minimum, origin: int) -> list[Span]:
        counted, (start, end) = minimum.spans, spans[0]
        if len(spans) == 1 and counted[0][0] >= 0 and counted[-1][1] <= end - start:
            first = start - origin
            return [(first + a, first + b) for a, b in counted]
        words = word_indices(spans)
        if counted[0][0] < 0 or counted[-1][1] > len(words):
            message = "the minimal span lies outside its mention"
            self._faults.fault("CB114", message, start, minimum.text, "minimal span left out")
            return []
        tokens = [words[number] - origin for number in word_indices(counted)]
        return join_adjacent([(token, token + 1) for token in tokens])


def find_links(rows: TokenRows, items: MiscItems) -> dict[int, list[Item]]:
    """For sentences, by number, the items that link entities."""
    links: dict[int, list[Item]] = {}
    for item in np.flatnonzero(items.kind > 0).tolist():
        row, key = int(items.row[item]), ITEM_KEYS[items.kind[item]]
        links.setdefault(int(rows.sentence[row]), []).append((row, key, items.value(rows, item)))
    return links


class RelationCollector:
    """The relations of the open document."""

    def __init__(self, build: CorpusBuilder, faults: FaultReporter) -> None:
        self._build = build
        self._faults = faults
        self._chains: set[str] = set()
        self._bridges: list[tuple[_Order, str, str, Place]] = []
        self._splits: list[tuple[str, str, Place]] = []

    def add_chains(self, labels: Iterable[str]) -> None:
        """Add the entities of mentions without links."""
        self._chains.update(labels)

    def add_sentence(self, mentions: list[NumberedMention], items: Iterable[Item]) -> None:
        """Add the mentions of a sentence and the links of its words."""
        self._chains.update(label for label, _, _ in mentions)
        for row, key, value in items:
            place = self._faults.place(row)
            # Of two mentions of one entity that begin here, the inner one.
            beginning = {label: (row, -spans[-1][1], number) for label, spans, number in mentions if spans[0][0] == row}
            for link in value.split(","):
                target, _, source = link.partition("<")
                if key == "SplitAnte=":
                    self._splits.append((source, target, place))
                else:
                    self._add_bridge(beginning, target, source, place)

    def _add_bridge(self, beginning: dict[str, _Order], target: str, source: str, place: Place) -> None:
        label, _, relation = source.partition(":")
        if label in beginning:
            self._bridges.append((beginning[label], target, relation, place))
        else:
            self._report_missing(label, place, "Bridge")

    def _report_missing(self, label: str, place: Place, item: str) -> None:
        self._faults.strictness.fault(
            "CB115",
            f"{item} names an entity that is not there",
            place=place,
            found=label,
            expected="target<source, the source beginning here" if item == "Bridge" else "",
            repair="relation left out",
        )

    def finish(self) -> None:
        """Add the relations of the document, in the order of their mentions and chains."""
        for order, target, relation, place in sorted(self._bridges, key=lambda bridge: bridge[0]):
            if target in self._chains:
                self._build.bridge(order[-1], chain=self._build.chain(target), label=relation)
            else:
                self._report_missing(target, place, "Bridge")
        known = []
        for source, target, place in self._splits:
            if missing := {source, target} - self._chains:
                self._report_missing(min(missing), place, "SplitAnte")
            else:
                known.append((self._build.chain(source), self._build.chain(target)))
        for plural, element in sorted(known, key=lambda pair: pair[0]):
            self._build.split_antecedent(plural, element)
        self._chains, self._bridges, self._splits = set(), [], []
