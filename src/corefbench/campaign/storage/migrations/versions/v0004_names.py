"""Conventional names for tables and columns.

SQLite can neither rename constraints nor drop a unique column. So the rows are copied into new
tables, on PostgreSQL too: one way for both.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_RENAMED_TABLES = {"people": "users", "audit": "audit_log"}
_RENAMED_COLUMNS = {
    "teams": {"code": "join_code", "created": "created_at"},
    "pseudonyms": {"team": "team_id"},
    "users": {"password": "password_hash", "organiser": "is_organiser", "team": "team_id", "created": "created_at"},
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
    "audit_log": {"time": "created_at", "person": "user_id"},
}

_schema = sa.MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_ID = sa.String(32)
_SHA256 = sa.String(64)
sa.Table(
    "teams",
    _schema,
    sa.Column("id", _ID, primary_key=True),
    sa.Column("name", sa.String(80), nullable=False, unique=True),
    sa.Column("affiliation", sa.String(200), nullable=False),
    sa.Column("join_code", sa.String(32), nullable=False, unique=True),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
)
sa.Table(
    "pseudonyms",
    _schema,
    sa.Column("team_id", _ID, sa.ForeignKey("teams.id"), primary_key=True),
    sa.Column("phase", sa.String(64), primary_key=True),
    sa.Column("name", sa.String(32), nullable=False, unique=True),
)
sa.Table(
    "users",
    _schema,
    sa.Column("id", _ID, primary_key=True),
    sa.Column("email", sa.String(254), nullable=False, unique=True),
    sa.Column("name", sa.String(120), nullable=False),
    sa.Column("password_hash", sa.String(256), nullable=False),
    sa.Column("is_organiser", sa.Boolean, nullable=False),
    sa.Column("team_id", _ID, sa.ForeignKey("teams.id"), index=True),
    sa.Column("created_at", sa.BigInteger, nullable=False),
)
sa.Table(
    "sessions",
    _schema,
    sa.Column("token_hash", _SHA256, primary_key=True),
    sa.Column("user_id", _ID, sa.ForeignKey("users.id"), nullable=False, index=True),
    sa.Column("csrf_token", sa.String(64), nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("expires_at", sa.BigInteger, nullable=False),
)
sa.Table(
    "tokens",
    _schema,
    sa.Column("id", _ID, primary_key=True),
    sa.Column("token_hash", _SHA256, nullable=False, unique=True),
    sa.Column("user_id", _ID, sa.ForeignKey("users.id"), nullable=False, index=True),
    sa.Column("label", sa.String(80), nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("revoked_at", sa.BigInteger),
)
sa.Table(
    "rate_limit_attempts",
    _schema,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("key_hash", _SHA256, nullable=False),
    sa.Column("attempted_at", sa.BigInteger, nullable=False, index=True),
    sa.Index("ix_rate_limit_attempts_key", "key_hash", "attempted_at"),
)
sa.Table(
    "files",
    _schema,
    sa.Column("sha256", _SHA256, primary_key=True),
    sa.Column("bytes", sa.BigInteger, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
)
sa.Table(
    "windows",
    _schema,
    sa.Column("team_id", _ID, sa.ForeignKey("teams.id"), primary_key=True),
    sa.Column("phase", sa.String(64), primary_key=True),
    sa.Column("task", sa.String(64), primary_key=True),
    sa.Column("opened_at", sa.BigInteger, nullable=False),
    sa.Column("closes_at", sa.BigInteger),
)
sa.Table(
    "downloads",
    _schema,
    sa.Column("id", _ID, primary_key=True),
    sa.Column("team_id", _ID, sa.ForeignKey("teams.id"), nullable=False, index=True),
    sa.Column("user_id", _ID, sa.ForeignKey("users.id"), nullable=False),
    sa.Column("phase", sa.String(64), nullable=False),
    sa.Column("task", sa.String(64), nullable=False),
    sa.Column("sha256", _SHA256, nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
)
sa.Table(
    "submissions",
    _schema,
    sa.Column("id", _ID, primary_key=True),
    sa.Column("team_id", _ID, sa.ForeignKey("teams.id"), nullable=False),
    sa.Column("user_id", _ID, sa.ForeignKey("users.id"), nullable=False),
    sa.Column("phase", sa.String(64), nullable=False),
    sa.Column("task", sa.String(64), nullable=False),
    sa.Column("label", sa.String(120), nullable=False),
    sa.Column("file_name", sa.String(255), nullable=False),
    sa.Column("sha256", _SHA256, sa.ForeignKey("files.sha256"), nullable=False),
    sa.Column("bytes", sa.BigInteger, nullable=False),
    sa.Column("received_at", sa.BigInteger, nullable=False),
    sa.Column("request_id", sa.String(64)),
    sa.Column("state", sa.String(16), nullable=False),
    sa.Column("updated_at", sa.BigInteger, nullable=False),
    sa.Column("message", sa.Text, nullable=False),
    sa.Column("worker", sa.String(64)),
    sa.Column("lease_expires_at", sa.BigInteger),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("evaluation_id", _ID),
    sa.UniqueConstraint("team_id", "request_id"),
    sa.Index("ix_submissions_task", "phase", "task", "team_id"),
    sa.Index("ix_submissions_queue", "state", "received_at"),
)
sa.Table(
    "evaluations",
    _schema,
    sa.Column("id", _ID, primary_key=True),
    sa.Column("submission_id", _ID, sa.ForeignKey("submissions.id"), nullable=False, index=True),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("signature", sa.Text, nullable=False),
    sa.Column("score", sa.Float, nullable=False),
    sa.Column("public_score", sa.Float, nullable=False),
    sa.Column("answered_documents", sa.Integer, nullable=False),
    sa.Column("documents", sa.Integer, nullable=False),
    sa.Column("sha256", _SHA256, sa.ForeignKey("files.sha256"), nullable=False),
    sa.Column("key_sha256", _SHA256),
)
sa.Table(
    "audit_log",
    _schema,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("user_id", _ID),
    sa.Column("action", sa.String(64), nullable=False),
    sa.Column("subject", sa.String(64), nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
)
sa.Table(
    "settings",
    _schema,
    sa.Column("name", sa.String(96), primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)


def upgrade() -> None:
    """Copy the rows aside, make the tables anew, and copy the rows back."""
    old_names = {new: old for old, new in _RENAMED_TABLES.items()}
    tables = _schema.sorted_tables
    for table in tables:
        old_name = old_names.get(table.name, table.name)
        op.execute(f"CREATE TEMPORARY TABLE old_{table.name} AS SELECT * FROM {old_name}")
    for table in reversed(tables):  # those that refer to others first
        op.drop_table(old_names.get(table.name, table.name))
    _schema.create_all(op.get_bind())
    for table in tables:
        renamed = _RENAMED_COLUMNS.get(table.name, {})
        old_columns = {new: old for old, new in renamed.items()}
        columns = [column.name for column in table.columns]
        selected = ", ".join(old_columns.get(name, name) for name in columns)
        op.execute(f"INSERT INTO {table.name} ({', '.join(columns)}) SELECT {selected} FROM old_{table.name}")
        op.execute(f"DROP TABLE old_{table.name}")
    if op.get_bind().dialect.name == "postgresql":  # rows with numbers do not move its counter
        for name in ("audit_log", "rate_limit_attempts"):
            op.execute(
                f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), "
                f"(SELECT COALESCE(MAX(id), 0) + 1 FROM {name}), false)"
            )
