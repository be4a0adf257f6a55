import pytest
from argon2 import PasswordHasher
from litestar.types import ASGIApp

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage import credentials
from corefbench.campaign.views.app import create_app


def pytest_itemcollected(item: pytest.Item) -> None:
    """Pages are tried on SQLite, and on PostgreSQL in ``make test-slow``: storage is tested on both."""
    if "postgresql" in item.name:
        item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def cheap_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash passwords in a millisecond: what it costs is not the subject here."""
    hasher = PasswordHasher(time_cost=1, memory_cost=16, parallelism=1)
    monkeypatch.setattr(credentials, "_hasher", lambda: hasher)


@pytest.fixture
def app(platform: Platform) -> ASGIApp:
    """The server of the tiny campaign, without a worker."""
    return create_app(platform, worker=0)
