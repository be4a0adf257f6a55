"""Content-addressed file store: ``ab/cdef…`` is the file whose SHA-256 is ``abcdef…``.

A file is written under a temporary name, synced and renamed, and then its folder is synced: once
there is a ``StoredFile``, its file survives a ``kill -9`` and a loss of power. The same content is
stored once.
"""

import hashlib
import os
import re
import secrets
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from corefbench.errors import DataError
from corefbench.records import Record

BUFFER_SIZE = 256 << 10
"""Bytes of a file that may stay in memory until it is complete."""
_INCOMING_FOLDER = "incoming"
_SYNC_THREADS = 16
"""Files that are synced at the same time."""
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


class StoredFile(Record, frozen=True):
    """A file in the store."""

    sha256: str
    bytes: int


class IncomingFile:
    """A file that arrives in chunks; without ``commit`` it is discarded."""

    def __init__(self, store: "FileStore", limit: int) -> None:
        self.path = Path(store.incoming_folder, secrets.token_hex(16))
        self.bytes = 0
        self._store = store
        self._limit = limit
        self._hash = hashlib.sha256()
        self._buffer = bytearray()
        self._file: BinaryIO | None = None
        self._committed = False
        self._error: OSError | None = None

    @property
    def buffered(self) -> int:
        """Bytes in memory."""
        return len(self._buffer)

    @property
    def sha256(self) -> str:
        """SHA-256 of what has arrived."""
        return self._hash.hexdigest()

    def __enter__(self) -> "IncomingFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            with suppress(OSError):  # closing writes what is buffered, and the disk may be full
                self._file.close()
            self.path.unlink(missing_ok=True)

    def write(self, chunk: bytes) -> None:
        """Add the next chunk, in memory; raise if the file gets larger than the limit."""
        self.bytes += len(chunk)
        if self.bytes > self._limit:
            raise DataError(
                "the upload is too large",
                code="CB309",
                found=f"more than {self._limit} bytes",
                expected=f"at most {self._limit} bytes",
            )
        self._hash.update(chunk)
        self._buffer += chunk

    def flush(self) -> None:
        """Make what has arrived readable at ``path``."""
        self._write_buffer()

    def _write_buffer(self) -> BinaryIO:
        # A disk that was full may have taken a part: writing again would store other bytes.
        if self._error is not None:
            raise self._error
        try:
            if self._file is None:
                descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                self._file = open(descriptor, "wb")  # noqa: SIM115
            self._file.write(self._buffer)
            self._buffer.clear()
            self._file.flush()
        except OSError as error:
            self._error = error
            raise
        return self._file

    def commit(self) -> StoredFile:
        """Store the file: on return it is on disk under its name. A second call does nothing."""
        if not self._committed:
            file = self._write_buffer()
            os.fsync(file.fileno())
            file.close()
            self._store.add_file(self.path, self.sha256)
            self._file, self._committed = None, True
        return StoredFile(sha256=self.sha256, bytes=self.bytes)


class FileStore:
    """A folder of files named by their SHA-256."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.incoming_folder = folder / _INCOMING_FOLDER
        self.incoming_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._sync_pool = ThreadPoolExecutor(_SYNC_THREADS, "files")

    def incoming(self, limit: int) -> IncomingFile:
        """Open a new file of at most ``limit`` bytes, as a context manager."""
        return IncomingFile(self, limit)

    def put(self, data: bytes) -> StoredFile:
        """Store a file that is in memory."""
        with self.incoming(len(data)) as incoming:
            incoming.write(data)
            return incoming.commit()

    def commit_all(self, incoming: Sequence[IncomingFile]) -> None:
        """Store several files; a disk syncs many at once nearly as fast as one."""
        first, *others = (incoming[start::_SYNC_THREADS] for start in range(_SYNC_THREADS))
        commits = self._sync_pool.map(_commit_each, filter(None, others))
        _commit_each(first)
        list(commits)  # waits, and raises what went wrong in the threads

    def add_file(self, file: Path, sha256: str) -> None:
        """Rename a file that is on disk to the name of its content."""
        folder = os.path.join(self.folder, sha256[:2])
        target = os.path.join(folder, sha256[2:])
        # The folder exists nearly always: 256 of them hold all files.
        try:
            os.replace(file, target)
        except FileNotFoundError:
            os.makedirs(folder, mode=0o700, exist_ok=True)
            _sync_folder(self.folder)
            os.replace(file, target)
        _sync_folder(folder)

    def path(self, sha256: str) -> Path:
        """Return the path of a file, whether it exists or not."""
        return self.folder / sha256[:2] / sha256[2:]

    def read(self, sha256: str) -> bytes:
        """Return the content of a file."""
        return self.path(sha256).read_bytes()

    def all(self) -> Iterator[str]:
        """Yield the SHA-256 of every file, sorted."""
        for folder in sorted(self.folder.iterdir()):
            if folder.name != _INCOMING_FOLDER:
                yield from sorted(folder.name + file.name for file in folder.iterdir())

    def list_incoming(self) -> Iterator[Path]:
        """Yield files that are arriving, or whose upload was broken off."""
        yield from sorted(self.incoming_folder.iterdir())


def _commit_each(incoming: Sequence[IncomingFile]) -> None:
    for file in incoming:
        file.commit()


def _sync_folder(folder: Path | str) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def clean_file_name(file_name: str) -> str:
    """Return a file name that is safe to show: no folders, no invisible characters, not long.

    >>> clean_file_name("C:\\\\runs\\\\../a\\u202eb.conll\\x00")
    'ab.conll'
    """
    bare = _INVISIBLE.sub("", file_name.replace("\\", "/")).rsplit("/", 1)[-1].strip()
    return bare[:100] if bare.strip(".") else "answers"
