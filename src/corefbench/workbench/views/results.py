"""Results of a run and their exports."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory
from typing import Any

from corefbench.analysis.comparison import Comparison, Settings
from corefbench.errors import UnknownName, UsageError
from corefbench.report import bench as bench_report
from corefbench.report import comparison as comparison_report
from corefbench.report import runs as run_report
from corefbench.report.charts import can_draw
from corefbench.report.statistics import statistics_table, statistics_to_dict
from corefbench.report.table import Table
from corefbench.runs import Run
from corefbench.web.pages import Chart, Page, Query, make_chart
from corefbench.web.responses import FileContent
from corefbench.web.static_site import zip_folder
from corefbench.workbench import exports
from corefbench.workbench.analysis import compare_pronouns, compare_scores, describe_key, response_names
from corefbench.workbench.results import (
    RATE_COLUMNS,
    Column,
    best_values,
    document_measures,
    document_rows,
    make_method,
    sort_rows,
)
from corefbench.workbench.storage import RUN_SUFFIX, Workbench

_EXPORTS: dict[str, Callable[[Run], str]] = {
    "results.tex": partial(exports.render_reports, format="latex"),
    "results.csv": exports.to_csv,
    "documents.csv": exports.documents_to_csv,
    "results.md": partial(exports.render_reports, format="markdown"),
    "results.json": exports.to_json,
    "references.bib": exports.to_bibtex,
}


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
    comparisons = {"scores": scores, "pronouns": pronouns}
    available = {kind: comparison for kind, comparison in comparisons.items() if comparison is not None}
    description = describe_key(run)
    sort, order = query.get("sort") or "errors", query.get("order") or ""
    methods = tuple(make_method(run, method, scores, pronouns, rows) for method in response_names(run))
    model = {
        "run": name,
        "about": _summarize_run(name, run, next(iter(available.values()), None)),
        "methods": methods,
        "rates": RATE_COLUMNS if pronouns else (),
        "measures": [Column(name=score, title=title) for score, title in (scores.titles if scores else {}).items()],
        "best": best_values(methods),
        "explained": {kind: comparison_report.explain_letters(comparison) for kind, comparison in available.items()},
        "cautions": comparison_report.warn_few_documents(next(iter(available.values()))) if available else (),
        "tests": {kind: {"signature": available[kind].signature, "pairs": available[kind].pairs} for kind in available},
        "counts": "pronouns" if run.kind == "bench" else "mentions",
        "by": query.get("by", ""),
        "sort": sort,
        "order": order or ("asc" if sort == "document" else "desc"),
        "measure": measure,
        "by_measures": choices,
        "documents": sort_rows(rows, sort, order, [method.name for method in methods]),
        "corpus": statistics_to_dict(description) if description else {},
        "tables": _tables(run, scores, pronouns),
        "findings": _run_findings(run),
    }
    return Page(template="results.html", title=name, model=model, charts=_charts(scores, pronouns))


def _summarize_run(name: str, run: Run, comparison: Comparison | None) -> dict[str, Any]:
    header = run.header
    file = f"{name}{RUN_SUFFIX}"
    bench = run.bench if run.kind == "bench" else None
    mode = ""
    if bench is not None:
        mentions = "gold" if bench.plan.takes_mentions else "predicted"
        mode = f"{bench.plan.mode} mode, {mentions} mentions, pre-processing {bench.preprocessing}"
    # Long comparisons have fewer samples than the default of the command.
    samples = comparison.settings.samples if comparison else 0
    options = [] if samples == Settings().samples else ["--samples", str(samples)]
    key = next((source.name for source in header.inputs if source.role == "key"), "")
    return {
        "kind": header.kind,
        "corpus": key or (bench.corpus if bench else ""),
        "documents": len(header.documents) or (len(bench.documents) if bench else 0),
        "profile": header.results[0].profile.title if header.results else "",
        "created": header.created,
        "version": header.version,
        "mode": mode,
        "seconds": header.timing.wall,
        "made_by": join(header.command),
        "verify": join(["corefbench", "verify", file]),
        "compare": join(["corefbench", "compare", file, *options]) if comparison else "",
    }


def _tables(run: Run, scores: Comparison | None, pronouns: Comparison | None) -> dict[str, Table]:
    tables = {}
    if scores is not None:
        tables["intervals"] = comparison_report.interval_table(scores)
        tables["differences"] = comparison_report.difference_table(scores)
    if pronouns is not None:
        tables["mcnemar"] = comparison_report.pronoun_table(pronouns)
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
    charts = {}
    if pronouns is not None:
        chart, about = bench_report.rate_chart(pronouns), _chart_description("Success rate", pronouns, "recall")
        charts["rates"] = make_chart(chart, about)
    if scores is not None:
        chart, about = comparison_report.comparison_chart(scores), _chart_description("F1", scores, "f1")
        charts["scores"] = make_chart(chart, about)
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
        return FileContent(body=workbench.path_of(run), name=f"{run}{RUN_SUFFIX}")
    if what == "bundle":
        return FileContent(body=_zip_bundle(workbench, run), media_type="application/zip", name=f"{run}.zip")
    if what not in _EXPORTS:
        raise UnknownName("export", what, [*_EXPORTS, "run", "bundle"])
    return exports.text_file(f"{run}-{what}", _EXPORTS[what](workbench.run(run)))


def _zip_bundle(workbench: Workbench, run: str) -> bytes:
    from corefbench.workbench.bundle import write_bundle

    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "pages"
        write_bundle(workbench, run, folder)
        return zip_folder(folder, run)
