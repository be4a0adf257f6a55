"""The first page: the runs that are kept and those being made, and where to begin."""

from corefbench.record import Record
from corefbench.web.jobs import Job
from corefbench.web.page import Page, Query
from corefbench.web.workbench import RunEntry, Workbench

_MANY = 12
"""From so many runs on there is a field to find one."""


class Home(Record, frozen=True):
    """What is kept."""

    runs: tuple[RunEntry, ...]
    all: int
    """Runs, found or not."""
    jobs: tuple[Job, ...]
    """Those that have not become a run."""
    folder: str
    find: str = ""
    manage: str = ""
    """The run that is to be renamed or deleted."""
    searchable: bool = False


def view(workbench: Workbench, query: Query) -> Page:
    """The page; ``find`` leaves the runs that have these words, ``manage`` opens one of them."""
    runs = workbench.listed()
    find = query.get("find", "").strip()
    model = Home(
        runs=tuple(run for run in runs if _has(run, find)),
        all=len(runs),
        jobs=tuple(workbench.jobs.unfinished()),
        folder=workbench.folder.name,
        find=find,
        manage=query.get("manage", ""),
        searchable=len(runs) > _MANY,
    )
    return Page(template="home.html", title="Workbench", model=model)


def _has(run: RunEntry, find: str) -> bool:
    """Whether every word is somewhere in the row."""
    row = " ".join((run.name, run.key, run.profile, run.created, *run.responses)).casefold()
    return all(word in row for word in find.casefold().split())
