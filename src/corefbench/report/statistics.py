"""Corpus statistics: tables, JSON and charts."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corefbench.analysis.statistics import FIGURES, Counts, Description, Figure, compute_figures
from corefbench.analysis.statistics.describe import Number
from corefbench.errors import UsageError
from corefbench.report.charts import PALETTE, chart_title, facet_by
from corefbench.report.renderers import ReportFormat, render_json, render_table
from corefbench.report.table import Table, make_table, percent

if TYPE_CHECKING:
    import altair

_GROUP_FIGURES = (
    "documents", "sentences", "tokens", "mentions", "chains", "coreferent_chains", "singletons",
    "singleton_rate", "mention_length", "mention_density", "coreferent_chain_size", "oov_rate",
    "low_frequency_rate", "pronouns", "pronouns_anaphoric",
)  # fmt: skip
"""Figures that fit into a row."""
_LARGEST_SIZE = 16
_SIZES = [*map(str, range(2, _LARGEST_SIZE)), f"{_LARGEST_SIZE}+"]
_MAX_GROUPS = 60
_LARGEST_DISTANCE = {"Sentences": 5, "Noun phrases": 15}


def report_statistics(description: Description, format: ReportFormat = "table") -> str:
    """Render the description: one row per figure, or per group and one for all."""
    if format == "json":
        return render_json(statistics_to_dict(description))
    return render_table(statistics_table(description, whole=format == "csv"), format)


def statistics_table(description: Description, *, whole: bool = False) -> Table:
    """Tabulate figures, or groups; ``whole`` adds unknown figures and those that need room."""
    make_table = _group_table if description.by else _figure_table
    return make_table(description, whole=whole)


def statistics_to_dict(description: Description) -> dict[str, Any]:
    """Return the description as a dictionary for JSON; programs may rely on the keys."""
    values: dict[str, Any] = {"corpus": description.name, "scope": description.scope}
    values |= _counts_to_dict(description.counts)
    values["low_frequency_below"] = description.low_frequency
    if description.training is not None:
        training = description.training
        values["training_documents"] = training.documents
        values["training_tokens"] = training.tokens
        values["training_vocabulary"] = len(training.words)
    if description.by:
        values["by"] = description.by
        values["groups"] = {name: _counts_to_dict(counts) for name, counts in description.groups.items()}
    return values


def _counts_to_dict(counts: Counts) -> dict[str, Any]:
    return {**compute_figures(counts), "distributions": _distributions(counts)}


def _distributions(counts: Counts) -> dict[str, dict[str, int]]:
    """Return sorted histograms; keys are text as in JSON."""
    histograms = {
        "chain_size": counts.inventory.chain_sizes,
        "coreferent_mention_length": counts.inventory.coreferent_lengths,
        "singleton_mention_length": counts.inventory.singleton_lengths,
        "nesting_depth": counts.overlaps.depths,
        "sentence_distance": counts.pronouns.sentence_distances,
        "noun_phrase_distance": counts.pronouns.noun_phrase_distances,
        "candidates": counts.pronouns.candidates,
    }
    return {
        name: {str(value): histogram[value] for value in sorted(histogram)} for name, histogram in histograms.items()
    }


def _figure_table(description: Description, *, whole: bool) -> Table:
    values = compute_figures(description.counts)
    rows = [
        (_figure_title(figure), _format_figure(figure, values[figure.key]))
        for figure in FIGURES
        if whole or values[figure.key] is not None
    ]
    if description.training is not None:
        rows.append(("Training documents", str(description.training.documents)))
        rows.append(("Training tokens", str(description.training.tokens)))
    return make_table(f"{description.name}, chains by {description.scope}", ["Statistic", "Value"], rows)


def _group_table(description: Description, *, whole: bool) -> Table:
    chosen = [f for f in FIGURES if whole or f.key in _GROUP_FIGURES]
    if description.training is None and not whole:
        chosen = [f for f in chosen if f.key not in ("oov_rate", "low_frequency_rate")]
    rows = []
    for name, counts in {**description.groups, "all": description.counts}.items():
        values = compute_figures(counts)
        rows.append([name, *(_format_figure(figure, values[figure.key]) for figure in chosen)])
    return make_table(
        f"{description.name} by {description.by}, chains by {description.scope}",
        [description.by.capitalize(), *map(_figure_title, chosen)],
        rows,
    )


def _figure_title(figure: Figure) -> str:
    return f"{figure.title} (%)" if figure.kind == "share" else figure.title


def _format_figure(figure: Figure, value: Number) -> str:
    if value is None:
        return ""
    if figure.kind == "share":
        return percent(value)
    return {"count": "{:d}", "mean": "{:.2f}", "density": "{:.4f}"}[figure.kind].format(value)


def size_shares(sizes: Counter[int]) -> dict[str, float]:
    """Return the share of each size among chains of two and more mentions, in per cent.

    Singletons are left out, so that corpora with and without them can be compared (Chen et al.
    2018, Figure 4).

    >>> {size: share for size, share in size_shares(Counter({1: 9, 2: 3, 40: 1})).items() if share}
    {'2': 75.0, '16+': 25.0}
    """
    return _shares(Counter({size: count for size, count in sizes.items() if size > 1}), _SIZES, 2)


def _shares(histogram: Counter[int], labels: Sequence[str], first: int = 0) -> dict[str, float]:
    """Return the share of each value from ``first`` on, in per cent; the last bin is open.

    >>> _shares(Counter({0: 3, 9: 1}), ["0", "1", "2+"])
    {'0': 75.0, '1': 0.0, '2+': 25.0}
    """
    total = histogram.total()
    shares = dict.fromkeys(labels, 0.0)
    for value, count in histogram.items():
        shares[labels[min(value - first, len(labels) - 1)]] += 100 * count / total
    return shares


def size_chart(description: Description) -> "altair.Chart | altair.FacetChart":
    """Draw chain sizes, in a small chart per group if the corpus was counted by groups."""
    import altair

    if description.by:
        return _small_multiples(description)
    series = {description.name: description.counts.inventory.chain_sizes}
    if description.training is not None:
        name = "training" if description.name != "training" else "training data"
        series[name] = description.training.chain_sizes
    several = len(series) > 1
    colour = altair.Color("corpus:N", title=None, sort=list(series)).scale(range=PALETTE[:4])
    bars = _size_bars(series).encode(color=colour) if several else _size_bars(series)
    if several:
        bars = bars.encode(xOffset=altair.XOffset("corpus:N", sort=list(series)))
        bars = bars.configure_legend(orient="top-right", labelFontSize=12, symbolType="square", fillColor="white")
    chart: altair.Chart = bars.properties(width=520, height=280, title=_size_chart_title(description))
    return chart


def _small_multiples(description: Description) -> "altair.Chart | altair.FacetChart":
    if len(description.groups) > _MAX_GROUPS:
        raise UsageError(
            "there are too many groups to draw",
            found=f"{len(description.groups)} groups by {description.by}",
            expected=f"at most {_MAX_GROUPS}",
            remedy="draw the whole corpus, without --by",
        )

    series = {name: c.inventory.chain_sizes for name, c in description.groups.items()}
    small = _size_bars(series, labels=["2", "4", "6", "8", "10", "12", "14", "16+"], what="Chains")
    panels = small.properties(width=180, height=110).facet(facet_by("corpus", list(series)), columns=4)
    # Else Vega draws the axis once a column, under cells that the last row leaves empty too.
    panels = panels.resolve_axis(x="independent")
    chart: altair.FacetChart = panels.properties(title=_size_chart_title(description))
    return chart


def _size_bars(
    series: Mapping[str, Counter[int]], labels: Sequence[str] = _SIZES, what: str = "Coreferent chains"
) -> "altair.Chart":
    import altair

    rows = [
        {"corpus": name, "size": size, "share": share}
        for name, sizes in series.items()
        for size, share in size_shares(sizes).items()
    ]
    size = altair.X("size:O", sort=_SIZES, title="Chain size (mentions)")
    share = altair.Y("share:Q", title=f"{what} (%)")
    tips = ["corpus:N", "size:O", altair.Tooltip("share:Q", format=".1f")]
    bars: altair.Chart = (
        altair.Chart(altair.InlineData(rows))
        .mark_bar(color=PALETTE[0])
        .encode(
            x=size.axis(labelAngle=0, values=list(labels), ticks=False, labelOverlap=False),
            y=share.axis(tickCount=5, domain=False, ticks=False),
            tooltip=tips,
        )
    )
    return bars


def _size_chart_title(description: Description) -> "altair.TitleParams":
    chains = description.counts.inventory.chain_sizes
    coreferent = chains.total() - chains[1]
    about = f"{coreferent:,} chains of two and more mentions; {chains[1]:,} singletons not shown"
    head = f"Chain sizes, {description.name}"
    if description.by:
        head += f" by {description.by}"
    return chart_title(head, about)


def distance_rows(description: Description) -> list[dict[str, object]]:
    """Return the share of anaphoric pronouns by distance, in per cent; the last bin is open."""
    pronouns = description.counts.pronouns
    histograms = {"Sentences": pronouns.sentence_distances, "Noun phrases": pronouns.noun_phrase_distances}
    return [
        {"unit": unit, "distance": label, "share": share}
        for unit, last in _LARGEST_DISTANCE.items()
        for label, share in _shares(histograms[unit], [*map(str, range(last)), f"{last}+"]).items()
    ]


def distance_chart(description: Description) -> "altair.HConcatChart":
    """Draw distances to the antecedent, in a small chart per unit."""
    import altair

    rows = distance_rows(description)
    charts = []
    for unit in _LARGEST_DISTANCE:
        bars = [row for row in rows if row["unit"] == unit]
        order = [str(row["distance"]) for row in bars]
        charts.append(
            altair.Chart(altair.InlineData(bars))
            .mark_bar(color=PALETTE[0])
            .encode(
                x=altair.X("distance:O", sort=order, title=f"{unit} back").axis(labelAngle=0, ticks=False),
                y=altair.Y("share:Q", title="Anaphoric pronouns (%)").axis(tickCount=5, domain=False, ticks=False),
                tooltip=["distance:O", altair.Tooltip("share:Q", format=".1f")],
            )
            .properties(width=20 * len(order) + 40, height=180)
        )
    count = description.counts.pronouns.sentence_distances.total()
    about = f"{count:,} third-person pronouns with an antecedent in the key"
    chart: altair.HConcatChart = altair.hconcat(*charts, spacing=32).properties(
        title=chart_title("Distance to the antecedent", about)
    )
    return chart
