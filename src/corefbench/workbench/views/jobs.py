"""Prepare, start, follow and stop runs."""

from os import cpu_count
from os.path import exists
from shlex import join
from typing import Any

from msgspec.structs import replace

from corefbench.errors import UsageError
from corefbench.web.forms import SubmittedForm
from corefbench.web.pages import Page, Query
from corefbench.workbench import choices
from corefbench.workbench.jobs import CORPUS_SOURCES, LOG_FILE, RUN_KINDS, Job, RunForm
from corefbench.workbench.routes import url_for
from corefbench.workbench.run_form import FormCheck, check_form, parse_form
from corefbench.workbench.storage import Workbench

_STAGE_TITLES = {
    "starting": "Starting",
    "reading": "Reading the input",
    "resolving": "Analysing and resolving",
    "scoring": "Scoring and saving",
}
_LOG_CHARACTERS = 2_000
"""Characters of the end of a log."""


def prepare_page(workbench: Workbench, query: Query) -> Page:
    """Show the form: empty, with the fields of the query, or as it was for a job."""
    if "job" in query:
        return build_prepare_page(workbench, workbench.jobs.get(query["job"]).order.form)
    return build_prepare_page(workbench, _initial_form(query))


def _initial_form(query: Query) -> RunForm:
    """Return the initial form; ``corpus`` may also be a path or the name of a dataset."""
    from corefbench.bench.plan import PRONOUN_RESOLVERS
    from corefbench.datasets import CATALOGUE

    fields = {name: [value] for name, value in query.items()}
    corpus = query.get("corpus", "")
    if corpus and corpus not in CORPUS_SOURCES:
        is_dataset = corpus.partition("/")[0] in CATALOGUE and not exists(corpus)
        source = "dataset" if is_dataset else "path"
        fields |= {"corpus": [source], source: [corpus]}
    fields.setdefault("resolvers", list(PRONOUN_RESOLVERS))
    form = parse_form(fields)
    if form.kind == "score" and form.corpus not in ("upload", "path"):
        form = replace(form, corpus="upload")
    return form


def build_prepare_page(workbench: Workbench, form: RunForm, check: FormCheck | None = None) -> Page:
    """Return the page with a form as it was filled in and the result of its check."""
    from corefbench.preprocess import DEFAULT

    check = check or FormCheck()
    preprocessors = choices.preprocessor_choices()
    job = check.order
    return Page(
        template="prepare.html",
        title="Prepare a run",
        model={
            "form": form,
            "kinds": RUN_KINDS,
            "corpora": choices.dataset_choices(),
            "resolvers": choices.resolver_choices(),
            "preprocessors": preprocessors,
            "profiles": choices.profile_choices(),
            "formats": choices.format_choices(),
            "processors": cpu_count() or 1,
            "usual": DEFAULT,
            "usual_install": next(o.install for o in preprocessors if o.name == DEFAULT),
            "kept": _stored_uploads(workbench, (form.kept,)),
            "responses_kept": _stored_uploads(workbench, form.responses_kept),
            "problems": check.problems,
            "examined": check.examined,
            "command": join(job.command) if job is not None else "",
        },
        status=422 if check.problems else 200,
    )


def _stored_uploads(workbench: Workbench, names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return those of the uploads that still exist."""
    uploads = []
    for name in filter(None, names):
        try:
            path = workbench.upload(name)
        except UsageError:
            continue
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        uploads.append(
            {
                "name": name,
                "title": ", ".join(file.relative_to(path).as_posix() if path.is_dir() else file.name for file in files),
                "files": len(files),
                "bytes": sum(file.stat().st_size for file in files),
            }
        )
    return uploads


def job_page(workbench: Workbench, query: Query) -> Page:
    """Show a job."""
    job = workbench.jobs.get(query["job"])
    return Page(
        template="job.html",
        title=f"Run {job.order.name}",
        model=_describe_job(workbench, job),
        breadcrumbs=(("Runs", url_for("home")),),
    )


def _describe_job(workbench: Workbench, job: Job) -> dict[str, Any]:
    titles = {
        "waiting": f"Waiting: {job.ahead} before it" if job.ahead else "Waiting",
        "running": _STAGE_TITLES[job.progress.stage] if job.progress else "Starting",
        "done": "Done",
        "failed": "This did not work",
        "cancelled": "Cancelled",
        "stopped": "Stopped before it was done",
    }
    progress = job.progress if job.state == "running" else None
    share = progress.done / progress.all if progress and progress.all else None
    left = progress.left if progress else None
    form = job.order.form
    return {
        "job": job,
        "title": titles[job.state],
        "command": join(job.order.command),
        "resolvers": form.chosen_resolvers() if form.kind == "bench" else tuple(job.order.responses),
        "percent": None if share is None else min(100, int(100 * share)),
        "left": "" if left is None else format_duration(left),
        "log": _log_tail(workbench, job) if job.state in ("stopped", "failed") else "",
    }


def format_duration(seconds: float) -> str:
    """Format a number of seconds.

    >>> [format_duration(seconds) for seconds in (0.4, 42, 310, 8000)]
    ['1 s', '42 s', '5 min 10 s', '2 h 13 min']
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _log_tail(workbench: Workbench, job: Job) -> str:
    try:
        log = (workbench.jobs.folder / job.id / LOG_FILE).read_text("utf-8", "replace")
    except OSError:
        return ""
    return log[-_LOG_CHARACTERS:].strip()


def start_run(workbench: Workbench, form: SubmittedForm) -> str | Page:
    """Check the form of a run and start it; show the form again if something is wrong."""
    run_form = _read_run_form(workbench, form)
    check = check_form(workbench, run_form)
    if check.order is None or form.get("do") == "check":
        return build_prepare_page(workbench, run_form, check)
    return url_for("job", job=workbench.jobs.submit(check.order))


def _read_run_form(workbench: Workbench, form: SubmittedForm) -> RunForm:
    """Parse the form and keep its files."""
    run_form = parse_form(form.fields)
    corpus_files = form.get_files("corpus_files")
    if corpus_files:
        upload = workbench.keep_uploads([(file.name, file.content) for file in corpus_files])
        run_form = replace(run_form, kept=upload, corpus="upload")
    response_files = form.get_files("response_files")
    if response_files:
        paths = [workbench.keep_upload(file.name, file.content) for file in response_files]
        run_form = replace(run_form, responses_kept=tuple(map(workbench.upload_name, paths)))
    return run_form


def job_progress(workbench: Workbench, query: Query) -> Page:
    """Return the part of the job page that htmx refreshes; it leads to the results at the end."""
    page = job_page(workbench, query)
    job = page.model["job"]
    # htmx leaves the page for the address of this header.
    headers = {"hx-redirect": url_for("results", run=job.outcome.run)} if job.state == "done" else {}
    return replace(page, template="job_state.html", headers=headers)


def cancel_job(workbench: Workbench, form: SubmittedForm) -> str:
    """Stop a job."""
    workbench.jobs.cancel(form.get("job"))
    return url_for("job", job=form.get("job"))


def restart_job(workbench: Workbench, form: SubmittedForm) -> str:
    """Start a job that has ended again."""
    workbench.jobs.restart(form.get("job"))
    return url_for("job", job=form.get("job"))


def remove_job(workbench: Workbench, form: SubmittedForm) -> str:
    """Forget a job that has ended."""
    workbench.jobs.remove(form.get("job"))
    return url_for("home")
