"""Style sheets and scripts of the campaign server."""

from pathlib import Path

from corefbench.campaign.platform import Platform
from corefbench.campaign.views.auth import Visitor
from corefbench.web.assets import SHARED_ASSETS, Assets
from corefbench.web.pages import Query
from corefbench.web.responses import FileContent

ASSETS = Assets(SHARED_ASSETS, Path(__file__).parents[1] / "static")


def static_file(platform: Platform, visitor: Visitor, query: Query) -> FileContent:
    """Return a style sheet or script."""
    return ASSETS.serve(query["file"], query.get("v", ""))
