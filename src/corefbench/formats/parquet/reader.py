"""Columns of Parquet corpora, and how they are read from the row groups of a file.

A few bytes may stand for gigabytes, since a value that is repeated is written once. Lists of words
are therefore taken as their dictionaries, and measured before they are made.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from corefbench.corpus.builder import label_array
from corefbench.corpus.corpus import Chains, Corpus, Documents, Mentions, Parts, Relations, Tokens
from corefbench.corpus.hashing import digest_surface_words
from corefbench.corpus.strings import Strings
from corefbench.errors import FormatError, MissingExtra, Place
from corefbench.formats.base import Reading
from corefbench.formats.capabilities import sort_mentions
from corefbench.formats.common.decode import MAX_FILE_BYTES, read_bytes, too_large_error
from corefbench.formats.source import Source, unreadable_error
from corefbench.records import Flags, Ints, Longs

BATCH_BYTES = 1 << 20
"""Bytes, unpacked but still encoded, that are taken at a time."""
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
        column = self.batch.column(name) if name in self.batch.schema.names else None
        return None if column is None or column.null_count == len(column) else column

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
        kind = values.type.value_type
        if not (pa.types.is_string(kind) or pa.types.is_large_string(kind)):
            raise self.unfit(name, str(kind), "texts")
        words = _plain_strings(values.dictionary)
        known = np.append(np.diff(words.offsets), 0)
        where = values.indices.cast(pa.int64()).fill_null(len(words))
        numbers = np.asarray(where.to_numpy(zero_copy_only=False), np.int64)
        # A word that is repeated a billion times takes a few bytes in the file.
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


def number_chains(rows: RowBatch, document: Ints, lengths: Longs) -> tuple[Chains, list[Ints]]:
    """Number the chains, one for each label of a document, by first appearance.

    Also return the chain of each mention, of each plural and its element, and of each bridging
    anaphor; -1 where no chain is named.
    """
    columns = [_labels(rows, "mention_chain", document, lengths)]
    plural, bridging = (rows.lists(name)[0] for name in ("split_plural", "bridging_anaphor"))
    for name, counts in (("split_plural", plural), ("split_element", plural), ("bridging_chain", bridging)):
        columns.append(_labels(rows, name, np.repeat(np.arange(len(rows)), counts), counts))
    known: dict[tuple[int, str], int] = {}
    # Every mention has a chain, even if its label is empty; a relation may name none.
    numbers = [
        np.array([known.setdefault(key, len(known)) if key[1] or not index else -1 for key in keys], np.int32)
        for index, keys in enumerate(columns)
    ]
    owners, labels = np.array([row for row, _ in known], np.int32), label_array([label for _, label in known])
    return Chains(document=owners, labels=labels), numbers


def read_relations(rows: RowBatch, mentions: Mentions, chain_numbers: list[Ints]) -> Relations:
    """Split antecedents and bridging; an error where a reference points to nothing."""
    _, plural, element, bridging = chain_numbers
    counts, anaphor = rows.numbers("bridging_anaphor")
    owner = np.repeat(np.arange(len(rows)), counts)
    first = np.searchsorted(mentions.document, np.arange(len(rows) + 1))
    _, anchor = rows.numbers("bridging_mention")
    anchor = anchor if len(anchor) == len(anaphor) else np.full(len(anaphor), -1, np.int64)
    size = np.diff(first)[owner]
    wrong = np.flatnonzero((anaphor < 0) | (anaphor >= size) | (anchor >= size))
    if len(wrong):
        raise FormatError(
            "a reference points to nothing",
            code="CB115",
            place=Place(source=rows.source, document=rows.names[int(owner[wrong[0]])]),
            found="a bridging anaphor or its anchor that is no mention",
        )
    _, kinds = rows.text_lists("bridging_label")
    return Relations(
        plural=plural,
        element=element,
        bridging_anaphor=(anaphor + first[owner]).astype(np.int32),
        bridging_mention=np.where(anchor < 0, -1, anchor + first[owner]).astype(np.int32),
        bridging_chain=bridging,
        bridging_label=tuple(kinds) if len(kinds) == len(anaphor) else ("",) * len(anaphor),
    )


def _labels(rows: RowBatch, name: str, document: Longs | Ints, expected: Longs) -> "list[tuple[int, str]]":
    """Return document and label of each; empty labels if the column is missing."""
    counts, labels = rows.text_lists(name)
    if not counts.any():
        labels, counts = Strings.of([""] * int(expected.sum())), expected
    if (wrong := counts != expected).any():
        row = int(np.flatnonzero(wrong)[0])
        raise rows.unfit(name, f"{counts[row]} values", str(expected[row]), row)
    return list(zip(document.tolist(), labels, strict=True))


def read_batch(batch: Any, source: Source, reading: Reading) -> Corpus:
    """The documents of some rows."""
    rows = RowBatch(batch, source.name)
    tokens = _tokens(rows, reading.words)
    mentions, chains, chain_numbers = _mentions(rows, np.diff(tokens.offsets))
    corpus = Corpus(
        name=source.stem,
        documents=_documents(rows, tokens),
        tokens=tokens,
        mentions=mentions,
        chains=chains,
        relations=read_relations(rows, mentions, chain_numbers),
    )
    return sort_mentions(corpus)


def _documents(rows: RowBatch, tokens: Tokens) -> Documents:
    part = rows.column("part")
    return Documents(
        names=tuple(rows.names),
        parts=np.array([-1 if p is None else p for p in part.to_pylist()], np.int32)
        if part is not None
        else np.full(len(rows), -1, np.int32),
        columns={key: tuple(column) for key, column in _by_key(rows, "attributes").items()},
        texts=rows.texts("text") if tokens.begin is not None else None,
    )


def _by_key(rows: RowBatch, name: str) -> dict[str, list[Any]]:
    """Return the values of a map column by key; empty ones where a row has none."""
    by_key: dict[str, list[Any]] = {}
    column = rows.column(name)
    for number, row in enumerate(column.to_pylist() if column is not None else ()):
        for key, value in row or ():
            by_key.setdefault(key, [""] * len(rows))[number] = value or ""
    return by_key


def _tokens(rows: RowBatch, keep: bool) -> Tokens:
    lengths, words = rows.text_lists("words")
    edges = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    empty = _aligned_numbers(rows, "empty", lengths, 0)
    begin, end = (_aligned_numbers(rows, f"token_{which}", lengths, -1) for which in ("begin", "end"))
    has_offsets = rows.texts("text") is not None and begin is not None and end is not None
    nodes = empty.astype(np.bool_) if empty is not None and empty.any() else None
    return Tokens(
        offsets=edges,
        sentences=_sentences(rows, lengths, edges),
        digests=digest_surface_words(words, edges, nodes),
        words=words if keep else None,
        empty=nodes,
        begin=begin if has_offsets else None,
        finish=end if has_offsets else None,
        columns=_columns(rows, "token_attributes", lengths) if keep else {},
    )


def _sentences(rows: RowBatch, lengths: Longs, edges: Longs) -> Longs:
    """The first words of sentences; a document that does not say them is one."""
    counts, first = rows.numbers("sentences")
    if not counts.any():
        return edges[:-1][lengths > 0]
    owner = np.repeat(np.arange(len(rows)), counts)
    wrong = (first < 0) | (first > lengths[owner])
    wrong[1:] |= (np.diff(owner) == 0) & (np.diff(first) < 0)
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise rows.unfit("sentences", str(first[at]), "first words, ascending", int(owner[at]))
    return np.sort(first + edges[owner], kind="stable")


def _aligned_numbers(rows: RowBatch, name: str, lengths: Longs, default: int) -> Longs | None:
    """Return one number per token or mention, a default where a row has none; None without any."""
    counts, values = rows.numbers(name)
    if not counts.any():
        return None
    has = _rows_with_all_values(rows, name, counts, lengths)
    numbers = np.full(int(lengths.sum()), default, np.int64)
    numbers[np.repeat(has, lengths)] = values
    return numbers


def _rows_with_all_values(rows: RowBatch, name: str, counts: Longs, lengths: Longs) -> Flags:
    """The rows that have as many as they should; an error where one has another number."""
    has = counts == lengths
    if (wrong := ~has & (counts > 0)).any():
        at = int(np.flatnonzero(wrong)[0])
        raise rows.unfit(name, f"{counts[at]} values", f"{lengths[at]}, or none", at)
    return np.asarray(has)


def _columns(rows: RowBatch, name: str, lengths: Longs) -> dict[str, Strings]:
    columns = {}
    for key, lists in _by_key(rows, name).items():
        values: list[str] = []
        for row, (cells, count) in enumerate(zip(lists, lengths.tolist(), strict=True)):
            if cells and len(cells) != count:
                raise rows.unfit(f"{name}.{key}", f"{len(cells)} values", f"{count}, or none", row)
            values += [cell or "" for cell in cells] if cells else [""] * count
        columns[key] = Strings.of(values)
    return columns


def _mentions(rows: RowBatch, tokens: Longs) -> tuple[Mentions, Chains, list[Ints]]:
    lengths, start = rows.numbers("mention_start")
    end = _aligned_numbers(rows, "mention_end", lengths, -1)
    end = np.full(len(start), -1, np.int64) if end is None else end
    document = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)
    _check_inside(rows, document, start, end, tokens)
    chains, chain_numbers = number_chains(rows, document, lengths)
    head = _aligned_numbers(rows, "mention_head", lengths, -1)
    referring = _aligned_numbers(rows, "mention_referring", lengths, 1)
    mentions = Mentions(
        document=document,
        start=start.astype(np.int32),
        end=end.astype(np.int32),
        chain=chain_numbers[0],
        head=head.astype(np.int32) if head is not None and (head >= 0).any() else None,
        parts=_parts(rows, "mention_parts", lengths, (start, end), whole=True),
        minimum=_parts(rows, "mention_minimum", lengths, (start, end), whole=False),
        referring=referring != 0 if referring is not None and not referring.all() else None,
        columns=_columns(rows, "mention_attributes", lengths),
    )
    return mentions, chains, chain_numbers


def _check_inside(rows: RowBatch, document: Any, start: Longs, end: Longs, tokens: Longs) -> None:
    wrong = (start < 0) | (start >= end) | (end > tokens[document])
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        row = int(document[at])
        raise FormatError(
            "a span lies outside its document",
            code="CB112",
            place=Place(source=rows.source, document=rows.names[row]),
            found=f"{start[at]} to {end[at]}",
            expected=f"0 ≤ start < end ≤ {tokens[row]}",
        )


def _parts(rows: RowBatch, name: str, lengths: Longs, hull: tuple[Longs, Longs], *, whole: bool) -> Parts | None:
    """Return the parts of every mention; if it has none, its hull (``whole``) or nothing."""
    counts, sizes, numbers = rows.spans(name)
    if not sizes.any():
        return None
    has = np.repeat(_rows_with_all_values(rows, name, counts, lengths), lengths)
    if (sizes % 2).any():
        raise rows.unfit(name, "an odd number of numbers", "beginnings and ends in turn")
    part_counts = np.zeros(len(has), np.int64)
    part_counts[has] = sizes // 2
    pairs = numbers.reshape(-1, 2)
    _check_parts(rows, name, pairs, np.repeat(np.arange(len(has)), part_counts), hull)
    span_counts = np.maximum(part_counts, 1) if whole else part_counts
    is_part = np.repeat(part_counts > 0, span_counts)
    spans = np.empty((len(is_part), 2), np.int32)
    spans[is_part] = pairs
    spans[~is_part] = np.column_stack(hull)[part_counts == 0] if whole else 0
    return Parts(
        offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(span_counts)]),
        start=spans[:, 0].copy(),
        end=spans[:, 1].copy(),
    )


def _check_parts(rows: RowBatch, name: str, pairs: Longs, owner: Longs, hull: tuple[Longs, Longs]) -> None:
    start, end = pairs.T
    wrong = (start >= end) | (start < hull[0][owner]) | (end > hull[1][owner])
    wrong[1:] |= (np.diff(owner) == 0) & (start[1:] < end[:-1])
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        found = f"{start[at]} to {end[at]}"
        raise rows.unfit(name, found, "parts of their mention, one after another")


class ParquetSource:
    """An open Parquet file; what pyarrow cannot read raises a coded error."""

    def __init__(self, source: Source, reading: Reading) -> None:
        pa = import_pyarrow()
        self._source = source
        self._where: Any = source.path
        if source.path is None or _is_packed(source):
            self._where = pa.py_buffer(read_bytes(source, reading))
        try:
            with pa.parquet.ParquetFile(self._input()) as file:
                texts = _text_columns(file.schema)
            self._file = pa.parquet.ParquetFile(self._input(), read_dictionary=texts)
            self._metadata = self._file.metadata
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            raise self._unfit(str(error)) from error
        missing = [name for name in REQUIRED if name not in self._file.schema_arrow.names]
        if missing:
            raise self._unfit(", ".join(self._file.schema_arrow.names), f"a column {missing[0]}")

    def _input(self) -> Any:
        return self._where if self._where is self._source.path else import_pyarrow().BufferReader(self._where)

    def __enter__(self) -> "ParquetSource":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def row_offsets(self) -> tuple[int, ...]:
        """About where, in bytes, each row begins."""
        offsets: list[int] = []
        start = 0
        for group in self._groups():
            size = self._packed(group)
            rows = np.arange(group.num_rows)
            offsets += (start + rows * size // max(group.num_rows, 1)).tolist()
            start += size
        return tuple(offsets)

    def _packed(self, group: Any) -> int:
        """The share of a row group in the bytes of the file.

        The sizes of its columns are not asked for: pyarrow ends the process if they are damaged.
        """
        total = sum(max(each.total_byte_size, 1) for each in self._groups())
        return int(self._source.size * max(group.total_byte_size, 1) // total)

    def pieces(self, reading: Reading, first: int = 0, last: int | None = None) -> Iterator[Corpus]:
        """The documents from ``first`` to before ``last``."""
        if not self._metadata.num_rows:
            raise FormatError("the file is empty", code="CB102", place=Place(source=self._source.name))
        last = self._metadata.num_rows if last is None else last
        row = 0
        for number, group in enumerate(self._groups()):
            if row < last and row + group.num_rows > first:
                yield from self._group(number, group, reading, first - row, last - row)
                reading.report_progress(self._packed(group))
            row += group.num_rows

    def _group(self, number: int, group: Any, reading: Reading, first: int, last: int) -> Iterator[Corpus]:
        if group.total_byte_size > MAX_FILE_BYTES:
            raise too_large_error(self._source.name, MAX_FILE_BYTES)
        rows = max(1, group.num_rows * BATCH_BYTES // max(group.total_byte_size, BATCH_BYTES))
        pa, row = import_pyarrow(), 0
        try:
            for batch in self._file.iter_batches(batch_size=rows, row_groups=[number]):
                begin, end = max(first - row, 0), min(last - row, len(batch))
                row += len(batch)
                if begin < end:
                    rows_read = batch.slice(begin, end - begin)
                    # Offsets in a damaged file may point outside its buffers, which pyarrow does not check by itself.
                    rows_read.validate(full=True)
                    yield read_batch(rows_read, self._source, reading)
        except (OSError, pa.ArrowException, UnicodeDecodeError) as error:
            raise self._unfit(str(error)) from error

    def _groups(self) -> Iterator[Any]:
        return map(self._metadata.row_group, range(self._metadata.num_row_groups))

    def _unfit(self, found: str, expected: str = "rows of documents") -> FormatError:
        return shape_error(self._source.name, found, expected)


def _is_packed(source: Source) -> bool:
    try:
        with open(str(source.path), "rb") as file:
            return file.read(2) == b"\x1f\x8b"
    except OSError as error:
        raise unreadable_error(source.name, error) from error


def _text_columns(schema: Any) -> list[str]:
    """The columns of texts, by their paths."""
    columns = map(schema.column, range(len(schema.names)))
    return [column.path for column in columns if column.physical_type == "BYTE_ARRAY"]
