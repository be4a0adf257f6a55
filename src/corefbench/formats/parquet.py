"""Parquet: a row a document, lists for what it has many of; read and written by row groups."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, get_args

from corefbench.formats.base import Feature, FormatCard, Reading
from corefbench.formats.layout import require_words
from corefbench.formats.source import Source
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus

if TYPE_CHECKING:
    from corefbench.formats.parquet_file import ParquetSource

MAGIC = b"PAR1"
GROUP = 4 << 20
"""Bytes of words, about, in a row group."""


class Parquet:
    """A row a document."""

    card = FormatCard(
        name="parquet",
        title="Parquet",
        description="Apache Parquet, a row a document, with a list of words, the beginnings, ends "
        "and chain labels of its mentions, and whatever else a corpus may have; for large corpora "
        "and other programs. It needs `corefbench[parquet]`.",
        extensions=(".parquet",),
        holds=frozenset(get_args(Feature)),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of the four bytes that every such file begins with."""
        return 1.0 if head[:4] == MAGIC else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The documents, some rows at a time."""
        with _opened(source, reading) as file:
            yield from file.pieces(reading)

    def read_rows(
        self, source: Source, reading: Reading, first: int, last: int
    ) -> Iterator[Corpus]:
        """The documents from ``first`` to before ``last``."""
        with _opened(source, reading) as file:
            yield from file.pieces(reading, first, last)

    def beginnings(self, path: Path) -> tuple[int, ...]:
        """About where, in bytes, each document begins."""
        with _opened(Source.of(path), Reading()) as file:
            return file.beginnings()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write every document of the corpus."""
        self.write_pieces([corpus], stream)

    def write_pieces(self, pieces: Iterable[Corpus], stream: BinaryIO) -> None:
        """One file of many pieces; no more of them are held than make a row group."""
        from corefbench.formats.parquet_schema import arrow, schema
        from corefbench.formats.parquet_write import table_of

        parquet = arrow().parquet
        with parquet.ParquetWriter(stream, schema(), compression="zstd") as writer:
            for group in _groups(pieces):
                rows = max(1, len(group) * GROUP // max(_size(group), GROUP))
                writer.write_table(table_of(group), row_group_size=rows)


def _opened(source: Source, reading: Reading) -> "ParquetSource":
    from corefbench.formats.parquet_file import ParquetSource

    return ParquetSource(source, reading)


def _groups(pieces: Iterable[Corpus]) -> Iterator[Corpus]:
    """Small pieces joined until they make a row group."""
    waiting: list[Corpus] = []
    for piece in pieces:
        require_words(piece)
        waiting.append(piece)
        if sum(map(_size, waiting)) >= GROUP:
            yield concatenate(piece.name, waiting)
            waiting = []
    if waiting:
        yield concatenate(waiting[0].name, waiting)


def _size(corpus: Corpus) -> int:
    return len(corpus.tokens.words.blob) if corpus.tokens.words is not None else 0
