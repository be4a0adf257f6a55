"""What singletons do to the scores of a response: kept or removed, on either side."""

from typing import Any

from corefbench.analysis.singletons.study import PROFILES, SETTINGS, SingletonStudy
from corefbench.errors import UsageError
from corefbench.profiles import profiles as registry
from corefbench.record import Record
from corefbench.report.charts.inline import can_draw
from corefbench.report.singletons import as_object, measure_titles, study_tables
from corefbench.report.table import Table
from corefbench.web.analyses import require_documents, response_of, responses_of, singletons_of
from corefbench.web.page import Drawing, Page, Query, drawing
from corefbench.web.workbench import Workbench

_NAMES = ("settings", "variants", "baselines", "mentions", "movements")


class Singletons(Record, frozen=True):
    """The page."""

    run: str
    response: str
    responses: tuple[str, ...]
    profiles: tuple[str, ...]
    known: tuple[str, ...]
    """Profiles that can be asked for."""
    details: bool
    """Whether tables have recall and precision beside F1."""
    explanation: tuple[str, ...]
    signatures: dict[str, str]
    """By profile, with singletons on both sides."""
    tables: dict[str, Table]
    study: dict[str, Any]
    findings: tuple[str, ...]


def view(workbench: Workbench, query: Query) -> Page:
    """The page; ``profiles`` are separated by commas, ``details=1`` adds recall and precision."""
    name = query["run"]
    run = workbench.run(name)
    require_documents(run)
    response = response_of(run, query)
    wanted = _profiles(query.get("profiles", ""))
    details = query.get("details", "")
    if details not in ("", "0", "1"):
        raise UsageError("details are shown or not", found=details, expected="1 or 0")
    study = singletons_of(run, response, wanted)
    tables = study_tables(study, response, details == "1")
    model = Singletons(
        run=name,
        response=response,
        responses=responses_of(run),
        profiles=wanted,
        known=tuple(registry),
        details=details == "1",
        explanation=study.explanation(),
        signatures={p: str(some["G+S/S+S"].signature) for p, some in study.results.items()},
        tables=dict(zip(_NAMES, tables, strict=True)),
        study=as_object(study),
        findings=tuple(map(str, study.findings)),
    )
    return Page(
        template="singletons.html",
        title=f"Singletons and {response}",
        model=model,
        drawings=_drawings(study, response),
    )


def _profiles(text: str) -> tuple[str, ...]:
    """The profiles that are named; those of the paper where none is. Unknown ones are refused."""
    named = tuple(dict.fromkeys(filter(None, (part.strip() for part in text.split(",")))))
    return tuple(registry[name].name for name in named) or PROFILES


def _drawings(study: SingletonStudy, response: str) -> dict[str, Drawing]:
    if not can_draw():
        return {}
    from corefbench.report.charts.multiples import bars_by_measure
    from corefbench.report.charts.singletons import chart_bars

    against = "without" if study.key_singletons == "strip" else "with"
    measures = ", ".join(measure_titles(study).values())
    return {
        "settings": drawing(
            bars_by_measure(
                chart_bars(study, tuple(SETTINGS)),
                "Singletons in the key (G) and in the response (S)",
            ),
            f"F1 of {response} with and without singletons, by profile: {measures}.",
        ),
        "variants": drawing(
            bars_by_measure(
                chart_bars(study, study.variants),
                f"What the response keeps, key {against} singletons",
            ),
            f"F1 of {response} by what it keeps, by profile: {measures}.",
        ),
    }
