"""Bring a database to the present form of its tables, step by step, in one transaction.

Two servers that start at once wait for each other: on SQLite by ``BEGIN IMMEDIATE``, on PostgreSQL
by an advisory lock that ends with the transaction. The steps are in ``migrations/versions``.
"""

from pathlib import Path
from typing import Any

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, select

from corefbench.campaign.storage.database import Database
from corefbench.campaign.storage.tables import metadata
from corefbench.errors import UsageError

_LOCK = 0x_C0_2E_F8  # any number that no other program of the database uses


def migrate(database: Database) -> None:
    """Make the tables, or change them to what this version of corefbench expects."""
    with database.write() as connection:
        if not database.is_sqlite:
            connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))
        migrate_connection(connection)


def migrate_connection(connection: Connection, to: str = "head") -> None:
    """Do so inside a transaction that is under way, up to a step."""
    scripts = ScriptDirectory(str(Path(__file__).parent / "migrations"))
    _not_from_the_future(scripts, revision_of(connection))

    def steps(revision: Any, _: MigrationContext) -> Any:
        return scripts._upgrade_revs(to, revision)

    context = MigrationContext.configure(
        connection, opts={"fn": steps, "target_metadata": metadata}
    )
    with Operations.context(context):
        context.run_migrations()


def revision_of(connection: Connection) -> str | None:
    """The step that a database has come to."""
    return MigrationContext.configure(connection).get_current_revision()


def _not_from_the_future(scripts: ScriptDirectory, revision: str | None) -> None:
    known = [script.revision for script in scripts.walk_revisions()]
    if revision is not None and revision not in known:
        raise UsageError(
            "the database was made by a later version of corefbench",
            code="CB316",
            found=f"revision {revision}",
            expected=f"one of {', '.join(sorted(known))}",
            remedy="install that version",
        )
