"""Descriptions of corpora for terminal, Markdown, LaTeX, CSV and JSON."""

from collections import Counter
from typing import Any

import msgspec

from corefbench.report import ReportFormat, render_table
from corefbench.report.table import Table, percent
from corefbench.stats import FIGURES, Counts, Description, Figure, figures
from corefbench.stats.figures import Number

_BY_GROUP = (
    "documents", "sentences", "tokens", "mentions", "chains", "coreferent_chains", "singletons",
    "singleton_rate", "mention_length", "mention_density", "coreferent_chain_size", "oov_rate",
    "low_frequency_rate", "pronouns", "pronouns_anaphoric",
)  # fmt: skip
"""What fits into a row."""


def report_statistics(description: Description, format: ReportFormat = "table") -> str:
    """The description as text; with groups, a row a group and one of all."""
    if format == "json":
        return msgspec.json.format(msgspec.json.encode(as_object(description)), indent=2).decode()
    return render_table(statistics_table(description, whole=format == "csv"), format)


def statistics_table(description: Description, *, whole: bool = False) -> Table:
    """A row a figure, or a row a group; ``whole`` has what is not known and does not fit, too."""
    made = _by_group if description.by else _single
    return made(description, whole=whole)


def as_object(description: Description) -> dict[str, Any]:
    """The description in plain values; programs may rely on the keys."""
    made: dict[str, Any] = {"corpus": description.name, "scope": description.scope}
    made |= _values(description.counts)
    made["low_frequency_below"] = description.low_frequency
    if description.training is not None:
        training = description.training
        made["training_documents"] = training.documents
        made["training_tokens"] = training.tokens
        made["training_vocabulary"] = len(training.words)
    if description.by:
        made["by"] = description.by
        made["groups"] = {name: _values(counts) for name, counts in description.groups.items()}
    return made


def _values(counts: Counts) -> dict[str, Any]:
    return {**figures(counts), "distributions": _distributions(counts)}


def _distributions(counts: Counts) -> dict[str, dict[str, int]]:
    """Value → how often, values in order; JSON has them as text."""
    histograms = {
        "chain_size": counts.inventory.chain_sizes,
        "coreferent_mention_length": counts.inventory.coreferent_lengths,
        "singleton_mention_length": counts.inventory.singleton_lengths,
        "nesting_depth": counts.overlaps.depths,
        "sentence_distance": counts.pronouns.sentence_distances,
        "noun_phrase_distance": counts.pronouns.noun_phrase_distances,
        "candidates": counts.pronouns.candidates,
    }
    return {name: _in_order(values) for name, values in histograms.items()}


def _in_order(values: Counter[int]) -> dict[str, int]:
    return {str(value): values[value] for value in sorted(values)}


def _single(description: Description, *, whole: bool) -> Table:
    values = figures(description.counts)
    rows = [
        (_title(figure), _cell(figure, values[figure.key]))
        for figure in FIGURES
        if whole or values[figure.key] is not None
    ]
    return Table(
        caption=f"{description.name}, chains by {description.scope}",
        headers=("Statistic", "Value"),
        rows=(*rows, *_training_rows(description)),
    )


def _training_rows(description: Description) -> list[tuple[str, str]]:
    training = description.training
    if training is None:
        return []
    return [
        ("Training documents", str(training.documents)),
        ("Training tokens", str(training.tokens)),
    ]


def _by_group(description: Description, *, whole: bool) -> Table:
    chosen = [f for f in FIGURES if whole or f.key in _BY_GROUP]
    if description.training is None and not whole:
        chosen = [f for f in chosen if f.key not in ("oov_rate", "low_frequency_rate")]
    groups = {**description.groups, "all": description.counts}
    rows = []
    for name, counts in groups.items():
        values = figures(counts)
        rows.append((name, *(_cell(figure, values[figure.key]) for figure in chosen)))
    return Table(
        caption=f"{description.name} by {description.by}, chains by {description.scope}",
        headers=(description.by.capitalize(), *map(_title, chosen)),
        rows=tuple(rows),
    )


def _title(figure: Figure) -> str:
    return f"{figure.title} (%)" if figure.kind == "share" else figure.title


def _cell(figure: Figure, value: Number) -> str:
    if value is None:
        return ""
    if figure.kind == "share":
        return percent(value)
    return {"count": "{:d}", "mean": "{:.2f}", "density": "{:.4f}"}[figure.kind].format(value)
