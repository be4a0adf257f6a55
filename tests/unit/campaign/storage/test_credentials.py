from datetime import timedelta

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.credentials import (
    create_session,
    create_token,
    delete_expired_sessions,
    delete_session,
    delete_user_sessions,
    get_session,
    get_token_owner,
    hash_secret,
    list_tokens,
    revoke_token,
)
from tests.campaign import START, enter

HOUR = timedelta(hours=1)


def test_a_session_holds_until_it_expires(platform: Platform) -> None:
    ada = enter(platform)
    with platform.database.write() as connection:
        create_session(connection, digest="d", person=ada.id, csrf="c", now=START, expires=START + HOUR)
        found = get_session(connection, "d", START + HOUR - timedelta(microseconds=1))
        assert found is not None
        assert (found.person, found.csrf, found.expires) == (ada, "c", START + HOUR)
        assert get_session(connection, "d", START + HOUR) is None
        assert get_session(connection, "e", START) is None
        assert delete_expired_sessions(connection, START) == 0
        assert delete_expired_sessions(connection, START + HOUR) == 1


def test_who_signs_out_has_no_session(platform: Platform) -> None:
    ada = enter(platform)
    with platform.database.write() as connection:
        for name in "abc":
            create_session(connection, digest=name, person=ada.id, csrf="", now=START, expires=START + HOUR)
        delete_session(connection, "a")
        assert [get_session(connection, name, START) is None for name in "ab"] == [True, False]
        delete_user_sessions(connection, ada.id)
        assert get_session(connection, "b", START) is None


def test_a_token_opens_the_door_until_it_is_revoked(platform: Platform) -> None:
    ada, eve = enter(platform), enter(platform, "Eavesdroppers")
    with platform.database.write() as connection:
        clear = create_token(connection, ada.id, "laptop", START)
        assert get_token_owner(connection, hash_secret(clear)) == ada
        assert get_token_owner(connection, clear) is None
        (token,) = list_tokens(connection, ada.id)
        assert (token.label, token.revoked) == ("laptop", None)
        assert not revoke_token(connection, token.id, person=eve.id, now=START)
        assert revoke_token(connection, token.id, person=ada.id, now=START)
        assert not revoke_token(connection, token.id, person=ada.id, now=START)
        assert get_token_owner(connection, hash_secret(clear)) is None
        assert list_tokens(connection, ada.id)[0].revoked == START


def test_no_token_is_kept_in_clear_text(platform: Platform) -> None:
    ada = enter(platform)
    with platform.database.write() as connection:
        clear = create_token(connection, ada.id, "laptop", START)
        assert clear.startswith("cb_")
        kept = connection.exec_driver_sql("SELECT * FROM tokens").all()
    assert clear not in str(kept)
