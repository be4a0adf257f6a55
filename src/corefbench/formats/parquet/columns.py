"""Schema of Parquet corpora and conversion of Arrow columns to arrays."""

from typing import Any

import numpy as np

from corefbench.corpus.strings import Strings
from corefbench.errors import FormatError, MissingExtra, Place
from corefbench.formats.common.decode import MAX_FILE_BYTES, too_large_error
from corefbench.records import Longs

REQUIRED = ("name", "words", "mention_start", "mention_end", "mention_chain")
"""Columns without which a file is no corpus; all others may be missing, or empty in a row."""


def import_pyarrow() -> Any:
    """The package pyarrow, with its module for Parquet."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("pyarrow", "parquet") from error
    return pyarrow


def table_schema() -> Any:
    """The columns in the order in which they are written."""
    pa = import_pyarrow()
    text, number, flag = pa.string(), pa.int32(), pa.bool_()
    texts, numbers, flags = pa.list_(text), pa.list_(number), pa.list_(flag)
    spans, attributes = pa.list_(numbers), pa.map_(text, texts)
    return pa.schema(
        {
            "name": text,
            "part": number,
            "attributes": pa.map_(text, text),
            "text": text,
            "words": texts,
            "sentences": numbers,
            "empty": flags,
            "token_begin": numbers,
            "token_end": numbers,
            "token_attributes": attributes,
            "mention_start": numbers,
            "mention_end": numbers,
            "mention_chain": texts,
            "mention_head": numbers,
            "mention_parts": spans,
            "mention_minimum": spans,
            "mention_referring": flags,
            "mention_attributes": attributes,
            "split_plural": texts,
            "split_element": texts,
            "bridging_anaphor": numbers,
            "bridging_mention": numbers,
            "bridging_chain": texts,
            "bridging_label": texts,
        }
    )


def shape_error(source: str, found: str, expected: str, document: str = "") -> FormatError:
    """The error for a file that is not as it should be."""
    return FormatError(
        "the file is not Parquet of the expected shape",
        code="CB160",
        place=Place(source=source, document=document),
        found=found[:200],
        expected=expected,
        remedy="the columns are listed under formats in the documentation",
    )


class RowBatch:
    """Some rows of a file, whose columns may be missing, and whose lists may be null."""

    def __init__(self, batch: Any, source: str) -> None:
        self.batch = batch
        self.source = source
        self.names = self.texts("name") or Strings.of([""] * len(batch))

    def __len__(self) -> int:
        return len(self.batch)

    def column(self, name: str) -> Any:
        """A column, or None."""
        there = name in self.batch.schema.names
        return self.batch.column(name) if there and not _is_null(self.batch.column(name)) else None

    def lists(self, name: str) -> tuple[Longs, Any]:
        """How long each list is, and the values."""
        pa, column = import_pyarrow(), self.column(name)
        if column is None:
            return np.zeros(len(self), np.int64), None
        if not (pa.types.is_list(column.type) or pa.types.is_large_list(column.type)):
            raise self.unfit(name, str(column.type), "lists")
        return _list_lengths(column), column.flatten()

    def numbers(self, name: str) -> tuple[Longs, Longs]:
        """Lists of numbers; -1 for null."""
        lengths, values = self.lists(name)
        return lengths, self._numbers(name, values)

    def spans(self, name: str) -> tuple[Longs, Longs, Longs]:
        """Lists of lists of numbers: the lengths of the outer, those of the inner, the numbers."""
        lengths, inner = self.lists(name)
        if inner is None:
            return lengths, *(np.zeros(0, np.int64),) * 2
        if not import_pyarrow().types.is_list(inner.type):
            raise self.unfit(name, str(inner.type), "lists of beginnings and ends")
        return lengths, _list_lengths(inner), self._numbers(name, inner.flatten())

    def _numbers(self, name: str, values: Any) -> Longs:
        if values is None:
            return np.zeros(0, np.int64)
        pa = import_pyarrow()
        if not (pa.types.is_integer(values.type) or pa.types.is_boolean(values.type)):
            raise self.unfit(name, str(values.type), "whole numbers, or true and false")
        whole = values.cast(pa.int64())
        return np.asarray(whole.fill_null(-1).to_numpy(zero_copy_only=False), np.int64)

    def text_lists(self, name: str) -> tuple[Longs, Strings]:
        """Lists of texts; nothing for null."""
        lengths, values = self.lists(name)
        return lengths, Strings.of([]) if values is None else self.strings(name, values)

    def texts(self, name: str) -> Strings | None:
        """A text a row; None where any is null."""
        column = self.column(name)
        if column is None or column.null_count:
            return None
        return self.strings(name, column)

    def strings(self, name: str, values: Any) -> Strings:
        """Texts that are given as numbers of a dictionary; measured before they are made."""
        pa = import_pyarrow()
        if not pa.types.is_dictionary(values.type):
            values = values.dictionary_encode()
        if not _is_text(values.type.value_type):
            raise self.unfit(name, str(values.type.value_type), "texts")
        words = _plain_strings(values.dictionary)
        known = np.append(np.diff(words.offsets), 0)
        where = values.indices.cast(pa.int64()).fill_null(len(words))
        numbers = np.asarray(where.to_numpy(zero_copy_only=False), np.int64)
        if known[numbers].sum() > MAX_FILE_BYTES:
            raise too_large_error(self.source, MAX_FILE_BYTES)
        return Strings.concatenate([words, Strings.of([""])]).take(numbers)

    def unfit(self, name: str, found: str, expected: str, row: int | None = None) -> Exception:
        """The error for a column."""
        document = "" if row is None else self.names[row]
        return shape_error(self.source, f"{name}: {found}", expected, document)


def _list_lengths(column: Any) -> Longs:
    lengths = column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    return np.asarray(lengths, np.int64)


def _plain_strings(texts: Any) -> Strings:
    pa = import_pyarrow()
    wide = pa.concat_arrays([texts.cast(pa.large_string())])
    if wide.offset or not len(wide):
        return Strings.of(wide.to_pylist())
    _, edges, blob = wide.fill_null("").buffers()
    offsets = np.frombuffer(edges, np.int64)[: len(wide) + 1].copy()
    return Strings(blob=blob.to_pybytes() if blob is not None else b"", offsets=offsets)


def _is_text(kind: Any) -> bool:
    types = import_pyarrow().types
    return bool(types.is_string(kind) or types.is_large_string(kind))


def _is_null(column: Any) -> bool:
    return bool(column.null_count == len(column))
