"""The first page: the runs that are kept, and where to begin if there are none."""

from corefbench.record import Record
from corefbench.web.page import Page, Query
from corefbench.web.workbench import RunEntry, Workbench


class Home(Record, frozen=True):
    """What is kept."""

    runs: tuple[RunEntry, ...]
    folder: str


def view(workbench: Workbench, query: Query) -> Page:
    """The page."""
    model = Home(runs=tuple(workbench.listed()), folder=workbench.folder.name)
    return Page(template="home.html", title="Workbench", model=model)
