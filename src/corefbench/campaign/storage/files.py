"""Files by their content: ``ab/cdef…`` is the file whose SHA-256 is ``abcdef…``.

A file is written under another name, synced and renamed, and then its folder is synced: whoever has
a ``Stored`` in hand has a file that outlives a ``kill -9`` and a loss of power. The same content
twice is one file.
"""

import hashlib
import os
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from corefbench.errors import DataError
from corefbench.record import Record

HELD = 256 << 10
"""Bytes that are held in memory before they are written."""
_INCOMING = "incoming"
_KEEPERS = 16
"""Files that are synced at the same time."""


class Stored(Record, frozen=True):
    """A file that is kept."""

    sha256: str
    bytes: int


class Incoming:
    """A file that arrives in pieces; without ``commit`` nothing of it stays."""

    def __init__(self, store: "FileStore", limit: int) -> None:
        self.path = Path(store.arriving, secrets.token_hex(16))
        self.bytes = 0
        self._store = store
        self._limit = limit
        self._hash = hashlib.sha256()
        self._held = bytearray()
        self._file: BinaryIO | None = None
        self._kept = False

    @property
    def is_small(self) -> bool:
        """Whether nothing of it had to be written yet."""
        return self._file is None

    def __enter__(self) -> "Incoming":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._file is not None:
            self._file.close()
            self.path.unlink(missing_ok=True)

    def write(self, chunk: bytes) -> None:
        """Take the next piece; over the limit is over the budget.

        What is small is held in memory and written when it is complete.
        """
        self.bytes += len(chunk)
        if self.bytes > self._limit:
            raise DataError(
                "the upload is too large",
                code="CB309",
                found=f"more than {self._limit} bytes",
                expected=f"at most {self._limit} bytes",
            )
        self._hash.update(chunk)
        self._held += chunk
        if len(self._held) > HELD:
            self._write_held()

    def flush(self) -> None:
        """Let others read at ``path`` what has arrived."""
        self._write_held().flush()

    def _write_held(self) -> BinaryIO:
        if self._file is None:
            made = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            self._file = open(made, "wb")  # noqa: SIM115
        self._file.write(self._held)
        self._held.clear()
        return self._file

    def commit(self) -> Stored:
        """Keep the file: on return it is on disk under its name; twice is once."""
        stored = Stored(sha256=self._hash.hexdigest(), bytes=self.bytes)
        if not self._kept:
            file = self._write_held()
            file.flush()
            os.fsync(file.fileno())
            file.close()
            self._store.take_in(self.path, stored.sha256)
            self._file, self._kept = None, True
        return stored


class FileStore:
    """A folder of files by their content."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.arriving = folder / _INCOMING
        self.arriving.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._keepers = ThreadPoolExecutor(_KEEPERS, "files")

    def incoming(self, limit: int) -> Incoming:
        """A new file, of at most ``limit`` bytes: to be used with ``with``."""
        return Incoming(self, limit)

    def put(self, data: bytes) -> Stored:
        """Keep a file that is in memory."""
        with self.incoming(len(data)) as incoming:
            incoming.write(data)
            return incoming.commit()

    def keep_all(self, arrived: Sequence[Incoming]) -> list[Stored]:
        """Keep files that have arrived; a disk syncs many at once nearly as soon as one."""
        first, *others = (arrived[start::_KEEPERS] for start in range(_KEEPERS))
        under_way = self._keepers.map(_commit, filter(None, others))
        _commit(first)
        for _ in under_way:
            pass
        return [one.commit() for one in arrived]

    def take_in(self, file: Path, sha256: str) -> None:
        """Give a file that is on disk the name of its content, for good."""
        folder = os.path.join(self.folder, sha256[:2])
        kept = os.path.join(folder, sha256[2:])
        try:
            os.replace(file, kept)
        except FileNotFoundError:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            _sync(self.folder)
            os.replace(file, kept)
        _sync(folder)

    def path(self, sha256: str) -> Path:
        """Where a file is, or would be."""
        return self.folder / sha256[:2] / sha256[2:]

    def read(self, sha256: str) -> bytes:
        """The whole of a file."""
        return self.path(sha256).read_bytes()

    def all(self) -> Iterator[str]:
        """The SHA-256 of every file, in order."""
        for folder in sorted(self.folder.iterdir()):
            if folder.name != _INCOMING:
                yield from sorted(folder.name + file.name for file in folder.iterdir())

    def abandoned(self) -> Iterator[Path]:
        """Files that never arrived whole, or are arriving now."""
        yield from sorted(self.arriving.iterdir())


def _commit(arrived: Sequence[Incoming]) -> None:
    for one in arrived:
        one.commit()


def _sync(folder: Path | str) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
