"""A run that is being made: how far it is, or why it ended."""

from shlex import join

from corefbench.record import Record
from corefbench.web.jobs import Job
from corefbench.web.orders import LOG
from corefbench.web.page import Page, Query
from corefbench.web.routes import address
from corefbench.web.workbench import Workbench

_STAGES = {
    "starting": "Starting",
    "reading": "Reading the input",
    "resolving": "Analysing and resolving",
    "scoring": "Scoring and keeping",
}
_LOG = 2_000
"""Characters of a worker's last words."""


class JobPage(Record, frozen=True):
    """The job in words."""

    job: Job
    title: str
    """What it is doing, or has come to."""
    command: str
    resolvers: tuple[str, ...]
    percent: int | None = None
    left: str = ""
    """The time that is left, in words."""
    log: str = ""
    """The last words of a worker that did not say what went wrong."""


def view(workbench: Workbench, query: Query) -> Page:
    """The page."""
    job = workbench.jobs.get(query["job"])
    return Page(
        template="job.html",
        title=f"Run {job.order.name}",
        model=_described(workbench, job),
        crumbs=(("Runs", address("home")),),
    )


def _described(workbench: Workbench, job: Job) -> JobPage:
    titles = {
        "waiting": f"Waiting: {job.ahead} before it" if job.ahead else "Waiting",
        "running": _STAGES[job.progress.stage] if job.progress else "Starting",
        "done": "Done",
        "failed": "This did not work",
        "cancelled": "Cancelled",
        "stopped": "Stopped before it was done",
    }
    progress = job.progress if job.state == "running" else None
    share = progress.done / progress.all if progress and progress.all else None
    left = progress.left if progress else None
    form = job.order.form
    return JobPage(
        job=job,
        title=titles[job.state],
        command=join(job.order.command),
        resolvers=form.chosen() if form.kind == "bench" else tuple(job.order.responses),
        percent=None if share is None else min(100, int(100 * share)),
        left="" if left is None else duration(left),
        log=_last_words(workbench, job) if job.state in ("stopped", "failed") else "",
    )


def duration(seconds: float) -> str:
    """Seconds as somebody would say them.

    >>> duration(0.4), duration(42), duration(310), duration(8000)
    ('1 s', '42 s', '5 min 10 s', '2 h 13 min')
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _last_words(workbench: Workbench, job: Job) -> str:
    try:
        said = (workbench.jobs.folder / job.id / LOG).read_text("utf-8", "replace")
    except OSError:
        return ""
    return said[-_LOG:].strip()
