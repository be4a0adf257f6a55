"""Database engine, transactions and helpers for both SQL dialects.

SQLite is opened through ``pysqlite3``, whose library is newer than Python's own, with a
write-ahead log that is synced at every commit (WAL + FULL): an acknowledged commit survives a
``kill -9``. A writing transaction begins with ``BEGIN IMMEDIATE``, so that what it has read is
still true when it writes. On PostgreSQL, rules lock the row that they are about instead.
"""

import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import datetime
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    Engine,
    Label,
    String,
    Table,
    TypeDecorator,
    any_,
    create_engine,
    event,
    literal,
)
from sqlalchemy.pool import QueuePool

from corefbench.campaign.domain.times import from_microseconds, to_microseconds
from corefbench.records import Record

_BUSY_TIMEOUT_MS = 30_000
_RETRY_SECONDS = 0.02


class Database:
    """An engine with transactions that only read, and transactions that write."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _create_engine(url)
        # SQLite has one writer: threads wait for a lock instead of polling the database.
        self._write_lock: AbstractContextManager[Any] = Lock() if self.is_sqlite else nullcontext()

    @property
    def is_sqlite(self) -> bool:
        """Return whether this is SQLite."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Open a transaction that reads one state of the database."""
        with self.engine.connect() as connection:
            if not self.is_sqlite:  # SQLite does so by itself
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction that writes."""
        with self._write_lock, self.engine.connect() as connection:
            if self.is_sqlite:
                connection.info["immediate"] = True
            with connection.begin():
                yield connection

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


class UtcTime(TypeDecorator[datetime]):
    """A time, stored as microseconds since 1970.

    The time types of SQLite and PostgreSQL differ in precision and in what they do with zones. Integers are exact and
    ordered the same in both.
    """

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else to_microseconds(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else from_microseconds(value)


def make_sqlite_url(path: Path) -> str:
    """Return the URL of a database in a file."""
    return f"sqlite:///{path}"


def _create_engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, pool_size=8, max_overflow=8)
    import pysqlite3

    engine = create_engine(
        url, module=pysqlite3, poolclass=QueuePool, connect_args={"timeout": _BUSY_TIMEOUT_MS / 1000}
    )
    event.listen(engine, "connect", _configure_connection)
    event.listen(engine, "begin", _begin)
    return engine


def _configure_connection(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver must not begin transactions: ``_begin`` does
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_BUSY_TIMEOUT_MS}")
    _enable_wal(cursor)
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _enable_wal(cursor: Any) -> None:
    """Turn on the write-ahead log; retry, because SQLite does not wait if others do the same."""
    import pysqlite3

    deadline = time.monotonic() + _BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except pysqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)


def _begin(connection: Connection) -> None:
    immediate = connection.info.pop("immediate", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def record_columns(table: Table, kind: type[Record]) -> list[Label[Any]]:
    """Return the columns that are fields of a record, under the names of the fields.

    A row of them makes the record: ``Team(**row._asdict())``.
    """
    return [table.c[name].label(name) for name in kind.__struct_fields__]


def column_in(connection: Connection, column: ColumnElement[Any], values: Iterable[str]) -> ColumnElement[bool]:
    """Return the condition that a column has one of these values.

    PostgreSQL gets one array: with a list, every length would be a statement of its own to prepare.
    """
    distinct = sorted(set(values))
    if connection.dialect.name == "sqlite":
        return column.in_(distinct)
    return column == any_(literal(distinct, ARRAY(String)))


def insert_or_ignore(connection: Connection, table: Table, **values: Any) -> bool:
    """Insert a row unless its key exists; return whether it was inserted."""
    key = next(iter(table.primary_key))
    statement = _dialect_insert(connection, table).values(values).on_conflict_do_nothing().returning(key)
    return connection.execute(statement).one_or_none() is not None


def insert_many_or_ignore(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert the rows whose keys do not exist."""
    if rows:
        connection.execute(_dialect_insert(connection, table).on_conflict_do_nothing(), rows)


def _dialect_insert(connection: Connection, table: Table) -> Any:
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert
    else:
        from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment]
    return insert(table)
