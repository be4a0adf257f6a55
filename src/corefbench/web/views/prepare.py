"""Prepare a run: what to run on, how, and whether the input is right."""

from os import cpu_count
from pathlib import Path
from shlex import join

from msgspec.structs import replace

from corefbench.errors import UsageError
from corefbench.record import Record
from corefbench.web import offers
from corefbench.web.form import KINDS, Form, form_of
from corefbench.web.intake import Examined
from corefbench.web.ordering import Considered, Problem
from corefbench.web.page import Page, Query
from corefbench.web.workbench import Workbench


class Upload(Record, frozen=True):
    """A file that was sent before and is kept."""

    name: str
    title: str
    files: int
    bytes: int


class Preparation(Record, frozen=True):
    """The form and what it offers."""

    form: Form
    kinds: dict[str, str]
    corpora: tuple[offers.Corpus, ...]
    resolvers: tuple[offers.Offer, ...]
    preprocessors: tuple[offers.Offer, ...]
    profiles: tuple[offers.Offer, ...]
    formats: tuple[offers.Offer, ...]
    processors: int
    usual: str
    """The pre-processor of raw text where none is named …"""
    usual_install: str
    """… and what it lacks."""
    kept: tuple[Upload, ...] = ()
    responses_kept: tuple[Upload, ...] = ()
    problems: tuple[Problem, ...] = ()
    examined: tuple[Examined, ...] = ()
    command: str = ""
    """The same on the command line, once the form has been checked."""


def view(workbench: Workbench, query: Query) -> Page:
    """The page: empty, with the fields of the query, or as it was for a job."""
    if "job" in query:
        return page_of(workbench, workbench.jobs.get(query["job"]).order.form)
    return page_of(workbench, _begun(query))


def _begun(query: Query) -> Form:
    """The form at the beginning; ``corpus`` may also name a path, a data set or the bundled."""
    from corefbench.bench.plan import PRONOUN_RESOLVERS
    from corefbench.datasets import CATALOGUE

    given = {name: [value] for name, value in query.items()}
    where = query.get("corpus", "")
    if where and where not in ("bundled", "dataset", "upload", "path"):
        by_name = where.partition("/")[0] in CATALOGUE and not Path(where).exists()
        given |= {"corpus": ["dataset"], "dataset": [where]} if by_name else {}
        given |= {} if by_name else {"corpus": ["path"], "path": [where]}
    given.setdefault("resolvers", list(PRONOUN_RESOLVERS))
    form = form_of(given)
    if form.kind == "score" and form.corpus not in ("upload", "path"):
        form = replace(form, corpus="upload")
    return form


def page_of(workbench: Workbench, form: Form, considered: Considered | None = None) -> Page:
    """The page with a form as it was filled in, and what was found of it."""
    from corefbench.preprocess import DEFAULT

    seen = considered or Considered()
    preprocessors = offers.preprocessors()
    order = seen.order
    return Page(
        template="prepare.html",
        title="Prepare a run",
        model=Preparation(
            form=form,
            kinds=KINDS,
            corpora=offers.corpora(),
            resolvers=offers.resolvers(),
            preprocessors=preprocessors,
            profiles=offers.profiles(),
            formats=offers.formats(),
            processors=cpu_count() or 1,
            usual=DEFAULT,
            usual_install=next(o.install for o in preprocessors if o.name == DEFAULT),
            kept=_kept(workbench, (form.kept,)),
            responses_kept=_kept(workbench, form.responses_kept),
            problems=seen.problems,
            examined=seen.examined,
            command=join(order.command) if order is not None else "",
        ),
        status=422 if seen.problems else 200,
    )


def _kept(workbench: Workbench, names: tuple[str, ...]) -> tuple[Upload, ...]:
    """The uploads of these names that are still there."""
    made = []
    for name in filter(None, names):
        try:
            path = workbench.upload(name)
        except UsageError:
            continue
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        made.append(
            Upload(
                name=name,
                title=", ".join(file.name for file in files),
                files=len(files),
                bytes=sum(file.stat().st_size for file in files),
            )
        )
    return tuple(made)
