"""Agreement of annotators as tables and as plain values."""

from typing import Any

import msgspec

from corefbench.analysis.annotation.agreement import Agreement, Pair
from corefbench.analysis.annotation.quality import Quality, Row
from corefbench.measures import Score, measures
from corefbench.report import ReportFormat, render_tables
from corefbench.report.table import Table, percent
from corefbench.scoring.result import Result

_DISTANCES = {
    "passonneau": "Passonneau",
    "masi": "MASI",
    "jaccard": "Jaccard",
    "dice": "Dice",
    "binary": "binary",
}


def report_agreement(
    made: Agreement, format: ReportFormat = "table", *, by_document: bool = False, more: str = ""
) -> str:
    """Agreement as text; ``more`` is HTML for the end of a page."""
    if format == "json":
        return msgspec.json.format(msgspec.json.encode(as_object(made)), indent=2).decode()
    tables = [pair_table(made), alpha_table(made)]
    if by_document:
        tables.append(document_table(made))
    if made.quality is not None:
        tables += [quality_table(made.quality), annotator_table(made.quality)]
    return render_tables(tables, format, more=more)


def pair_table(made: Agreement) -> Table:
    """F1 of every two annotators, and the mean."""
    first = made.pairs[0].result
    rows = [(pair.one, pair.other, *_f1_cells(pair.result)) for pair in made.pairs]
    mean = [percent(value) for value in made.f1.values()]
    mean += [percent(made.conll)] if made.conll is not None else []
    return Table(
        caption=f"F1 of every two annotators by {first.profile.title}",
        headers=(
            "One",
            "Other",
            *(_title(first, name) for name in first),
            *(("CoNLL",) if made.conll is not None else ()),
        ),
        rows=(*rows, ("mean", "", *mean)),
        notes=tuple(str(pair.result.signature) for pair in made.pairs),
    )


def alpha_table(made: Agreement) -> Table:
    """Krippendorff's α of every two and of all."""
    rows = [(f"{pair.one}, {pair.other}", *_alphas(pair.alphas)) for pair in made.pairs]
    spans = made.spans
    return Table(
        caption="Krippendorff's α by distance between chains; not marked is "
        + {"singleton": "a singleton", "absent": "no value"}[made.missing],
        headers=("Annotators", *_DISTANCES.values()),
        rows=(*(rows if len(made.names) > 2 else ()), ("all", *_alphas(made.alphas))),
        notes=(
            f"{spans.marked:,} spans; marked by all: {spans.by_all:,}, by one: {spans.by_one:,}",
        ),
    )


def document_table(made: Agreement) -> Table:
    """α of all annotators, a row a document."""
    return Table(
        caption="Krippendorff's α by document",
        headers=("Document", *_DISTANCES.values()),
        rows=tuple((label, *_alphas(values)) for label, values in made.by_document.items()),
    )


def quality_table(made: Quality) -> Table:
    """As Table 2 of Chen et al. 2018: precision, recall and F1 of each process."""
    averaged = ", ".join(map(_measure, made.averaged))
    return Table(
        caption=f"Annotation quality: mean of {averaged} against the key",
        headers=("Process", "Annotations", "Avg. Prec", "Avg. Rec", "Avg. F1"),
        rows=tuple(
            (row.process, str(row.annotations), *_three(row.scores["average"]))
            for row in made.processes
        ),
    )


def annotator_table(made: Quality) -> Table:
    """Every annotator and every process: precision, recall and F1 of mentions and of MUC."""
    names = [name for name in ("mentions", "muc") if name in made.processes[0].scores]
    headers: tuple[str, ...] = ("Annotation",)
    for name in (*names, "average"):
        title = {"mentions": "Mentions", "muc": "MUC"}.get(name, "Avg.")
        headers += (f"{title} Prec", f"{title} Rec", f"{title} F1")
    return Table(
        caption="Annotators and merges of them against the key",
        headers=headers,
        rows=tuple(
            (row.process, *(cell for name in (*names, "average") for cell in _of(row, name)))
            for row in (*made.annotators, *made.processes)
        ),
    )


def as_object(made: Agreement) -> dict[str, Any]:
    """Agreement in plain values; programs may rely on the keys."""
    whole: dict[str, Any] = {
        "annotators": list(made.names),
        "documents": len(made.documents),
        "spans": msgspec.to_builtins(made.spans),
        "pairs": [_pair(pair) for pair in made.pairs],
        "mean": {"f1": made.f1, "conll": made.conll},
        "alpha": made.alphas,
        "missing": made.missing,
        "by_document": made.by_document,
        "findings": [msgspec.to_builtins(finding) for finding in made.findings],
    }
    if made.quality is not None:
        whole["quality"] = {
            "averaged": list(made.quality.averaged),
            "annotators": msgspec.to_builtins(made.quality.annotators),
            "processes": msgspec.to_builtins(made.quality.processes),
        }
    return whole


def _pair(pair: Pair) -> dict[str, Any]:
    return {
        "one": pair.one,
        "other": pair.other,
        "signature": str(pair.result.signature),
        "scores": msgspec.to_builtins(pair.result.scores),
        "conll": None if pair.result.conll is None else pair.result.conll.f1,
        "alpha": pair.alphas,
    }


def _f1_cells(result: Result) -> list[str]:
    cells = [percent(score.f1, result.profile.rounding) for score in result.scores.values()]
    return [*cells, percent(result.conll.f1)] if result.conll else cells


def _alphas(values: dict[str, float | None]) -> list[str]:
    return ["–" if value is None else f"{value:.3f}" for value in map(values.get, _DISTANCES)]


def _title(result: Result, name: str) -> str:
    measure = result.measures[name]
    return measure.card.title if measure.card.name == name else name.replace("_", " ")


def _measure(name: str) -> str:
    return measures[name].card.title if name in measures else name


def _three(score: Score) -> tuple[str, str, str]:
    return percent(score.precision), percent(score.recall), percent(score.f1)


def _of(row: Row, name: str) -> tuple[str, str, str]:
    return _three(row.scores[name])
