"""Printed values against ours: what came out lies on the diagonal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from corefbench.experiments.base import Reproduction, Verdict
from corefbench.report.charts import COLOURS

if TYPE_CHECKING:
    import altair

_SHOWN: tuple[Verdict, ...] = ("same", "consistent", "erratum", "differs")
_SHAPES = ("circle", "diamond", "square", "cross")


def reproduction_chart(reproductions: Sequence[Reproduction]) -> "altair.LayerChart":
    """A point for every score that has both values."""
    import altair

    rows = points_of(reproductions)
    seen = {row["verdict"] for row in rows}
    used = [number for number, verdict in enumerate(_SHOWN) if verdict in seen]
    names = [_SHOWN[number] for number in used]
    colours = altair.Scale(domain=names, range=[COLOURS[number] for number in used])
    shapes = altair.Scale(domain=names, range=[_SHAPES[number] for number in used])
    axis = altair.Scale(domain=[0, 100])
    points = (
        altair.Chart(altair.InlineData(rows))
        .mark_point(filled=True, size=60, opacity=0.8)
        .encode(
            x=altair.X("printed:Q", title="Printed", scale=axis),
            y=altair.Y("ours:Q", title="Ours", scale=axis),
            color=altair.Color("verdict:N", title="Verdict", scale=colours),
            shape=altair.Shape("verdict:N", title="Verdict", scale=shapes),
            tooltip=["paper:N", "cell:N", "printed:Q", "ours:Q", "verdict:N"],
        )
    )
    ends = altair.InlineData([{"x": 0, "y": 0}, {"x": 100, "y": 100}])
    diagonal = altair.Chart(ends).mark_line(color="#999", strokeDash=[4, 4])
    papers = ", ".join(one.paper.short for one in reproductions)
    title = altair.TitleParams("Printed and ours", subtitle=papers, anchor="start")
    drawn: altair.LayerChart = (diagonal.encode(x="x:Q", y="y:Q") + points).properties(
        width=380, height=380, title=title
    )
    return drawn


def points_of(reproductions: Sequence[Reproduction]) -> list[dict[str, Any]]:
    """The scores, those that did not come out last so that they are drawn on top."""
    rows: list[dict[str, Any]] = [
        {
            "paper": one.paper.short,
            "cell": f"Table {table.number}, {cell.row}, {cell.column}",
            "printed": cell.ours - cell.difference,
            "ours": cell.ours,
            "verdict": cell.verdict,
        }
        for one in reproductions
        for table in one.tables
        for cell in table.cells
        if cell.ours is not None and cell.difference is not None
    ]
    # Counts of words and mentions have another scale.
    scores = [row for row in rows if max(row["printed"], row["ours"]) <= 100]
    return sorted(scores, key=lambda row: _SHOWN.index(row["verdict"]))
