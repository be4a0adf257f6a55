"""A backup: all that a server keeps, in one file that any machine and either database can take.

manifest.json       what is in it, with the SHA-256 of every part
tables/NAME.jsonl   a row a line
files/SHA256        answers and evaluations

Rows are read in one transaction and files never change, so that a backup of a running server is
whole. The folder of the campaign itself is not in it: that is under version control.
"""

import hashlib
import io
import os
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec
from sqlalchemy import Connection, Table, select

from corefbench.campaign.domain.times import written
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.database import Database
from corefbench.campaign.storage.files import FileStore
from corefbench.campaign.storage.migrate import revision_of
from corefbench.campaign.storage.tables import files, metadata
from corefbench.errors import DataError, Place
from corefbench.record import Record

VERSION = 1
MANIFEST = "manifest.json"
_SPOOLED = 8 << 20


class Part(Record, frozen=True):
    """A table or a file."""

    name: str
    bytes: int
    sha256: str
    rows: int = 0


class Manifest(Record, frozen=True):
    """What a backup holds."""

    version: int
    campaign: str
    made: str
    revision: str
    """Of the form of the tables."""
    tables: tuple[Part, ...]
    files: tuple[Part, ...]


def backup(platform: Platform, out: Path) -> Manifest:
    """Write a backup; the file appears under its name when it is complete."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with (
        _appearing(out) as stream,
        snapshot(platform.database) as connection,
        _Tables(connection) as tables,
    ):
        manifest = Manifest(
            version=VERSION,
            campaign=platform.campaign.name,
            made=written(platform.clock()),
            revision=revision_of(connection) or "",
            tables=tuple(tables.parts),
            files=tuple(_kept(connection)),
        )
        _write(stream, manifest, tables, platform.files)
    return manifest


def _write(stream: IO[bytes], manifest: Manifest, tables: "_Tables", store: FileStore) -> None:
    content = msgspec.json.format(msgspec.json.encode(manifest))
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        _add(archive, MANIFEST, len(content), io.BytesIO(content))
        for part, rows in zip(tables.parts, tables.spooled, strict=True):
            _add(archive, f"tables/{part.name}.jsonl", part.bytes, rows)
        for part in manifest.files:
            with _opened(store.path(part.sha256)) as kept:
                _add(archive, f"files/{part.sha256}", part.bytes, kept)


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise DataError(
            "a file that was kept is not there any more",
            code="CB006",
            place=Place(source=str(path)),
            found=error.strerror or str(error),
            remedy="is it the state that belongs to the database? see --state",
        ) from error


@contextmanager
def snapshot(database: Database) -> Iterator[Connection]:
    """A transaction that sees one moment, also over several queries on PostgreSQL."""
    with database.engine.connect() as connection:
        if not database.is_sqlite:
            connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            yield connection


class _Tables:
    """Every table as lines of JSON, on disk where it is large."""

    def __init__(self, connection: Connection) -> None:
        self.parts: list[Part] = []
        self.spooled: list[IO[bytes]] = []
        for table in metadata.sorted_tables:
            spool: IO[bytes] = tempfile.SpooledTemporaryFile(max_size=_SPOOLED)  # noqa: SIM115
            self.spooled.append(spool)
            self.parts.append(_spool(connection, table, spool))

    def __enter__(self) -> "_Tables":
        return self

    def __exit__(self, *_: object) -> None:
        for spool in self.spooled:
            spool.close()


def _spool(connection: Connection, table: Table, spool: IO[bytes]) -> Part:
    digest, rows, size = hashlib.sha256(), 0, 0
    for row in connection.execute(select(table).order_by(*table.primary_key)).mappings():
        line = msgspec.json.encode(dict(row)) + b"\n"
        digest.update(line)
        spool.write(line)
        rows, size = rows + 1, size + len(line)
    spool.seek(0)
    return Part(name=str(table.name), bytes=size, sha256=digest.hexdigest(), rows=rows)


def _kept(connection: Connection) -> Iterator[Part]:
    for row in connection.execute(select(files).order_by(files.c.sha256)):
        yield Part(name=row.sha256, bytes=row.bytes, sha256=row.sha256)


def _add(archive: tarfile.TarFile, name: str, size: int, content: IO[bytes]) -> None:
    """A member without owner or date: the same content makes the same bytes."""
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    archive.addfile(member, content)


@contextmanager
def _appearing(out: Path) -> Iterator[IO[bytes]]:
    """A file that is there whole or not at all, for the eyes of its owner only."""
    descriptor, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
    try:
        with open(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(out)
    finally:
        Path(name).unlink(missing_ok=True)
