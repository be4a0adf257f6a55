"""Split large corpora into shards of whole documents and process them in parallel.

Formats that mark the beginning of a document at the beginning of a line can be cut there (the CoNLL
family, CorefUD, JSON lines), and so can formats whose documents are rows (Parquet). Compressed
files, standard input and other formats are read whole.

Every worker reads its own shards, strictly. If there is any finding in a file, the corpus is read
in one piece instead, so that findings and errors have the line numbers of the whole file: workers
raise ``NotShardable`` or the error itself, both of which are ``DataError``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from itertools import pairwise
from operator import add
from pathlib import Path
from typing import Any, BinaryIO, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness
from corefbench.engine import is_parallel, map_documents
from corefbench.errors import DataError
from corefbench.formats import make
from corefbench.formats.base import Format, Reading
from corefbench.formats.load import detect_format, find_readers
from corefbench.formats.source import Source
from corefbench.records import Record

# The hash first and then the beginning of the line: a literal is found seventeen times as fast.
_HEADER = re.compile(rb"#(?<=^#)[ \t]*begin[ \t]+document[ \t]*(?P<name>[^\r\n]*)", re.MULTILINE)

DOCUMENT_MARKS = {
    "conll": _HEADER,
    "semeval": _HEADER,
    "corefud": re.compile(rb"#(?<=^#) newdoc(?P<name>[^\r\n]*)", re.MULTILINE),
    "jsonlines": re.compile(rb'^\{(?:[^\n]*?"doc_key"[ \t]*:[ \t]*"(?P<name>[^"\n]*)")?', re.MULTILINE),
    "preco": re.compile(rb'^\{(?:[^\n]*?"id"[ \t]*:[ \t]*"(?P<name>[^"\n]*)")?', re.MULTILINE),
}
"""What the first line of a document looks like, by format, and which part of it is its name."""
SHARD_BYTES = 32 << 20
"""Large enough that the start of a task costs nothing, small enough for memory."""

_GLOBAL_DECLARATION = re.compile(rb"^(?P<kind># global\.[^=\n]*)[^\n]*\n", re.MULTILINE)
_DECLARATION_BLOCK_BYTES = 1 << 20
_SEARCH_BYTES = 1 << 16
_MAX_SEARCH_DISTANCE = 1 << 24
"""How far from its expected position a document is searched for."""

FormatFile: TypeAlias = tuple[Path, str]
"""A file and the name of its format."""
R = TypeVar("R")
Summable = TypeVar("Summable", bound=Any)


class NotShardable(DataError):
    """The work cannot be divided and has to be done in one piece."""


class DocumentStart(Record, frozen=True):
    """Where a document begins, in bytes, and its name, if the mark has one."""

    offset: int
    name: bytes | None


@runtime_checkable
class RowFormat(Format, Protocol):
    """A format whose documents are rows, each of which can be read without those before it."""

    def row_offsets(self, path: Path) -> tuple[int, ...]:
        """Return about where, in bytes, each document begins."""
        ...

    def read_rows(self, source: Source, reading: Reading, first: int, last: int) -> Iterator[Corpus]:
        """Yield the documents from ``first`` to before ``last``."""
        ...


class Shard(Record, frozen=True):
    """Part of a file that holds whole documents."""

    path: Path
    format: str
    start: int = 0
    end: int | None = None
    """None: to the end of the file, which may then be compressed."""
    declared: bytes = b""
    """What the file declares before the shard and readers need (``# global.Entity``)."""
    rows: tuple[int, int] | None = None
    """First row and the one past the last where documents are rows; bytes are then approximate."""

    @property
    def size(self) -> int:
        """Number of bytes to read."""
        return (self.path.stat().st_size if self.end is None else self.end) - self.start

    def read(self, reading: Reading) -> Iterator[Corpus]:
        """Yield the documents as if they were read in the middle of the file."""
        source, reader = Source.of(self.path), make(self.format)
        if self.rows is not None and isinstance(reader, RowFormat):
            return reader.read_rows(source, reading, *self.rows)
        if self.end is not None:
            window = self.start, self.end
            source = Source(name=source.name, path=self.path, window=window, before=self.declared)
        return reader.read(source, reading)


class ShardRunner(Record, frozen=True):
    """Maps functions over the shards of a corpus with several workers."""

    format: str | None = None
    engine: str = ""
    jobs: int = 1
    words: bool = True
    advance: Callable[[int], None] | None = None

    @property
    def is_parallel(self) -> bool:
        """Whether there is more than one worker.

        >>> ShardRunner(jobs=1).is_parallel, ShardRunner(jobs=2).is_parallel
        (False, True)
        """
        return is_parallel(self.engine, self.jobs)

    def map(self, work: Callable[[Iterable[Corpus]], R], where: object) -> Iterator[R]:
        """Yield the result of ``work`` for each shard, in the order of the corpus."""
        if not self.is_parallel or not isinstance(where, str | Path):
            raise NotShardable("there is one worker, or nothing on disk to divide")
        shards = shard_corpus(where, self.format, SHARD_BYTES)
        if len(shards) < 2:
            raise NotShardable("there are no two shards")
        task = _ShardTask(work, words=self.words)
        results = map_documents(task, shards, engine=self.engine, jobs=self.jobs)
        for group, result in zip(shards, results, strict=True):
            yield result
            if self.advance is not None:
                self.advance(sum(shard.size for shard in group))

    def map_sum(self, work: Callable[[Iterable[Corpus]], Summable], where: object) -> Summable | None:
        """Return the sum of the results; None if the work has to be done in one piece.

        Nothing of a failed attempt remains, except the progress that was reported.
        """
        try:
            return reduce(add, self.map(work, where))
        except DataError:
            return None


class _ShardTask(Generic[R]):
    """What a worker does with a group of shards."""

    def __init__(self, work: Callable[[Iterable[Corpus]], R], *, words: bool) -> None:
        self._work = work
        self._words = words

    def __call__(self, shards: tuple[Shard, ...]) -> R:
        reading = strict_reading(words=self._words)
        return self._work(piece for shard in shards for piece in shard.read(reading))


def strict_reading(*, words: bool) -> Reading:
    """Return reading options that turn every finding into ``NotShardable``."""

    def refuse(finding: Finding) -> None:
        raise NotShardable(finding.message, code=finding.code)

    return Reading(strictness=Strictness(report=refuse), words=words)


def resolve_files(where: str | Path, format: str | None = None) -> list[FormatFile]:
    """Return the files to read, with their formats; none where a worker could not open them."""
    files = []
    for source, reader in find_readers(where, format):
        if source.path is None:
            return []
        files.append((source.path, format or (reader or detect_format(source)).card.name))
    return files


def shard_corpus(where: str | Path, format: str | None = None, size: int = SHARD_BYTES) -> list[tuple[Shard, ...]]:
    """Divide a corpus on disk into shards of about that size; one if it is only read whole."""

    def cut(files: tuple[FormatFile, ...]) -> list[tuple[Shard, ...]]:
        return [(shard,) for shard in shard_file(*files[0], size)]

    return [shards for (shards,) in _group_files([resolve_files(where, format)], cut, size)]


def shard_corpus_pair(
    keys: list[FormatFile], responses: list[FormatFile], size: int = SHARD_BYTES
) -> Iterator[tuple[tuple[Shard, ...], ...]]:
    """Divide a key and a response of as many files into shards with the same documents."""

    def cut(files: tuple[FormatFile, ...]) -> list[tuple[Shard, ...]]:
        return [*shard_file_pair(files[0], files[1], size)]

    return _group_files([keys, responses], cut, size)


def _group_files(
    sides: Sequence[list[FormatFile]], cut: Callable[[tuple[FormatFile, ...]], list[tuple[Shard, ...]]], size: int
) -> Iterator[tuple[tuple[Shard, ...], ...]]:
    """Group small files until they make a shard, and cut large ones."""
    waiting: list[tuple[FormatFile, ...]] = []
    waiting_bytes = 0
    for files in zip(*sides, strict=True):
        file_bytes = files[0][0].stat().st_size
        # A file of less than two shards is not worth the search for a cut.
        pieces = cut(files) if file_bytes >= 2 * size else []
        if not pieces:
            waiting.append(files)
            waiting_bytes += file_bytes
        if waiting and (pieces or waiting_bytes >= size):
            yield _whole_file_shards(waiting)
            waiting, waiting_bytes = [], 0
        for shards in pieces:
            yield tuple((shard,) for shard in shards)
    if waiting:
        yield _whole_file_shards(waiting)


def _whole_file_shards(files: list[tuple[FormatFile, ...]]) -> tuple[tuple[Shard, ...], ...]:
    return tuple(tuple(Shard(path=path, format=name) for path, name in side) for side in zip(*files, strict=True))


def shard_file(path: Path, format: str, size: int = SHARD_BYTES) -> list[Shard]:
    """Divide a file into shards of at least that size; none if it can only be read whole."""
    offsets = _row_offsets(path, format)
    if offsets is not None:
        return _row_shards(path, format, offsets, _first_rows(offsets, size))
    if not is_splittable(path, format):
        return []
    return _shards_between(path, format, find_cuts(path, format, size))


def shard_file_pair(key: FormatFile, response: FormatFile, size: int = SHARD_BYTES) -> list[tuple[Shard, Shard]]:
    """Divide two files before the same documents; none if that is not possible."""
    offsets, response_offsets = _row_offsets(*key), _row_offsets(*response)
    if offsets is not None and response_offsets is not None:
        rows = _first_rows(offsets, size) if len(offsets) == len(response_offsets) else []
        key_shards = _row_shards(*key, offsets, rows)
        return list(zip(key_shards, _row_shards(*response, response_offsets, rows), strict=True))
    if not (is_splittable(*key) and is_splittable(*response)):
        return []
    cuts = find_cuts(*key, size)
    response_cuts = find_matching_cuts(*response, key[0], cuts)
    if response_cuts is None:
        return []
    key_shards = _shards_between(*key, cuts)
    return list(zip(key_shards, _shards_between(*response, response_cuts), strict=True))


def is_splittable(path: Path, format: str) -> bool:
    """Whether documents have marks and the file is not compressed."""
    return format in DOCUMENT_MARKS and _is_uncompressed(path)


def _is_uncompressed(path: Path) -> bool:
    if not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(2) not in (b"", b"\x1f\x8b")


def _row_offsets(path: Path, format: str) -> tuple[int, ...] | None:
    """Return about where each row begins; None if documents are not rows."""
    reader = make(format)
    is_rows = isinstance(reader, RowFormat) and _is_uncompressed(path)
    return reader.row_offsets(path) if is_rows and isinstance(reader, RowFormat) else None


def _first_rows(offsets: tuple[int, ...], size: int) -> list[int]:
    """Return the rows that shards of at least so many bytes begin with.

    >>> _first_rows((0, 40, 90, 130, 170), 80)
    [0, 2, 4]
    """
    rows, last = [0], 0
    for row, offset in enumerate(offsets):
        if offset - last >= size:
            rows.append(row)
            last = offset
    return rows


def _row_shards(path: Path, format: str, offsets: tuple[int, ...], rows: list[int]) -> list[Shard]:
    """Return the shards of a file that is cut before these rows."""
    edges = [(offsets[row], row) for row in rows]
    edges.append((path.stat().st_size, len(offsets)))
    return [
        Shard(path=path, format=format, start=start, end=end, rows=(first, last))
        for (start, first), (end, last) in pairwise(edges)
    ]


def _shards_between(path: Path, format: str, cuts: Sequence[DocumentStart]) -> list[Shard]:
    """Return the shards of a file that is cut before these documents."""
    declared = _declarations(path) if format == "corefud" and cuts else []
    edges = [0, *(cut.offset for cut in cuts), path.stat().st_size]
    return [
        Shard(
            path=path,
            format=format,
            start=start,
            end=end,
            # Of several declarations of one kind, the last before the shard is in force.
            declared=b"".join({kind: line for at, kind, line in declared if at < start}.values()),
        )
        for start, end in pairwise(edges)
    ]


def _declarations(path: Path) -> list[tuple[int, bytes, bytes]]:
    """Return offset, kind and line of what a file declares for all documents that follow."""
    with open(path, "rb") as file:
        return [
            (start + match.start(), match["kind"], match.group())
            for start, lines in _line_blocks(file, size=_DECLARATION_BLOCK_BYTES)
            if b"# global." in lines
            for match in _GLOBAL_DECLARATION.finditer(lines)
        ]


def find_cuts(path: Path, format: str, size: int) -> list[DocumentStart]:
    """Return the documents to cut before, so that pieces have at least so many bytes.

    The file is never cut before the first document: what precedes it belongs to it.
    """
    with open(path, "rb") as file:
        first = next(_document_starts(file, format, 0), None)
        if first is None:
            return []
        cuts, offset = [], max(size, first.offset + 1)
        while (cut := next(_document_starts(file, format, offset), None)) is not None:
            cuts.append(cut)
            offset = cut.offset + size
        return cuts


def find_matching_cuts(
    path: Path, format: str, other: Path, cuts: Sequence[DocumentStart]
) -> list[DocumentStart] | None:
    """Return the documents with the names of cuts in another file; None if one is not found."""
    scale = path.stat().st_size / max(other.stat().st_size, 1)
    matches, last_cut, last_match = [], 0, 0
    with open(path, "rb") as file:
        for cut in cuts:
            guess = last_match + round((cut.offset - last_cut) * scale)
            match = _find_near(file, format, cut.name, guess, after=last_match)
            if match is None:
                return None
            matches.append(match)
            last_cut, last_match = cut.offset, match.offset
    return matches


def _find_near(file: BinaryIO, format: str, name: bytes | None, guess: int, *, after: int) -> DocumentStart | None:
    """Search for a document at growing distances from where it is expected."""
    distance = _SEARCH_BYTES
    while name is not None and distance <= _MAX_SEARCH_DISTANCE:
        for start in _document_starts(file, format, max(guess - distance, after + 1)):
            if start.name == name:
                return start
            if start.offset > guess + distance:
                break
        distance *= 4
    return None


def _document_starts(file: BinaryIO, format: str, offset: int) -> Iterator[DocumentStart]:
    """Yield the documents that begin at an offset or later."""
    for start, lines in _line_blocks(file, offset):
        for match in DOCUMENT_MARKS[format].finditer(lines):
            yield DocumentStart(offset=start + match.start(), name=match["name"])


def _line_blocks(file: BinaryIO, offset: int = 0, size: int = _SEARCH_BYTES) -> Iterator[tuple[int, bytes]]:
    """Yield blocks of whole lines, from the first line that begins at an offset or later."""
    file.seek(max(offset - 1, 0))
    if offset:
        file.readline()
    start = file.tell()
    while lines := file.read(size) + file.readline():
        yield start, lines
        start += len(lines)
