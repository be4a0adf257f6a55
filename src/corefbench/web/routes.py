"""Every page of the workbench: its name, its address and the view that makes it.

One table serves the app, its JSON twins, the static bundle and the tests that visit every page.
"""

from collections.abc import Iterator
from importlib import import_module

from corefbench.web.addresses import Addressed
from corefbench.web.page import Page, Query, View
from corefbench.web.workbench import Workbench

_VIEWS = "corefbench.web.views"


class Route(Addressed, frozen=True):
    """One kind of page."""

    name: str

    def view(self) -> View:
        """The function ``view`` of the module of that name, loaded when it is needed."""
        view: View = import_module(f"{_VIEWS}.{self.name.replace('-', '_')}").view
        return view

    @property
    def twin(self) -> str:
        """The address of the page as JSON: its own with ``.json``, or ``/index.json``."""
        return "/index.json" if self.path == "/" else f"{self.path}.json"


ROUTES = {
    route.name: route
    for route in (
        Route(name="home", path="/"),
        Route(name="prepare", path="/prepare"),
        Route(name="job", path="/jobs/{job}"),
        Route(name="results", path="/runs/{run}"),
        Route(name="reading", path="/runs/{run}/read/{document}"),
        Route(name="versus", path="/runs/{run}/compare/{document}"),
        Route(name="errors", path="/runs/{run}/errors"),
        Route(name="singletons", path="/runs/{run}/singletons"),
        Route(name="statistics", path="/statistics"),
        Route(name="trial", path="/try"),
        Route(name="tried", path="/try/{trial}"),
        Route(name="merge", path="/merge"),
        Route(name="merged", path="/merge/{merge}"),
    )
}


def address(name: str, **values: object) -> str:
    """The address of a page of the app."""
    return ROUTES[name].address(**values)


def visit(name: str, workbench: Workbench, query: Query) -> Page:
    """Make a page."""
    return ROUTES[name].view()(workbench, query)


def all_routes() -> Iterator[Route]:
    """In the order of the table."""
    yield from ROUTES.values()
