"""Results of a run and their exports."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from corefbench.analysis.comparison import Comparison
from corefbench.errors import UnknownName, UsageError
from corefbench.records import Record
from corefbench.report.charts import can_draw
from corefbench.report.comparison import explain_letters, warn_few_documents
from corefbench.report.table import Table
from corefbench.runs import Run
from corefbench.web.pages import Chart, Page, Query, make_chart
from corefbench.web.responses import FileContent
from corefbench.web.static_site import zip_folder
from corefbench.workbench import exports, results
from corefbench.workbench.analysis import compare_pronouns, compare_scores, describe_key, response_names
from corefbench.workbench.results import (
    RATE_COLUMNS,
    Column,
    DocumentRow,
    Method,
    best_values,
    document_measures,
    document_rows,
    make_method,
    run_file_name,
    sort_rows,
)
from corefbench.workbench.storage import Workbench

_EXPORTS: dict[str, Callable[[Run], str]] = {
    "results.tex": exports.to_latex,
    "results.csv": exports.to_csv,
    "documents.csv": exports.documents_to_csv,
    "results.md": exports.to_markdown,
    "results.json": exports.to_json,
    "references.bib": exports.to_bibtex,
}


class RunSummary(Record, frozen=True):
    """What was run and how to reproduce it."""

    kind: str
    corpus: str
    documents: int
    profile: str
    created: str
    version: str
    mode: str
    """Mode, mentions and preprocessing of a comparison of resolvers, in words."""
    seconds: float
    made_by: str
    verify: str
    compare: str


class ResultsPage(Record, frozen=True):
    """The results of a run."""

    run: str
    about: RunSummary
    methods: tuple[Method, ...]
    rates: tuple[Column, ...]
    measures: tuple[Column, ...]
    best: dict[str, float]
    """The highest value of each column, unless all are equal."""
    explained: dict[str, str]
    """What the letters mean, for pronouns and for scores."""
    cautions: tuple[str, ...]
    tests: dict[str, Any]
    """Every pair of methods: differences, intervals and p-values."""
    counts: str
    """What is counted: ``pronouns`` or ``mentions``."""
    by: str
    sort: str
    order: str
    measure: str
    by_measures: tuple[Column, ...]
    """Measures that are available by document."""
    documents: tuple[DocumentRow, ...]
    corpus: dict[str, Any]
    tables: dict[str, Table]
    findings: tuple[str, ...]


def results_page(workbench: Workbench, query: Query) -> Page:
    """Show results; ``by=document`` lists every document, by ``measure`` and ``sort``."""
    name = query["run"]
    run = workbench.run(name)
    if query.get("by", "") not in ("", "document"):
        raise UsageError(f"cannot show results by {query['by']!r}", expected="by=document")
    scores, pronouns = compare_scores(run), compare_pronouns(run)
    choices = document_measures(scores, pronouns)
    measure = query.get("measure") or (choices[0].name if choices else "")
    if choices and measure not in [choice.name for choice in choices]:
        raise UnknownName("measure", measure, [choice.name for choice in choices])
    rows = document_rows(run, measure, scores)
    sort, order = query.get("sort") or "errors", query.get("order") or ""
    methods = tuple(make_method(run, method, scores, pronouns, rows) for method in response_names(run))
    model = ResultsPage(
        run=name,
        about=_summarize_run(name, run, scores or pronouns),
        methods=methods,
        rates=RATE_COLUMNS if pronouns else (),
        measures=_measure_columns(scores),
        best=best_values(methods),
        explained=_explain_marks(scores, pronouns),
        cautions=warn_few_documents(scores or pronouns) if scores or pronouns else (),  # type: ignore[arg-type]
        tests=_tests(scores, pronouns),
        counts="pronouns" if run.kind == "bench" else "mentions",
        by=query.get("by", ""),
        sort=sort,
        order=order or ("asc" if sort == "document" else "desc"),
        measure=measure,
        by_measures=choices,
        documents=sort_rows(rows, sort, order, [method.name for method in methods]),
        corpus=_corpus_statistics(run),
        tables=_tables(run, scores, pronouns),
        findings=_run_findings(run),
    )
    return Page(template="results.html", title=name, model=model, charts=_charts(scores, pronouns))


def _summarize_run(name: str, run: Run, comparison: Comparison | None) -> RunSummary:
    header = run.header
    bench = run.bench if run.kind == "bench" else None
    mode = ""
    if bench is not None:
        mentions = "gold" if bench.plan.takes_mentions else "predicted"
        mode = f"{bench.plan.mode} mode, {mentions} mentions, pre-processing {bench.preprocessing}"
    key = next((one.name for one in header.inputs if one.role == "key"), "")
    return RunSummary(
        kind=header.kind,
        corpus=key or (bench.corpus if bench else ""),
        documents=len(header.documents) or (len(bench.documents) if bench else 0),
        profile=header.results[0].profile.title if header.results else "",
        created=header.created,
        version=header.version,
        mode=mode,
        seconds=header.timing.wall,
        made_by=results.original_command(run),
        verify=results.verify_command(name),
        compare=results.compare_command(name, comparison.settings.samples) if comparison else "",
    )


def _measure_columns(scores: Comparison | None) -> tuple[Column, ...]:
    if scores is None:
        return ()
    return tuple(Column(name=name, title=title) for name, title in scores.titles.items())


def _explain_marks(scores: Comparison | None, pronouns: Comparison | None) -> dict[str, str]:
    comparisons = {"scores": scores, "pronouns": pronouns}
    return {name: explain_letters(comparison) for name, comparison in comparisons.items() if comparison is not None}


def _tests(scores: Comparison | None, pronouns: Comparison | None) -> dict[str, Any]:
    comparisons = {"scores": scores, "pronouns": pronouns}
    return {
        name: {"signature": comparison.signature, "pairs": comparison.pairs}
        for name, comparison in comparisons.items()
        if comparison is not None
    }


def _corpus_statistics(run: Run) -> dict[str, Any]:
    from corefbench.report.statistics import statistics_to_dict

    description = describe_key(run)
    return {} if description is None else statistics_to_dict(description)


def _tables(run: Run, scores: Comparison | None, pronouns: Comparison | None) -> dict[str, Table]:
    from corefbench.report import bench as bench_report
    from corefbench.report import runs as run_report
    from corefbench.report.comparison import difference_table, interval_table, pronoun_table
    from corefbench.report.statistics import statistics_table

    tables = {}
    if scores is not None:
        tables["intervals"] = interval_table(scores)
        tables["differences"] = difference_table(scores)
    if pronouns is not None:
        tables["mcnemar"] = pronoun_table(pronouns)
        tables["pronouns"] = bench_report.pronoun_table(run.bench)
        tables["forms"] = bench_report.form_table(run.bench)
        tables["disclosure"] = bench_report.disclosure_table(run.bench)
    description = describe_key(run)
    if description is not None:
        tables["corpus"] = statistics_table(description)
    tables["run"] = run_report.run_table(run.header)
    tables["inputs"] = run_report.input_table(run.header)
    return {name: table for name, table in tables.items() if table.rows}


def _run_findings(run: Run) -> tuple[str, ...]:
    findings = [f for result in run.results.values() for f in result.findings]
    if run.kind == "bench":
        findings += [f for performance in run.bench.performances for f in performance.findings]
    return tuple(dict.fromkeys(map(str, findings)))


def _charts(scores: Comparison | None, pronouns: Comparison | None) -> dict[str, Chart]:
    if not can_draw():
        return {}
    from corefbench.report.bench import rate_chart
    from corefbench.report.comparison import comparison_chart

    charts = {}
    if pronouns is not None:
        charts["rates"] = make_chart(rate_chart(pronouns), _chart_description("Success rate", pronouns, "recall"))
    if scores is not None:
        charts["scores"] = make_chart(comparison_chart(scores), _chart_description("F1", scores, "f1"))
    return charts


def _chart_description(what: str, comparison: Comparison, part: Any) -> str:
    """Describe a chart by its last measure, which is the average if there is one."""
    score, title = list(comparison.titles.items())[-1]
    values = (f"{system.name} {100 * system.scores[score][part].value:.1f} %" for system in comparison.systems)
    return f"{what} with confidence intervals, by measure and method. {title}: {', '.join(values)}."


def export_run(workbench: Workbench, query: Query) -> FileContent:
    """Return the results as a file, the run itself, or its pages as a zip archive."""
    run, what = query["run"], query["what"]
    if what == "run":
        return FileContent(body=workbench.path_of(run), name=run_file_name(run))
    if what == "bundle":
        body = _zip_bundle(workbench, run)
        return FileContent(body=body, media_type="application/zip", name=f"{run}.zip")
    if what not in _EXPORTS:
        raise UnknownName("export", what, [*_EXPORTS, "run", "bundle"])
    return exports.text_file(f"{run}-{what}", _EXPORTS[what](workbench.run(run)))


def _zip_bundle(workbench: Workbench, run: str) -> bytes:
    from corefbench.workbench.bundle import write_bundle

    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "pages"
        write_bundle(workbench, run, folder)
        return zip_folder(folder, run)
