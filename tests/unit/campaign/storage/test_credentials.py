from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.credentials import (
    RATE_LIMIT_WINDOW,
    clear_attempts,
    count_attempt,
    create_session,
    create_token,
    delete_expired_attempts,
    delete_expired_sessions,
    delete_session,
    delete_user_sessions,
    get_session_identity,
    get_token_identity,
    hash_secret,
    list_tokens,
    revoke_token,
)
from corefbench.campaign.storage.database import Database
from corefbench.errors import UsageError
from tests.campaign import START, enter

HOUR = timedelta(hours=1)


def test_a_session_holds_until_it_expires(platform: Platform) -> None:
    ada = enter(platform)
    with platform.database.write() as connection:
        create_session(connection, digest="d", person=ada.id, csrf="c", now=START, expires=START + HOUR)
        identity = get_session_identity(connection, "d", START + HOUR - timedelta(microseconds=1))
        assert identity is not None
        assert (identity.person, identity.email, identity.csrf) == (ada.id, ada.email, "c")
        assert (identity.team, identity.team_name, identity.team_state) == (ada.team, "A-Team", "approved")
        assert get_session_identity(connection, "d", START + HOUR) is None
        assert get_session_identity(connection, "e", START) is None
        assert delete_expired_sessions(connection, START) == 0
        assert delete_expired_sessions(connection, START + HOUR) == 1


def test_who_signs_out_has_no_session(platform: Platform) -> None:
    ada = enter(platform)
    with platform.database.write() as connection:
        for name in "abc":
            create_session(connection, digest=name, person=ada.id, csrf="", now=START, expires=START + HOUR)
        delete_session(connection, "a")
        assert [get_session_identity(connection, name, START) is None for name in "ab"] == [True, False]
        delete_user_sessions(connection, ada.id)
        assert get_session_identity(connection, "b", START) is None


def test_a_token_opens_the_door_until_it_is_revoked(platform: Platform) -> None:
    ada, eve = enter(platform), enter(platform, "Eavesdroppers")
    with platform.database.write() as connection:
        clear = create_token(connection, ada.id, "laptop", START)
        identity = get_token_identity(connection, hash_secret(clear))
        assert identity is not None
        assert (identity.person, identity.organiser) == (ada.id, False)
        assert get_token_identity(connection, clear) is None
        (token,) = list_tokens(connection, ada.id)
        assert (token.label, token.revoked) == ("laptop", None)
        assert not revoke_token(connection, token.id, person=eve.id, now=START)
        assert revoke_token(connection, token.id, person=ada.id, now=START)
        assert not revoke_token(connection, token.id, person=ada.id, now=START)
        assert get_token_identity(connection, hash_secret(clear)) is None
        assert list_tokens(connection, ada.id)[0].revoked == START


def test_no_token_is_kept_in_clear_text(platform: Platform) -> None:
    ada = enter(platform)
    with platform.database.write() as connection:
        clear = create_token(connection, ada.id, "laptop", START)
        assert clear.startswith("cb_")
        kept = connection.exec_driver_sql("SELECT * FROM tokens").all()
    assert clear not in str(kept)


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
    assert attempt(database, "a", NOW + RATE_LIMIT_WINDOW)  # the first is a quarter of an hour old
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
        assert delete_expired_attempts(connection, NOW + RATE_LIMIT_WINDOW) == 1
