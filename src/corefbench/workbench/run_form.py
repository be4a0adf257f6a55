"""Parse and check the form of a run, and turn it into a job."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from corefbench.errors import CorefbenchError, UsageError
from corefbench.records import Record
from corefbench.workbench.inputs import CheckedInput, check_input, corpus_source, response_sources
from corefbench.workbench.jobs import CORPUS_SOURCES, RUN_KINDS, JobSpec, RunForm, command_options
from corefbench.workbench.storage import Workbench, run_name, safe_name


def parse_form(values: Mapping[str, Sequence[str]]) -> RunForm:
    """Parse lists of values by name; unknown names are ignored.

    >>> parse_form({"mode": ["annotated"], "resolvers": ["mitkov", "hobbs"]}).resolvers
    ('mitkov', 'hobbs')
    """
    lists = {"resolvers", "responses_kept"}
    fields: dict[str, object] = {
        name: list(sent) if name in lists else sent[-1]
        for name, sent in values.items()
        if sent and name in RunForm.__struct_fields__
    }
    # A browser does not send a box that is not ticked.
    for name in ("cataphora", "lenient"):
        fields[name] = fields.get(name, "") not in ("", "false")
    try:
        form = msgspec.convert(fields, RunForm, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError("a field of the form cannot be understood", found=str(error)) from error
    if form.kind not in RUN_KINDS or form.corpus not in CORPUS_SOURCES:
        raise UsageError("there is no such choice", found=f"{form.kind}, {form.corpus}")
    return form


_MAX_FINDINGS = 200
"""Findings that are stored with a job."""


class FormProblem(Record, frozen=True):
    """A reason to refuse a form."""

    section: str
    """The section of the form that it belongs to."""
    code: str
    message: str
    found: str = ""
    expected: str = ""
    remedy: str = ""


class FormCheck(Record, frozen=True):
    """The result of checking a form."""

    problems: tuple[FormProblem, ...] = ()
    examined: tuple[CheckedInput, ...] = ()
    order: JobSpec | None = None
    """The job; None if there are problems."""


def check_form(workbench: Workbench, form: RunForm) -> FormCheck:
    """Check every choice and every input."""
    problems: list[FormProblem] = []
    examined: list[CheckedInput] = []
    key, responses = "", {}
    with _collect_errors(problems, "corpus"):
        key = corpus_source(workbench, form)
        examined.append(check_input("corpus" if form.kind == "bench" else "key", key, form))
    if form.kind == "score":
        with _collect_errors(problems, "responses"):
            responses = response_sources(workbench, form)
            examined += [check_input("response", path, form) for path in responses.values()]
    for section, check in _CHECKS[form.kind].items():
        with _collect_errors(problems, section):
            check(form)
    typed_name = ""
    with _collect_errors(problems, "name"):
        typed_name = run_name(form.name)
    problems += _input_problems(examined, form)
    if problems:
        return FormCheck(problems=tuple(problems), examined=tuple(examined))
    name = typed_name or safe_name(key if key == form.dataset else Path(key).stem)
    return FormCheck(
        examined=tuple(examined),
        order=JobSpec(
            name=name or "run",
            form=form,
            key=key,
            responses=responses,
            command=run_command(form, key, list(responses.values()), name or "run"),
            findings=tuple(f for item in examined for f in item.findings)[:_MAX_FINDINGS],
        ),
    )


@contextmanager
def _collect_errors(problems: list[FormProblem], section: str) -> Iterator[None]:
    """Turn an error into a problem of a section."""
    try:
        yield
    except CorefbenchError as error:
        details = {name: getattr(error, name) for name in ("code", "message", "found", "expected", "remedy")}
        problems.append(FormProblem(section=section, **details))


def _input_problems(examined: list[CheckedInput], form: RunForm) -> list[FormProblem]:
    """Return a problem for every input with errors, unless reading is lenient."""
    if form.lenient and form.kind == "score":
        return []
    return [
        FormProblem(
            section="responses" if item.role == "response" else "corpus",
            code=next(f.code for f in item.findings if f.severity == "error"),
            message=f"{item.name} has {item.errors} error{'s' if item.errors > 1 else ''}: nothing was started",
            remedy="correct the file, or choose another",
        )
        for item in examined
        if item.errors
    ]


def _check_resolvers(form: RunForm) -> None:
    from corefbench.resolvers import make, signature

    resolvers = form.chosen_resolvers()
    if not resolvers:
        raise UsageError("there is nothing to compare", expected="at least one resolver")
    names_by_signature: dict[str, str] = {}
    for name in resolvers:
        first = names_by_signature.setdefault(signature(make(name)), name)
        if first != name:
            raise UsageError("a resolver is chosen twice", found=f"{first} and {name}")


def _check_preprocessing(form: RunForm) -> None:
    from corefbench.preprocess import DEFAULT, make
    from corefbench.workbench.choices import preprocessor_choices

    default = DEFAULT if form.mode == "automatic" else ""
    name = form.pipeline.strip() or form.preprocess or default
    if name:
        card = make(name).card
        install = {choice.name: choice.install for choice in preprocessor_choices()}.get(card.name)
        if install:
            raise UsageError(f"{card.title} is not installed", remedy=install)


def _check_scoring(form: RunForm) -> None:
    from corefbench.formats import formats
    from corefbench.scoring.profiles import profiles

    profiles.canonical(form.profile)
    if form.format:
        formats.canonical(form.format.partition("(")[0])
    if form.kind == "bench":
        if form.chosen_resolvers():
            form.plan().check()
        if not 1 <= form.processes <= 64:
            raise UsageError("the number of processes is not valid", expected="1 to 64")


_CHECKS: dict[str, dict[str, Callable[[RunForm], None]]] = {
    "bench": {"resolvers": _check_resolvers, "preprocessing": _check_preprocessing, "scoring": _check_scoring},
    "score": {"scoring": _check_scoring},
}


def run_command(form: RunForm, key: str, responses: list[str], name: str) -> tuple[str, ...]:
    """Return the same on the command line, without the folders of this machine.

    >>> form = RunForm(resolvers=("mitkov",), mode="annotated")
    >>> " ".join(run_command(form, "bundled", [], "first"))
    'corefbench bench bundled --resolvers mitkov --mode annotated --run first.corefrun'
    """
    from corefbench.runs.inputs import strip_folders

    words = ["corefbench", form.kind, key, *responses]
    options: dict[str, object] = {"profile": form.profile, "input-format": form.format}
    if form.kind == "bench":
        words += ["--resolvers", ",".join(form.chosen_resolvers())]
        plan = {
            "mode": form.mode,
            "preprocess": form.pipeline.strip() or form.preprocess,
            "mentions": form.mentions,
            "match": form.match,
        }
        options = {**plan, **options, "cataphora": form.cataphora}
    else:
        options["lenient"] = form.lenient
    words += command_options(options, {"mode": "automatic", "match": "head", "profile": "conll-2012"})
    return strip_folders([*words, "--run", f"{name}.corefrun"])
