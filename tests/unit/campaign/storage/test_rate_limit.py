from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from corefbench.campaign.storage.database import Database
from corefbench.campaign.storage.rate_limit import WINDOW, clear_attempts, count_attempt, delete_expired_attempts
from corefbench.errors import UsageError

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def attempt(database: Database, key: str, now: datetime, allowed: int = 3) -> bool:
    """Whether the attempt was allowed."""
    try:
        with database.write() as connection:
            count_attempt(connection, key, now, allowed=allowed)
    except UsageError:
        return False
    return True


def test_attempts_are_allowed_up_to_the_limit_of_each_key(database: Database) -> None:
    assert [attempt(database, "a", NOW) for _ in range(4)] == [True, True, True, False]
    assert attempt(database, "b", NOW)


def test_the_window_slides(database: Database) -> None:
    for minute in (0, 5, 10):
        assert attempt(database, "a", NOW + timedelta(minutes=minute))
    assert not attempt(database, "a", NOW + timedelta(minutes=14))
    assert attempt(database, "a", NOW + WINDOW)  # the first is a quarter of an hour old
    assert not attempt(database, "a", NOW + timedelta(minutes=16))


def test_the_error_says_when_to_try_again(database: Database) -> None:
    assert attempt(database, "a", NOW, allowed=1)
    with database.write() as connection, pytest.raises(UsageError, match="CB343") as raised:
        count_attempt(connection, "a", NOW + timedelta(minutes=5), allowed=1)
    assert raised.value.remedy == "try again in 10 minutes"


def test_a_successful_attempt_clears_the_key(database: Database) -> None:
    assert attempt(database, "a", NOW, allowed=1)
    with database.write() as connection:
        clear_attempts(connection, "a")
    assert attempt(database, "a", NOW, allowed=1)


def test_concurrent_attempts_never_exceed_the_limit(database: Database) -> None:
    with ThreadPoolExecutor(8) as pool:
        allowed = list(pool.map(lambda _: attempt(database, "a", NOW, allowed=5), range(24)))
    assert sum(allowed) == 5


def test_limits_hold_after_a_restart(database: Database) -> None:
    assert attempt(database, "a", NOW, allowed=1)
    restarted = Database(database.url)
    assert not attempt(restarted, "a", NOW, allowed=1)
    restarted.close()


def test_expired_attempts_are_deleted(database: Database) -> None:
    attempt(database, "a", NOW)
    attempt(database, "a", NOW + timedelta(minutes=1))
    with database.write() as connection:
        assert delete_expired_attempts(connection, NOW + WINDOW) == 1
