"""The sizes of coreferent chains, as in Figure 4 of Chen et al. 2018.

    share of size s = chains of size s ÷ chains of two and more mentions,   s = 2 … 15, 16+

Singletons are left out, so that corpora with and without them can be compared.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corefbench.errors import UsageError
from corefbench.report.charts import COLOURS
from corefbench.stats import Description

if TYPE_CHECKING:
    import altair

_LAST = 16
_SIZES = [*map(str, range(2, _LAST)), f"{_LAST}+"]
_MOST_GROUPS = 60


def size_shares(sizes: Counter[int]) -> dict[str, float]:
    """The share of each size among chains of two and more mentions, in per cent.

    >>> {size: share for size, share in size_shares(Counter({1: 9, 2: 3, 40: 1})).items() if share}
    {'2': 75.0, '16+': 25.0}
    """
    total = sum(count for size, count in sizes.items() if size > 1) or 1
    shares = dict.fromkeys(_SIZES, 0.0)
    for size, count in sizes.items():
        if size > 1:
            shares[_SIZES[min(size, _LAST) - 2]] += 100 * count / total
    return shares


def size_chart(description: Description) -> "altair.Chart | altair.FacetChart":
    """The specification; a small chart for each group where the corpus was counted by groups."""
    import altair

    if description.by:
        return _small_multiples(description)
    series = {description.name: description.counts.inventory.chain_sizes}
    if description.training is not None:
        name = "training" if description.name != "training" else "training data"
        series[name] = description.training.chain_sizes
    several = len(series) > 1
    colour = altair.Color("corpus:N", title=None, sort=list(series)).scale(range=COLOURS[:4])
    bars = _bars(series).encode(color=colour) if several else _bars(series)
    if several:
        bars = bars.encode(xOffset=altair.XOffset("corpus:N", sort=list(series)))
        bars = bars.configure_legend(
            orient="top-right", labelFontSize=12, symbolType="square", fillColor="white"
        )
    drawn: altair.Chart = bars.properties(width=520, height=280, title=_title(description))
    return drawn


def _small_multiples(description: Description) -> "altair.Chart | altair.FacetChart":
    import altair

    if len(description.groups) > _MOST_GROUPS:
        raise UsageError(
            "there are too many groups to draw",
            found=f"{len(description.groups)} groups by {description.by}",
            expected=f"at most {_MOST_GROUPS}",
            remedy="draw the whole corpus, without --by",
        )

    series = {name: c.inventory.chain_sizes for name, c in description.groups.items()}
    small = _bars(series, labels=["2", "4", "6", "8", "10", "12", "14", "16+"], what="Chains")
    facet = altair.Facet("corpus:N", sort=list(series)).title(None)
    facet = facet.header(labelFontSize=12, labelFontWeight="bold", labelPadding=4)
    drawn = small.properties(width=180, height=110).facet(facet, columns=4)
    # Else Vega draws the axis once a column, under cells that the last row leaves empty too.
    drawn = drawn.resolve_axis(x="independent")
    made: altair.FacetChart = drawn.properties(title=_title(description))
    return made


def _bars(
    series: Mapping[str, Counter[int]],
    labels: Sequence[str] = _SIZES,
    what: str = "Coreferent chains",
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
        .mark_bar(color=COLOURS[0])
        .encode(
            x=size.axis(labelAngle=0, values=list(labels), ticks=False, labelOverlap=False),
            y=share.axis(tickCount=5, domain=False, ticks=False),
            tooltip=tips,
        )
    )
    return bars


def _title(description: Description) -> "altair.TitleParams":
    import altair

    chains = description.counts.inventory.chain_sizes
    coreferent = chains.total() - chains[1]
    about = f"{coreferent:,} chains of two and more mentions; {chains[1]:,} singletons not shown"
    head = f"Chain sizes, {description.name}"
    if description.by:
        head += f" by {description.by}"
    return altair.TitleParams(head, subtitle=about, anchor="start", offset=12)
