from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.database import Database
from corefbench.campaign.storage.settings import is_frozen, set_frozen
from tests.campaign import START


def test_a_look_is_at_one_state_of_things(platform: Platform) -> None:
    with platform.database.read() as look:
        assert not is_frozen(look)
        with platform.database.write() as connection:
            set_frozen(connection, True, person=None, now=START)
        assert not is_frozen(look)
    with platform.database.read() as look:
        assert is_frozen(look)


def test_commits_are_on_disk_before_they_are_acknowledged(database: Database) -> None:
    with database.read() as connection:
        if database.is_sqlite:
            asked = ("journal_mode", "synchronous", "foreign_keys")
            found = [connection.exec_driver_sql(f"PRAGMA {one}").scalar() for one in asked]
            assert found == ["wal", 2, 1]  # 2: FULL
        else:
            assert connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


def test_the_sqlite_of_the_campaign_is_free_of_the_race_in_its_log(database: Database) -> None:
    if database.is_sqlite:
        with database.read() as connection:
            version = str(connection.exec_driver_sql("SELECT sqlite_version()").scalar())
        assert tuple(map(int, version.split("."))) >= (3, 51, 3)
