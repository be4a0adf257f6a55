"""Home page with stored runs and unfinished jobs; charts and static files of all pages."""

from corefbench.errors import UnknownName
from corefbench.web.forms import SubmittedForm
from corefbench.web.pages import Page, Query, render_svg
from corefbench.web.responses import FileContent
from corefbench.workbench.routes import ASSETS, url_for
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
