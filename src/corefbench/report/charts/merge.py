"""What became of each annotator's mentions and links, as bars."""

from typing import TYPE_CHECKING

from corefbench.analysis.annotation.merge import Merge
from corefbench.report.charts import COLOURS

if TYPE_CHECKING:
    import altair

_FATES = ("kept", "dropped", "from others")


def fate_rows(made: Merge) -> list[dict[str, object]]:
    """How many of each annotator's mentions and links were kept, dropped, and added by others."""
    return [
        {"what": what, "annotator": one.annotator, "fate": fate, "count": count}
        for one in made.accounts
        for what, tale in (("Mentions", one.mentions), ("Links", one.links))
        for fate, count in zip(_FATES, (tale.kept, tale.dropped, tale.added), strict=True)
    ]


def merge_chart(made: Merge) -> "altair.FacetChart":
    """A bar an annotator; kept and dropped are what they said, the rest came from others."""
    import altair

    colours = altair.Scale(domain=list(_FATES), range=[COLOURS[0], COLOURS[4], COLOURS[6]])
    bars = (
        altair.Chart(altair.InlineData(fate_rows(made)))
        .mark_bar()
        .transform_calculate(order=f"indexof({list(_FATES)}, datum.fate)")
        .encode(
            x=altair.X("count:Q", title=None).axis(format="~s", grid=False),
            y=altair.Y("annotator:N", sort=list(made.names), title=None).axis(grid=False),
            color=altair.Color("fate:N", scale=colours, title=None).legend(orient="top"),
            order=altair.Order("order:Q"),
            tooltip=["annotator:N", "what:N", "fate:N", "count:Q"],
        )
        .properties(width=260, height=36 * len(made.names))
    )
    facet = altair.Facet("what:N", sort=["Mentions", "Links"], title=None)
    drawn = bars.facet(facet.header(labelFontSize=13, labelFontWeight="bold"), columns=2)
    about = f"{len(made.corpus.mentions):,} mentions, {len(made.conflicts):,} conflicts"
    chart: altair.FacetChart = drawn.resolve_scale(x="independent").properties(
        title=altair.TitleParams("Merged annotation", subtitle=about, anchor="start")
    )
    return chart
