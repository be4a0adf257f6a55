"""Database tables; ``key`` is the shorter name that a column has in queries and records."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from corefbench.campaign.storage.database import UtcTime

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

_ID = String(32)
_SHA256 = String(64)

teams = Table(
    "teams",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("name", String(80), nullable=False, unique=True),
    Column("affiliation", String(200), nullable=False, default=""),
    Column("join_code", String(32), nullable=False, unique=True, key="code"),
    Column("state", String(16), nullable=False),  # applied, approved, refused
    Column("created_at", UtcTime, nullable=False, key="created"),
)

pseudonyms = Table(
    "pseudonyms",
    metadata,
    Column("team_id", _ID, ForeignKey("teams.id"), primary_key=True, key="team"),
    Column("phase", String(64), primary_key=True),
    Column("name", String(32), nullable=False, unique=True),
)

users = Table(
    "users",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("email", String(254), nullable=False, unique=True),
    Column("name", String(120), nullable=False),
    Column("password_hash", String(256), nullable=False, key="password"),  # argon2id
    Column("is_organiser", Boolean, nullable=False, default=False, key="organiser"),
    Column("team_id", _ID, ForeignKey("teams.id"), index=True, key="team"),  # null for organisers
    Column("created_at", UtcTime, nullable=False, key="created"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", _SHA256, primary_key=True, key="digest"),  # of the cookie, which is not stored
    Column("user_id", _ID, ForeignKey("users.id"), nullable=False, index=True, key="person"),
    Column("csrf_token", String(64), nullable=False, key="csrf"),
    Column("created_at", UtcTime, nullable=False, key="created"),
    Column("expires_at", UtcTime, nullable=False, key="expires"),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("token_hash", _SHA256, nullable=False, unique=True, key="digest"),
    Column("user_id", _ID, ForeignKey("users.id"), nullable=False, index=True, key="person"),
    Column("label", String(80), nullable=False),
    Column("created_at", UtcTime, nullable=False, key="created"),
    Column("revoked_at", UtcTime, key="revoked"),
)

rate_limit_attempts = Table(
    "rate_limit_attempts",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("key_hash", _SHA256, nullable=False),
    Column("attempted_at", UtcTime, nullable=False, index=True),
    Index("ix_rate_limit_attempts_key", "key_hash", "attempted_at"),
)

files = Table(
    "files",
    metadata,
    Column("sha256", _SHA256, primary_key=True),
    Column("bytes", BigInteger, nullable=False),
    Column("created_at", UtcTime, nullable=False, key="created"),
)

windows = Table(
    "windows",
    metadata,
    Column("team_id", _ID, ForeignKey("teams.id"), primary_key=True, key="team"),
    Column("phase", String(64), primary_key=True),
    Column("task", String(64), primary_key=True),
    Column("opened_at", UtcTime, nullable=False, key="opened"),
    Column("closes_at", UtcTime, key="closes"),  # null if the phase has no window
)

downloads = Table(
    "downloads",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("team_id", _ID, ForeignKey("teams.id"), nullable=False, index=True, key="team"),
    Column("user_id", _ID, ForeignKey("users.id"), nullable=False, key="person"),
    Column("phase", String(64), nullable=False),
    Column("task", String(64), nullable=False),
    Column("sha256", _SHA256, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("created_at", UtcTime, nullable=False, key="time"),
)

submissions = Table(
    "submissions",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("team_id", _ID, ForeignKey("teams.id"), nullable=False, key="team"),
    Column("user_id", _ID, ForeignKey("users.id"), nullable=False, key="person"),
    Column("phase", String(64), nullable=False),
    Column("task", String(64), nullable=False),
    Column("label", String(120), nullable=False, default=""),
    Column("file_name", String(255), nullable=False),
    Column("sha256", _SHA256, ForeignKey("files.sha256"), nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("received_at", UtcTime, nullable=False, key="received"),
    Column("request_id", String(64), key="request"),  # chosen by the client: sent twice, accepted once
    Column("state", String(16), nullable=False),
    Column("updated_at", UtcTime, nullable=False, key="changed"),
    Column("message", Text, nullable=False, default=""),  # why it is invalid, failed, disqualified
    Column("worker", String(64)),
    Column("lease_expires_at", UtcTime, key="lease"),
    Column("attempts", Integer, nullable=False, default=0),
    Column("evaluation_id", _ID, key="evaluation"),  # the evaluation that counts
    UniqueConstraint("team", "request"),
    Index("ix_submissions_task", "phase", "task", "team"),
    Index("ix_submissions_queue", "state", "received"),
)

evaluations = Table(
    "evaluations",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("submission_id", _ID, ForeignKey("submissions.id"), nullable=False, index=True, key="submission"),
    Column("created_at", UtcTime, nullable=False, key="created"),
    Column("signature", Text, nullable=False),
    Column("score", Float, nullable=False, key="headline"),  # the one that ranks, over all documents
    Column("public_score", Float, nullable=False, key="public"),  # over the public share of them
    Column("answered_documents", Integer, nullable=False, key="covered"),
    Column("documents", Integer, nullable=False),
    Column("sha256", _SHA256, ForeignKey("files.sha256"), nullable=False),  # the whole, as JSON
    Column("key_sha256", _SHA256),  # null for evaluations of the first version
)

audit_log = Table(
    "audit_log",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("created_at", UtcTime, nullable=False, key="time"),
    Column("user_id", _ID, key="person"),  # null: the server itself
    Column("action", String(64), nullable=False),
    Column("subject", String(64), nullable=False),
    Column("detail", Text, nullable=False, default=""),
)

settings = Table(
    "settings",
    metadata,
    Column("name", String(96), primary_key=True),  # secret, published:PHASE, frozen …
    Column("value", LargeBinary, nullable=False),
)
