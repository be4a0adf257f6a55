"""Back up and restore the state of a campaign.

A backup is one tar file that any machine and either database can restore:

manifest.json       what is in it, with the SHA-256 of every part
tables/NAME.jsonl   one row per line
files/SHA256        uploads and evaluations

Rows are read in one transaction and files never change, so the backup of a running server is
consistent. The folder of the campaign itself is not included: it is under version control.
"""

import base64
import hashlib
import io
import os
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any

import msgspec
from sqlalchemy import Connection, Integer, LargeBinary, MetaData, Table, func, insert, select, text

from corefbench.campaign.domain.times import format_time, to_microseconds
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.database import Database, make_sqlite_url
from corefbench.campaign.storage.files import FileStore
from corefbench.campaign.storage.migrations import VERSION_TABLE, get_revision, list_revisions, upgrade_connection
from corefbench.campaign.storage.tables import files, metadata, submissions, teams, users
from corefbench.errors import DataError, Place, UsageError
from corefbench.records import Record

BACKUP_VERSION = 1
MANIFEST = "manifest.json"
_SPOOL_SIZE = 8 << 20
_MAX_MANIFEST_SIZE = 256 << 20
_CHUNK_SIZE = 1 << 20
_ROWS_PER_INSERT = 500


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
    """Revision of the database schema."""
    tables: tuple[Part, ...]
    files: tuple[Part, ...]


def backup(platform: Platform, out: Path) -> Manifest:
    """Write a backup; the file appears under its name when it is complete."""
    out.parent.mkdir(parents=True, exist_ok=True)
    with _open_atomically(out) as stream, platform.database.read() as connection, ExitStack() as spools:
        tables: list[tuple[Part, IO[bytes]]] = []
        # The tables are spooled first: the manifest, at the front of the archive, has their hashes.
        for table in metadata.sorted_tables:
            spool = spools.enter_context(tempfile.SpooledTemporaryFile(max_size=_SPOOL_SIZE))
            tables.append((_spool_table(connection, table, spool), spool))
        manifest = Manifest(
            version=BACKUP_VERSION,
            campaign=platform.campaign.name,
            made=format_time(platform.clock()),
            revision=get_revision(connection) or "",
            tables=tuple(part for part, _ in tables),
            files=tuple(_list_files(connection)),
        )
        content = msgspec.json.format(msgspec.json.encode(manifest))
        with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
            _add_member(archive, MANIFEST, len(content), io.BytesIO(content))
            for part, rows in tables:
                _add_member(archive, f"tables/{part.name}.jsonl", part.bytes, rows)
            for part in manifest.files:
                with _open_stored_file(platform.files.path(part.sha256)) as stored:
                    _add_member(archive, f"files/{part.sha256}", part.bytes, stored)
    return manifest


def _spool_table(connection: Connection, table: Table, spool: IO[bytes]) -> Part:
    names = [column.name for column in table.columns]
    digest, rows, size = hashlib.sha256(), 0, 0
    for row in connection.execute(select(table).order_by(*table.primary_key)):
        line = msgspec.json.encode(dict(zip(names, map(_to_plain, row), strict=True))) + b"\n"
        digest.update(line)
        spool.write(line)
        rows, size = rows + 1, size + len(line)
    spool.seek(0)
    return Part(name=str(table.name), bytes=size, sha256=digest.hexdigest(), rows=rows)


def _to_plain(value: Any) -> Any:
    return to_microseconds(value) if isinstance(value, datetime) else value


def _list_files(connection: Connection) -> Iterator[Part]:
    for row in connection.execute(select(files).order_by(files.c.sha256)):
        yield Part(name=row.sha256, bytes=row.bytes, sha256=row.sha256)


def _open_stored_file(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise DataError(
            "a stored file is missing",
            code="CB006",
            place=Place(source=str(path)),
            found=error.strerror or str(error),
            remedy="check that the state belongs to the database; see --state",
        ) from error


def _add_member(archive: tarfile.TarFile, name: str, size: int, content: IO[bytes]) -> None:
    """Add a member without owner or date: the same content makes the same bytes."""
    member = tarfile.TarInfo(name)
    member.size, member.mode = size, 0o600
    archive.addfile(member, content)


@contextmanager
def _open_atomically(out: Path) -> Iterator[IO[bytes]]:
    """Write to a temporary file, readable by its owner only, and rename it on success."""
    descriptor, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
    try:
        with open(descriptor, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(out)
    finally:
        Path(name).unlink(missing_ok=True)


def restore(archive: Path, state: Path, database: str = "") -> Manifest:
    """Restore a backup into an empty state, all of it or nothing; every part is verified.

    A backup of an earlier version is inserted into the tables of that version, which are then
    upgraded like those of any other database.
    """
    state.mkdir(parents=True, exist_ok=True, mode=0o700)
    target = Database(database or make_sqlite_url(state / "campaign.db"))
    try:
        with _open_archive(archive) as tar:
            manifest = _read_manifest(tar, archive)
            with target.write() as connection:
                _prepare_tables(connection, manifest)
                _restore_tables(tar, manifest, connection, archive)
                upgrade_connection(connection)
                _restore_files(tar, manifest, FileStore(state / "files"), archive)
    finally:
        target.close()
    return manifest


def read_manifest(archive: Path) -> Manifest:
    """Read the table of contents of a backup."""
    with _open_archive(archive) as tar:
        return _read_manifest(tar, archive)


def _open_archive(archive: Path) -> tarfile.TarFile:
    try:
        return tarfile.open(archive, "r:")
    except (OSError, tarfile.TarError) as error:
        raise _make_backup_error(archive, str(error)) from error


def _read_manifest(tar: tarfile.TarFile, archive: Path) -> Manifest:
    with _open_member(tar, MANIFEST, archive) as stream:
        content = stream.read(_MAX_MANIFEST_SIZE)
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except msgspec.DecodeError as error:
        raise _make_backup_error(archive, str(error)) from error
    if manifest.version != BACKUP_VERSION:
        found = f"version {manifest.version} of backups, not {BACKUP_VERSION}"
        raise _make_backup_error(archive, found)
    return manifest


def _prepare_tables(connection: Connection, manifest: Manifest) -> None:
    """Create the tables that the backup was made from, in a database without a campaign."""
    known = list_revisions()
    if manifest.revision not in known:
        raise UsageError(
            "the backup was made by a later version of corefbench",
            code="CB332",
            found=f"revision {manifest.revision}",
            expected=f"one of {', '.join(known)}",
            remedy="restore with the version that made it",
        )
    if get_revision(connection) is not None:
        upgrade_connection(connection)
        for table in (teams, users, submissions):
            if connection.scalar(select(func.count()).select_from(table)):
                raise UsageError(
                    "there is a campaign in the database already",
                    code="CB331",
                    found=f"rows in {table.name}",
                    remedy="restore into an empty state, or an empty database",
                )
        metadata.drop_all(connection)
        connection.execute(text(f"DROP TABLE {VERSION_TABLE}"))
    upgrade_connection(connection, manifest.revision)


def _restore_tables(tar: tarfile.TarFile, manifest: Manifest, connection: Connection, archive: Path) -> None:
    parts = {part.name: part for part in manifest.tables}
    # Reflected: the tables are those of the version that made the backup, not those of this one.
    existing = MetaData()
    existing.reflect(connection)
    existing.remove(existing.tables[VERSION_TABLE])
    for table in existing.sorted_tables:
        if table.name not in parts:
            raise _make_backup_error(archive, f"no table {table.name}")
        rows: list[dict[str, Any]] = []
        for line in _iter_lines(tar, parts[table.name], archive):
            rows.append(_parse_row(table, line, archive))
            if len(rows) == _ROWS_PER_INSERT:
                connection.execute(insert(table), rows)
                rows = []
        if rows:
            connection.execute(insert(table), rows)
        _reset_sequence(connection, table)


def _iter_lines(tar: tarfile.TarFile, part: Part, archive: Path) -> Iterator[bytes]:
    digest = hashlib.sha256()
    with _open_member(tar, f"tables/{part.name}.jsonl", archive) as stream:
        for line in stream:
            digest.update(line)
            yield line
    if digest.hexdigest() != part.sha256:
        raise _make_backup_error(archive, f"table {part.name} is not what was saved")


def _parse_row(table: Table, line: bytes, archive: Path) -> dict[str, Any]:
    try:
        row = msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise _make_backup_error(archive, str(error)) from error
    if set(row) != set(table.columns.keys()):
        raise _make_backup_error(archive, f"a row of {table.name} has other columns")
    for column in table.columns:
        if isinstance(column.type, LargeBinary) and row[column.name] is not None:
            row[column.name] = base64.b64decode(row[column.name])
    return row


def _reset_sequence(connection: Connection, table: Table) -> None:
    """PostgreSQL numbers new rows by a counter that rows with numbers do not advance."""
    (*_, last_key) = table.primary_key
    if connection.dialect.name == "postgresql" and isinstance(last_key.type, Integer):
        connection.execute(
            text(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', '{last_key.name}'), "
                f"(SELECT COALESCE(MAX({last_key.name}), 0) + 1 FROM {table.name}), false)"
            )
        )


def _restore_files(tar: tarfile.TarFile, manifest: Manifest, store: FileStore, archive: Path) -> None:
    for part in manifest.files:
        with _open_member(tar, f"files/{part.sha256}", archive) as stream, store.incoming(part.bytes) as incoming:
            while chunk := stream.read(_CHUNK_SIZE):
                incoming.write(chunk)
                incoming.flush()
            if incoming.sha256 != part.sha256:
                raise _make_backup_error(archive, f"file {part.sha256} is not what was saved")
            incoming.commit()


def _open_member(tar: tarfile.TarFile, name: str, archive: Path) -> IO[bytes]:
    """Open a part by its name; nothing is ever extracted to where the archive says."""
    try:
        stream = tar.extractfile(name)
    except (KeyError, tarfile.TarError, OSError) as error:
        raise _make_backup_error(archive, f"no {name}") from error
    if stream is None:
        raise _make_backup_error(archive, f"{name} is no file")
    return stream


def _make_backup_error(archive: Path, found: str) -> DataError:
    return DataError("the backup cannot be read", code="CB330", place=Place(source=str(archive)), found=found)
