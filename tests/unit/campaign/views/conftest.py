import pytest
from litestar.types import ASGIApp

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.app import create_app


@pytest.fixture
def app(platform: Platform) -> ASGIApp:
    """The server of the tiny campaign, without a worker."""
    return create_app(platform, worker=0)
