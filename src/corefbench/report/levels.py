"""Scores by level as tables, as sentences and as plain values."""

from html import escape
from typing import Any

import msgspec

from corefbench.analysis.levels.study import LevelStudy
from corefbench.analysis.singletons.words import title
from corefbench.report import ReportFormat, machine, render_tables
from corefbench.report.table import Table, percent
from corefbench.scoring.result import Result


def report_levels(study: LevelStudy, format: ReportFormat = "table", *, more: str = "") -> str:
    """The study as text; ``more`` is HTML for the end of a page."""
    if format == "json":
        return msgspec.json.format(msgspec.json.encode(as_object(study)), indent=2).decode()
    tables = [chain_table(study), detection_table(study)]
    if format == "html":
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in study.explanation())
        return render_tables(tables, format, more=f"<h2>In words</h2><ul>{items}</ul>{more}")
    text = render_tables(tables, format)
    if format in ("table", "markdown"):
        words = "\n".join(f"- {sentence}" for sentence in study.explanation())
        return f"{text}\n\nIn words:\n\n{words}"
    return text


def chain_table(study: LevelStudy) -> Table:
    """F1 of the chains: a row for response, mentions, level and singletons."""
    first = study.rows[0].result
    names = [name for name in first if name != "mentions"]
    rows = [
        (
            row.response,
            row.mentions,
            row.clustering_scope,
            row.level,
            "with" if row.singletons else "without",
            *_cells(row.result, names),
        )
        for row in study.rows
    ]
    return Table(
        caption=f"Chains, F1 by {first.profile.title}",
        headers=(
            "Response",
            "Mentions",
            "Clustering",
            "Level",
            "Singletons",
            *(title(first, name) for name in names),
            *(("CoNLL",) if first.conll else ()),
        ),
        rows=tuple(rows),
        notes=_signatures(study),
    )


def _cells(result: Result, names: list[str]) -> list[str]:
    cells = [percent(result[name].f1, result.profile.rounding) for name in names]
    return [*cells, percent(result.conll.f1)] if result.conll else cells


def _signatures(study: LevelStudy) -> tuple[str, ...]:
    """One a response: what papers report, at the widest level and without singletons."""
    last = study.rows[-1].level
    return tuple(
        f"{row.response}: {row.result.signature}"
        for row in study.rows
        if row.level == last
        and not row.singletons
        and row.mentions != "projected"
        and row.response in study.detection
    )


def detection_table(study: LevelStudy) -> Table:
    """Mention detection on all mentions, which level and singletons do not touch."""
    rows = [
        (name, *(percent(value) for value in (score.recall, score.precision, score.f1)))
        for name, score in study.detection.items()
    ]
    return Table(
        caption="Mention detection, all mentions, singletons included",
        headers=("Response", "Recall", "Precision", "F1"),
        rows=tuple(rows),
    )


def as_object(study: LevelStudy) -> dict[str, Any]:
    """The study in plain values; programs may rely on the keys."""
    return {
        "key": study.key,
        "detection": {name: msgspec.to_builtins(s) for name, s in study.detection.items()},
        "rows": [
            {
                "response": row.response,
                "mentions": row.mentions,
                "clustering_scope": row.clustering_scope,
                "clustering_scope_derived": row.response in study.derived,
                "level": row.level,
                "singletons": row.singletons,
                **machine.as_object(row.result),
            }
            for row in study.rows
        ],
        "explanation": list(study.explanation()),
        "findings": [msgspec.to_builtins(finding) for finding in study.findings],
    }
