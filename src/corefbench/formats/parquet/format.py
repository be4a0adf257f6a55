"""Apache Parquet, one row per document; read and written by row groups."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus, Parts
from corefbench.corpus.strings import Strings
from corefbench.formats.base import EVERYTHING, FormatCard, Reading, require_words
from corefbench.formats.parquet.reader import ParquetSource, import_pyarrow, table_schema
from corefbench.formats.source import Source
from corefbench.records import Ints, Longs

MAGIC = b"PAR1"
GROUP_BYTES = 4 << 20
"""Bytes of words, about, in a row group."""


class Parquet:
    """Reads and writes corpora with one row per document."""

    card = FormatCard(
        name="parquet",
        title="Parquet",
        description="Apache Parquet, one row per document, with a list of words, the beginnings, "
        "ends and chain labels of its mentions, and whatever else a corpus may have; for large "
        "corpora and other programs. It needs `corefbench[parquet]`.",
        extensions=(".parquet",),
        holds=EVERYTHING,
    )

    def recognises(self, head: bytes) -> float:
        """Sure of the four bytes that every such file begins with."""
        return 1.0 if head[:4] == MAGIC else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """Yield the documents, some rows at a time."""
        with ParquetSource(source, reading) as file:
            yield from file.pieces(reading)

    def read_rows(self, source: Source, reading: Reading, first: int, last: int) -> Iterator[Corpus]:
        """The documents from ``first`` to before ``last``."""
        with ParquetSource(source, reading) as file:
            yield from file.pieces(reading, first, last)

    def row_offsets(self, path: Path) -> tuple[int, ...]:
        """About where, in bytes, each document begins."""
        with ParquetSource(Source.of(path), Reading()) as file:
            return file.row_offsets()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write every document of the corpus."""
        self.write_pieces([corpus], stream)

    def write_pieces(self, pieces: Iterable[Corpus], stream: BinaryIO) -> None:
        """Write one file from many pieces, holding no more of them than make a row group."""
        parquet = import_pyarrow().parquet
        with parquet.ParquetWriter(stream, table_schema(), compression="zstd") as writer:
            for group in _groups(pieces):
                rows = max(1, len(group) * GROUP_BYTES // max(_word_bytes(group), GROUP_BYTES))
                writer.write_table(make_table(group), row_group_size=rows)


def _groups(pieces: Iterable[Corpus]) -> Iterator[Corpus]:
    """Join small pieces until they make a row group."""
    waiting: list[Corpus] = []
    for piece in pieces:
        require_words(piece)
        waiting.append(piece)
        if sum(map(_word_bytes, waiting)) >= GROUP_BYTES:
            yield concatenate(piece.name, waiting)
            waiting = []
    if waiting:
        yield concatenate(waiting[0].name, waiting)


def _word_bytes(corpus: Corpus) -> int:
    return len(corpus.tokens.words.blob) if corpus.tokens.words is not None else 0


def make_table(corpus: Corpus) -> Any:
    """Return a table with a row for every document."""
    arrays = {**_documents(corpus), **_tokens(corpus), **_mentions(corpus), **_relations(corpus)}
    pa, columns = import_pyarrow(), table_schema()
    nothing = pa.nulls(len(corpus))
    return pa.table([arrays.get(field.name, nothing).cast(field.type) for field in columns], schema=columns)


def _documents(corpus: Corpus) -> dict[str, Any]:
    pa, documents = import_pyarrow(), corpus.documents
    columns = [list(values) for values in documents.columns.values()]
    attributes = [
        [(key, value) for key, value in zip(documents.columns, row, strict=True) if value]
        for row in zip(*columns, strict=True)
    ]
    parts = np.asarray(documents.parts, np.int32)
    return {
        "name": pa.array(documents.names, pa.string()),
        "part": pa.array(parts, mask=parts < 0),
        **({"attributes": pa.array(attributes, table_schema().field("attributes").type)} if columns else {}),
        **({"text": _texts(documents.texts)} if documents.texts is not None else {}),
    }


def _tokens(corpus: Corpus) -> dict[str, Any]:
    pa, tokens = import_pyarrow(), corpus.tokens
    edges = tokens.offsets
    sentences = np.searchsorted(tokens.sentences, edges)
    first = tokens.sentences - np.repeat(edges[:-1], np.diff(sentences))
    arrays = {
        "words": _lists(edges, _texts(tokens.words or Strings.of([]))),
        "sentences": _lists(sentences, pa.array(first.astype(np.int32))),
    }
    if tokens.empty is not None:
        arrays["empty"] = _lists(edges, pa.array(tokens.empty))
    if tokens.begin is not None and tokens.finish is not None:
        arrays["token_begin"] = _lists(edges, pa.array(tokens.begin.astype(np.int32)))
        arrays["token_end"] = _lists(edges, pa.array(tokens.finish.astype(np.int32)))
    if tokens.columns:
        arrays["token_attributes"] = _attributes(tokens.columns, edges)
    return arrays


def _mentions(corpus: Corpus) -> dict[str, Any]:
    pa, mentions = import_pyarrow(), corpus.mentions
    edges = np.searchsorted(mentions.document, np.arange(len(corpus) + 1))
    arrays = {
        "mention_start": _lists(edges, pa.array(mentions.start)),
        "mention_end": _lists(edges, pa.array(mentions.end)),
        "mention_chain": _lists(edges, _labels(corpus, mentions.chain)),
    }
    if mentions.head is not None:
        arrays["mention_head"] = _lists(edges, pa.array(mentions.head))
    if mentions.parts is not None:
        arrays["mention_parts"] = _lists(edges, _spans(mentions.parts))
    if mentions.minimum is not None:
        arrays["mention_minimum"] = _lists(edges, _spans(mentions.minimum))
    if mentions.referring is not None:
        arrays["mention_referring"] = _lists(edges, pa.array(mentions.referring))
    if mentions.columns:
        arrays["mention_attributes"] = _attributes(mentions.columns, edges)
    return arrays


def _relations(corpus: Corpus) -> dict[str, Any]:
    pa, relations, mentions = import_pyarrow(), corpus.relations, corpus.mentions
    arrays: dict[str, Any] = {}
    if len(relations.plural):
        order, edges = _by_document(corpus.chains.document[relations.plural], len(corpus))
        arrays["split_plural"] = _lists(edges, _labels(corpus, relations.plural[order]))
        arrays["split_element"] = _lists(edges, _labels(corpus, relations.element[order]))
    if len(relations.bridging_anaphor):
        owner = mentions.document[relations.bridging_anaphor]
        order, edges = _by_document(owner, len(corpus))
        first = np.searchsorted(mentions.document, owner[order]).astype(np.int32)
        anchor = relations.bridging_mention[order]
        kinds = [relations.bridging_label[number] for number in order.tolist()]
        arrays["bridging_anaphor"] = _lists(edges, pa.array(relations.bridging_anaphor[order] - first))
        arrays["bridging_mention"] = _lists(edges, pa.array(anchor - first, mask=anchor < 0))
        arrays["bridging_chain"] = _lists(edges, _labels(corpus, relations.bridging_chain[order]))
        arrays["bridging_label"] = _lists(edges, pa.array(kinds, pa.string()))
    return arrays


def _by_document(owner: Ints, count: int) -> tuple[Longs, Longs]:
    """Return an order that sorts rows by document, and where each document begins in it."""
    order = np.argsort(owner, kind="stable")
    return order, np.searchsorted(owner[order], np.arange(count + 1))


def _labels(corpus: Corpus, chains: np.ndarray) -> Any:
    """The labels of chains; null for -1."""
    known = corpus.chains.labels
    if known.dtype == np.int64:
        labels = list(map(str, known.tolist()))
    else:
        labels = [label.decode("utf-8", "replace") for label in known.tolist()]
    return import_pyarrow().array([labels[c] if c >= 0 else None for c in chains.tolist()], import_pyarrow().string())


def _texts(strings: Strings) -> Any:
    """Strings as Arrow has them: bytes, and where each begins."""
    pa = import_pyarrow()
    edges = pa.py_buffer(np.ascontiguousarray(strings.offsets).tobytes())
    wide = pa.LargeStringArray.from_buffers(len(strings), edges, pa.py_buffer(strings.blob))
    return wide.cast(pa.string())


def _lists(edges: Longs, values: Any) -> Any:
    """The values, cut at the edges."""
    pa = import_pyarrow()
    return pa.ListArray.from_arrays(pa.array(edges.astype(np.int32)), values)


def _spans(parts: Parts) -> Any:
    """Beginning and end of every part, one after another."""
    flat = np.column_stack([parts.start, parts.end]).ravel().astype(np.int32)
    return _lists(2 * parts.offsets, import_pyarrow().array(flat))


def _attributes(columns: Mapping[str, Strings], edges: Longs) -> Any:
    """Of every document, each column in which it says anything."""
    rows = []
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        row = [(key, column.slice(start, end)) for key, column in columns.items()]
        rows.append([(key, values) for key, values in row if any(values)])
    return import_pyarrow().array(rows, table_schema().field("token_attributes").type)
