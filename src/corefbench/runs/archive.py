"""The container: a zip of JSON entries, written whole or not at all, read with suspicion.

The same entries give the same bytes: no times, one order, one way of packing. Nothing is ever
unpacked to disk, and what an archive may hold is checked before anything in it is read.
"""

import os
import re
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, Protocol

from corefbench.errors import DataError, FormatError, Place, UsageError
from corefbench.formats.source import MAX_UNPACK_RATIO, MAX_UNPACKED_BYTES, RATIO_EXEMPT_BYTES, unreadable_error

HEADER = "run.json"
BENCH = "bench.json"
MAX_ENTRIES = 65_000
"""More need another kind of zip, whose directory would have to be read before it can be doubted."""

_NAME = re.compile(r"run\.json|bench\.json|(?:results|documents)/[0-9]{5}\.json")
_LOCAL_SIZE = 30
_MAGIC = b"PK\x03\x04"
_END = b"PK\x05\x06"
_END_SIZE = 22
_LARGE_END = b"PK\x06\x07"
"""Stands before the end of a zip whose directory is of the other, unlimited kind."""
_LARGE_END_SIZE = 20
_DIRECTORY_ROW = 128
"""Bytes that no row of the directory needs."""
_EPOCH = (1980, 1, 1, 0, 0, 0)


def result_entry(number: int) -> str:
    """Return the name of the entry of a result."""
    return f"results/{number:05d}.json"


def document_entry(number: int) -> str:
    """Return the name of the entry of a document."""
    return f"documents/{number:05d}.json"


class Entries(Protocol):
    """Named bytes: in memory, or in an archive."""

    source: str

    def names(self) -> list[str]:
        """Return all names, sorted."""
        ...

    def read(self, name: str) -> bytes:
        """Return the bytes of one entry."""
        ...


class MemoryEntries:
    """Entries of a new run, in memory."""

    source = "memory"

    def __init__(self, entries: dict[str, bytes]) -> None:
        self._entries = entries

    def names(self) -> list[str]:
        return sorted(self._entries)

    def read(self, name: str) -> bytes:
        return self._entries[name]


class ArchiveEntries:
    """Entries of a file, read on demand."""

    def __init__(self, path: Path) -> None:
        self.path, self.source = path, str(path)
        self._size = _checked_size(path)
        with self._open() as archive:
            self._known = self._checked(archive.infolist())

    def names(self) -> list[str]:
        return sorted(self._known)

    def read(self, name: str) -> bytes:
        info = self._known.get(name)
        if info is None:
            raise _damaged_error(self.source, f"no entry {name}")
        try:
            content = _decompress(self._packed(info), info)
        except (OSError, zlib.error) as error:
            raise _damaged_error(self.source, f"{name}: {error}") from error
        if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
            raise _damaged_error(self.source, f"{name}: other bytes than were written")
        return content

    def _packed(self, info: zipfile.ZipInfo) -> bytes:
        """Return the compressed bytes of an entry, without reading the directory again."""
        with open(self.path, "rb") as stream:
            # Name and extra field, of variable length, stand between the local header and the data.
            stream.seek(info.header_offset)
            head = stream.read(_LOCAL_SIZE)
            stream.seek(int.from_bytes(head[26:28], "little"), os.SEEK_CUR)
            stream.seek(int.from_bytes(head[28:30], "little"), os.SEEK_CUR)
            return stream.read(info.compress_size)

    def _open(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self.path)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, UnicodeError) as error:
            raise _damaged_error(self.source, str(error)) from error
        except OSError as error:
            raise unreadable_error(self.source, error) from error

    def _checked(self, infos: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
        """Check the directory: only entries of a run, each once, of plausible size."""
        known: dict[str, zipfile.ZipInfo] = {}
        for info in infos:
            packing = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
            if not _NAME.fullmatch(info.filename) or not packing or info.flag_bits & 1:
                raise _damaged_error(self.source, f"an entry {info.filename[:80]!r}")
            if info.filename in known:
                raise _damaged_error(self.source, f"two entries {info.filename}")
            known[info.filename] = info
        if HEADER not in known:
            raise _damaged_error(self.source, f"no entry {HEADER}")
        self._doubt(sum(info.file_size for info in infos))
        return known

    def _doubt(self, unpacked: int) -> None:
        """Raise if the archive would unpack to more than its size makes plausible."""
        if unpacked > MAX_UNPACKED_BYTES or (
            unpacked > RATIO_EXEMPT_BYTES and unpacked > MAX_UNPACK_RATIO * self._size
        ):
            raise DataError(
                "the run file unpacks to too much",
                code="CB118",
                place=Place(source=self.source),
                found=f"{unpacked >> 20} MB from {self._size >> 10} KB",
                expected=f"at most {MAX_UNPACKED_BYTES >> 20} MB, and at most {MAX_UNPACK_RATIO} "
                f"times as large as packed where that is more than {RATIO_EXEMPT_BYTES >> 20} MB",
                remedy="this is not what corefbench writes: do not trust the file",
            )


def _decompress(packed: bytes, info: zipfile.ZipInfo) -> bytes:
    """Decompress an entry; one byte more than declared is enough to detect a false size."""
    if info.compress_type == zipfile.ZIP_STORED:
        return packed
    return zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, info.file_size + 1)


def has_run_header(path: Path) -> bool:
    """Whether the file is a zip whose first entry is the header of a run."""
    try:
        with open(path, "rb") as stream:
            head = stream.read(_LOCAL_SIZE + len(HEADER))
    except OSError:
        return False
    return head.startswith(_MAGIC) and head[_LOCAL_SIZE:] == HEADER.encode()


def write_archive(path: Path, entries: Iterable[tuple[str, bytes]]) -> None:
    """Write the archive atomically: to a temporary file beside the path, then rename it."""
    # A random name: threads of one process may write the same path at the same time.
    partly = path.with_name(f".{path.name}.{token_hex(8)}.partly")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(partly, "wb") as stream:
                _write_zip(stream, entries)
                stream.flush()
                # Synced before the rename: after a crash the path has the old file or all of the
                # new one.
                os.fsync(stream.fileno())
            os.replace(partly, path)
        finally:
            partly.unlink(missing_ok=True)
    except OSError as error:
        raise DataError(
            "the run file cannot be written",
            code="CB006",
            place=Place(source=str(path)),
            found=error.strerror or str(error),
            remedy="check the path and its permissions",
        ) from error


def _write_zip(stream: BinaryIO, entries: Iterable[tuple[str, bytes]]) -> None:
    with zipfile.ZipFile(stream, "w", allowZip64=False) as archive:
        for name, content in entries:
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            # Constant platform, permissions and time: equal runs are equal bytes.
            info.create_system, info.external_attr = 3, 0o644 << 16
            archive.writestr(info, content)


def check_size(entries: int, size: int) -> None:
    """Raise if the archive would be too large to be read again."""
    if entries > MAX_ENTRIES or size > MAX_UNPACKED_BYTES:
        raise UsageError(
            "the run is too large for a run file",
            found=f"{entries:,} entries of {size >> 20} MB",
            expected=f"at most {MAX_ENTRIES:,} entries of {MAX_UNPACKED_BYTES >> 20} MB",
            remedy="score without --run, or in parts",
        )


def _checked_size(path: Path) -> int:
    """Return the size of a file; raise unless it ends like a small zip with a small directory."""
    try:
        with open(path, "rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - _LARGE_END_SIZE - _END_SIZE))
            before, end = stream.read(_LARGE_END_SIZE), stream.read(_END_SIZE)
    except OSError as error:
        raise unreadable_error(str(path), error) from error
    # zipfile reads the whole directory into memory, so its declared size is checked first.
    rows, directory = (int.from_bytes(end[a:b], "little") for a, b in ((10, 12), (12, 16)))
    if (
        not end.startswith(_END)
        or before.startswith(_LARGE_END)
        or rows > MAX_ENTRIES
        or directory > MAX_ENTRIES * _DIRECTORY_ROW
    ):
        raise _damaged_error(str(path), "the end of the file is not the end of a run")
    return size


def _damaged_error(source: str, found: str) -> FormatError:
    return FormatError(
        "the run file is damaged",
        code="CB118",
        place=Place(source=source),
        found=found,
        remedy="copy it again from where it was made, or make the run again",
    )
