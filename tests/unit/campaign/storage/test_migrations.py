from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from corefbench.campaign.storage.database import Database, make_sqlite_url
from corefbench.campaign.storage.migrations import get_revision, upgrade_connection, upgrade_database
from corefbench.campaign.storage.settings import get_secret
from corefbench.campaign.storage.tables import metadata
from corefbench.campaign.storage.users import get_pseudonyms
from corefbench.errors import UsageError
from tests.postgresql import Cluster


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path, cluster: Callable[[], Cluster]) -> Iterator[str]:
    if request.param == "sqlite":
        yield make_sqlite_url(tmp_path / "campaign.db")
        return
    name = cluster().create()
    yield cluster().url(name)
    cluster().drop(name)


def test_the_steps_make_the_tables_of_the_code(database: Database) -> None:
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_database_that_is_up_to_date_stays_as_it_is(database: Database) -> None:
    secret = get_secret(database)
    upgrade_database(database)
    assert get_secret(database) == secret


def test_a_database_of_a_later_version_is_not_touched(empty: str) -> None:
    start(empty)
    database = Database(empty)
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(UsageError, match="CB316"):
        upgrade_database(database)
    with database.read() as connection:
        assert get_revision(connection) == "9999"
    database.close()


def test_servers_that_start_at_once_make_one_database(empty: str) -> None:
    with ThreadPoolExecutor(8) as pool:
        secrets = list(pool.map(start, [empty] * 8))
    assert len(set(secrets)) == 1


def start(url: str) -> bytes:
    database = Database(url)
    try:
        upgrade_database(database)
        return get_secret(database)
    finally:
        database.close()


def test_teams_of_the_first_version_are_given_a_pseudonym_for_every_phase(empty: str) -> None:
    database = Database(empty)
    with database.write() as connection:
        upgrade_connection(connection, "0001")
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
    upgrade_database(database)
    with database.read() as connection:
        called = get_pseudonyms(connection)
    database.close()
    assert set(called) == {("1", "a"), ("1", "b"), ("2", "b")}
    assert len(set(called.values())) == 3


def test_rows_of_the_second_version_are_kept_under_new_names(empty: str) -> None:
    database = Database(empty)
    with database.write() as connection:
        upgrade_connection(connection, "0002")
        team = {"id": "t", "name": "T", "pseudonym": "t", "affiliation": "x", "code": "c"}
        insert(connection, "teams", **team, state="approved", created=1)
        person = {"id": "p", "email": "e", "name": "n", "password": "h", "organiser": True}
        insert(connection, "people", **person, team="t", created=2)
        insert(connection, "sessions", digest="d", person="p", csrf="c", created=3, expires=4)
        tokens = {"id": "k", "digest": "d", "person": "p", "label": "l"}
        insert(connection, "tokens", **tokens, created=5, revoked=6)
        insert(connection, "files", sha256="0", bytes=7, created=8)
        insert(connection, "windows", team="t", phase="a", task="b", opened=9, closes=10)
        place = {"team": "t", "person": "p", "phase": "a", "task": "b", "sha256": "0", "bytes": 7}
        insert(connection, "downloads", id="w", **place, time=11)
        state = {"state": "scoring", "message": "m", "attempts": 2, "worker": "v", "lease": 14}
        about = {"label": "l", "file_name": "f", "received": 12, "changed": 13, "request": "r"}
        insert(connection, "submissions", id="s", **place, **state, **about, evaluation="e")
        scores = {"signature": "x", "headline": 0.5, "public": 0.25, "covered": 1, "documents": 2}
        file = {"sha256": "0", "key_sha256": "1"}
        insert(connection, "evaluations", id="e", submission="s", created=15, **scores, **file)
        deed = {"time": 16, "person": "p", "action": "a", "subject": "s", "detail": "d"}
        insert(connection, "audit", **deed)
        insert(connection, "settings", name="frozen", value=b"yes")
    upgrade_database(database)
    with database.write() as connection:
        rows = {
            table.name: [tuple(row) for row in connection.exec_driver_sql(f"SELECT * FROM {table.name}")]
            for table in metadata.sorted_tables
        }
        insert(connection, "audit_log", created_at=1, action="a", subject="", detail="")
        numbers = connection.exec_driver_sql("SELECT id FROM audit_log").scalars().all()
    database.close()
    assert rows == {
        "teams": [("t", "T", "x", "c", "approved", 1)],
        "pseudonyms": [],
        "users": [("p", "e", "n", "h", True, "t", 2)],
        "sessions": [("d", "p", "c", 3, 4)],
        "tokens": [("k", "d", "p", "l", 5, 6)],
        "rate_limit_attempts": [],
        "files": [("0", 7, 8)],
        "windows": [("t", "a", "b", 9, 10)],
        "downloads": [("w", "t", "p", "a", "b", "0", 7, 11)],
        "submissions": [("s", "t", "p", "a", "b", "l", "f", "0", 7, 12, "r", "scoring", 13, "m", "v", 14, 2, "e")],
        "evaluations": [("e", "s", 15, "x", 0.5, 0.25, 1, 2, "0", "1")],
        "audit_log": [(1, 16, "p", "a", "s", "d")],
        "settings": [("frozen", b"yes")],
    }
    assert sorted(numbers) == [1, 2]


def insert(connection: Connection, table: str, **values: object) -> None:
    names = ", ".join(values)
    marks = ", ".join(f":{name}" for name in values)
    connection.execute(text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), values)
