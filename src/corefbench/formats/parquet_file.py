"""A Parquet file that is open: which rows it has, and some of them at a time.

A few bytes may stand for gigabytes, since a value that is repeated is written once. Lists of words
are therefore taken as their dictionaries, and measured before they are made.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.parquet_read import corpus_of
from corefbench.formats.parquet_schema import REQUIRED, arrow, unfit
from corefbench.formats.source import Source, unreadable
from corefbench.formats.whole import BUDGET, contents, too_large
from corefbench.model.corpus import Corpus

BLOCK = 1 << 20
"""Bytes, unpacked but still encoded, that are taken at a time."""


class ParquetSource:
    """An open file; what pyarrow cannot read is a coded error."""

    def __init__(self, source: Source, reading: Reading) -> None:
        pa = arrow()
        self._source = source
        self._where: Any = source.path
        if source.path is None or _is_packed(source):
            self._where = pa.py_buffer(contents(source, reading))
        try:
            with pa.parquet.ParquetFile(self._input()) as file:
                texts = _texts(file.schema)
            self._file = pa.parquet.ParquetFile(self._input(), read_dictionary=texts)
            self._metadata = self._file.metadata
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            raise self._unfit(str(error)) from error
        missing = [name for name in REQUIRED if name not in self._file.schema_arrow.names]
        if missing:
            raise self._unfit(", ".join(self._file.schema_arrow.names), f"a column {missing[0]}")

    def _input(self) -> Any:
        return (
            self._where if self._where is self._source.path else arrow().BufferReader(self._where)
        )

    def __enter__(self) -> "ParquetSource":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def beginnings(self) -> tuple[int, ...]:
        """About where, in bytes, each row begins."""
        made: list[int] = []
        place = 0
        for group in self._groups():
            size = self._packed(group)
            made += (place + np.arange(group.num_rows) * size // max(group.num_rows, 1)).tolist()
            place += size
        return tuple(made)

    def _packed(self, group: Any) -> int:
        """The share of a row group in the bytes of the file.

        Its columns could be asked; but pyarrow ends the process where a damaged file lies of them.
        """
        total = sum(max(each.total_byte_size, 1) for each in self._groups())
        return int(self._source.size * max(group.total_byte_size, 1) // total)

    def pieces(self, reading: Reading, first: int = 0, last: int | None = None) -> Iterator[Corpus]:
        """The documents from ``first`` to before ``last``."""
        if not self._metadata.num_rows:
            raise FormatError(
                "the file is empty", code="CB102", place=Place(source=self._source.name)
            )
        last = self._metadata.num_rows if last is None else last
        row = 0
        for number, group in enumerate(self._groups()):
            if row < last and row + group.num_rows > first:
                yield from self._group(number, group, reading, first - row, last - row)
                reading.taken(self._packed(group))
            row += group.num_rows

    def _group(
        self, number: int, group: Any, reading: Reading, first: int, last: int
    ) -> Iterator[Corpus]:
        if group.total_byte_size > BUDGET:
            raise too_large(self._source.name, BUDGET)
        rows = max(1, group.num_rows * BLOCK // max(group.total_byte_size, BLOCK))
        pa, row = arrow(), 0
        try:
            for batch in self._file.iter_batches(batch_size=rows, row_groups=[number]):
                begin, end = max(first - row, 0), min(last - row, len(batch))
                row += len(batch)
                if begin < end:
                    some = batch.slice(begin, end - begin)
                    some.validate(full=True)
                    yield corpus_of(some, self._source, reading)
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            raise self._unfit(str(error)) from error

    def _groups(self) -> Iterator[Any]:
        return map(self._metadata.row_group, range(self._metadata.num_row_groups))

    def _unfit(self, found: str, expected: str = "rows of documents") -> FormatError:
        return unfit(self._source.name, found, expected)


def _is_packed(source: Source) -> bool:
    try:
        with open(str(source.path), "rb") as file:
            return file.read(2) == b"\x1f\x8b"
    except OSError as error:
        raise unreadable(source.name, error) from error


def _texts(schema: Any) -> list[str]:
    """The columns of texts, by their paths."""
    columns = map(schema.column, range(len(schema.names)))
    return [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
