"""Entity brackets of CorefUD, for whole blocks or sentence by sentence.

Most sentences are regular: their brackets are well formed, each is closed by its own entity, and no
mention is in parts. Others are left to ``SentenceBrackets``, which also reports their faults.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Self, TypeAlias

import numpy as np

from corefbench.corpus.arrays import ranges
from corefbench.corpus.builder import Span
from corefbench.corpus.hashing import hash_words
from corefbench.diagnostics import Strictness
from corefbench.errors import Place
from corefbench.formats.common.brackets import Runs, pair_brackets
from corefbench.formats.common.conllu import TokenRows
from corefbench.formats.common.decode import parse_natural
from corefbench.formats.corefud.tokens import ITEM_KEYS, MiscItems
from corefbench.records import Columns, Longs, Record

DEFAULT_DECLARATION = "eid-etype-head-other"
IDENTITY = ("eid", "GRP")


class Attributes(Record, frozen=True):
    """What an opening bracket says beside its entity; numbers count the mention's words from 1."""

    head: str | None
    """Empty where no head is given; None where the fields have no head, so that it is to be
    taken from the tree."""
    minimum: "Minimum"
    columns: Mapping[str, str]


ParsedMention: TypeAlias = tuple[str, list[Span], Attributes]
"""A mention: its entity, its parts in rows of the block, and what its bracket says."""

_Opened: TypeAlias = tuple[int, int, str, Attributes]
"""A bracket: the place of its mention in the order of opening, first row, entity, attributes."""
_CHUNK = re.compile(r"\([^()]+\)?|[^()]+\)")
_PART = re.compile(r"(.+)\[(\d+)/(\d+)\]")
_OPEN, _CLOSE, _HYPHEN, _SQUARE = b"()-]"
_ENTITY = len(ITEM_KEYS[0])


class FaultReporter:
    """Reports faults with the line of a row."""

    def __init__(self, strictness: Strictness, source: str, rows: TokenRows) -> None:
        self.strictness = strictness
        self.source = source
        self.rows = rows

    def place(self, row: int) -> Place:
        return Place(source=self.source, line=self.rows.number(row))

    def fault(self, code: str, message: str, row: int, found: str, repair: str) -> None:
        self.strictness.fault(code, message, place=self.place(row), found=found, repair=repair)


def word_indices(spans: Sequence[Span]) -> Sequence[int]:
    """Return the indices of a mention's words.

    >>> word_indices([(0, 2), (4, 5)])
    [0, 1, 4]
    """
    return range(*spans[0]) if len(spans) == 1 else [w for a, b in spans for w in range(a, b)]


def join_adjacent(spans: list[Span]) -> list[Span]:
    """Return the spans, adjoining ones made one.

    >>> join_adjacent([(0, 2), (2, 3), (5, 6)])
    [(0, 3), (5, 6)]
    """
    joined = spans[:1]
    for start, end in spans[1:]:
        if start == joined[-1][1]:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


class Minimum(Record, frozen=True):
    """A minimal span: its text, and the spans of the words that it counts, now from 0; a span
    from -1 stands for what is no number.

    >>> Minimum.of("1,2,4").spans
    [(0, 2), (3, 4)]
    """

    text: str
    spans: list[Span]

    @classmethod
    def of(cls, text: str) -> "Minimum":
        numbers = sorted({parse_natural(number, 0) for number in text.split(",")}) if text else []
        return cls(text=text, spans=join_adjacent([(number - 1, number) for number in numbers]))


class Fields:
    """The declared fields of an opening bracket, and the brackets already understood.

    >>> label, attributes = Fields(["eid", "etype", "head"]).parse("e1-person-2")
    >>> label, attributes.head, attributes.columns
    ('e1', '2', {'etype': 'person'})
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self.identity = next(i for i, name in enumerate(names) if name in IDENTITY)
        self.others = [name for name in names if name not in IDENTITY]
        self._known: dict[str, Attributes] = {}
        self._minima: dict[str, Minimum] = {}

    def parse(self, body: str) -> tuple[str, Attributes]:
        """The entity and the attributes; hyphens in the last field are its own."""
        if self.identity:
            values = body.split("-", len(self.names) - 1)
            label = values.pop(self.identity) if self.identity < len(values) else ""
            return label, self._attributes(values)
        label, _, rest = body.partition("-")
        return label, self.after_entity(rest)

    def after_entity(self, rest: str) -> Attributes:
        """The attributes where the entity comes first and ``rest`` follows it."""
        attributes = self._known.get(rest)
        if attributes is None:
            attributes = self._attributes(rest.split("-", len(self.others) - 1))
            self._known[rest] = attributes
        return attributes

    def _attributes(self, values: list[str]) -> Attributes:
        values += [""] * (len(self.others) - len(values))
        columns = dict(zip(self.others, values, strict=False))
        head, text = columns.pop("head", None), columns.pop("minspan", "")
        minimum = self._minima.get(text)
        if minimum is None:
            minimum = self._minima[text] = Minimum.of(text)
        return Attributes(head=head, minimum=minimum, columns=columns)

    def forget(self) -> None:
        """Give the memory back."""
        self._known.clear()
        self._minima.clear()


class Declaration:
    """The fields as last declared; a missing declaration is said once."""

    def __init__(self, strictness: Strictness) -> None:
        self._strictness = strictness
        self.text: str | None = None
        self.fields = Fields(DEFAULT_DECLARATION.split("-"))

    def declare(self, text: str, place: Place, misc: str) -> None:
        """Take in a declaration; ``place`` and ``misc`` are those of the first entity after it."""
        self.text = text
        names = [name.strip() for name in text.split("-")]
        if not set(IDENTITY) & set(names):
            self._strictness.fault(
                "CB117",
                "the fields of Entity are not declared",
                place=place,
                found=f"# global.Entity = {text}" if text else misc,
                expected=f"# global.Entity = {DEFAULT_DECLARATION}",
                repair=f"read as {DEFAULT_DECLARATION}",
            )
            names = DEFAULT_DECLARATION.split("-")
        self.fields = Fields(names)


class SentenceBrackets:
    """Parses the cells of a sentence into mentions."""

    def __init__(self, faults: FaultReporter, fields: Fields) -> None:
        self._faults = faults
        self._fields = fields
        self._open: dict[str, list[_Opened]] = {}
        self._waiting: dict[tuple[str, int], list[tuple[_Opened, list[Span]]]] = {}
        self._mentions: list[ParsedMention | None] = []

    def add_cell(self, row: int, text: str) -> None:
        """Add the brackets of one word, in any order."""
        chunks: list[str] = _CHUNK.findall(text)
        if sum(map(len, chunks)) != len(text):
            self._faults.fault("CB106", "Entity is not brackets", row, text, "the rest left out")
        mentions, parse = self._mentions, self._fields.parse
        for chunk in chunks:
            if chunk[0] == "(":
                single = chunk[-1] == ")"
                label, attributes = parse(chunk[1:-1] if single else chunk[1:])
                if single and label[-1:] != "]":
                    mentions.append((label, [(row, row + 1)], attributes))
                    continue
                opened = (len(mentions), row, label, attributes)
                mentions.append(None)
                if single:
                    self._close(opened, row + 1)
                elif label in self._open:
                    self._open[label].append(opened)
                else:
                    self._open[label] = [opened]
            elif stack := self._open.get(chunk[:-1]):
                self._close(stack.pop(), row + 1)
            else:
                message = "a mention is closed that was never opened in this sentence"
                self._faults.fault("CB104", message, row, chunk, "bracket ignored")

    def _close(self, opened: _Opened, end: int) -> None:
        slot, start, label, attributes = opened
        part = _PART.fullmatch(label) if label[-1:] == "]" else None
        if part is None:
            self._mentions[slot] = (label, [(start, end)], attributes)
        else:
            self._close_part(opened, (start, end), part[1], int(part[2]), int(part[3]))

    def _close_part(self, opened: _Opened, span: Span, label: str, number: int, total: int) -> None:
        """Part ``number`` of ``total`` goes to the first mention that waits for it."""
        waiting = self._waiting.setdefault((label, total), [])
        if number == 1:
            waiting.append((opened, []))
        for entry in waiting:
            (slot, _, _, attributes), spans = entry
            if len(spans) == number - 1:
                spans.append(span)
                if number == total:
                    waiting.remove(entry)
                    self._mentions[slot] = (label, join_adjacent(spans), attributes)
                return
        text = f"{label}[{number}/{total}]"
        self._faults.fault("CB116", "an earlier part is missing", span[0], text, "part left out")

    def mentions(self) -> list[ParsedMention]:
        """The mentions of the sentence, in the order in which they open."""
        if self._waiting or any(self._open.values()):
            self._check_complete()
        return [mention for mention in self._mentions if mention is not None]

    def _check_complete(self) -> None:
        for stack in self._open.values():
            for _, start, label, _ in stack:
                message = "a mention is opened and not closed in its sentence"
                self._faults.fault("CB105", message, start, "(" + label, "mention left out")
        for (label, total), waiting in self._waiting.items():
            for (_, start, *_), spans in waiting:
                message = f"{len(spans)} of {total} parts were found"
                self._faults.fault("CB116", message, start, label, "mention left out")


class Chunks(Columns, frozen=True, eq=False):
    """The runs of bytes between brackets: places in the data of the block."""

    row: Longs
    start: Longs
    end: Longs
    runs: Runs

    @classmethod
    def of(cls, rows: TokenRows, entities: MiscItems) -> Self:
        """Read the values of Entity."""
        start, length = entities.start + _ENTITY, entities.end - entities.start - _ENTITY
        where = ranges(start, length)
        text = rows.data[where]
        cell = np.repeat(np.arange(len(start)), length)
        opening, closing = text == _OPEN, text == _CLOSE
        inside = ~(opening | closing)
        new = np.diff(cell, prepend=-1, append=-1) != 0  # whether a byte begins a cell
        first = np.flatnonzero(inside & (new[:-1] | ~np.append(False, inside[:-1])))
        last = np.flatnonzero(inside & (new[1:] | ~np.append(inside[1:], False)))
        opens = ~new[first] & opening[first - 1]
        closes = ~new[last + 1] & closing[np.minimum(last + 1, len(text) - 1)]
        stray = opening | closing
        stray[first[opens] - 1] = False
        stray[last[closes] + 1] = False
        bare = cell[first[~(opens | closes)]]
        return cls(
            row=entities.row[cell[first]],
            start=where[first],
            end=where[last] + 1,
            runs=Runs(
                cell=cell[first],
                opens=opens,
                closes=closes,
                label=np.zeros(0, np.int64),
                malformed=np.unique(np.concatenate([cell[stray], bare])),
            ),
        )


class RegularMentions:
    """The mentions of regular sentences, in the order in which they open."""

    def __init__(self, rows: TokenRows, items: MiscItems) -> None:
        entities = items.take(items.kind == 0)
        chunks = Chunks.of(rows, entities)
        runs, sentence = chunks.runs, rows.sentence[chunks.row]
        hyphens = np.append(np.flatnonzero(rows.data == _HYPHEN), len(rows.data))
        hyphen = np.minimum(hyphens[np.searchsorted(hyphens, chunks.start)], chunks.end)
        name_end = np.where(runs.opens, hyphen, chunks.end)
        # Brackets of one entity are paired within a sentence: both are hashed together.
        named = hash_words(rows.data, chunks.start, name_end, sentence)
        _, group = np.unique(named, return_inverse=True)
        # Every run is a place of its own: on one word, brackets are taken as they come.
        pairing = pair_brackets(runs, np.arange(len(named)), group)
        order = np.argsort(pairing.opening)
        opening, closing = pairing.opening[order], pairing.closing[order]
        self.start, self.end = chunks.row[opening], chunks.row[closing] + 1
        irregular = [
            sentence[pairing.unopened],
            sentence[pairing.unclosed],
            sentence[(rows.data[name_end - 1] == _SQUARE) | (name_end == chunks.start)],
            sentence[opening[_repeated_spans(group[opening], self.start, self.end)]],
            rows.sentence[entities.row[runs.malformed]],
            rows.sentence[entities.row[1:][np.diff(entities.row) == 0]],
        ]
        self.irregular: set[int] = set(np.concatenate(irregular).tolist())
        """The other sentences; some of their mentions are here too."""
        self.labels = rows.texts(chunks.start[opening], name_end[opening])
        after = np.minimum(name_end + 1, chunks.end)
        self.rests = rows.texts(after[opening], chunks.end[opening])
        """What stands in the opening bracket after the entity."""
        edges = np.searchsorted(sentence[opening], np.arange(len(rows.first)))
        self.edges: list[int] = edges.tolist()
        """Sentence *s* has the mentions ``edges[s]`` to ``edges[s + 1]``."""

    @cached_property
    def spans(self) -> list[Span]:
        """The rows of each mention."""
        return list(zip(self.start.tolist(), self.end.tolist(), strict=True))


def _repeated_spans(group: Longs, start: Longs, end: Longs) -> Longs:
    """The mentions that are in one group with another of the same span."""
    order = np.lexsort((end, start, group))
    same = np.ones(max(len(order) - 1, 0), np.bool_)
    for column in (group, start, end):
        same &= np.diff(column[order]) == 0
    return order[1:][same]
