"""Schema migrations, run by Alembic in one transaction.

Servers that start at the same time wait for each other: on SQLite because the transaction begins
with ``BEGIN IMMEDIATE``, on PostgreSQL because of an advisory lock that ends with it.
"""

from pathlib import Path
from threading import Lock

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select

from corefbench.campaign.storage.database import Database
from corefbench.errors import UsageError

VERSION_TABLE = "alembic_version"
_ADVISORY_LOCK = 0x_C0_2E_F8  # any number that no other program of the database uses
_thread_lock = Lock()  # Alembic keeps the migration that runs in a global variable


def upgrade_database(database: Database) -> None:
    """Create the tables, or change them to what this version of corefbench expects."""
    with database.write() as connection:
        upgrade_connection(connection)


def upgrade_connection(connection: Connection, revision: str = "head") -> None:
    """Upgrade to a revision inside a transaction that has begun."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
    _check_not_newer(get_revision(connection))
    config = _make_config()
    config.attributes["connection"] = connection
    with _thread_lock:
        command.upgrade(config, revision)


def get_revision(connection: Connection) -> str | None:
    """Return the revision of a database; None if it is empty."""
    return MigrationContext.configure(connection).get_current_revision()


def list_revisions() -> list[str]:
    """Return the revisions that this version of corefbench knows, oldest first."""
    scripts = ScriptDirectory.from_config(_make_config())
    return sorted(script.revision for script in scripts.walk_revisions())


def _make_config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    return config


def _check_not_newer(revision: str | None) -> None:
    known = list_revisions()
    if revision is not None and revision not in known:
        raise UsageError(
            "the database was made by a later version of corefbench",
            code="CB316",
            found=f"revision {revision}",
            expected=f"one of {', '.join(known)}",
            remedy="install that version",
        )
