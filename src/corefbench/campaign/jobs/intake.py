"""Uploads, read within a budget: a plain file, a gzip file or a zip archive of several files.

Nothing is ever extracted to disk. Unpacked bytes are counted as they come, whatever the archive
says of itself, and no name inside an archive is ever a path.
"""

import gzip
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from corefbench.campaign.jobs.archives import ZIP, coded, members, packed_kind, refused
from corefbench.campaign.jobs.budget import BUDGET, Budget
from corefbench.campaign.jobs.pairs import as_sources
from corefbench.errors import DataError, Place
from corefbench.findings import Finding
from corefbench.formats import Format, make
from corefbench.formats.check import check_files
from corefbench.formats.load import stream_files
from corefbench.formats.source import Source
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus

__all__ = ["Budget", "check_answers", "read_answers", "shown_name"]

_STEP = 1 << 16
_UNSHOWN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def read_answers(
    path: Path, file_name: str, budget: Budget = BUDGET, format: str | None = None
) -> Corpus:
    """The answers of an upload, read strictly."""
    files = list(_files(path, file_name, budget, format))
    pieces = [piece for piece in stream_files(files) if len(piece.documents)]
    if not pieces:
        place = Place(source=shown_name(file_name))
        raise DataError("there are no documents", code="CB102", place=place)
    return concatenate(pieces[0].name if len(pieces) == 1 else shown_name(file_name), pieces)


def check_answers(
    path: Path, file_name: str, budget: Budget = BUDGET, format: str | None = None
) -> list[Finding]:
    """What ``corefbench check`` says of the answers of an upload."""
    return check_files(_files(path, file_name, budget, format))


def shown_name(file_name: str) -> str:
    """The name of an upload as people are shown it: no folders, nothing invisible, not long.

    >>> shown_name("C:\\\\runs\\\\../a\\u202eb.conll\\x00")
    'ab.conll'
    """
    bare = _UNSHOWN.sub("", file_name.replace("\\", "/")).rsplit("/", 1)[-1].strip()
    return bare[:100] if bare.strip(".") else "answers"


def _files(
    path: Path, file_name: str, budget: Budget, format: str | None
) -> Iterator[tuple[Source, Format | None]]:
    reader = make(format) if format else None
    for source in _sources(path, shown_name(file_name), budget):
        _check_lines(source, budget)
        yield source, reader


def _sources(path: Path, name: str, budget: Budget) -> list[Source]:
    """The files of an upload, unpacked in memory."""
    size = path.stat().st_size
    if size > budget.packed:
        raise over(name, "the upload is too large", f"{size:,} bytes", f"{budget.packed:,} bytes")
    with path.open("rb") as stream:
        kind = packed_kind(stream.read(512))
        stream.seek(0)
        meter = Meter(name, budget, size)
        if kind == ZIP:
            with coded(name):
                found = [(n, meter.read(entry, n)) for n, entry in members(stream, name, budget)]
            return as_sources(found, name)
        if kind == "gzip":
            try:
                with gzip.GzipFile(fileobj=stream) as unpacked:
                    content = meter.read(unpacked, name)
            except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                raise refused(name, "the gzip file is broken or cut short", str(error)) from error
            return [Source(name=name, content=content)]
        if kind:
            raise refused(name, f"{kind} archives are not taken", kind)
        return [Source(name=name, content=meter.read(stream, name))]


class Meter:
    """Reads streams whole, and stops as soon as all of them are more than the budget."""

    def __init__(self, name: str, budget: Budget, packed: int) -> None:
        self._name, self._budget, self._packed = name, budget, packed
        self._given = 0

    def read(self, stream: IO[bytes] | gzip.GzipFile, inside: str) -> bytes:
        """All bytes of a stream, which must not be an archive again."""
        pieces = []
        while piece := stream.read(_STEP):
            self._given += len(piece)
            self._check()
            pieces.append(piece)
        content = b"".join(pieces)
        kind = packed_kind(content[:512])
        if kind:
            raise refused(self._name, "an archive lies inside the archive", f"{kind}: {inside}")
        return content

    def _check(self) -> None:
        given, budget = self._given, self._budget
        if given > budget.unpacked:
            raise over(
                self._name,
                "the upload unpacks to too much",
                f"more than {budget.unpacked:,} bytes from {self._packed:,}",
                f"{budget.unpacked:,} bytes",
            )
        if given > max(budget.unsuspected, budget.ratio * self._packed):
            raise over(
                self._name,
                "the upload unpacks to suspiciously much",
                f"more than {given:,} bytes from {self._packed:,}",
                f"{budget.ratio} times as much as was packed",
            )


def over(name: str, message: str, found: str, most: str) -> DataError:
    """The error for what exceeds its budget."""
    return DataError(
        message, code="CB309", place=Place(source=name), found=found, expected=f"at most {most}"
    )


def _check_lines(source: Source, budget: Budget) -> None:
    content = source.content or b""
    start, number = 0, 1
    while len(content) - start > budget.line:
        end = content.rfind(b"\n", start, start + budget.line + 1)
        if end < 0:
            line = number + content.count(b"\n", 0, start)
            raise DataError(
                "a line is too long",
                code="CB309",
                place=Place(source=source.name, line=line),
                expected=f"at most {budget.line:,} bytes",
            )
        start = end + 1
