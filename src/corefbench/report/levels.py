"""Scores by cross-document level: tables, sentences, JSON and chart."""

from typing import TYPE_CHECKING, Any

import msgspec

from corefbench.analysis.levels import LevelStudy
from corefbench.report.charts import Bar, bars_by_measure
from corefbench.report.renderers import ReportFormat, render_explained, render_json
from corefbench.report.scores import f1_by_title, f1_cells, f1_headers, result_to_dict
from corefbench.report.table import Table, percent

if TYPE_CHECKING:
    import altair


def report_levels(study: LevelStudy, format: ReportFormat = "table", *, more: str = "") -> str:
    """Render the study; ``more`` is HTML for the end of a page."""
    if format == "json":
        return render_json(levels_to_dict(study))
    tables = [chain_table(study), detection_table(study)]
    return render_explained(tables, {"In words": list(study.explanation())}, format, more=more)


def chain_table(study: LevelStudy) -> Table:
    """Tabulate F1 of the chains by response, mentions, level and singletons."""
    first = study.rows[0].result
    rows = [
        (
            row.response,
            row.mentions,
            row.clustering_scope,
            row.level,
            "with" if row.singletons else "without",
            *f1_cells(row.result, leave_out="mentions"),
        )
        for row in study.rows
    ]
    return Table(
        caption=f"Chains, F1 by {first.profile.title}",
        headers=("Response", "Mentions", "Clustering", "Level", "Singletons", *f1_headers(first, leave_out="mentions")),
        rows=tuple(rows),
        notes=_signatures(study),
    )


def _signatures(study: LevelStudy) -> tuple[str, ...]:
    """Return one signature per response: the widest level without singletons, as in papers."""
    last = study.rows[-1].level
    return tuple(
        f"{row.response}: {row.result.signature}"
        for row in study.rows
        if row.level == last and not row.singletons and row.mentions != "projected" and row.response in study.detection
    )


def detection_table(study: LevelStudy) -> Table:
    """Tabulate mention detection, which does not depend on level and singletons."""
    rows = [
        (name, *(percent(value) for value in (score.recall, score.precision, score.f1)))
        for name, score in study.detection.items()
    ]
    return Table(
        caption="Mention detection, all mentions, singletons included",
        headers=("Response", "Recall", "Precision", "F1"),
        rows=tuple(rows),
    )


def levels_to_dict(study: LevelStudy) -> dict[str, Any]:
    """Return the study in plain values; programs may rely on the keys."""
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
                **result_to_dict(row.result),
            }
            for row in study.rows
        ],
        "explanation": list(study.explanation()),
        "findings": [msgspec.to_builtins(finding) for finding in study.findings],
    }


def level_chart(study: LevelStudy) -> "altair.FacetChart":
    """Draw a group of bars per level, one colour per response and set of mentions."""
    title = "F1 by level, with (+S) and without (−S) singletons"
    return bars_by_measure(level_bars(study), title, columns=3, width=240)


def level_bars(study: LevelStudy) -> list[Bar]:
    """Return the bars: every measure of the chains, and the CoNLL average."""
    return [
        Bar(
            measure=measure,
            setting=f"{row.level} {'+' if row.singletons else '−'}S",
            series=f"{row.response}, {row.mentions} mentions",
            f1=f1,
        )
        for row in study.rows
        for measure, f1 in f1_by_title(row.result, leave_out="mentions").items()
    ]
