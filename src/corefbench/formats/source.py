"""Where bytes come from: a file, a compressed file, standard input, or memory."""

import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from corefbench.errors import DataError, Place
from corefbench.formats.window import Window
from corefbench.record import Record

UNPACKED_BUDGET = 1 << 30
"""The most bytes that a packed file may unpack to."""
UNSUSPECTED = 64 << 20
"""So many unpacked bytes are taken whatever they were packed into …"""
RATIO_BUDGET = 200
"""… more only if they are at most so many times as many as the packed ones; text packs 3 to 30."""

_STEP = 1 << 20


class Source(Record, frozen=True):
    """Named bytes that can be opened once or many times."""

    name: str
    path: Path | None = None
    content: bytes | None = None
    window: tuple[int, int] | None = None
    """From which byte of the file to before which; all where it is None."""
    before: bytes = b""
    """What is read before a window."""

    @classmethod
    def of(cls, where: str | Path | bytes) -> "Source":
        """A path, ``-`` for standard input (read whole, it cannot be read twice), or bytes.

        >>> Source.of(b"abc").stem
        'memory'
        """
        if isinstance(where, bytes):
            return cls(name="memory", content=where)
        if str(where) == "-":
            return cls(name="stdin", content=sys.stdin.buffer.read())
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
        """The bytes as an unbuffered stream; ``.gz`` is unpacked on the way."""
        with self._opened() as raw:
            if raw.read(2) == b"\x1f\x8b":
                raw.seek(0)
                with _Unpacked(raw, self.name) as unpacked:
                    try:
                        yield cast(BinaryIO, unpacked)
                    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
                        raise unreadable(self.name, error) from error
            else:
                raw.seek(0)
                yield raw

    def _opened(self) -> BinaryIO:
        if self.content is not None:
            return io.BytesIO(self.content)
        path = cast(Path, self.path)
        try:
            if self.window is not None:
                return cast(BinaryIO, Window(path, *self.window, self.before))
            return open(path, "rb", buffering=0)
        except OSError as error:
            raise unreadable(self.name, error) from error

    def head(self, size: int = 1 << 16) -> bytes:
        """The first bytes, for recognising the format."""
        with self.open() as stream:
            try:
                return stream.read(size)
            except (OSError, EOFError) as error:
                raise unreadable(self.name, error) from error


class _Unpacked(gzip.GzipFile):
    """A packed file, unpacked within a budget: a few kilobytes can hold gigabytes of nothing."""

    def __init__(self, packed: BinaryIO, name: str) -> None:
        super().__init__(fileobj=packed)
        self._packed = packed
        self._source = name
        self._given = 0

    def read(self, size: int | None = -1) -> bytes:
        if size is None or size < 0:
            return b"".join(iter(lambda: self.read(_STEP), b""))
        piece = super().read(size)
        self._given += len(piece)
        if self._given > UNPACKED_BUDGET or (
            self._given > UNSUSPECTED and self._given > RATIO_BUDGET * self._packed.tell()
        ):
            raise DataError(
                "the packed file unpacks to too much",
                code="CB118",
                place=Place(source=self._source),
                found=f"{self._given >> 20} MB and more from {self._packed.tell() >> 10} KB",
                expected=f"at most {UNPACKED_BUDGET >> 20} MB, and at most {RATIO_BUDGET} times as "
                f"large as packed where that is more than {UNSUSPECTED >> 20} MB",
                remedy="unpack it yourself if you trust it",
            )
        return piece


def is_nameable(path: str) -> bool:
    """Whether a file could be called that; asking the system about other names is an error.

    >>> is_nameable("a/b.xml"), is_nameable("x" * 256)
    (True, False)
    """
    pieces = path.replace("\\", "/").split("/")
    return len(path) < 4096 and "\0" not in path and all(len(p.encode()) < 256 for p in pieces)


def unreadable(name: str, error: Exception) -> DataError:
    """The coded error for what the operating system or the unpacker refused."""
    return DataError(
        "the file cannot be read",
        code="CB118" if isinstance(error, EOFError | gzip.BadGzipFile | zlib.error) else "CB006",
        place=Place(source=name),
        found=getattr(error, "strerror", None) or str(error),
        remedy="check the path and its permissions",
    )
