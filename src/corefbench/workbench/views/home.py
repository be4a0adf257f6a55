"""Home page: stored runs and unfinished jobs."""

from corefbench.web.forms import SubmittedForm
from corefbench.web.pages import Page, Query
from corefbench.workbench.routes import url_for
from corefbench.workbench.storage import RunEntry, Workbench

_SEARCHABLE_FROM = 12
"""Number of runs from which there is a search field."""


def home_page(workbench: Workbench, query: Query) -> Page:
    """Show the runs; ``find`` filters them, ``manage`` opens the forms of one."""
    runs = workbench.list_runs()
    find = query.get("find", "").strip()
    model = {
        "runs": [run for run in runs if _matches(run, find)],
        "all": len(runs),
        "jobs": workbench.jobs.unfinished(),
        "folder": workbench.folder.name,
        "find": find,
        "manage": query.get("manage", ""),
        "searchable": len(runs) > _SEARCHABLE_FROM,
    }
    return Page(template="home.html", title="Workbench", model=model)


def _matches(run: RunEntry, find: str) -> bool:
    """Whether every word is somewhere in the row."""
    row = " ".join((run.name, run.key, run.profile, run.created, *run.responses)).casefold()
    return all(word in row for word in find.casefold().split())


def rename_run(workbench: Workbench, form: SubmittedForm) -> str:
    """Rename a run."""
    workbench.rename_run(form.get("run"), form.get("name"))
    return url_for("home")


def delete_run(workbench: Workbench, form: SubmittedForm) -> str:
    """Delete a run."""
    workbench.delete_run(form.get("run"))
    return url_for("home")
