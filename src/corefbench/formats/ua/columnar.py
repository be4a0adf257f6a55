"""Columns and brackets of CONLL-UA, and the fast reader of well-formed blocks.

What is not well formed raises ``NeedsFallback`` and is read sentence by sentence.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Self, TypeAlias

import numpy as np

from corefbench.corpus.builder import CorpusBuilder, Span, label_array
from corefbench.corpus.byte_search import byte_windows
from corefbench.corpus.corpus import Chains, Corpus, Mentions, Parts, Relations, Tokens
from corefbench.corpus.hashing import digest_documents, hash_words
from corefbench.formats.base import Reading
from corefbench.formats.common.conllu import COLUMNS as CONLLU_COLUMNS
from corefbench.formats.common.conllu import Comments, TokenRows
from corefbench.formats.common.decode import parse_natural
from corefbench.records import Columns, Flags, Hashes, Longs

LAYERS = {"identity": "identity", "deixis": "discourse_deixis"}
COLUMNS = (*CONLLU_COLUMNS, "identity", "bridging", "discourse_deixis", "reference", "nom_sem")
RESERVED_KEYS = ("EntityID", "MarkableID", "Min", "ElementOf")
NOT_COLUMNS = frozenset(RESERVED_KEYS) - {"MarkableID"}
PSEUDO_SUFFIX = "-Pseudo"
"""Ends the EntityID of what does not refer; the specification also writes ``6_Pseudo``."""
_KEYS = {key.lower(): key for key in (*RESERVED_KEYS, "SemType", "Rel", "MentionAnchor", "EntityAnchor")}
_KEYS["mentionid"] = "MarkableID"

_TAB, _BLANK, _DEL = b"\t \x7f"
_HIGH_SPACES = [c for c in map(chr, range(0x80, 0x3001)) if c.isspace()]
_TWO, _THREE = (
    np.array([int.from_bytes(c.encode(), "little") for c in _HIGH_SPACES if len(c.encode()) == n]) for n in (2, 3)
)


class NeedsFallback(Exception):
    """A block is not well formed and must be read sentence by sentence."""


def fall_back_unless(condition: object) -> None:
    """Raise ``NeedsFallback`` unless the condition holds."""
    if not condition:
        raise NeedsFallback


@lru_cache(maxsize=8)
def column_positions(announced: str) -> dict[str, int]:
    """Where each column stands, by the announcement or by custom.

    >>> column_positions("ID FORM IDENTITY")["identity"]
    2
    """
    columns = announced.lower().split() or COLUMNS
    names: dict[str, int] = {}
    for index, name in enumerate((*columns, *(name for name in COLUMNS if name not in columns))):
        names.setdefault(name, index)
    return names


def canonical_key(key: str) -> str:
    """The usual spelling of a key; the specification's own examples spell them in several ways.

    >>> [canonical_key(key) for key in ("EntityId", "Markable_ID", "MentionID", "genre")]
    ['EntityID', 'MarkableID', 'MarkableID', 'genre']
    """
    return _KEYS.get(key.replace("_", "").lower(), key)


def canonical_entity(label: str) -> str:
    """An EntityID with the usual ending if it does not refer.

    >>> canonical_entity("6_Pseudo"), canonical_entity("6_P")
    ('6-Pseudo', '6_P')
    """
    return label.removesuffix("_Pseudo") + PSEUDO_SUFFIX if label.endswith("_Pseudo") else label


def parse_attributes(chunk: str) -> dict[str, str]:
    """The named values of a bracket.

    >>> parse_attributes("(EntityId=1|Min=3,4)")
    {'EntityID': '1', 'Min': '3,4'}
    """
    fields = [field.split("=", 1) for field in chunk.strip("()").split("|") if "=" in field]
    return {canonical_key(key): value for key, value in fields}


def minimal_span(parts: Sequence[Span], text: str) -> Span | None:
    """The minimal span, one token number or the first and the last; None where it lies outside.

    >>> minimal_span([(2, 6)], "3,4"), minimal_span([(2, 6)], "3-4"), minimal_span([(2, 6)], "7")
    ((2, 4), (2, 4), None)
    """
    numbers = [parse_natural(number, 0) for number in re.split("[,-]", text)]
    first, last = numbers[0] - 1, numbers[-1] - 1
    inside = all(any(start <= token < end for start, end in parts) for token in (first, last))
    return (first, last + 1) if len(numbers) <= 2 and first <= last and inside else None


def regular_rows(content: bytes) -> TokenRows:
    """The rows: every line that is no comment is one."""
    fall_back_unless(b"\0" not in content)
    rows = TokenRows(content if b"\t" in content else _with_tabs(content), 1, multiword=True)
    lines = rows.lines
    fall_back_unless(len(rows))
    # A line of blanks may or may not end a sentence.
    fall_back_unless(not (lines.blank & (lines.end > lines.start)).any())
    fall_back_unless(not _has_outer_white_space(rows))
    return rows


def _with_tabs(content: bytes) -> bytes:
    """The lines that are no comments with TABs for their white space."""
    lines = content.decode().split("\n")
    return "\n".join(
        line if line[:1] == "#" or line[:1].isspace() else "\t".join(line.split()) for line in lines
    ).encode()


def _has_outer_white_space(rows: TokenRows) -> bool:
    """Whether any cell is empty, or has white space at an edge."""
    data = rows.data
    tab, space, high = data == _TAB, data <= _BLANK, data > _DEL
    beside = space[1:] & space[:-1] & (tab[1:] | tab[:-1])
    first, last = rows.lines.start[rows.line], rows.lines.end[rows.line]
    if beside.any() or space[first].any() or space[last - 1].any():
        return True
    after = np.append(np.flatnonzero(tab[:-1] & high[1:]) + 1, first)
    before = np.append(np.flatnonzero(tab[1:] & high[:-1]) + 1, last)
    window = byte_windows(data)
    begins, ends = window[after], window[np.maximum(before - 3, 0)]
    return bool(
        (_contains_any(begins, 0, _TWO) | _contains_any(begins, 0, _THREE)).any()
        or (_contains_any(ends, 1, _TWO) | _contains_any(ends, 0, _THREE)).any()
    )


def _contains_any(window: Hashes, skipped: int, characters: Longs) -> Flags:
    """Whether one of some characters stands in each window, after some bytes."""
    size = 2 if characters is _TWO else 3
    mask = np.uint64((1 << 8 * size) - 1)
    return np.isin((window >> np.uint64(8 * skipped)) & mask, characters)


def number_by_appearance(values: np.ndarray) -> tuple[Longs, Longs]:
    """The places where values first appear, and the number of each value in that order.

    >>> [found.tolist() for found in number_by_appearance(np.array([7, 3, 7, 5]))]
    [[0, 1, 3], [0, 1, 0, 2]]
    """
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    return first[order], number[inverse]


_OPEN, _CLOSE, _BAR, _EQUALS, _AT, _ZERO = b"()|=@0"
_Bridge: TypeAlias = tuple[int, int, int, str]
"""Anaphor, anchor, chain and kind, as the columns of Relations have them."""
_OPENED = re.compile(r"\([^()]*")
_BRACKETED = re.compile(r"\)*(?:\([^()]*(?<!@)\)*)*")


class MarkableColumns(Columns, frozen=True, eq=False):
    """The markables of balanced brackets, in the order in which they open."""

    start: Longs
    """The first row of each …"""
    end: Longs
    """… and past the last."""
    fields: "MarkableFields"

    @classmethod
    def of(cls, rows: TokenRows, column: int, document: Longs) -> Self:
        """Read a column; ``document`` is that of each row, and no markable may leave it."""
        data = rows.data
        row, start, end = rows.filled_cells(column)
        place, cell = _marks_in_cells(rows, start, end)
        kind, stop = data[place], end[cell]
        # Nothing may stand before the first bracket of a cell, or after one that closes.
        after = place[kind == _CLOSE] + 1
        edge = np.concatenate((start, after[after < stop[kind == _CLOSE]]))
        fall_back_unless(((data[edge] == _OPEN) | (data[edge] == _CLOSE)).all())
        fall_back_unless((data[place[kind == _OPEN] - 1] != _AT).all())
        bracket = (kind == _OPEN) | (kind == _CLOSE)
        opening, closing = _pair_brackets(kind[bracket] == _OPEN, document[row[cell[bracket]]])
        where = row[cell[bracket]]
        divides = kind != _EQUALS
        return cls(
            start=where[opening],
            end=where[closing] + 1,
            fields=MarkableFields.of(rows, place[divides], stop[divides], place[kind == _EQUALS]),
        )


def _marks_in_cells(rows: TokenRows, start: Longs, end: Longs) -> tuple[Longs, Longs]:
    """The places of all brackets, bars and equals signs within cells, and the cell of each."""
    data = rows.data
    marks = (data == _OPEN) | (data == _CLOSE) | (data == _BAR) | (data == _EQUALS)
    place = np.flatnonzero(marks)
    cell = np.searchsorted(start, place, "right") - 1
    inside = (cell >= 0) & (place < np.append(end, 0)[cell])
    return place[inside], cell[inside]


def _pair_brackets(opens: np.ndarray, document: Longs) -> tuple[Longs, Longs]:
    """The brackets that open, in order, and those that close what they open.

    Brackets of one depth alternate, so that sorted by depth each is followed by its partner.
    """
    depth = np.cumsum(np.where(opens, 1, -1))
    last = np.append(np.diff(document) != 0, True)[: len(depth)]
    fall_back_unless((depth >= 0).all() and not depth[last].any())
    order = np.argsort((depth + ~opens).astype(np.int32), kind="stable")
    partner = np.empty(len(order), np.int64)
    partner[order[0::2]] = order[1::2]
    opening = np.flatnonzero(opens)
    return opening, partner[opening]


class MarkableFields(Columns, frozen=True, eq=False):
    """The ``key=value`` of all markables, in the order of the text."""

    markable: Longs
    key: Longs
    """Its number among ``names``."""
    start: Longs
    end: Longs
    names: list[str]
    """The keys, by first appearance."""

    @classmethod
    def of(cls, rows: TokenRows, place: Longs, stop: Longs, equals: Longs) -> Self:
        """Fields begin at an opening bracket or a bar, and go to the next bracket or bar at
        ``place``, or to the end of their cell, ``stop``."""
        data = rows.data
        begins = data[place] != _CLOSE
        end = np.minimum(np.append(place[1:], len(data)), stop)[begins]
        markable = (np.cumsum(data[place] == _OPEN) - 1)[begins]
        start = place[begins] + 1
        middle = np.append(equals, len(data))[np.searchsorted(equals, start)]
        named = middle < end
        start, middle, end = start[named], middle[named], end[named]
        hashes = hash_words(data, start, middle, np.zeros(len(start), np.int64))
        first, key = number_by_appearance(hashes)
        return cls(
            markable=markable[named], key=key, start=middle + 1, end=end, names=rows.texts(start[first], middle[first])
        )

    def values(self, name: str, markables: int) -> tuple[Longs, Longs]:
        """Where the value of a key begins and ends for each markable; nothing where it has none."""
        start, end = np.zeros((2, markables), np.int64)
        if name in self.names:
            is_key = self.key == self.names.index(name)
            # Of two, the last counts.
            markable = self.markable[is_key]
            start[markable], end[markable] = self.start[is_key], self.end[is_key]
        return start, end


def read_columnar(content: bytes, name: str, comments: Comments, reading: Reading, layer: str) -> Corpus:
    """Read a block; raises NotPlain where it is not plain."""
    return _Block(regular_rows(content), name, comments, reading, layer).corpus()


class _Block:
    """A block that is being read."""

    def __init__(self, rows: TokenRows, name: str, comments: Comments, reading: Reading, layer: str) -> None:
        self.rows = rows
        self.reading = reading
        self.layer = layer
        self.build = CorpusBuilder(name)
        self.offsets, self.place = self._documents(comments)
        # A line with fewer TABs might be meant to be divided by blanks.
        fall_back_unless(rows.min_cells() > self.place[layer] > 0)
        fall_back_unless(not self._has_visual_situation())
        if "split" in self.place:
            fall_back_unless(not len(rows.filled_cells(self.place["split"])[0]))
        document = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        self.markables = MarkableColumns.of(rows, self.place[layer], document)
        fall_back_unless(all(canonical_key(name) == name for name in self.markables.fields.names))
        self.document = document[self.markables.start]
        first = self.offsets[self.document]
        self.start, self.end = self.markables.start - first, self.markables.end - first
        # Mentions stand in a corpus in another order than markables open in a cell.
        self.order = np.lexsort((-self.end, self.start, self.document))
        self.number = np.append(np.argsort(self.order), -1)
        self._entities()

    def _has_visual_situation(self) -> bool:
        """Whether any row has the number 0 and is thus no token."""
        start, end = self.rows.cells(self.place["id"])
        return bool(((end == start + 1) & (self.rows.data[start] == _ZERO)).any())

    def _documents(self, comments: Comments) -> tuple[Longs, dict[str, int]]:
        """Begin the documents; returns their edges, and where the columns stand in all of them."""
        comments_by_sentence, count = self.rows.comments(), len(self.rows.first) - 1
        begins: list[int] = []
        announced: list[dict[str, int]] = []
        for number in sorted({0, *comments_by_sentence}):
            comments.read(comments_by_sentence.get(number, ()))
            if number == count:
                break
            announced.append(column_positions(comments.declared.get("global.columns", "")))
            if comments.newdoc is not None or not begins:
                self.build.begin_document(comments.newdoc or self.build.name, columns=comments.meta)
                begins.append(int(self.rows.first[number]))
            comments.end_header()
        fall_back_unless(all(names == announced[0] for names in announced))
        return np.array([*begins, len(self.rows)], np.int64), announced[0]

    def _entities(self) -> None:
        """Number the chains, by the first of their markables to open."""
        start, end = self.markables.fields.values("EntityID", len(self.start))
        fall_back_unless((end > start).all())
        entity = hash_words(self.rows.data, start, end, self.document)
        self.first, self.chain = number_by_appearance(entity)
        self.labels = self.rows.texts(start[self.first], end[self.first])
        fall_back_unless(all(canonical_entity(label) == label for label in self.labels))
        # Brackets that share a MarkableID are chunks of one markable.
        start, end = self._values("MarkableID")
        named = end > start
        names = hash_words(self.rows.data, start[named], end[named], self.document[named])
        fall_back_unless(len(np.unique(names)) == len(names))
        if self.reading.strictness.lenient:  # repeated mentions are then reported
            spans = np.column_stack((self.chain, self.start, self.end))
            fall_back_unless(len(np.unique(spans, axis=0)) == len(spans))

    def corpus(self) -> Corpus:
        """Everything together; the builder has met documents only."""
        document, start, end, chain = (
            column[self.order].astype(np.int32) for column in (self.document, self.start, self.end, self.chain)
        )
        is_pseudo = np.array([label.endswith(PSEUDO_SUFFIX) for label in self.labels], np.bool_)
        built = self.build.finish()
        return Corpus(
            name=built.name,
            documents=built.documents,
            tokens=self._tokens(),
            mentions=Mentions(
                document=document,
                start=start,
                end=end,
                chain=chain,
                minimum=self._minimum(),
                referring=~is_pseudo[chain] if is_pseudo.any() else None,
                columns={
                    name: self.rows.strings(*(edge[self.order] for edge in self._values(name)))
                    for name in self.markables.fields.names
                    if name not in NOT_COLUMNS
                },
            ),
            chains=Chains(document=self.document[self.first].astype(np.int32), labels=label_array(self.labels)),
            relations=self._relations(),
        )

    def _values(self, name: str) -> tuple[Longs, Longs]:
        return self.markables.fields.values(name, len(self.start))

    def _texts(self, name: str) -> list[str]:
        return self.rows.texts(*self._values(name))

    def _tokens(self) -> Tokens:
        rows, place = self.rows, self.place
        words, offsets = rows.column(place["form"]), self.offsets
        empty = rows.contains(place["id"], b".")
        seen, seen_offsets = words, offsets
        if empty.any():  # what is not written does not count
            seen = words.take(np.flatnonzero(~empty))
            seen_offsets = np.append(0, np.cumsum(~empty))[offsets]
        read = ("identity", "bridging") if self.layer == "identity" else (self.layer,)
        kept = [name for name in COLUMNS if name not in ("form", *read)]
        return Tokens(
            offsets=offsets,
            sentences=rows.first[:-1],
            digests=digest_documents(seen, seen_offsets),
            words=words if self.reading.words else None,
            empty=empty if empty.any() else None,
            columns={name: rows.column(place[name]) for name in kept if self.reading.words},
        )

    def _minimum(self) -> Parts | None:
        texts = self._texts("Min") if "Min" in self.markables.fields.names else []
        if not any(texts):
            return None
        spans = np.full((len(texts), 2), -1, np.int32)
        edges = zip(self.start.tolist(), self.end.tolist(), strict=True)
        for markable, (span, text) in enumerate(zip(edges, texts, strict=True)):
            if text:
                minimum = minimal_span([span], text)
                fall_back_unless(minimum)
                spans[markable] = minimum or -1
        spans = spans[self.order]
        has_minimum = spans[:, 0] >= 0
        start, end = np.ascontiguousarray(spans[has_minimum].T)
        return Parts(offsets=np.append(0, np.cumsum(has_minimum)), start=start, end=end)

    def _relations(self) -> Relations:
        bridging = self.place["bridging"] if self.layer == "identity" else -1
        row, start, end = self.rows.filled_cells(bridging) if bridging >= 0 else 3 * (self.order[:0],)
        if not len(row) and "ElementOf" not in self.markables.fields.names:
            return Relations.none()
        documents = self.document[self.first].tolist()
        chains = {key: n for n, key in enumerate(zip(documents, self.labels, strict=True))}
        plural, element = np.array(self._elements(chains), np.int32).reshape(-1, 2).T
        cells = zip(row.tolist(), self.rows.texts(start, end), strict=True)
        bridges = self._bridges(list(cells), chains)
        anaphor, anchor, chain = np.array([b[:3] for b in bridges], np.int32).reshape(-1, 3).T
        return Relations(
            plural=plural.copy(),
            element=element.copy(),
            bridging_anaphor=anaphor.copy(),
            bridging_mention=anchor.copy(),
            bridging_chain=chain.copy(),
            bridging_label=tuple(bridge[3] for bridge in bridges),
        )

    def _elements(self, chains: dict[tuple[int, str], int]) -> list[tuple[int, int]]:
        """Chains with split antecedents, and their elements, in the order of these."""
        pairs: dict[tuple[int, int], None] = {}
        rows = zip(self._texts("ElementOf"), self.chain.tolist(), self.document.tolist(), strict=True)
        for text, chain, document in rows:
            for plural in filter(None, text.split(",")):
                fall_back_unless((document, plural) in chains)
                pairs[chains[document, plural], chain] = None
        return sorted(pairs, key=lambda pair: pair[1])

    def _bridges(self, cells: list[tuple[int, str]], chains: dict[tuple[int, str], int]) -> list[_Bridge]:
        names = zip(self.document.tolist(), self._texts("MarkableID"), strict=True)
        numbers = {key: number for key, number in zip(names, self.number.tolist(), strict=False) if key[1]}
        bridges = []
        for row, text in cells:
            document = int(np.searchsorted(self.offsets, row, "right")) - 1
            fall_back_unless(_BRACKETED.fullmatch(text))
            for attributes in map(parse_attributes, _OPENED.findall(text)):
                get = attributes.get
                anaphor = numbers.get((document, get("MarkableID", "")), -1)
                anchor = numbers.get((document, get("MentionAnchor", "")), -1)
                chain = chains.get((document, get("EntityAnchor", "")), -1)
                fall_back_unless(anaphor >= 0 and max(anchor, chain) >= 0)
                bridges.append((anaphor, anchor, chain, get("Rel", "")))
        return bridges
