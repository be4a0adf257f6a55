"""Builds a corpus mention by mention, for readers that meet objects rather than columns."""

from array import array
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from corefbench.model.corpus import Chains, Corpus, Documents, Mentions, Parts, Relations, Tokens
from corefbench.model.digest import digest_words
from corefbench.model.strings import Strings
from corefbench.record import Longs

Span = tuple[int, int]


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
        self._characters: list[Span] = []
        self._document_parts = array("i")
        self._document_columns: dict[str, list[str]] = {}
        self._offsets = array("q", [0])
        self._tokens = 0
        self._sentences = array("q")
        self._words: list[str] = []
        self._unwritten_words: list[str] = []
        self._digests: list[int] = []
        self._empty = bytearray()
        self._token_columns: dict[str, list[str]] = {}
        self._mentions: list[tuple[int, int, int, int, int]] = []
        self._spans: list[Sequence[Span]] = []
        self._minima: list[Sequence[Span]] = []
        self._referring = bytearray()
        self._mention_columns: list[Mapping[str, str]] = []
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
        self._characters.extend(offsets)
        self._unwritten_words.extend(
            words if empty is None else (w for w, no in zip(words, empty, strict=True) if not no)
        )
        self._empty.extend(empty if empty is not None else bytes(len(words)))
        if self.keep_words:
            self._words.extend(words)
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
        index = len(self._mentions)
        self._mention_columns.append(columns or {})
        document = len(self._names) - 1
        self._mentions.append((document, parts[0][0], parts[-1][1], self.chain(label), head))
        self._spans.append(parts)
        self._minima.append(minimum)
        self._referring.append(referring)
        return index

    def split_antecedent(self, plural: int, element: int) -> None:
        """Chain ``element`` is one of the antecedents of chain ``plural``."""
        self._plural.append((plural, element))

    def bridge(self, anaphor: int, *, mention: int = -1, chain: int = -1, label: str = "") -> None:
        """Mention ``anaphor`` is anchored to a mention or a chain."""
        self._bridging.append((anaphor, mention, chain, label))

    def _end_document(self) -> None:
        if self._names and len(self._digests) < len(self._names):
            self._offsets.append(self._tokens)
            self._digests.append(digest_words(self._unwritten_words))
            self._unwritten_words = []

    def finish(self) -> Corpus:
        """The corpus, its mentions in opening order; the builder is then spent."""
        self._end_document()
        table = np.array(self._mentions, np.int32).reshape(-1, 5)
        order = np.lexsort((-table[:, 2], table[:, 1], table[:, 0]))
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
                parts=_parts(self._spans, order) if any(len(s) > 1 for s in self._spans) else None,
                minimum=_parts(self._minima, order) if any(self._minima) else None,
                referring=None
                if all(self._referring)
                else np.frombuffer(bytes(self._referring), np.bool_)[order],
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

    def _finished_mention_columns(self, order: Longs) -> dict[str, Strings]:
        rows = [self._mention_columns[mention] for mention in order.tolist()]
        keys = dict.fromkeys(key for row in self._mention_columns for key in row)
        return {key: Strings.of([row.get(key, "") for row in rows]) for key in keys}

    def _finished_tokens(self) -> Tokens:
        characters = np.array(self._characters, np.int64).reshape(-1, 2)
        return Tokens(
            offsets=np.array(self._offsets, np.int64),
            sentences=np.array(self._sentences, np.int64),
            digests=np.array(self._digests, np.uint64),
            words=Strings.of(self._words) if self.keep_words else None,
            empty=np.frombuffer(bytes(self._empty), np.bool_) if any(self._empty) else None,
            begin=characters[:, 0].copy() if self._has_texts() else None,
            finish=characters[:, 1].copy() if self._has_texts() else None,
            columns={key: Strings.of(values) for key, values in self._token_columns.items()},
        )

    def _has_texts(self) -> bool:
        return (
            bool(self._texts) and None not in self._texts and len(self._characters) == self._tokens
        )


def labels(texts: Sequence[str]) -> np.ndarray:
    """Chain labels as int64 where all are plain numbers, else as bytes.

    >>> labels(["3", "12"]).tolist(), labels(["3", "e1"]).tolist()
    ([3, 12], [b'3', b'e1'])
    """
    if all(
        t.isascii() and t.isdigit() and len(t) < 19 and (t == "0" or t[0] != "0") for t in texts
    ):
        return np.array([int(t) for t in texts], np.int64)
    return np.array([t.encode() for t in texts])


def _parts(spans: list[Sequence[Span]], order: Longs) -> Parts:
    spans = [spans[i] for i in order]
    offsets = np.zeros(len(spans) + 1, np.int64)
    np.cumsum([len(s) for s in spans], out=offsets[1:])
    flat = np.array([span for some in spans for span in some], np.int32).reshape(-1, 2)
    return Parts(offsets=offsets, start=flat[:, 0].copy(), end=flat[:, 1].copy())
