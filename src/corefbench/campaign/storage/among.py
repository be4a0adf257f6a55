"""Columns held against many values at once, in words that either database knows already."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Connection, String, any_, literal


def among(
    connection: Connection, column: ColumnElement[Any], values: Iterable[str]
) -> ColumnElement[bool]:
    """Whether the column is one of these.

    PostgreSQL is sent one array: a list would be another statement for every length of it.
    """
    wanted = sorted(set(values))
    if connection.dialect.name == "sqlite":
        return column.in_(wanted)
    return column == any_(literal(wanted, ARRAY(String)))
