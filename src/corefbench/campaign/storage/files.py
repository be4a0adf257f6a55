"""Files by their content: ``ab/cdef…`` is the file whose SHA-256 is ``abcdef…``.

A file is written under another name, synced and renamed, and then its folder is synced: whoever has
a ``Stored`` in hand has a file that outlives a ``kill -9`` and a loss of power. The same content
twice is one file.
"""

import hashlib
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from corefbench.errors import DataError
from corefbench.record import Record

_INCOMING = "incoming"


class Stored(Record, frozen=True):
    """A file that is kept."""

    sha256: str
    bytes: int


class Incoming:
    """A file that arrives in pieces; without ``commit`` nothing of it stays."""

    def __init__(self, store: "FileStore", limit: int) -> None:
        self.path = store.folder / _INCOMING / secrets.token_hex(16)
        self.bytes = 0
        self._store = store
        self._limit = limit
        self._hash = hashlib.sha256()
        self._file = open(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")  # noqa: SIM115

    def __enter__(self) -> "Incoming":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        self.path.unlink(missing_ok=True)

    def write(self, chunk: bytes) -> None:
        """Take the next piece; over the limit is over the budget."""
        self.bytes += len(chunk)
        if self.bytes > self._limit:
            raise DataError(
                "the upload is too large",
                code="CB309",
                found=f"more than {self._limit} bytes",
                expected=f"at most {self._limit} bytes",
            )
        self._hash.update(chunk)
        self._file.write(chunk)

    def flush(self) -> None:
        """Let others read at ``path`` what has arrived."""
        self._file.flush()

    def commit(self) -> Stored:
        """Keep the file: on return it is on disk under its name."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        sha256 = self._hash.hexdigest()
        kept = self._store.path(sha256)
        if not kept.parent.is_dir():
            kept.parent.mkdir(exist_ok=True, mode=0o700)
            _sync(self._store.folder)
        self.path.replace(kept)
        _sync(kept.parent)
        return Stored(sha256=sha256, bytes=self.bytes)


class FileStore:
    """A folder of files by their content."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / _INCOMING).mkdir(parents=True, exist_ok=True, mode=0o700)

    def incoming(self, limit: int) -> Incoming:
        """A new file, of at most ``limit`` bytes: to be used with ``with``."""
        return Incoming(self, limit)

    def put(self, data: bytes) -> Stored:
        """Keep a file that is in memory."""
        with self.incoming(len(data)) as incoming:
            incoming.write(data)
            return incoming.commit()

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
        yield from sorted((self.folder / _INCOMING).iterdir())


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
