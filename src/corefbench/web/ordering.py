"""From a form to an order: every choice is tried and every input checked before a run begins."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from corefbench.errors import CorefbenchError, UsageError
from corefbench.record import Record
from corefbench.web.form import Form
from corefbench.web.intake import Examined, corpus_of, examine, responses_of
from corefbench.web.orders import Order
from corefbench.web.workbench import Workbench, safe_name

if TYPE_CHECKING:
    from corefbench.bench.plan import Plan

_KEPT = 200
"""So many findings go with an order."""


class Problem(Record, frozen=True):
    """Why a form is refused."""

    section: str
    """The part of the form it belongs to."""
    code: str
    message: str
    found: str = ""
    expected: str = ""
    remedy: str = ""


class Considered(Record, frozen=True):
    """A form that was looked at."""

    problems: tuple[Problem, ...] = ()
    examined: tuple[Examined, ...] = ()
    order: Order | None = None
    """What to do; None where something is wrong."""


def consider(workbench: Workbench, form: Form) -> Considered:
    """Try every choice and check every input."""
    problems: list[Problem] = []
    examined: list[Examined] = []
    key, responses = "", {}
    with _collected(problems, "corpus"):
        key = corpus_of(workbench, form)
        examined.append(examine("corpus" if form.kind == "bench" else "key", key, form))
    if form.kind == "score":
        with _collected(problems, "responses"):
            responses = responses_of(workbench, form)
            examined += [examine("response", where, form) for where in responses.values()]
    for section, tried in _CHOICES[form.kind].items():
        with _collected(problems, section):
            tried(form)
    problems += _refused(examined, form)
    if problems:
        return Considered(problems=tuple(problems), examined=tuple(examined))
    name = safe_name(form.name) or safe_name(key if key == form.dataset else Path(key).stem)
    return Considered(
        examined=tuple(examined),
        order=Order(
            name=name or "run",
            form=form,
            key=key,
            responses=responses,
            command=command(form, key, list(responses.values()), name or "run"),
            findings=tuple(f for one in examined for f in one.findings)[:_KEPT],
        ),
    )


@contextmanager
def _collected(problems: list[Problem], section: str) -> Iterator[None]:
    """An error becomes a problem of the section."""
    try:
        yield
    except CorefbenchError as error:
        problems.append(
            Problem(
                section=section,
                code=error.code,
                message=error.message,
                found=error.found,
                expected=error.expected,
                remedy=error.remedy,
            )
        )


def _refused(examined: list[Examined], form: Form) -> list[Problem]:
    """Inputs with errors that a strict reader refuses."""
    if form.lenient and form.kind == "score":
        return []
    return [
        Problem(
            section="responses" if one.role == "response" else "corpus",
            code=next(f.code for f in one.findings if f.severity == "error"),
            message=f"{one.name} has {one.errors} error{'s' if one.errors > 1 else ''}: "
            "nothing was started",
            remedy="correct the file, or choose another",
        )
        for one in examined
        if one.errors
    ]


def _try_resolvers(form: Form) -> None:
    from corefbench.resolvers import make, signature

    chosen = form.chosen()
    if not chosen:
        raise UsageError("there is nothing to compare", expected="at least one resolver")
    signed: dict[str, str] = {}
    for name in chosen:
        known = signed.setdefault(signature(make(name)), name)
        if known != name:
            raise UsageError("a resolver is chosen twice", found=f"{known} and {name}")


def _try_preprocessing(form: Form) -> None:
    from corefbench.preprocess import DEFAULT, make
    from corefbench.web.offers import preprocessors

    usual = DEFAULT if form.mode == "automatic" else ""
    named = form.pipeline.strip() or form.preprocess or usual
    if named:
        card = make(named).card
        lacking = {offer.name: offer.install for offer in preprocessors()}.get(card.name)
        if lacking:
            raise UsageError(f"{card.title} is not installed", remedy=lacking)


def _try_scoring(form: Form) -> None:
    from corefbench.formats import formats
    from corefbench.profiles import profiles

    profiles.canonical(form.profile)
    if form.format:
        formats.canonical(form.format.partition("(")[0])
    if form.kind == "bench":
        _checked(form.plan())
        if not 1 <= form.processes <= 64:
            raise UsageError("so many processes make no sense", expected="1 to 64")


def _checked(plan: "Plan") -> None:
    if plan.resolvers:
        plan.check()


_CHOICES: dict[str, dict[str, Callable[[Form], None]]] = {
    "bench": {
        "resolvers": _try_resolvers,
        "preprocessing": _try_preprocessing,
        "scoring": _try_scoring,
    },
    "score": {"scoring": _try_scoring},
}


def command(form: Form, key: str, responses: list[str], name: str) -> tuple[str, ...]:
    """The same on the command line, without the folders of this machine.

    >>> " ".join(command(Form(resolvers=("mitkov",), mode="annotated"), "bundled", [], "first"))
    'corefbench bench bundled --resolvers mitkov --mode annotated --run first.corefrun'
    """
    from corefbench.runs.inputs import portable

    made = ["corefbench", form.kind, key, *responses]
    if form.kind == "bench":
        made += ["--resolvers", ",".join(form.chosen())]
    options = {
        "--mode": form.mode,
        "--preprocess": form.pipeline.strip() or form.preprocess,
        "--mentions": form.mentions,
        "--match": form.match,
        "--profile": form.profile,
        "--input-format": form.format,
    }
    plain = {"--mode": "automatic", "--match": "head", "--profile": "conll-2012"}
    of_both = ("--profile", "--input-format")
    for option, value in options.items():
        if value and value != plain.get(option) and (form.kind == "bench" or option in of_both):
            made += [option, value]
    if form.cataphora and form.kind == "bench":
        made.append("--cataphora")
    if form.lenient and form.kind == "score":
        made.append("--lenient")
    return portable([*made, "--run", f"{name}.corefrun"])
