from datetime import timedelta

import pytest

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.audit import list_audit_entries
from corefbench.campaign.storage.settings import (
    get_publication_time,
    get_secret,
    is_frozen,
    is_published,
    publish,
    set_frozen,
)
from corefbench.errors import UsageError
from tests.campaign import START

BEFORE = timedelta(microseconds=1)


def test_the_secret_stays_the_same(platform: Platform) -> None:
    assert len(platform.secret) == 32
    assert get_secret(platform.database) == platform.secret


def test_a_phase_is_published_when_it_is_over_and_once(platform: Platform) -> None:
    phase = platform.campaign.phase("test")
    with platform.database.write() as connection:
        with pytest.raises(UsageError, match="CB315"):
            publish(connection, phase, person=None, now=phase.closes - BEFORE)
        assert not is_published(connection, "test")
        publish(connection, phase, person=None, now=phase.closes)
        publish(connection, phase, person=None, now=phase.closes + BEFORE)
        assert get_publication_time(connection, "test") == phase.closes
        assert not is_published(connection, "training")
        assert [entry.action for entry in list_audit_entries(connection)] == ["publish"]


def test_a_campaign_is_frozen_and_thawed(platform: Platform) -> None:
    with platform.database.write() as connection:
        assert not is_frozen(connection)
        for frozen in (True, True, False, False, True):
            set_frozen(connection, frozen, person=None, now=START)
            assert is_frozen(connection) == frozen
        assert [entry.action for entry in list_audit_entries(connection)] == ["freeze", "thaw", "freeze"]
        assert len(list_audit_entries(connection, limit=2)) == 2


def test_what_fails_in_a_transaction_leaves_nothing(platform: Platform) -> None:
    def break_off() -> None:
        with platform.database.write() as connection:
            set_frozen(connection, True, person=None, now=START)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        break_off()
    with platform.database.read() as connection:
        assert not is_frozen(connection)
        assert list_audit_entries(connection) == []
