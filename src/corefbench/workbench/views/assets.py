"""Charts, style sheets and scripts."""

from corefbench.errors import UnknownName
from corefbench.web.pages import Query, render_svg
from corefbench.web.responses import FileContent
from corefbench.workbench.routes import ASSETS
from corefbench.workbench.storage import Workbench


def static_file(workbench: Workbench, query: Query) -> FileContent:
    """Return a style sheet or script."""
    return ASSETS.serve(query["name"], query.get("v", ""))


def chart_file(workbench: Workbench, query: Query) -> FileContent:
    """Return a chart of a page that was shown; its URL has a hash of its content."""
    digest, _, theme = query["name"].removesuffix(".svg").partition("-")
    if digest not in workbench.charts:
        raise UnknownName("chart", digest, [])
    return FileContent(
        body=render_svg(workbench.charts[digest], theme).encode(),
        media_type="image/svg+xml",
        cache="private, max-age=31536000, immutable",
    )
