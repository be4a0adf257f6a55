from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from corefbench.campaign.storage.database import Database, sqlite_url
from corefbench.campaign.storage.migrate import migrate, migrate_connection, revision_of
from corefbench.campaign.storage.pseudonyms import pseudonyms_of
from corefbench.campaign.storage.settings import secret_of
from corefbench.campaign.storage.tables import metadata
from corefbench.errors import UsageError
from tests.postgresql import Cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(
    request: pytest.FixtureRequest, tmp_path: Path, cluster: Callable[[], Cluster]
) -> Iterator[str]:
    if request.param == "sqlite":
        yield sqlite_url(tmp_path / "campaign.db")
        return
    name = cluster().create()
    yield cluster().url(name)
    cluster().drop(name)


def test_the_steps_make_the_tables_of_the_code(database: Database) -> None:
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_database_that_is_up_to_date_stays_as_it_is(database: Database) -> None:
    secret = secret_of(database)
    migrate(database)
    assert secret_of(database) == secret


def test_a_database_of_a_later_version_is_not_touched(empty: str) -> None:
    start(empty)
    database = Database(empty)
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UsageError, match="CB316"):
        migrate(database)
    with database.read() as connection:
        assert revision_of(connection) == "9999"
    database.close()


def test_servers_that_start_at_once_make_one_database(empty: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        secrets = list(pool.map(start, [empty] * 8))
    assert len(set(secrets)) == 1


def start(url: str) -> bytes:
    database = Database(url)
    try:
        migrate(database)
        return secret_of(database)
    finally:
        database.close()


def test_teams_of_the_first_version_are_given_a_pseudonym_for_every_phase(empty: str) -> None:
    database = Database(empty)
    with database.write() as connection:
        migrate_connection(connection, to="0001")
        for number in ("1", "2"):
            team = {"id": number, "name": f"Team {number}", "pseudonym": f"Wren {number}"}
            more = {"affiliation": "", "code": number, "state": "approved", "created": 0}
            insert(connection, "teams", **team, **more)
            person = {"email": number, "name": "", "password": "", "organiser": False}
            insert(connection, "people", id=number, team=number, created=0, **person)
        insert(connection, "files", sha256="0", bytes=1, created=0)
        for number, (team, phase) in enumerate((("1", "a"), ("1", "b"), ("1", "b"), ("2", "b"))):
            place = {"team": team, "person": team, "phase": phase, "task": "t", "label": ""}
            file = {"file_name": "", "sha256": "0", "bytes": 1, "received": 0, "changed": 0}
            state = {"state": "queued", "message": "", "attempts": 0}
            insert(connection, "submissions", id=str(number), **place, **file, **state)
    migrate(database)
    with database.read() as connection:
        called = pseudonyms_of(connection)
        old = connection.exec_driver_sql("SELECT pseudonym FROM teams ORDER BY id").scalars().all()
    database.close()
    assert set(called) == {("1", "a"), ("1", "b"), ("2", "b")}
    assert len(set(called.values())) == 3
    assert old == ["1", "2"]


def insert(connection: Connection, table: str, **values: object) -> None:
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), values)
