"""Sources of bytes: files, parts of files, compressed files, standard input and memory."""

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from corefbench.errors import DataError, Place
from corefbench.records import Record

MAX_UNPACKED_BYTES = 1 << 30
"""The most bytes that a packed file may unpack to."""
RATIO_EXEMPT_BYTES = 64 << 20
"""Files that unpack to no more than this may have any ratio …"""
MAX_UNPACK_RATIO = 200
"""… larger ones at most this ratio of unpacked to packed bytes; text has 3 to 30."""

_READ_BYTES = 1 << 20


class FileSlice(io.RawIOBase):
    """Part of a file as a stream, after some bytes that are put before it.

    Bytes are read from the file into the caller's buffer and not kept.
    """

    def __init__(self, path: Path, start: int, end: int, before: bytes = b"") -> None:
        super().__init__()
        self._file = open(path, "rb", buffering=0)  # noqa: SIM115
        self._start, self._end, self._before = start, end, before
        self.seek(0)

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Seek to an offset from the start."""
        if whence != io.SEEK_SET:
            raise io.UnsupportedOperation("only offsets from the start are supported")
        self._position = offset
        self._file.seek(self._start + max(offset - len(self._before), 0))
        return offset

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: Any) -> int:
        """Read as many bytes as fit into the buffer and the file gives at once."""
        view = memoryview(buffer).cast("B")
        prefix = self._before[self._position : self._position + len(view)]
        view[: len(prefix)] = prefix
        remaining = self._end - self._start - max(self._position - len(self._before), 0)
        room = view[len(prefix) : len(prefix) + max(remaining, 0)]
        count = len(prefix) + (self._file.readinto(room) or 0)
        self._position += count
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


class Source(Record, frozen=True):
    """Named bytes that can be opened once or many times."""

    name: str
    path: Path | None = None
    content: bytes | None = None
    window: tuple[int, int] | None = None
    """First byte of the file and the one past the last; None for all."""
    before: bytes = b""
    """What is read before the window."""

    @classmethod
    def of(cls, where: str | Path | bytes) -> "Source":
        """Return the source of a path, of bytes, or of standard input (``-``).

        Standard input and named pipes are read whole, since they cannot be read twice.

        >>> Source.of(b"abc").stem
        'memory'
        """
        if isinstance(where, bytes):
            return cls(name="memory", content=where)
        if str(where) == "-":
            return cls(name="stdin", content=sys.stdin.buffer.read())
        if is_valid_path(str(where)) and Path(where).is_fifo():
            return cls(name=str(where), content=Path(where).read_bytes())
        return cls(name=str(where), path=Path(where))

    @property
    def stem(self) -> str:
        """The bare name, without folders and extensions."""
        name = Path(self.name).name.removesuffix(".gz")
        return name.rsplit(".", 1)[0] if "." in name.lstrip(".") else name

    @property
    def size(self) -> int:
        """The number of bytes on disk or in memory."""
        if self.content is not None:
            return len(self.content)
        if self.window is not None:
            return len(self.before) + self.window[1] - self.window[0]
        return self.path.stat().st_size if self.path is not None else 0

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open an unbuffered stream; gzip is decompressed."""
        with self._open_raw() as raw:
            if raw.read(2) == b"\x1f\x8b":
                raw.seek(0)
                with _UnpackedFile(raw, self.name) as unpacked:
                    try:
                        yield cast(BinaryIO, unpacked)
                    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                        raise unreadable_error(self.name, error) from error
            else:
                raw.seek(0)
                yield raw

    def _open_raw(self) -> BinaryIO:
        if self.content is not None:
            return io.BytesIO(self.content)
        path = cast(Path, self.path)
        try:
            if self.window is not None:
                return cast(BinaryIO, FileSlice(path, *self.window, self.before))
            return open(path, "rb", buffering=0)
        except OSError as error:
            raise unreadable_error(self.name, error) from error

    def with_newlines(self) -> "Source":
        """Return the source or, if its lines end in carriage returns only, one of the same lines with newlines."""
        head = self.head()
        if b"\r" not in head or b"\n" in head:
            return self
        with self.open() as stream:
            content = stream.read().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        return Source(name=self.name, content=content)

    def head(self, size: int = 1 << 16) -> bytes:
        """Return the first bytes, to detect the format."""
        with self.open() as stream:
            try:
                return stream.read(size)
            except (OSError, EOFError) as error:
                raise unreadable_error(self.name, error) from error


class _UnpackedFile(gzip.GzipFile):
    """A gzip stream with a budget: a few kilobytes can unpack to gigabytes."""

    def __init__(self, packed: BinaryIO, name: str) -> None:
        super().__init__(fileobj=packed)
        self._packed = packed
        self._source = name
        self._unpacked_bytes = 0

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0:
            return b"".join(iter(lambda: self.read(_READ_BYTES), b""))
        piece = super().read(size)
        self._unpacked_bytes += len(piece)
        # Text never packs 200 to 1, except where it is made to fill memory.
        if self._unpacked_bytes > MAX_UNPACKED_BYTES or (
            self._unpacked_bytes > RATIO_EXEMPT_BYTES and self._unpacked_bytes > MAX_UNPACK_RATIO * self._packed.tell()
        ):
            raise DataError(
                "the packed file unpacks to too much",
                code="CB118",
                place=Place(source=self._source),
                found=f"{self._unpacked_bytes >> 20} MB and more from {self._packed.tell() >> 10} KB",
                expected=f"at most {MAX_UNPACKED_BYTES >> 20} MB, and at most {MAX_UNPACK_RATIO} "
                f"times as large as packed where that is more than {RATIO_EXEMPT_BYTES >> 20} MB",
                remedy="unpack it yourself if you trust it",
            )
        return piece


def is_valid_path(path: str) -> bool:
    """Whether a file can have that path; the system raises an error for others.

    >>> is_valid_path("a/b.xml"), is_valid_path("x" * 256)
    (True, False)
    """
    pieces = path.replace("\\", "/").split("/")
    return len(path) < 4096 and "\0" not in path and all(len(p.encode()) < 256 for p in pieces)


def unreadable_error(name: str, error: Exception) -> DataError:
    """Return the coded error for a file that cannot be read or unpacked."""
    return DataError(
        "the file cannot be read",
        code="CB118" if isinstance(error, EOFError | gzip.BadGzipFile | zlib.error) else "CB006",
        place=Place(source=name),
        found=getattr(error, "strerror", None) or str(error),
        remedy="check the path and its permissions",
    )
