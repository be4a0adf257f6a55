"""A backup brought back, into SQLite or PostgreSQL, whichever it was made from."""

import base64
import hashlib
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import msgspec
from sqlalchemy import Connection, LargeBinary, Table, delete, func, insert, select, text

from corefbench.campaign.backup import MANIFEST, VERSION, Manifest, Part
from corefbench.campaign.storage.database import Database, sqlite_url
from corefbench.campaign.storage.files import FileStore
from corefbench.campaign.storage.migrate import migrate, revision_of
from corefbench.campaign.storage.tables import metadata, people, settings, submissions, teams
from corefbench.errors import DataError, Place, UsageError

_LARGEST_MANIFEST = 256 << 20
_STEP = 1 << 20
_ROWS = 500


def restore(archive: Path, state: Path, database: str = "") -> Manifest:
    """Put a backup into an empty state, all of it or nothing; every part is checked on the way."""
    state.mkdir(parents=True, exist_ok=True, mode=0o700)
    opened = Database(database or sqlite_url(state / "campaign.db"))
    try:
        with _open(archive) as tar:
            manifest = _manifest(tar, archive)
            migrate(opened)
            with opened.write() as connection:
                _fits(connection, manifest)
                _tables(tar, manifest, connection, archive)
                _files(tar, manifest, FileStore(state / "files"), archive)
    finally:
        opened.close()
    return manifest


def read_manifest(archive: Path) -> Manifest:
    """What a backup says that it holds."""
    with _open(archive) as tar:
        return _manifest(tar, archive)


def _open(archive: Path) -> tarfile.TarFile:
    try:
        return tarfile.open(archive, "r:")
    except (OSError, tarfile.TarError) as error:
        raise _broken(archive, str(error)) from error


def _manifest(tar: tarfile.TarFile, archive: Path) -> Manifest:
    with _member(tar, MANIFEST, archive) as stream:
        content = stream.read(_LARGEST_MANIFEST)
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except msgspec.DecodeError as error:
        raise _broken(archive, str(error)) from error
    if manifest.version != VERSION:
        raise _broken(archive, f"version {manifest.version} of backups, not {VERSION}")
    return manifest


def _fits(connection: Connection, manifest: Manifest) -> None:
    """The database must be empty, and of the form that the rows have."""
    for table in (teams, people, submissions):
        if connection.scalar(select(func.count()).select_from(table)):
            raise UsageError(
                "there is a campaign in the database already",
                code="CB331",
                found=f"rows in {table.name}",
                remedy="restore into an empty state, or an empty database",
            )
    here = revision_of(connection) or ""
    if here != manifest.revision:
        raise UsageError(
            "the backup was made by another version of corefbench",
            code="CB332",
            found=f"revision {manifest.revision}",
            expected=f"revision {here}",
            remedy="restore with the version that made it, then start this one",
        )
    connection.execute(delete(settings))


def _tables(
    tar: tarfile.TarFile, manifest: Manifest, connection: Connection, archive: Path
) -> None:
    parts = {part.name: part for part in manifest.tables}
    for table in metadata.sorted_tables:
        if table.name not in parts:
            raise _broken(archive, f"no table {table.name}")
        rows: list[dict[str, Any]] = []
        for line in _lines(tar, parts[table.name], archive):
            rows.append(_row(table, line, archive))
            if len(rows) == _ROWS:
                connection.execute(insert(table), rows)
                rows = []
        if rows:
            connection.execute(insert(table), rows)
    _go_on_counting(connection)


def _lines(tar: tarfile.TarFile, part: Part, archive: Path) -> Iterator[bytes]:
    digest = hashlib.sha256()
    with _member(tar, f"tables/{part.name}.jsonl", archive) as stream:
        for line in stream:
            digest.update(line)
            yield line
    if digest.hexdigest() != part.sha256:
        raise _broken(archive, f"table {part.name} is not what was saved")


def _row(table: Table, line: bytes, archive: Path) -> dict[str, Any]:
    try:
        row = msgspec.json.decode(line, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise _broken(archive, str(error)) from error
    if set(row) != set(table.columns.keys()):
        raise _broken(archive, f"a row of {table.name} has other columns")
    for column in table.columns:
        if isinstance(column.type, LargeBinary) and row[column.name] is not None:
            row[column.name] = base64.b64decode(row[column.name])
    return row


def _go_on_counting(connection: Connection) -> None:
    """PostgreSQL numbers new rows by a counter that rows with numbers do not move."""
    if connection.dialect.name == "postgresql":
        connection.execute(
            text(
                "SELECT setval(pg_get_serial_sequence('audit', 'id'), "
                "(SELECT COALESCE(MAX(id), 0) + 1 FROM audit), false)"
            )
        )


def _files(tar: tarfile.TarFile, manifest: Manifest, store: FileStore, archive: Path) -> None:
    for part in manifest.files:
        digest = hashlib.sha256()
        with (
            _member(tar, f"files/{part.sha256}", archive) as stream,
            store.incoming(part.bytes) as incoming,
        ):
            while chunk := stream.read(_STEP):
                digest.update(chunk)
                incoming.write(chunk)
            if digest.hexdigest() != part.sha256:
                raise _broken(archive, f"file {part.sha256} is not what was saved")
            incoming.commit()


def _member(tar: tarfile.TarFile, name: str, archive: Path) -> IO[bytes]:
    """A part, found by its name: nothing is ever unpacked to where the archive says."""
    try:
        stream = tar.extractfile(name)
    except (KeyError, tarfile.TarError, OSError) as error:
        raise _broken(archive, f"no {name}") from error
    if stream is None:
        raise _broken(archive, f"{name} is no file")
    return stream


def _broken(archive: Path, found: str) -> DataError:
    return DataError(
        "the backup cannot be read", code="CB330", place=Place(source=str(archive)), found=found
    )
