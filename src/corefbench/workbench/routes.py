"""Routing table, templates, assets and links of the workbench.

One table serves the application, the JSON variants of its pages, the static bundle and the tests
that visit every page.
"""

from pathlib import Path
from typing import Literal, TypeAlias

from corefbench.runs.matching import SYMBOLS
from corefbench.web.assets import SHARED_ASSETS, Assets
from corefbench.web.pages import Page, Query
from corefbench.web.rendering import Links, Renderer
from corefbench.web.routing import BaseRoute, RoutingTable
from corefbench.workbench.document_text import group_paragraphs
from corefbench.workbench.storage import Workbench

Kind: TypeAlias = Literal["page", "fragment", "form", "file"]
"""What a view returns: ``page`` and ``fragment`` a page, the first also as JSON; ``form`` the URL
to go on to, or a page; ``file`` a file."""


class Route(BaseRoute, frozen=True):
    """A path and its view."""

    kind: Kind = "page"

    @property
    def json_path(self) -> str:
        """The path of a page as JSON: its own with ``.json``, or ``/index.json``."""
        return "/index.json" if self.path == "/" else f"{self.path}.json"


def _page(name: str, path: str, view: str) -> Route:
    return Route(name=name, path=path, view=view)


def _form(name: str, path: str, view: str) -> Route:
    return Route(name=name, path=path, view=view, kind="form")


def _file(name: str, path: str, view: str) -> Route:
    return Route(name=name, path=path, view=view, kind="file")


ROUTES = RoutingTable(
    "corefbench.workbench.views",
    (
        _page("home", "/", "home:home_page"),
        _form("rename-run", "/runs/{run}/rename", "home:rename_run"),
        _form("delete-run", "/runs/{run}/delete", "home:delete_run"),
        _page("prepare", "/prepare", "jobs:prepare_page"),
        _form("start-run", "/prepare", "jobs:start_run"),
        _page("job", "/jobs/{job}", "jobs:job_page"),
        Route(name="job-progress", path="/jobs/{job}/progress", view="jobs:job_progress", kind="fragment"),
        _form("cancel-job", "/jobs/{job}/cancel", "jobs:cancel_job"),
        _form("restart-job", "/jobs/{job}/again", "jobs:restart_job"),
        _form("remove-job", "/jobs/{job}/remove", "jobs:remove_job"),
        _page("results", "/runs/{run}", "results:results_page"),
        _file("export-run", "/runs/{run}/export/{what}", "results:export_run"),
        _page("reading", "/runs/{run}/read/{document}", "reading:reading_page"),
        _page("compare", "/runs/{run}/compare/{document}", "compare:compare_page"),
        _page("errors", "/runs/{run}/errors", "errors:errors_page"),
        _page("singletons", "/runs/{run}/singletons", "singletons:singletons_page"),
        _page("statistics", "/statistics", "statistics:statistics_page"),
        _file("export-statistics", "/statistics/export/{what}", "statistics:export_statistics"),
        _page("try", "/try", "try_text:try_text_page"),
        _form("try-text", "/try", "try_text:try_text_form"),
        _page("trial", "/try/{trial}", "try_text:trial_page"),
        _page("merges", "/merge", "merges:merge_form_page"),
        _form("create-merge", "/merge", "merges:create_merge_form"),
        _page("merge", "/merge/{merge}", "merges:merge_page"),
        _form("decide-merge", "/merge/{merge}/decisions", "merges:decide_merge"),
        _file("export-merge", "/merge/{merge}/export/{what}", "merges:export_merge"),
        _file("chart", "/drawings/{name}", "home:chart_file"),
        _file("static", "/static/{name}", "home:static_file"),
    ),
)
url_for = ROUTES.url_for


def build_page(name: str, workbench: Workbench, query: Query) -> Page:
    """Build a page by the name of its route."""
    page: Page = ROUTES.load_view(name)(workbench, query)
    return page


ASSETS = Assets(SHARED_ASSETS, Path(__file__).parent / "static")
RENDERER = Renderer(
    "corefbench.workbench", filters={"group_paragraphs": group_paragraphs}, variables={"symbols": SYMBOLS}
)
SERVER_LINKS = Links(url=url_for, static=ASSETS.url, chart=lambda chart, theme: f"/drawings/{chart.digest}-{theme}.svg")
