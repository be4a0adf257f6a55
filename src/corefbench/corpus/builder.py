"""Build a corpus mention by mention, for readers that meet objects rather than columns."""

import itertools
import re
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from corefbench.corpus.corpus import Chains, Corpus, Documents, Mentions, Parts, Relations, Tokens
from corefbench.corpus.hashing import digest_documents, digest_surface_words
from corefbench.corpus.strings import Strings
from corefbench.records import Flags, Hashes, Ints, Longs


class StringsBuilder:
    """A column of strings that is being built from single strings and from other columns.

    >>> words = StringsBuilder()
    >>> words.extend(["The", "café"]); words.extend(Strings.of(["is"])); words.extend(["."])
    >>> len(words), list(words.joined())
    (4, ['The', 'café', 'is', '.'])
    """

    def __init__(self) -> None:
        self._columns: list[Strings] = []
        self._column_length = 0
        self._tail: list[str] = []

    def __len__(self) -> int:
        return self._column_length + len(self._tail)

    def extend(self, texts: Iterable[str] | Strings) -> None:
        if isinstance(texts, Strings):
            self._close()
            self._columns.append(texts)
            self._column_length += len(texts)
        else:
            self._tail.extend(texts)

    def joined(self) -> Strings:
        """Return all strings as one column."""
        if not self._columns:
            return Strings.of(self._tail)
        self._close()
        return self._columns[0] if len(self._columns) == 1 else Strings.concatenate(self._columns)

    def _close(self) -> None:
        if self._tail:
            self._columns.append(Strings.of(self._tail))
            self._column_length += len(self._tail)
            self._tail = []


Span = tuple[int, int]

_NUMERIC_LABELS = re.compile(r"(?:0|[1-9][0-9]{0,17})(?:\0(?:0|[1-9][0-9]{0,17}))*")
_DIGEST_BATCH = 1 << 16
"""Words that are not kept are hashed in batches of this size."""


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
        """``columns`` names the token columns to keep even if the words are not kept."""
        self.name = name
        self.keep_words = words
        self.keep_columns = frozenset(columns)
        self._names: list[str] = []
        self._texts: list[str | None] = []
        self._characters = array("q")  # two numbers per token: begin, end
        self._document_parts = array("i")
        self._document_columns: dict[str, list[str]] = {}
        self._offsets = array("q", [0])
        self._tokens = 0
        self._sentences = array("q")
        self._words = StringsBuilder()
        # Words that are not kept, until they are hashed, and the ends of their documents.
        self._unhashed = StringsBuilder()
        self._unhashed_offsets = array("q", [0])
        self._digests: list[Hashes] = []
        self._empty = bytearray()
        self._token_columns: dict[str, list[str]] = {}
        self._mentions = array("i")  # five numbers per mention: document, start, end, chain, head
        # What few mentions have, by mention.
        self._split: dict[int, Sequence[Span]] = {}
        self._minima: dict[int, Sequence[Span]] = {}
        self._non_referring: set[int] = set()
        self._mention_columns: dict[int, Mapping[str, str]] = {}
        self._full_mention_columns: dict[str, list[str]] = {}  # columns that all mentions have
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
        self, name: str, part: int = -1, columns: Mapping[str, str] | None = None, text: str | None = None
    ) -> None:
        """Open a document, and close the one before.

        ``text`` is its original text; it is kept if every document has one and every sentence has
        the offsets of its tokens.
        """
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
        """Open many documents, given their numbers of tokens, which one call of ``sentences`` must
        then add: fast."""
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
        self._unhashed_offsets.frombytes((ends + self._unhashed_offsets[-1]).tobytes())
        self._chain_index = {}

    def sentence(
        self,
        words: Sequence[str],
        *,
        empty: Sequence[bool] | None = None,
        columns: Mapping[str, Sequence[str]] | None = None,
        offsets: Sequence[Span] = (),
    ) -> None:
        """Append a sentence.

        ``empty`` marks empty nodes; ``offsets`` has the character span of each token in the text.
        """
        self._sentences.append(self._tokens)
        self._characters.extend(itertools.chain.from_iterable(offsets))
        self._empty.extend(empty if empty is not None else bytes(len(words)))
        if self.keep_words:
            self._words.extend(words)
        else:
            self._unhashed.extend(
                words if empty is None else (word for word, is_empty in zip(words, empty, strict=True) if not is_empty)
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
        """Append many sentences, which begin at the words ``first``: fast.

        ``offsets`` has the characters at which tokens begin, and those at which they end.
        """
        self._sentences.frombytes((first + self._tokens).astype(np.int64).tobytes())
        if offsets is not None:
            self._characters.frombytes(np.column_stack(offsets).astype(np.int64).tobytes())
        self._empty.extend(bytes(len(words)))
        (self._words if self.keep_words else self._unhashed).extend(words)
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
        """Return the index of the chain of that label in the open document; add it if it is new."""
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
        """Add a mention, given its half-open parts relative to the document; return its number."""
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
            self._non_referring.add(index)
        return index

    def clusters(self, clusters: Iterable[Iterable[Span]]) -> None:
        """Add chains of contiguous mentions, labelled by their number: fast."""
        chains = [spans for spans in map(list, clusters) if spans]
        edges = itertools.chain.from_iterable(itertools.chain.from_iterable(chains))
        spans = np.fromiter(edges, np.int32).reshape(-1, 2)
        self.chains(spans[:, 0], spans[:, 1], list(map(len, chains)))

    def chains(self, start: Longs | Ints, end: Longs | Ints, sizes: Sequence[int]) -> None:
        """Add contiguous mentions, chain after chain, given the sizes of the chains.

        Chains are labelled by their number; those without mentions are skipped.
        """
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
        """Add chains to the open document, or each to its ``document``; return the first number.

        Fast, for documents all of whose chains are added by it.
        """
        first = len(self._chain_labels)
        documents = np.asarray(len(self._names) - 1 if document is None else document, np.int32)
        self._chain_labels.extend(labels)
        self._chain_document.frombytes(np.broadcast_to(documents, len(labels)).tobytes())
        return first

    def chain_numbers(self, labels: Sequence[str]) -> list[int]:
        """Return the index of the chain of each label; add those that are new: fast."""
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
        """Add mentions of known chains to the open document, or each to its ``document``: fast.

        ``split``, ``minimum`` and ``columns`` have, by row, the parts, minimal spans and attributes
        that few mentions have; ``full`` has attributes of all, by column. Returns the number of the
        first mention.
        """
        first = len(self._mentions) // 5
        table = np.empty((len(start), 5), np.int32)
        table[:, 0] = len(self._names) - 1 if document is None else document
        table[:, 1], table[:, 2], table[:, 3], table[:, 4] = start, end, chain, head
        self._mentions.frombytes(table.tobytes())
        self._split.update((first + row, parts) for row, parts in (split or {}).items())
        self._minima.update((first + row, parts) for row, parts in (minimum or {}).items())
        self._mention_columns.update((first + row, values) for row, values in (columns or {}).items())
        for key, values in (full or {}).items():
            column = self._full_mention_columns.setdefault(key, [])
            column += [""] * (first - len(column))
            column += values
        return first

    def split_antecedent(self, plural: int, element: int) -> None:
        """Add chain ``element`` to the antecedents of chain ``plural``."""
        self._plural.append((plural, element))

    def bridge(self, anaphor: int, *, mention: int = -1, chain: int = -1, label: str = "") -> None:
        """Anchor mention ``anaphor`` to a mention or a chain."""
        self._bridging.append((anaphor, mention, chain, label))

    def _end_document(self) -> None:
        if len(self._offsets) <= len(self._names):
            self._offsets.append(self._tokens)
            self._unhashed_offsets.append(len(self._unhashed))
            if len(self._unhashed) >= _DIGEST_BATCH:
                self._hash_batch()

    def _hash_batch(self) -> None:
        offsets = np.array(self._unhashed_offsets, np.int64)
        self._digests.append(digest_documents(self._unhashed.joined(), offsets))
        self._unhashed, self._unhashed_offsets = StringsBuilder(), array("q", [0])

    def finish(self) -> Corpus:
        """Return the corpus, with mentions in opening order; the builder cannot be used again."""
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
                minimum=_parts([self._minima.get(i, ()) for i in order.tolist()]) if self._minima else None,
                referring=np.array([i not in self._non_referring for i in order.tolist()], np.bool_)
                if self._non_referring
                else None,
                columns=self._finished_mention_columns(order),
            ),
            chains=Chains(document=np.array(self._chain_document, np.int32), labels=label_array(self._chain_labels)),
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
        columns = self._full_mention_columns
        for column in columns.values():
            column += [""] * (len(order) - len(column))
        for mention, row in self._mention_columns.items():
            for key, value in row.items():
                if key not in columns:
                    columns[key] = [""] * len(order)
                columns[key][mention] = value
        indices = order.tolist() if columns else []
        return {key: Strings.of(map(column.__getitem__, indices)) for key, column in columns.items()}

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

    def _finished_digests(self, words: Strings | None, offsets: Longs, empty: Flags | None) -> Hashes:
        if words is None:
            self._hash_batch()
            return np.concatenate(self._digests)
        return digest_surface_words(words, offsets, empty)

    def _has_texts(self) -> bool:
        return bool(self._texts) and None not in self._texts and len(self._characters) == 2 * self._tokens


def _opening_order(table: Ints) -> Longs:
    """Return the order by document and start, longer mentions first."""
    key = table[:, 0].astype(np.int64) << 32 | table[:, 1]
    step = np.diff(key)
    # Most readers meet mentions in this order, and checking is cheaper than sorting.
    if ((step > 0) | ((step == 0) & (np.diff(table[:, 2]) <= 0))).all():
        return np.arange(len(table))
    return np.lexsort((-table[:, 2], key))


def label_array(texts: Sequence[str]) -> np.ndarray:
    """Return chain labels as int64 if all are plain numbers, else as bytes.

    >>> label_array(["3", "12"]).tolist(), label_array(["3", "e1"]).tolist()
    ([3, 12], [b'3', b'e1'])
    """
    joined = "\0".join(texts)
    is_splittable = joined.count("\0") == len(texts) - 1  # no label contains NUL
    if not texts or (is_splittable and _NUMERIC_LABELS.fullmatch(joined)):
        return np.array(list(map(int, texts)), np.int64)
    return np.array(joined.encode().split(b"\0") if is_splittable else [t.encode() for t in texts])


def _parts(spans: list[Sequence[Span]]) -> Parts:
    offsets = np.zeros(len(spans) + 1, np.int64)
    np.cumsum([len(s) for s in spans], out=offsets[1:])
    flat = np.array([span for parts in spans for span in parts], np.int32).reshape(-1, 2)
    return Parts(offsets=offsets, start=flat[:, 0].copy(), end=flat[:, 1].copy())
