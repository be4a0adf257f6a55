"""A file in shards of whole documents, which workers read each for itself.

Formats that mark where a document begins, at the beginning of a line, can be cut there: the CoNLL
family, CorefUD, JSON lines. What a file declares once (``# global.Entity``) is put before a shard
that begins behind it. Packed files, standard input and other formats are not cut.
"""

import mmap
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from corefbench.formats import make
from corefbench.formats.base import Reading
from corefbench.formats.load import readers
from corefbench.formats.sniff import sniff
from corefbench.formats.source import Source
from corefbench.model.corpus import Corpus
from corefbench.record import Record

BEGINNINGS = {
    "conll": re.compile(rb"^#[ \t]*begin[ \t]+document", re.MULTILINE),
    "semeval": re.compile(rb"^#[ \t]*begin[ \t]+document", re.MULTILINE),
    "corefud": re.compile(rb"^# newdoc", re.MULTILINE),
    "jsonlines": re.compile(rb"^\{", re.MULTILINE),
    "preco": re.compile(rb"^\{", re.MULTILINE),
}
"""What the first line of a document begins with, by format."""

BYTES = 8 << 20
"""In a shard: many enough that sending it off costs nothing, few for memory."""

_DECLARED = re.compile(rb"^# global\.[^\n]*\n", re.MULTILINE)


class Shard(Record, frozen=True):
    """Bytes of a file that are documents of their own."""

    path: Path
    format: str
    start: int = 0
    end: int | None = None
    """None: to the end of the file, which may then be packed."""
    declared: bytes = b""

    @property
    def size(self) -> int:
        """How many bytes there are to read."""
        return (self.path.stat().st_size if self.end is None else self.end) - self.start

    def read(self, reading: Reading) -> Iterator[Corpus]:
        """The documents, as if they were read in the middle of the file."""
        source = Source.of(self.path)
        if self.end is not None:
            with open(self.path, "rb") as file:
                file.seek(self.start)
                content = self.declared + file.read(self.end - self.start)
            source = Source(name=str(self.path), content=content)
        return make(self.format).read(source, reading)


class Cuts(Record, frozen=True):
    """Where the documents of a file begin."""

    path: Path
    format: str
    beginnings: tuple[int, ...]
    """In bytes; what stands before the first mark goes with the first document."""
    declarations: tuple[tuple[int, bytes], ...]
    size: int

    def starts(self, size: int) -> list[int]:
        """The documents that shards of at least so many bytes begin with."""
        chosen, last = [0], 0
        for number, beginning in enumerate(self.beginnings):
            if beginning - last >= size:
                chosen.append(number)
                last = beginning
        return chosen

    def shards(self, documents: list[int]) -> list[Shard]:
        """The file cut before the documents with these numbers, of which the first is 0."""
        edges = [*(self.beginnings[number] for number in documents), self.size]
        return [
            Shard(
                path=self.path,
                format=self.format,
                start=start,
                end=end,
                declared=self._declared_before(start),
            )
            for start, end in pairwise(edges)
        ]

    def _declared_before(self, place: int) -> bytes:
        said = {line.split(b"=")[0]: line for at, line in self.declarations if at < place}
        return b"".join(said.values())


def cuts(path: Path, format: str) -> Cuts | None:
    """Where a file can be cut; None where it cannot."""
    mark = BEGINNINGS.get(format)
    if mark is None or not path.is_file() or not path.stat().st_size:
        return None
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        if data[:2] == b"\x1f\x8b":
            return None
        found = [match.start() for match in mark.finditer(data)]
        declared = _DECLARED.finditer(data) if format == "corefud" else ()
        return Cuts(
            path=path,
            format=format,
            beginnings=(0, *found[1:]),
            declarations=tuple((match.start(), match.group()) for match in declared),
            size=len(data),
        )


def files_of(where: str | Path, format: str | None = None) -> list[tuple[Path, str]]:
    """The files to read, with their formats; none where a worker could not open them."""
    found = []
    for source, reader in readers(where, format):
        if source.path is None:
            return []
        found.append((source.path, format or (reader or sniff(source)).card.name))
    return found


def groups_of(
    files: list[tuple[Path, str]], *more: list[tuple[Path, str]], size: int = BYTES
) -> Iterator[tuple[tuple[Shard, ...], ...]]:
    """Whole files, as many together as make a shard; those of ``more`` with them."""
    edges, total = [0], 0
    for number, (path, _) in enumerate(files, start=1):
        total += path.stat().st_size
        if total >= size or number == len(files):
            edges.append(number)
            total = 0
    for start, end in pairwise(edges):
        yield tuple(
            tuple(Shard(path=path, format=name) for path, name in side[start:end])
            for side in (files, *more)
        )


def shards_of(
    where: str | Path, format: str | None = None, size: int = BYTES
) -> list[tuple[Shard, ...]]:
    """A file or a folder in shards of about that size; none where it can only be read whole."""
    files = files_of(where, format)
    if len(files) == 1:
        cut = cuts(*files[0])
        return [(shard,) for shard in cut.shards(cut.starts(size))] if cut is not None else []
    return [group for (group,) in groups_of(files, size=size)]
