"""Rows that may be there already: ``INSERT … ON CONFLICT DO NOTHING``, in either database."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table


def insert_unless_there(connection: Connection, table: Table, **values: Any) -> bool:
    """Insert the row unless its key is taken; whether it was inserted."""
    key = next(iter(table.primary_key))
    statement = _insert(connection, table).values(values).on_conflict_do_nothing().returning(key)
    return connection.execute(statement).one_or_none() is not None


def insert_all_unless_there(
    connection: Connection, table: Table, rows: Sequence[dict[str, Any]]
) -> None:
    """Insert the rows whose keys are not taken."""
    if rows:
        connection.execute(_insert(connection, table).on_conflict_do_nothing(), rows)


def _insert(connection: Connection, table: Table) -> Any:
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert
    else:
        from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment]
    return insert(table)
