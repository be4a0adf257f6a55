"""Builds a corpus mention by mention, for readers that meet objects rather than columns."""

import itertools
import re
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from corefbench.model.corpus import Chains, Corpus, Documents, Mentions, Parts, Relations, Tokens
from corefbench.model.digest import digest_documents, digest_written
from corefbench.model.growing import GrowingStrings
from corefbench.model.strings import Strings
from corefbench.record import Flags, Hashes, Ints, Longs

Span = tuple[int, int]

_NUMBERS = re.compile(r"(?:0|[1-9][0-9]{0,17})(?:\0(?:0|[1-9][0-9]{0,17}))*")
_MANY = 1 << 16
"""So many words are digested together, where they are not kept."""


class CorpusBuilder:
    """Collects documents, sentences and mentions, in any order within a document.

    >>> build = CorpusBuilder("tiny")
    >>> build.begin_document("d")
    >>> build.sentence(["Ann", "saw", "her", "dog"])
    >>> ann = build.mention("e1", [(0, 1)]); her = build.mention("e1", [(2, 3)])
    >>> build.finish()
    <Corpus 'tiny': 1 documents, 4 tokens, 2 mentions, 1 chains>
    """

    def __init__(self, name: str, *, words: bool = True, columns: Collection[str] = ()) -> None:
        """``columns`` names the token columns to keep even where the words are not kept."""
        self.name = name
        self.keep_words = words
        self.keep_columns = frozenset(columns)
        self._names: list[str] = []
        self._texts: list[str | None] = []
        self._characters = array("q")  # two numbers a token: begin, end
        self._document_parts = array("i")
        self._document_columns: dict[str, list[str]] = {}
        self._offsets = array("q", [0])
        self._tokens = 0
        self._sentences = array("q")
        self._words = GrowingStrings()
        self._undigested = GrowingStrings()  # words that are not kept, of the documents …
        self._undigested_offsets = array("q", [0])  # … that end here
        self._digests: list[Hashes] = []
        self._empty = bytearray()
        self._token_columns: dict[str, list[str]] = {}
        self._mentions = array("i")  # five numbers a mention: document, start, end, chain, head
        # What few mentions have is kept by mention.
        self._split: dict[int, Sequence[Span]] = {}
        self._minima: dict[int, Sequence[Span]] = {}
        self._silent: set[int] = set()
        self._mention_columns: dict[int, Mapping[str, str]] = {}
        self._full_mention_columns: dict[str, list[str]] = {}  # what all have, or all up to one
        self._chain_document = array("i")
        self._chain_labels: list[str] = []
        self._chain_index: dict[str, int] = {}
        self._plural: list[tuple[int, int]] = []
        self._bridging: list[tuple[int, int, int, str]] = []

    @property
    def document_count(self) -> int:
        return len(self._names)

    @property
    def position(self) -> int:
        """The number of tokens so far in the open document."""
        return self._tokens - self._offsets[-1]

    def begin_document(
        self,
        name: str,
        part: int = -1,
        columns: Mapping[str, str] | None = None,
        text: str | None = None,
    ) -> None:
        """Open a document; the one before, if any, is closed. ``text`` is its original text, if
        every document has one and every sentence says where its tokens stand in it."""
        self._end_document()
        self._texts.append(text)
        for key, value in (columns or {}).items():
            self._document_columns.setdefault(key, [""] * len(self._names)).append(value)
        self._names.append(name)
        self._document_parts.append(part)
        for values in self._document_columns.values():
            if len(values) < len(self._names):
                values.append("")
        self._chain_index = {}

    def begin_documents(
        self,
        names: Sequence[str],
        sizes: Longs,
        *,
        parts: Sequence[int] = (),
        columns: Mapping[str, Sequence[str]] | None = None,
        texts: Sequence[str] | None = None,
    ) -> None:
        """Open many documents of so many tokens each, which ``sentences`` is then to add, all of
        them together. The fast way."""
        if not names:
            return
        self._end_document()
        for key in columns or {}:
            self._document_columns.setdefault(key, [""] * len(self._names))
        for key, values in self._document_columns.items():
            values.extend((columns or {}).get(key) or [""] * len(names))
        self._names.extend(names)
        self._texts.extend(texts or [None] * len(names))
        self._document_parts.extend(parts or [-1] * len(names))
        ends = np.cumsum(sizes, dtype=np.int64)[:-1]  # the last is open
        self._offsets.frombytes((ends + self._offsets[-1]).tobytes())
        self._undigested_offsets.frombytes((ends + self._undigested_offsets[-1]).tobytes())
        self._chain_index = {}

    def sentence(
        self,
        words: Sequence[str],
        *,
        empty: Sequence[bool] | None = None,
        columns: Mapping[str, Sequence[str]] | None = None,
        offsets: Sequence[Span] = (),
    ) -> None:
        """Append a sentence; ``empty`` marks its empty nodes, ``offsets`` say where in the text
        each token begins and ends, in characters."""
        self._sentences.append(self._tokens)
        self._characters.extend(itertools.chain.from_iterable(offsets))
        self._empty.extend(empty if empty is not None else bytes(len(words)))
        if self.keep_words:
            self._words.extend(words)
        else:
            self._undigested.extend(
                words
                if empty is None
                else (w for w, no in zip(words, empty, strict=True) if not no)
            )
        if columns or self._token_columns:
            self._extend_columns(columns or {}, len(words))
        self._tokens += len(words)

    def sentences(
        self,
        words: Sequence[str] | Strings,
        first: Longs,
        *,
        columns: Mapping[str, Sequence[str]] | None = None,
        offsets: tuple[Longs, Longs] | None = None,
    ) -> None:
        """Append the words of many sentences, which begin at the words ``first``; ``offsets`` say
        where in the text tokens begin, and where they end. The fast way."""
        self._sentences.frombytes((first + self._tokens).astype(np.int64).tobytes())
        if offsets is not None:
            self._characters.frombytes(np.column_stack(offsets).astype(np.int64).tobytes())
        self._empty.extend(bytes(len(words)))
        (self._words if self.keep_words else self._undigested).extend(words)
        if columns or self._token_columns:
            self._extend_columns(columns or {}, len(words))
        self._tokens += len(words)

    def _extend_columns(self, columns: Mapping[str, Sequence[str]], count: int) -> None:
        for key in columns:
            if key not in self._token_columns and (self.keep_words or key in self.keep_columns):
                self._token_columns[key] = [""] * self._tokens
        for key, column in self._token_columns.items():
            column.extend(columns.get(key) or [""] * count)

    def chain(self, label: str) -> int:
        """The index of the open document's chain of that label, made when new."""
        index = self._chain_index.get(label)
        if index is None:
            index = self._chain_index[label] = len(self._chain_labels)
            self._chain_labels.append(label)
            self._chain_document.append(len(self._names) - 1)
        return index

    def mention(
        self,
        label: str,
        parts: Sequence[Span],
        *,
        head: int = -1,
        minimum: Sequence[Span] = (),
        referring: bool = True,
        columns: Mapping[str, str] | None = None,
    ) -> int:
        """Add a mention with its half-open parts, relative to the document; returns its number."""
        index = len(self._mentions) // 5
        document = len(self._names) - 1
        self._mentions.extend((document, parts[0][0], parts[-1][1], self.chain(label), head))
        if columns:
            self._mention_columns[index] = columns
        if len(parts) > 1:
            self._split[index] = parts
        if minimum:
            self._minima[index] = minimum
        if not referring:
            self._silent.add(index)
        return index

    def clusters(self, clusters: Iterable[Iterable[Span]]) -> None:
        """Add chains of contiguous mentions, labelled by their number; the fast way."""
        filled = [spans for spans in map(list, clusters) if spans]
        flat = itertools.chain.from_iterable(itertools.chain.from_iterable(filled))
        spans = np.fromiter(flat, np.int32).reshape(-1, 2)
        self.chains(spans[:, 0], spans[:, 1], list(map(len, filled)))

    def chains(self, start: Longs | Ints, end: Longs | Ints, sizes: Sequence[int]) -> None:
        """Add contiguous mentions, chain after chain, given how many each chain has; chains are
        labelled by their number, those without mentions left out."""
        document = len(self._names) - 1
        sizes = [size for size in sizes if size]
        if self._chain_index:
            chains = [self.chain(str(number)) for number in range(len(sizes))]
        else:
            labels = list(map(str, range(len(sizes))))
            chains = list(range(len(self._chain_labels), len(self._chain_labels) + len(sizes)))
            self._chain_index = dict(zip(labels, chains, strict=True))
            self._chain_labels.extend(labels)
            self._chain_document.extend([document] * len(labels))
        table = np.full((len(start), 5), -1, np.int32)
        table[:, 0], table[:, 1], table[:, 2] = document, start, end
        table[:, 3] = np.repeat(np.array(chains, np.int32), sizes)
        self._mentions.frombytes(table.tobytes())

    def add_chains(self, labels: Sequence[str], document: Ints | int | None = None) -> int:
        """Add chains to the open document, or each to its ``document``; returns the first one's
        number. The fast way, for documents whose chains are all made by it."""
        first = len(self._chain_labels)
        where = np.asarray(len(self._names) - 1 if document is None else document, np.int32)
        self._chain_labels.extend(labels)
        self._chain_document.frombytes(np.broadcast_to(where, len(labels)).tobytes())
        return first

    def chain_numbers(self, labels: Sequence[str]) -> list[int]:
        """What ``chain`` says of each of many labels. The fast way."""
        index = self._chain_index
        new = [label for label in dict.fromkeys(labels) if label not in index]
        index.update(zip(new, itertools.count(self.add_chains(new)), strict=False))
        return list(map(index.__getitem__, labels))

    def add_mentions(
        self,
        start: Longs | Ints,
        end: Longs | Ints,
        chain: Longs | Ints,
        *,
        document: Ints | int | None = None,
        head: Longs | Ints | int = -1,
        split: Mapping[int, Sequence[Span]] | None = None,
        minimum: Mapping[int, Sequence[Span]] | None = None,
        columns: Mapping[int, Mapping[str, str]] | None = None,
        full: Mapping[str, Sequence[str]] | None = None,
    ) -> int:
        """Add mentions of chains made before to the open document, or each to its ``document``;
        ``split``, ``minimum`` and ``columns`` say, by row, what few of them have, and ``full``, by
        column, what all of them do; returns the first one's number. The fast way."""
        first = len(self._mentions) // 5
        table = np.empty((len(start), 5), np.int32)
        table[:, 0] = len(self._names) - 1 if document is None else document
        table[:, 1], table[:, 2], table[:, 3], table[:, 4] = start, end, chain, head
        self._mentions.frombytes(table.tobytes())
        self._split.update((first + row, parts) for row, parts in (split or {}).items())
        self._minima.update((first + row, parts) for row, parts in (minimum or {}).items())
        self._mention_columns.update((first + row, some) for row, some in (columns or {}).items())
        for key, values in (full or {}).items():
            column = self._full_mention_columns.setdefault(key, [])
            column += [""] * (first - len(column))
            column += values
        return first

    def split_antecedent(self, plural: int, element: int) -> None:
        """Chain ``element`` is one of the antecedents of chain ``plural``."""
        self._plural.append((plural, element))

    def bridge(self, anaphor: int, *, mention: int = -1, chain: int = -1, label: str = "") -> None:
        """Mention ``anaphor`` is anchored to a mention or a chain."""
        self._bridging.append((anaphor, mention, chain, label))

    def _end_document(self) -> None:
        if len(self._offsets) <= len(self._names):
            self._offsets.append(self._tokens)
            self._undigested_offsets.append(len(self._undigested))
            if len(self._undigested) >= _MANY:
                self._digest()

    def _digest(self) -> None:
        offsets = np.array(self._undigested_offsets, np.int64)
        self._digests.append(digest_documents(self._undigested.joined(), offsets))
        self._undigested, self._undigested_offsets = GrowingStrings(), array("q", [0])

    def finish(self) -> Corpus:
        """The corpus, its mentions in opening order; the builder is then spent."""
        self._end_document()
        table = np.asarray(self._mentions, np.int32).reshape(-1, 5)
        order = _opening_order(table)
        renumber = np.empty(len(order) + 1, np.int32)
        renumber[order], renumber[-1] = np.arange(len(order)), -1
        document, start, end, chain, head = (np.ascontiguousarray(c) for c in table[order].T)
        bridging = np.array([row[:3] for row in self._bridging], np.int32).reshape(-1, 3)
        return Corpus(
            name=self.name,
            documents=Documents(
                names=tuple(self._names),
                parts=np.array(self._document_parts, np.int32),
                columns={key: tuple(values) for key, values in self._document_columns.items()},
                texts=Strings.of(self._texts) if self._has_texts() else None,  # type: ignore[arg-type]
            ),
            tokens=self._finished_tokens(),
            mentions=Mentions(
                document=document,
                start=start,
                end=end,
                chain=chain,
                head=head if (head >= 0).any() else None,
                parts=self._finished_parts(table, order) if self._split else None,
                minimum=_parts([self._minima.get(i, ()) for i in order.tolist()])
                if self._minima
                else None,
                referring=np.array([i not in self._silent for i in order.tolist()], np.bool_)
                if self._silent
                else None,
                columns=self._finished_mention_columns(order),
            ),
            chains=Chains(
                document=np.array(self._chain_document, np.int32), labels=labels(self._chain_labels)
            ),
            relations=Relations(
                plural=np.array([p for p, _ in self._plural], np.int32),
                element=np.array([e for _, e in self._plural], np.int32),
                bridging_anaphor=renumber[bridging[:, 0]],
                bridging_mention=renumber[bridging[:, 1]],
                bridging_chain=bridging[:, 2],
                bridging_label=tuple(row[3] for row in self._bridging),
            ),
        )

    def _finished_parts(self, table: Ints, order: Longs) -> Parts:
        hulls = table[:, 1:3].tolist()
        return _parts([self._split.get(i) or [tuple(hulls[i])] for i in order.tolist()])

    def _finished_mention_columns(self, order: Longs) -> dict[str, Strings]:
        made = self._full_mention_columns
        for column in made.values():
            column += [""] * (len(order) - len(column))
        for mention, row in self._mention_columns.items():
            for key, value in row.items():
                if key not in made:
                    made[key] = [""] * len(order)
                made[key][mention] = value
        places = order.tolist() if made else []
        return {key: Strings.of(map(values.__getitem__, places)) for key, values in made.items()}

    def _finished_tokens(self) -> Tokens:
        characters = np.asarray(self._characters, np.int64).reshape(-1, 2)
        offsets = np.array(self._offsets, np.int64)
        has_empty = self._empty.count(0) < len(self._empty)
        empty = np.frombuffer(bytes(self._empty), np.bool_) if has_empty else None
        words = self._words.joined() if self.keep_words else None
        return Tokens(
            offsets=offsets,
            sentences=np.array(self._sentences, np.int64),
            digests=self._finished_digests(words, offsets, empty),
            words=words,
            empty=empty,
            begin=characters[:, 0].copy() if self._has_texts() else None,
            finish=characters[:, 1].copy() if self._has_texts() else None,
            columns={key: Strings.of(values) for key, values in self._token_columns.items()},
        )

    def _finished_digests(
        self, words: Strings | None, offsets: Longs, empty: Flags | None
    ) -> Hashes:
        if words is None:
            self._digest()
            return np.concatenate(self._digests)
        return digest_written(words, offsets, empty)

    def _has_texts(self) -> bool:
        return (
            bool(self._texts)
            and None not in self._texts
            and len(self._characters) == 2 * self._tokens
        )


def _opening_order(table: Ints) -> Longs:
    """The mentions by document and start, the longer of two that start together first."""
    key = table[:, 0].astype(np.int64) << 32 | table[:, 1]
    step = np.diff(key)
    # Most readers meet mentions in this order, and it takes less to see so than to sort.
    if ((step > 0) | ((step == 0) & (np.diff(table[:, 2]) <= 0))).all():
        return np.arange(len(table))
    return np.lexsort((-table[:, 2], key))


def labels(texts: Sequence[str]) -> np.ndarray:
    """Chain labels as int64 where all are plain numbers, else as bytes.

    >>> labels(["3", "12"]).tolist(), labels(["3", "e1"]).tolist()
    ([3, 12], [b'3', b'e1'])
    """
    joined = "\0".join(texts)
    divided = joined.count("\0") == len(texts) - 1
    if not texts or (divided and _NUMBERS.fullmatch(joined)):
        return np.array(list(map(int, texts)), np.int64)
    return np.array(joined.encode().split(b"\0") if divided else [t.encode() for t in texts])


def _parts(spans: list[Sequence[Span]]) -> Parts:
    offsets = np.zeros(len(spans) + 1, np.int64)
    np.cumsum([len(s) for s in spans], out=offsets[1:])
    flat = np.array([span for some in spans for span in some], np.int32).reshape(-1, 2)
    return Parts(offsets=offsets, start=flat[:, 0].copy(), end=flat[:, 1].copy())


def firsts(lengths: Sequence[int]) -> Longs:
    """Where each of many runs begins, given their lengths.

    >>> firsts([2, 0, 3]).tolist()
    [0, 2, 2]
    """
    ends = np.cumsum(lengths, dtype=np.int64)
    return ends - np.asarray(lengths, np.int64)
