from datetime import datetime, timedelta

import pytest

from corefbench.campaign.domain.submissions import Refusal
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.downloads import Download, get_window, get_window_end, list_downloads
from corefbench.campaign.storage.downloads import get_download as download_by_number
from tests.campaign import MovableClock, download, enter

HOUR = timedelta(hours=1)


def closes(platform: Platform, team: str | None) -> datetime | None:
    with platform.database.read() as connection:
        return get_window_end(connection, team or "", "test", "coreference")


def test_the_first_download_opens_the_window(platform: Platform, clock: MovableClock) -> None:
    ada = enter(platform)
    opened = clock.set(platform.campaign.phase("test").opens + HOUR)
    assert closes(platform, ada.team) is None
    first = download(platform, ada)
    assert isinstance(first, Download)
    assert closes(platform, ada.team) == opened + 48 * HOUR
    clock.forward(hours=5)
    second = download(platform, ada)
    assert isinstance(second, Download)
    assert closes(platform, ada.team) == opened + 48 * HOUR
    with platform.database.read() as connection:
        assert list_downloads(connection, ada.team) == list_downloads(connection, None)
        assert list_downloads(connection, ada.team) == [first, second]
        assert download_by_number(connection, first.id) == first
        assert get_window(connection, ada.team or "", "test", "links") is None


def test_a_window_ends_with_the_phase(platform: Platform, clock: MovableClock) -> None:
    ada, phase = enter(platform), platform.campaign.phase("test")
    clock.set(phase.closes - HOUR)
    download(platform, ada)
    assert closes(platform, ada.team) == phase.closes


@pytest.mark.parametrize(
    ("approved", "offset", "code"), [(False, HOUR, "CB301"), (True, -HOUR, "CB302"), (True, 7 * 24 * HOUR, "CB303")]
)
def test_data_is_refused(platform: Platform, clock: MovableClock, approved: bool, offset: timedelta, code: str) -> None:
    ada = enter(platform, approved=approved)
    clock.set(platform.campaign.phase("test").opens + offset)
    refused = download(platform, ada)
    assert isinstance(refused, Refusal)
    assert refused.code == code
    assert closes(platform, ada.team) is None


def test_a_phase_without_window_sets_no_bound(platform: Platform) -> None:
    ada = enter(platform)
    made = download(platform, ada, "training")
    assert isinstance(made, Download)
    with platform.database.read() as connection:
        opened = get_window(connection, ada.team or "", "training", "coreference")
    assert opened is not None
    assert (opened.opened, opened.closes) == (platform.clock(), None)
    assert made.receipt.what == "download"
    assert made.receipt.time == "2026-03-02T12:00:00.000000Z"
