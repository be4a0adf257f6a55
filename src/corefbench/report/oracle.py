"""Mention-detection oracle: table, sentences, JSON and chart."""

from typing import TYPE_CHECKING, Any

from corefbench.bench.oracle import Oracle
from corefbench.report.charts import Bar, bars_by_measure
from corefbench.report.renderers import ReportFormat, render_explained, render_json
from corefbench.report.scores import f1_by_title, f1_cells, f1_headers, result_to_dict
from corefbench.report.table import Table

if TYPE_CHECKING:
    import altair


def report_oracle(study: Oracle, format: ReportFormat = "table", *, more: str = "") -> str:
    """Render the study; ``more`` is HTML for the end of a page."""
    if format == "json":
        return render_json(oracle_to_dict(study))
    explanations = {"In words": list(study.explanation())}
    return render_explained([oracle_table(study)], explanations, format, more=more)


def oracle_table(study: Oracle) -> Table:
    """Tabulate F1 by resolver and set of mentions."""
    first = next(iter(next(iter(study.results.values())).values()))
    rows = []
    for resolver, results in study.results.items():
        for given, result in results.items():
            count = study.mentions[given]
            rows.append((resolver, given, f"{count:,}" if count else "–", *f1_cells(result)))
    return Table(
        caption=f"Mention detection on {study.corpus}, {study.mode} mode; F1 by {first.profile.title}",
        headers=("Resolver", "Mentions given", "How many", *f1_headers(first)),
        rows=tuple(rows),
        notes=tuple(study.signature(name, "gold") for name in study.results),
    )


def oracle_to_dict(study: Oracle) -> dict[str, Any]:
    """Return the study in plain values; programs may rely on the keys."""
    return {
        "corpus": study.corpus,
        "mode": study.mode,
        "preprocessing": study.preprocessing,
        "mentions_given": dict(study.mentions),
        "own_mentions": list(study.own_mentions),
        "resolvers": {
            resolver: {
                given: {**result_to_dict(result), "signature": study.signature(resolver, given)}
                for given, result in results.items()
            }
            for resolver, results in study.results.items()
        },
        "explanation": list(study.explanation()),
    }


def oracle_chart(study: Oracle) -> "altair.FacetChart":
    """Draw a group of bars per set of mentions, one colour per resolver."""
    return bars_by_measure(oracle_bars(study), f"F1 by the mentions given: {study.corpus}", columns=4, width=130)


def oracle_bars(study: Oracle) -> list[Bar]:
    """Return the bars: every measure, and the CoNLL average."""
    return [
        Bar(measure=measure, setting=given, series=resolver, f1=f1)
        for resolver, results in study.results.items()
        for given, result in results.items()
        for measure, f1 in f1_by_title(result).items()
    ]
