"""The results of a run: every measure of every method, what differs, and where it went wrong."""

from typing import Any

from corefbench.analysis.comparison import Comparison
from corefbench.errors import UnknownName, UsageError
from corefbench.record import Record
from corefbench.report.charts.inline import can_draw
from corefbench.report.comparison_words import few_documents, marks_explained
from corefbench.report.table import Table
from corefbench.runs import Run
from corefbench.web import commands
from corefbench.web.analyses import (
    compared,
    compared_on_pronouns,
    described,
    responses_of,
)
from corefbench.web.documents import DocumentRow, document_rows, measures_by_document, sorted_rows
from corefbench.web.figures import RATES, Column
from corefbench.web.methods import Method, highest, method_of
from corefbench.web.page import Drawing, Page, Query, drawing
from corefbench.web.workbench import Workbench


class About(Record, frozen=True):
    """What the run is."""

    kind: str
    corpus: str
    documents: int
    profile: str
    created: str
    version: str
    mode: str
    """Of a comparison of resolvers: mode, mentions and pre-processing in words."""
    seconds: float
    made_by: str
    verify: str
    compare: str


class Results(Record, frozen=True):
    """The page."""

    run: str
    about: About
    methods: tuple[Method, ...]
    rates: tuple[Column, ...]
    measures: tuple[Column, ...]
    best: dict[str, float]
    """The highest of each column, where there is one to choose."""
    explained: dict[str, str]
    """What the letters say, of pronouns and of scores."""
    cautions: tuple[str, ...]
    tests: dict[str, Any]
    """Every pair of methods: differences, intervals and p-values."""
    counts: str
    """What errors are counted of: pronouns or mentions."""
    by: str
    sort: str
    order: str
    measure: str
    by_measures: tuple[Column, ...]
    """What the table of documents can show."""
    documents: tuple[DocumentRow, ...]
    corpus: dict[str, Any]
    tables: dict[str, Table]
    findings: tuple[str, ...]


def view(workbench: Workbench, query: Query) -> Page:
    """The page; ``by=document`` lists every document, ``measure`` and ``sort`` say how."""
    name = query["run"]
    run = workbench.run(name)
    if query.get("by", "") not in ("", "document"):
        raise UsageError(f"cannot show results by {query['by']!r}", expected="by=document")
    scores, pronouns = compared(run), compared_on_pronouns(run)
    choices = measures_by_document(scores, pronouns)
    measure = query.get("measure") or (choices[0].name if choices else "")
    if choices and measure not in [choice.name for choice in choices]:
        raise UnknownName("measure", measure, [choice.name for choice in choices])
    rows = document_rows(run, measure, scores)
    sort, order = query.get("sort") or "errors", query.get("order") or ""
    methods = tuple(method_of(run, one, scores, pronouns, rows) for one in responses_of(run))
    model = Results(
        run=name,
        about=_about(name, run, scores or pronouns),
        methods=methods,
        rates=RATES if pronouns else (),
        measures=_columns(scores),
        best=highest(methods),
        explained=_explained(scores, pronouns),
        cautions=few_documents(scores or pronouns) if scores or pronouns else (),  # type: ignore[arg-type]
        tests=_tests(scores, pronouns),
        counts="pronouns" if run.kind == "bench" else "mentions",
        by=query.get("by", ""),
        sort=sort,
        order=order or ("asc" if sort == "document" else "desc"),
        measure=measure,
        by_measures=choices,
        documents=sorted_rows(rows, sort, order, [method.name for method in methods]),
        corpus=_corpus(run),
        tables=_tables(run, scores, pronouns),
        findings=_findings(run),
    )
    return Page(
        template="results.html",
        title=name,
        model=model,
        drawings=_drawings(scores, pronouns),
    )


def _about(name: str, run: Run, comparison: Comparison | None) -> About:
    header = run.header
    bench = run.bench if run.kind == "bench" else None
    mode = ""
    if bench is not None:
        mentions = "gold" if bench.plan.takes_mentions else "predicted"
        mode = f"{bench.plan.mode} mode, {mentions} mentions, pre-processing {bench.preprocessing}"
    key = next((one.name for one in header.inputs if one.role == "key"), "")
    return About(
        kind=header.kind,
        corpus=key or (bench.corpus if bench else ""),
        documents=len(header.documents) or (len(bench.documents) if bench else 0),
        profile=header.results[0].profile.title if header.results else "",
        created=header.created,
        version=header.version,
        mode=mode,
        seconds=header.timing.wall,
        made_by=commands.made_by(run),
        verify=commands.verify(name),
        compare=commands.compare(name, comparison.settings.samples) if comparison else "",
    )


def _columns(scores: Comparison | None) -> tuple[Column, ...]:
    if scores is None:
        return ()
    return tuple(Column(name=name, title=title) for name, title in scores.titles.items())


def _explained(scores: Comparison | None, pronouns: Comparison | None) -> dict[str, str]:
    both = {"scores": scores, "pronouns": pronouns}
    return {name: marks_explained(one) for name, one in both.items() if one is not None}


def _tests(scores: Comparison | None, pronouns: Comparison | None) -> dict[str, Any]:
    both = {"scores": scores, "pronouns": pronouns}
    return {
        name: {"signature": one.signature, "pairs": one.pairs}
        for name, one in both.items()
        if one is not None
    }


def _corpus(run: Run) -> dict[str, Any]:
    from corefbench.report.statistics import as_object

    found = described(run)
    return {} if found is None else as_object(found)


def _tables(run: Run, scores: Comparison | None, pronouns: Comparison | None) -> dict[str, Table]:
    from corefbench.report import bench as of_bench
    from corefbench.report import runs as of_runs
    from corefbench.report.comparison_tables import (
        difference_table,
        interval_table,
        pronoun_table,
    )
    from corefbench.report.statistics import statistics_table

    made = {}
    if scores is not None:
        made["intervals"] = interval_table(scores)
        made["differences"] = difference_table(scores)
    if pronouns is not None:
        made["mcnemar"] = pronoun_table(pronouns)
        made["pronouns"] = of_bench.statistics(run.bench)
        made["forms"] = of_bench.by_form(run.bench)
        made["disclosure"] = of_bench.disclosure(run.bench)
    found = described(run)
    if found is not None:
        made["corpus"] = statistics_table(found)
    made["run"] = of_runs.about(run.header)
    made["inputs"] = of_runs.inputs(run.header)
    return {name: table for name, table in made.items() if table.rows}


def _findings(run: Run) -> tuple[str, ...]:
    said = [f for result in run.results.values() for f in result.findings]
    if run.kind == "bench":
        said += [f for performance in run.bench.performances for f in performance.findings]
    return tuple(dict.fromkeys(map(str, said)))


def _drawings(scores: Comparison | None, pronouns: Comparison | None) -> dict[str, Drawing]:
    if not can_draw():
        return {}
    from corefbench.report.charts.comparison import comparison_chart
    from corefbench.report.charts.rates import rate_chart

    made = {}
    if pronouns is not None:
        made["rates"] = drawing(rate_chart(pronouns), _in_words("Success rate", pronouns, "recall"))
    if scores is not None:
        made["scores"] = drawing(comparison_chart(scores), _in_words("F1", scores, "f1"))
    return made


def _in_words(what: str, comparison: Comparison, part: Any) -> str:
    """What a chart shows: its last measure, which is the average where there is one."""
    score, title = list(comparison.titles.items())[-1]
    values = (
        f"{system.name} {100 * system.scores[score][part].value:.1f} %"
        for system in comparison.systems
    )
    return f"{what} with confidence intervals, by measure and method. {title}: {', '.join(values)}."
