"""The tables. Times are microseconds since 1970 in UTC, exact and ordered in every database."""

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
    # One for all phases, in the first version; now the id, since SQLite cannot drop the column.
    Column("pseudonym", String(32), nullable=False, unique=True),
    Column("affiliation", String(200), nullable=False, default=""),
    Column("code", String(32), nullable=False, unique=True),  # with it others join
    Column("state", String(16), nullable=False),  # applied, approved, refused
    Column("created", BigInteger, nullable=False),
)

pseudonyms = Table(
    "pseudonyms",
    metadata,
    Column("team", _ID, ForeignKey("teams.id"), primary_key=True),
    Column("phase", String(64), primary_key=True),
    Column("name", String(32), nullable=False, unique=True),
)

people = Table(
    "people",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("email", String(254), nullable=False, unique=True),
    Column("name", String(120), nullable=False),
    Column("password", String(256), nullable=False),  # argon2id
    Column("organiser", Boolean, nullable=False, default=False),
    Column("team", _ID, ForeignKey("teams.id"), index=True),  # none for organisers
    Column("created", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("digest", _SHA256, primary_key=True),  # of the cookie: the cookie itself is not kept
    Column("person", _ID, ForeignKey("people.id"), nullable=False, index=True),
    Column("csrf", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
)

tokens = Table(
    "tokens",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("digest", _SHA256, nullable=False, unique=True),
    Column("person", _ID, ForeignKey("people.id"), nullable=False, index=True),
    Column("label", String(80), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("revoked", BigInteger),
)

files = Table(
    "files",
    metadata,
    Column("sha256", _SHA256, primary_key=True),
    Column("bytes", BigInteger, nullable=False),
    Column("created", BigInteger, nullable=False),
)

windows = Table(
    "windows",
    metadata,
    Column("team", _ID, ForeignKey("teams.id"), primary_key=True),
    Column("phase", String(64), primary_key=True),
    Column("task", String(64), primary_key=True),
    Column("opened", BigInteger, nullable=False),
    Column("closes", BigInteger),  # none where the phase has no window
)

downloads = Table(
    "downloads",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("team", _ID, ForeignKey("teams.id"), nullable=False, index=True),
    Column("person", _ID, ForeignKey("people.id"), nullable=False),
    Column("phase", String(64), nullable=False),
    Column("task", String(64), nullable=False),
    Column("sha256", _SHA256, nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("time", BigInteger, nullable=False),
)

submissions = Table(
    "submissions",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("team", _ID, ForeignKey("teams.id"), nullable=False),
    Column("person", _ID, ForeignKey("people.id"), nullable=False),
    Column("phase", String(64), nullable=False),
    Column("task", String(64), nullable=False),
    Column("label", String(120), nullable=False, default=""),
    Column("file_name", String(255), nullable=False),
    Column("sha256", _SHA256, ForeignKey("files.sha256"), nullable=False),
    Column("bytes", BigInteger, nullable=False),
    Column("received", BigInteger, nullable=False),
    Column("request", String(64)),  # the client's own number: sent twice, taken once
    Column("state", String(16), nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("message", Text, nullable=False, default=""),  # why it is invalid, failed, disqualified
    Column("worker", String(64)),
    Column("lease", BigInteger),  # until when the worker has it
    Column("attempts", Integer, nullable=False, default=0),
    Column("evaluation", _ID),  # the one that counts
    UniqueConstraint("team", "request"),
    Index("ix_submissions_place", "phase", "task", "team"),
    Index("ix_submissions_queue", "state", "received"),
)

evaluations = Table(
    "evaluations",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("submission", _ID, ForeignKey("submissions.id"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    Column("signature", Text, nullable=False),
    Column("headline", Float, nullable=False),
    Column("public", Float, nullable=False),
    Column("covered", Integer, nullable=False),
    Column("documents", Integer, nullable=False),
    Column("sha256", _SHA256, ForeignKey("files.sha256"), nullable=False),  # all of it, as JSON
    Column("key_sha256", _SHA256),  # of the key that it was held against, where that is known
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("time", BigInteger, nullable=False),
    Column("person", _ID),  # none: the platform itself
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
