import pytest
from litestar import Litestar

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.app import make_app
from tests.campaign import (  # noqa: F401
    campaign_folder,
    clock,
    cluster,
    database,
    database_url,
    migrated,
    platform,
)


@pytest.fixture
def app(platform: Platform) -> Litestar:  # noqa: F811
    """The server of the tiny campaign, without a worker."""
    return make_app(platform, worker=0)
