"""The database: SQLite in a file of the campaign by default, PostgreSQL by its URL.

SQLite is opened through ``pysqlite3``, whose library is newer than Python's own, with a
write-ahead log that is synced at every commit (WAL + FULL): an acknowledged commit outlives a
``kill -9``. A transaction that writes begins with ``BEGIN IMMEDIATE``, so that what it read is
still true when it writes. On PostgreSQL the same holds by locking the row that a rule is about.
"""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

_BUSY_MS = 30_000
_AGAIN = 0.02
"""Seconds before what was refused is tried again."""


class Database:
    """One engine; ``read`` for looking, ``write`` for a transaction that changes something."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)
        # SQLite has one writer: threads come in turn, where they would else ask again and again.
        self._turn: AbstractContextManager[Any] = Lock() if self.is_sqlite else nullcontext()

    @property
    def is_sqlite(self) -> bool:
        """Whether it is the embedded one."""
        return self.engine.dialect.name == "sqlite"

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent look at what is there."""
        with self.engine.connect() as connection:
            if not self.is_sqlite:  # SQLite shows one state of things by itself
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction: all of it is kept, or nothing."""
        with self._turn, self.engine.connect() as connection:
            if self.is_sqlite:
                connection.info["immediate"] = True
            with connection.begin():
                yield connection

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()


def sqlite_url(path: Path) -> str:
    """The URL of a database in a file."""
    return f"sqlite:///{path}"


def _engine(url: str) -> Engine:
    if not url.startswith("sqlite"):
        return create_engine(url, pool_pre_ping=True, pool_size=8, max_overflow=8)
    import pysqlite3

    engine = create_engine(
        url, module=pysqlite3, poolclass=QueuePool, connect_args={"timeout": _BUSY_MS / 1000}
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself: ``_begin`` does
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_BUSY_MS}")
    _write_ahead(cursor)
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _write_ahead(cursor: Any) -> None:
    """Turn the log on. Of several that do so at once SQLite refuses some without waiting."""
    import pysqlite3

    until = time.monotonic() + _BUSY_MS / 1000
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except pysqlite3.OperationalError:
            if time.monotonic() > until:
                raise
            time.sleep(_AGAIN)


def _begin(connection: Connection) -> None:
    immediate = connection.info.pop("immediate", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
