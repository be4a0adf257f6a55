"""Backups: whole, portable between databases, and checked when they come back."""

import io
import tarfile
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import select

from corefbench.campaign.backup import backup, read_manifest, restore
from corefbench.campaign.domain.submissions import is_genuine, sign_receipt
from corefbench.campaign.leaderboard import build_board
from corefbench.campaign.platform import Platform, open_platform
from corefbench.campaign.storage.audit import list_audit_entries, record_action
from corefbench.campaign.storage.database import Database, make_sqlite_url
from corefbench.campaign.storage.files import FileStore
from corefbench.campaign.storage.settings import get_secret, is_published
from corefbench.campaign.storage.submissions import list_submissions
from corefbench.campaign.storage.tables import metadata
from corefbench.campaign.storage.users import list_teams
from corefbench.errors import DataError, UsageError
from tests.campaign import answers, enter, write_campaign
from tests.campaign_play import score_all, send
from tests.postgresql import Cluster


@pytest.fixture
def lived(platform: Platform) -> Platform:
    """A platform with teams, submissions and files."""
    for number, quality in enumerate(("good", "poor", "good")):
        submit(platform, f"Team {number} é", answers(quality, "training"))
    return platform


def submit(platform: Platform, team: str, content: bytes) -> None:
    send(platform, enter(platform, team), content, phase="training")


def rows_of(database: Database) -> dict[str, list[dict[str, Any]]]:
    with database.read() as connection:
        return {
            table.name: [dict(row) for row in connection.execute(select(table).order_by(*table.primary_key)).mappings()]
            for table in metadata.sorted_tables
        }


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_everything_comes_back_in_either_database(
    lived: Platform, tmp_path: Path, kind: str, cluster: Callable[[], Cluster]
) -> None:
    made = backup(lived, tmp_path / "backup.tar")
    state = tmp_path / "restored"
    name = "" if kind == "sqlite" else cluster().create()
    url = cluster().url(name) if name else make_sqlite_url(state / "campaign.db")
    assert restore(tmp_path / "backup.tar", state, url) == made
    database = Database(url)
    assert rows_of(database) == rows_of(lived.database)
    assert get_secret(database) == lived.secret
    files = FileStore(state / "files")
    assert list(files.all()) == list(lived.files.all())
    assert all(files.read(one) == lived.files.read(one) for one in files.all())
    with database.write() as connection:  # rows that are added get numbers of their own
        record_action(connection, person=None, action="after", subject="", now=lived.clock())
        assert list_audit_entries(connection, limit=1)[0].action == "after"
    database.close()
    if name:
        cluster().drop(name)


def test_a_backup_of_the_same_state_has_the_same_bytes(lived: Platform, tmp_path: Path) -> None:
    backup(lived, tmp_path / "a.tar")
    backup(lived, tmp_path / "b.tar")
    assert (tmp_path / "a.tar").read_bytes() == (tmp_path / "b.tar").read_bytes()
    assert (tmp_path / "a.tar").stat().st_mode & 0o077 == 0


def test_what_is_written_meanwhile_is_all_in_the_backup_or_not_at_all(lived: Platform) -> None:
    with lived.database.read() as connection:
        before = len(list_audit_entries(connection))
        with lived.database.write() as other:
            record_action(other, person=None, action="meanwhile", subject="", now=lived.clock())
        assert len(list_audit_entries(connection)) == before


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_backup_of_an_earlier_version_is_upgraded(tmp_path: Path, kind: str, cluster: Callable[[], Cluster]) -> None:
    archive = Path(__file__).parent / "data" / "backup-0002.tar"
    name = "" if kind == "sqlite" else cluster().create()
    url = cluster().url(name) if name else make_sqlite_url(tmp_path / "campaign.db")
    manifest = restore(archive, tmp_path / "state", url)
    folder = write_campaign(tmp_path / "tiny")
    platform = open_platform(folder, state=tmp_path / "state", database=url)
    with platform.database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert [team.name for team in list_teams(connection)] == ["A-Team", "B-Team é"]
        sent = list_submissions(connection, None)
        states = ["queued", "scored", "scored", "scored", "withdrawn"]
        assert sorted(one.state for one in sent) == states
        assert len(list_audit_entries(connection)) == 6
        assert is_published(connection, "training")
    assert all(is_genuine(sign_receipt(one.receipt, platform.secret), platform.secret) for one in sent)
    assert set(platform.files.all()) == {part.sha256 for part in manifest.files}
    board = build_board(platform, "training", "coreference")
    assert [(line.team, line.rank) for line in board.lines] == [("A-Team", 1)]
    score_all(platform)
    backup(platform, tmp_path / "new.tar")
    assert read_manifest(tmp_path / "new.tar").revision > manifest.revision
    platform.close()
    if name:
        cluster().drop(name)


def test_backups_of_a_server_at_work_are_whole(lived: Platform, tmp_path: Path) -> None:
    stop = Event()

    def work() -> None:
        number = 0
        while not stop.is_set():
            submit(lived, f"Busy {number}", answers("good", "training") + b"#%d\n" % number)
            number += 1

    thread = Thread(target=work)
    thread.start()
    for number in range(3):
        made = backup(lived, tmp_path / f"{number}.tar")
        restore(tmp_path / f"{number}.tar", tmp_path / str(number))
        database = Database(make_sqlite_url(tmp_path / str(number) / "campaign.db"))
        rows = rows_of(database)
        database.close()
        kept = {row["sha256"] for row in rows["files"]}
        assert {row["sha256"] for row in rows["submissions"]} <= kept
        assert kept == {part.sha256 for part in made.files}
        assert len(rows["teams"]) == len(rows["users"]) >= len(rows["submissions"])
    stop.set()
    thread.join()


def test_a_file_that_is_gone_is_told_and_no_backup_is_left(lived: Platform, tmp_path: Path) -> None:
    lived.files.path(next(lived.files.all())).unlink()
    with pytest.raises(DataError, match="CB006 a stored file is missing"):
        backup(lived, tmp_path / "out" / "backup.tar")
    assert not list((tmp_path / "out").iterdir())


def test_a_state_that_has_a_campaign_is_left_as_it_is(lived: Platform, tmp_path: Path) -> None:
    backup(lived, tmp_path / "backup.tar")
    before = rows_of(lived.database)
    with pytest.raises(UsageError, match="CB331"):
        restore(tmp_path / "backup.tar", tmp_path / "elsewhere", lived.database.url)
    assert rows_of(lived.database) == before


def rewritten(path: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """A copy of an archive with members changed, or left out."""
    out = path.with_name("changed.tar")
    with tarfile.open(path) as old, tarfile.open(out, "w") as new:
        for member in old:
            stream = old.extractfile(member)
            assert stream is not None
            content = change(member.name, stream.read())
            if content is not None:
                member.size = len(content)
                new.addfile(member, io.BytesIO(content))
    return out


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "change",
    [
        lambda name, content: None if name == "manifest.json" else content,
        lambda name, content: b"{" if name == "manifest.json" else content,
        lambda name, content: None if name == "tables/teams.jsonl" else content,
        lambda name, content: content[:-1] if name == "tables/teams.jsonl" else content,
        lambda name, content: content.replace(b"Team 0", b"Team 9") if name == "tables/teams.jsonl" else content,
        lambda name, content: None if name.startswith("files/") else content,
        lambda name, content: content[::-1] if name.startswith("files/") else content,
        lambda name, content: content + b"x" if name.startswith("files/") else content,
    ],
)
def test_a_damaged_backup_is_refused_and_nothing_is_restored(
    lived: Platform, tmp_path: Path, change: Callable[[str, bytes], bytes | None]
) -> None:
    backup(lived, tmp_path / "backup.tar")
    with pytest.raises(DataError, match=r"CB330|CB309"):
        restore(rewritten(tmp_path / "backup.tar", change), tmp_path / "restored")
    database = Database(make_sqlite_url(tmp_path / "restored" / "campaign.db"))
    if (tmp_path / "restored" / "campaign.db").exists() and database_has_tables(database):
        assert not any(rows_of(database).values())
    database.close()
    restore(tmp_path / "backup.tar", tmp_path / "restored")  # nothing is in the way of a whole one


def database_has_tables(database: Database) -> bool:
    from sqlalchemy import inspect

    return inspect(database.engine).has_table("teams")


@pytest.mark.parametrize("content", [b"", b"not a tar", b"\0" * 2048])
def test_what_is_no_backup_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.tar").write_bytes(content)
    with pytest.raises(DataError, match="CB330"):
        read_manifest(tmp_path / "a.tar")
