"""Scores as tables and JSON."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from corefbench.analysis.studies import measure_title
from corefbench.report.renderers import ReportFormat, render_json, render_page, render_table
from corefbench.report.table import Cell, Table, count_noun, make_table, percent
from corefbench.scoring.result import Result


def report_scores(results: Mapping[str, Result], format: ReportFormat = "table", *, by_document: bool = False) -> str:
    """Render results by the names of their responses."""
    if format == "json":
        values = {name: result_to_dict(result, by_document=by_document) for name, result in results.items()}
        return render_json(next(iter(values.values())) if len(values) == 1 else {"results": values})
    table = document_table(results) if by_document else score_table(results)
    if format != "html":
        return render_table(table, format)
    tables = [table]
    if len(results) > 1 and not by_document:  # a page has room for recall and precision, too
        tables += [replace(score_table({name: result}), caption=name, notes=()) for name, result in results.items()]
    return render_page(tables, [f for result in results.values() for f in result.findings])


def score_table(results: Mapping[str, Result]) -> Table:
    """Tabulate one response with a row per measure, or F1 with a row per response."""
    if len(results) == 1:
        return _single_response_table(next(iter(results.values())))
    first = next(iter(results.values()))
    return make_table(
        f"F1 by {first.profile.title}",
        ["Response", *f1_headers(first)],
        ([name, *f1_cells(result)] for name, result in results.items()),
        [f"{name}: {result.signature}" for name, result in results.items()],
    )


def _single_response_table(result: Result) -> Table:
    rounding = result.profile.rounding
    rows: list[list[Cell]] = [
        [measure_title(result, name), *(percent(x, rounding) for x in (s.recall, s.precision, s.f1))]
        for name, s in result.scores.items()
    ]
    if result.conll is not None:
        rows.append(["CoNLL", "", "", result.conll.f1])
    return make_table(
        f"{result.profile.title}; {count_noun(len(result.documents), 'document')}",
        ["Measure", "Recall", "Precision", "F1"],
        rows,
        [str(result.signature)],
    )


def document_table(results: Mapping[str, Result]) -> Table:
    """Tabulate F1 by document and overall."""
    first = next(iter(results.values()))
    rows = []
    for name, result in results.items():
        for document, scores in result.by_document().items():
            cells = [percent(s.f1, result.profile.rounding) for s in scores.values()]
            if result.conll:
                averaged = [scores[name].f1 for name in result.profile.conll]
                cells.append(percent(sum(averaged) / len(averaged)))
            rows.append([name, document, *cells])
        rows.append([name, "all", *f1_cells(result)])
    skipped = 0 if len(results) > 1 else 1  # the name of the only response
    return make_table(
        f"F1 by document, {first.profile.title}",
        ["Response", "Document", *f1_headers(first)][skipped:],
        (row[skipped:] for row in rows),
        [str(result.signature) for result in results.values()],
    )


def f1_cells(result: Result, leave_out: str = "") -> list[str]:
    """Format F1 of every measure but one, then the CoNLL average if the profile has it."""
    rounding = result.profile.rounding
    cells = [percent(s.f1, rounding) for name, s in result.scores.items() if name != leave_out]
    return [*cells, percent(result.conll.f1)] if result.conll else cells


def f1_headers(result: Result, leave_out: str = "") -> list[str]:
    """Return the headers above ``f1_cells``."""
    titles = [measure_title(result, name) for name in result if name != leave_out]
    return [*titles, "CoNLL"] if result.conll else titles


def f1_by_title(result: Result, leave_out: str = "") -> dict[str, float]:
    """Return F1 by the titles of measures, the CoNLL average last."""
    values = [score.f1 for name, score in result.scores.items() if name != leave_out]
    values += [result.conll.f1] if result.conll else []
    return dict(zip(f1_headers(result, leave_out), values, strict=True))


def result_to_dict(result: Result, *, by_document: bool = False) -> dict[str, Any]:
    """Return the result as a dictionary for JSON, fractions unrounded.

    Programs rely on the keys: more may be added, none is renamed.
    """
    values: dict[str, Any] = {
        "signature": str(result.signature),
        "profile": result.profile.name,
        "documents": len(result.documents),
        "scores": result.scores,
        "conll": None if result.conll is None else result.conll.f1,
        "findings": list(result.findings),
    }
    if by_document:
        values["by_document"] = result.by_document()
    return values
