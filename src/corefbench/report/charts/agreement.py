"""Agreement of every two annotators, as a heat map a measure."""

from typing import TYPE_CHECKING

from corefbench.analysis.annotation.agreement import Agreement

if TYPE_CHECKING:
    import altair

_TITLES = {
    "mentions": "Mentions (F1)",
    "muc": "MUC (F1)",
    "conll": "CoNLL (F1)",
    "masi": "α (MASI)",
}


def heat_rows(made: Agreement) -> list[dict[str, object]]:
    """A cell for every two annotators and measure, both ways round; per cent, α times 100."""
    rows: list[dict[str, object]] = []
    for pair in made.pairs:
        values = {name: pair.result[name].f1 for name in ("mentions", "muc") if name in pair.result}
        if pair.result.conll is not None:
            values["conll"] = pair.result.conll.f1
        alpha = pair.alphas["masi"]
        if alpha is not None:
            values["masi"] = alpha
        rows += [
            {"measure": _TITLES[name], "one": one, "other": other, "value": round(100 * value, 2)}
            for name, value in values.items()
            for one, other in ((pair.one, pair.other), (pair.other, pair.one))
        ]
    return rows


def agreement_chart(made: Agreement) -> "altair.FacetChart":
    """Darker is more agreement; a cell says how much."""
    import altair

    size = 110 + 46 * len(made.names)
    names = list(made.names)
    base = altair.Chart(altair.InlineData(heat_rows(made))).encode(
        x=altair.X("one:N", sort=names, title=None).axis(
            labelAngle=-30, domain=False, ticks=False, grid=False
        ),
        y=altair.Y("other:N", sort=names, title=None).axis(domain=False, ticks=False, grid=False),
    )
    scale = altair.Scale(scheme="blues", domain=[0, 100], clamp=True)
    cells = base.mark_rect(stroke="white", strokeWidth=2).encode(
        color=altair.Color("value:Q", scale=scale, legend=None),
        tooltip=["measure:N", "one:N", "other:N", altair.Tooltip("value:Q", format=".2f")],
    )
    figures = base.mark_text(fontSize=13).encode(
        text=altair.Text("value:Q", format=".1f"),
        color=altair.condition("datum.value > 60", altair.value("white"), altair.value("black")),
    )
    order = list(_TITLES.values())
    facet = altair.Facet("measure:N", sort=order, title=None).header(
        labelFontSize=13, labelFontWeight="bold"
    )
    drawn = (cells + figures).properties(width=size, height=size).facet(facet, columns=2)
    about = f"{len(made.documents):,} documents, {made.spans.marked:,} spans marked by anyone"
    made_chart: altair.FacetChart = drawn.properties(
        title=altair.TitleParams("Agreement of annotators", subtitle=about, anchor="start")
    )
    return made_chart
