from datetime import timedelta

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.digests import digest
from corefbench.campaign.storage.sessions import (
    close_session,
    close_sessions_of,
    forget_expired,
    open_session,
    session,
)
from corefbench.campaign.storage.tokens import make_token, people_of_tokens, revoke, tokens_of
from tests.campaign import START, enter

HOUR = timedelta(hours=1)


def test_a_session_holds_until_it_expires(platform: Platform) -> None:
    ada = enter(platform)
    with platform.database.write() as connection:
        open_session(
            connection, digest="d", person=ada.id, csrf="c", now=START, expires=START + HOUR
        )
        found = session(connection, "d", START + HOUR - timedelta(microseconds=1))
        assert found is not None
        assert (found.person, found.csrf, found.expires) == (ada, "c", START + HOUR)
        assert session(connection, "d", START + HOUR) is None
        assert session(connection, "e", START) is None
        assert forget_expired(connection, START) == 0
        assert forget_expired(connection, START + HOUR) == 1


def test_who_signs_out_has_no_session(platform: Platform) -> None:
    ada = enter(platform)
    with platform.database.write() as connection:
        for name in "abc":
            open_session(
                connection, digest=name, person=ada.id, csrf="", now=START, expires=START + HOUR
            )
        close_session(connection, "a")
        assert [session(connection, name, START) is None for name in "ab"] == [True, False]
        close_sessions_of(connection, ada.id)
        assert session(connection, "b", START) is None


def test_a_token_opens_the_door_until_it_is_revoked(platform: Platform) -> None:
    ada, eve = enter(platform), enter(platform, "Eavesdroppers")
    with platform.database.write() as connection:
        clear = make_token(connection, ada.id, "laptop", START)
        assert people_of_tokens(connection, [digest(clear)])[digest(clear)][0] == ada
        assert not people_of_tokens(connection, [clear])
        (token,) = tokens_of(connection, ada.id)
        assert (token.label, token.revoked) == ("laptop", None)
        assert not revoke(connection, token.id, person=eve.id, now=START)
        assert revoke(connection, token.id, person=ada.id, now=START)
        assert not revoke(connection, token.id, person=ada.id, now=START)
        assert not people_of_tokens(connection, [digest(clear)])
        assert tokens_of(connection, ada.id)[0].revoked == START


def test_no_token_is_kept_in_clear_text(platform: Platform) -> None:
    ada = enter(platform)
    with platform.database.write() as connection:
        clear = make_token(connection, ada.id, "laptop", START)
        assert clear.startswith("cb_")
        kept = connection.exec_driver_sql("SELECT * FROM tokens").all()
    assert clear not in str(kept)
