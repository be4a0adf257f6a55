"""Rows that may be there already: ``INSERT … ON CONFLICT DO NOTHING``, in either database."""

from typing import Any

from sqlalchemy import Connection, Table


def insert_unless_there(connection: Connection, table: Table, **values: Any) -> bool:
    """Insert the row unless its key is taken; whether it was inserted."""
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert
    else:
        from sqlalchemy.dialects.postgresql import insert  # type: ignore[assignment]
    key = next(iter(table.primary_key))
    statement = insert(table).values(values).on_conflict_do_nothing().returning(key)
    return connection.execute(statement).one_or_none() is not None
