"""Conventional names for tables and columns.

SQLite can neither rename constraints nor drop a unique column. So the rows are copied into new tables, on PostgreSQL
too: one way for both. The new tables are those that are there, under other names and without ``teams.pseudonym``.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_TABLES = {"people": "users", "audit": "audit_log"}
_COLUMNS = {
    "teams": {"code": "join_code", "created": "created_at"},
    "pseudonyms": {"team": "team_id"},
    "people": {"password": "password_hash", "organiser": "is_organiser", "team": "team_id", "created": "created_at"},
    "sessions": {
        "digest": "token_hash",
        "person": "user_id",
        "csrf": "csrf_token",
        "created": "created_at",
        "expires": "expires_at",
    },
    "tokens": {"digest": "token_hash", "person": "user_id", "created": "created_at", "revoked": "revoked_at"},
    "files": {"created": "created_at"},
    "windows": {"team": "team_id", "opened": "opened_at", "closes": "closes_at"},
    "downloads": {"team": "team_id", "person": "user_id", "time": "created_at"},
    "submissions": {
        "team": "team_id",
        "person": "user_id",
        "received": "received_at",
        "request": "request_id",
        "changed": "updated_at",
        "lease": "lease_expires_at",
        "evaluation": "evaluation_id",
    },
    "evaluations": {
        "submission": "submission_id",
        "created": "created_at",
        "headline": "score",
        "public": "public_score",
        "covered": "answered_documents",
    },
    "audit": {"time": "created_at", "person": "user_id"},
}
_INDEXES = {"ix_submissions_place": "ix_submissions_task"}
_DROPPED = ("teams", "pseudonym")
_NAMING_CONVENTION = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


def upgrade() -> None:
    """Copy the rows aside, make the tables anew, and copy the rows back."""
    connection = op.get_bind()
    old, new = sa.MetaData(), sa.MetaData(naming_convention=_NAMING_CONVENTION)
    old.reflect(connection, only=lambda name, _: name != "alembic_version")
    for table in old.sorted_tables:
        _copy_table(table, new)
        op.execute(f"CREATE TEMPORARY TABLE old_{table.name} AS SELECT * FROM {table.name}")
    for table in reversed(old.sorted_tables):  # those that refer to others first
        op.drop_table(table.name)
    new.create_all(connection)
    for table in old.sorted_tables:
        kept = [column.name for column in table.columns if (table.name, column.name) != _DROPPED]
        names = ", ".join(_rename(table.name, name) for name in kept)
        op.execute(
            f"INSERT INTO {_TABLES.get(table.name, table.name)} ({names}) "
            f"SELECT {', '.join(kept)} FROM old_{table.name}"
        )
        op.execute(f"DROP TABLE old_{table.name}")
    if connection.dialect.name == "postgresql":  # rows with numbers do not move its counter
        for name in ("audit_log", "rate_limit_attempts"):
            op.execute(
                f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), "
                f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {name}), false)"
            )


def _copy_table(table: sa.Table, metadata: sa.MetaData) -> None:
    """Define a table like this one, with columns, constraints and indexes under their new names."""
    copy = sa.Table(_TABLES.get(table.name, table.name), metadata)
    for column in table.columns:
        if (table.name, column.name) != _DROPPED:
            targets = [key.column for key in column.foreign_keys]
            keys = [sa.ForeignKey(f"{_TABLES.get(to.table.name, to.table.name)}.{to.name}") for to in targets]
            name = _rename(table.name, column.name)
            copy.append_column(
                sa.Column(name, column.type, *keys, primary_key=column.primary_key, nullable=column.nullable)
            )
    for constraint in table.constraints:
        if isinstance(constraint, sa.UniqueConstraint):
            names = [column.name for column in constraint.columns]
            if (table.name, *names) != _DROPPED:
                copy.append_constraint(sa.UniqueConstraint(*(_rename(table.name, name) for name in names)))
    for index in table.indexes:
        columns = [copy.c[_rename(table.name, column.name)] for column in index.columns]
        # Indexes of one column are named after it, others after their purpose.
        sa.Index(None if len(columns) == 1 else _INDEXES.get(str(index.name), str(index.name)), *columns)


def _rename(table: str, column: str) -> str:
    return _COLUMNS.get(table, {}).get(column, column)
