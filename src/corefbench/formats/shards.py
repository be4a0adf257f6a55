"""A file in shards of whole documents, which workers read each for itself.

What a file declares once (``# global.Entity``) is put before a shard that begins behind it. Packed
files, standard input and formats that have neither a mark of documents nor rows are not cut.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from corefbench.formats import make
from corefbench.formats.base import Reading
from corefbench.formats.cutting import Beginning, blocks, can_be_cut, cut, cut_alike
from corefbench.formats.load import readers
from corefbench.formats.rows import RowFormat, beginnings, has_rows, starts
from corefbench.formats.sniff import sniff
from corefbench.formats.source import Source
from corefbench.model.corpus import Corpus
from corefbench.record import Record

BYTES = 32 << 20
"""In a shard: many enough that beginning and sending it off cost nothing, few for memory."""

_DECLARED = re.compile(rb"^(?P<kind># global\.[^=\n]*)[^\n]*\n", re.MULTILINE)
_BLOCK = 1 << 20


class Shard(Record, frozen=True):
    """Bytes of a file that are documents of their own."""

    path: Path
    format: str
    start: int = 0
    end: int | None = None
    """None: to the end of the file, which may then be packed."""
    declared: bytes = b""
    rows: tuple[int, int] | None = None
    """Where documents are rows, from which to before which; the bytes are then about right."""

    @property
    def size(self) -> int:
        """How many bytes there are to read."""
        return (self.path.stat().st_size if self.end is None else self.end) - self.start

    def read(self, reading: Reading) -> Iterator[Corpus]:
        """The documents, as if they were read in the middle of the file."""
        source, form = Source.of(self.path), make(self.format)
        if self.rows is not None and isinstance(form, RowFormat):
            return form.read_rows(source, reading, *self.rows)
        if self.end is not None:
            place = self.start, self.end
            source = Source(name=source.name, path=self.path, window=place, before=self.declared)
        return form.read(source, reading)


def cut_file(path: Path, format: str, size: int = BYTES) -> list[Shard]:
    """A file in shards of at least that size; none where it can only be read whole."""
    if has_rows(path, format):
        places = beginnings(path, format)
        return _rows(path, format, places, starts(places, size))
    if not can_be_cut(path, format):
        return []
    return _between(path, format, cut(path, format, size))


def cut_pair(
    key: tuple[Path, str], response: tuple[Path, str], size: int = BYTES
) -> list[tuple[Shard, Shard]]:
    """Two files cut before the same documents; none where that is not possible."""
    if has_rows(*key) and has_rows(*response):
        places, others = beginnings(*key), beginnings(*response)
        rows = starts(places, size) if len(places) == len(others) else []
        return list(zip(_rows(*key, places, rows), _rows(*response, others, rows), strict=True))
    if not (can_be_cut(*key) and can_be_cut(*response)):
        return []
    keys = cut(*key, size)
    responses = cut_alike(*response, key[0], keys)
    if responses is None:
        return []
    return list(zip(_between(*key, keys), _between(*response, responses), strict=True))


def _rows(path: Path, format: str, places: tuple[int, ...], rows: list[int]) -> list[Shard]:
    """The shards of a file that is cut before these rows."""
    edges = [(places[row], row) for row in rows]
    edges.append((path.stat().st_size, len(places)))
    return [
        Shard(path=path, format=format, start=start, end=end, rows=(first, last))
        for (start, first), (end, last) in pairwise(edges)
    ]


def _between(path: Path, format: str, beginnings: Sequence[Beginning]) -> list[Shard]:
    """The shards of a file that is cut before these documents."""
    declared = _declarations(path) if format == "corefud" and beginnings else []
    edges = [0, *(one.place for one in beginnings), path.stat().st_size]
    return [
        Shard(
            path=path,
            format=format,
            start=start,
            end=end,
            declared=b"".join({kind: line for at, kind, line in declared if at < start}.values()),
        )
        for start, end in pairwise(edges)
    ]


def _declarations(path: Path) -> list[tuple[int, bytes, bytes]]:
    """What a file declares for all that follows: where, of what kind, and the line."""
    with open(path, "rb") as file:
        return [
            (start + match.start(), match["kind"], match.group())
            for start, lines in blocks(file, size=_BLOCK)
            if b"# global." in lines
            for match in _DECLARED.finditer(lines)
        ]


def files_of(where: str | Path, format: str | None = None) -> list[tuple[Path, str]]:
    """The files to read, with their formats; none where a worker could not open them."""
    found = []
    for source, reader in readers(where, format):
        if source.path is None:
            return []
        found.append((source.path, format or (reader or sniff(source)).card.name))
    return found


def groups_of(
    sides: Sequence[list[tuple[Path, str]]],
    cut: Callable[[tuple[tuple[Path, str], ...]], list[tuple[Shard, ...]]],
    size: int = BYTES,
) -> Iterator[tuple[tuple[Shard, ...], ...]]:
    """The files of several sides, as many together as make a shard, or each by itself and ``cut``
    where it is large."""
    waiting: list[tuple[tuple[Path, str], ...]] = []
    total = 0
    for files in zip(*sides, strict=True):
        large = files[0][0].stat().st_size
        pieces = cut(files) if large >= 2 * size else []
        if not pieces:
            waiting.append(files)
            total += large
        if waiting and (pieces or total >= size):
            yield _whole(waiting)
            waiting, total = [], 0
        for together in pieces:
            yield tuple((shard,) for shard in together)
    if waiting:
        yield _whole(waiting)


def _whole(files: list[tuple[tuple[Path, str], ...]]) -> tuple[tuple[Shard, ...], ...]:
    return tuple(
        tuple(Shard(path=path, format=name) for path, name in side)
        for side in zip(*files, strict=True)
    )


def pairs_of(
    keys: list[tuple[Path, str]], responses: list[tuple[Path, str]], size: int = BYTES
) -> Iterator[tuple[tuple[Shard, ...], ...]]:
    """As many files of a key and of a response, in shards with the same documents."""

    def cut(files: tuple[tuple[Path, str], ...]) -> list[tuple[Shard, ...]]:
        return [*cut_pair(files[0], files[1], size)]

    return groups_of([keys, responses], cut, size)


def shards_of(
    where: str | Path, format: str | None = None, size: int = BYTES
) -> list[tuple[Shard, ...]]:
    """A corpus on disk in shards of about that size; one where it can only be read whole."""

    def cut(files: tuple[tuple[Path, str], ...]) -> list[tuple[Shard, ...]]:
        return [(shard,) for shard in cut_file(*files[0], size)]

    return [shards for (shards,) in groups_of([files_of(where, format)], cut, size)]
