"""What a response would score with each class of its errors repaired, as bars."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from corefbench.analysis.errors import Fixed
from corefbench.report.charts import COLOURS

if TYPE_CHECKING:
    import altair


def fixing_rows(fixed: Sequence[Fixed], score: str) -> list[dict[str, object]]:
    """A bar a class, from what the response has to what it would have, in per cent."""
    before = fixed[0].alone[score]
    return [
        {
            "class": row.kind.replace("-", " "),
            "before": 100 * before,
            "after": 100 * row.alone[score],
            "gain": f"{100 * (row.alone[score] - before):+.1f}".replace("-", "−"),
            "errors": row.errors,
        }
        for row in fixed
        if row.kind not in ("none", "all")
    ]


def fixing_chart(fixed: Sequence[Fixed], score: str, title: str) -> "altair.LayerChart":
    """The specification; bars begin at the score that the response has."""
    import altair

    rows = fixing_rows(fixed, score)
    order = [str(row["class"]) for row in rows]
    base = altair.Chart(altair.InlineData(rows)).encode(
        y=altair.Y("class:N", sort=order, title=None).axis(domain=False, ticks=False),
        tooltip=["class:N", "errors:Q", altair.Tooltip("after:Q", format=".2f")],
    )
    bars = base.mark_bar(color=COLOURS[0], height=14).encode(
        x=altair.X("before:Q", title=f"{title} F1 (%)", scale=altair.Scale(zero=False, nice=True)),
        x2="after:Q",
    )
    gains = base.mark_text(align="left", dx=4, fontSize=11).encode(x="after:Q", text="gain:N")
    points = base.mark_tick(color=COLOURS[4], thickness=2, size=18).encode(x="after:Q")
    about = f"{title} F1 {100 * fixed[0].alone[score]:.2f} as it is; all repaired: "
    about += f"{100 * fixed[-1].alone[score]:.2f}"
    drawn: altair.LayerChart = bars + points + gains
    return drawn.properties(
        width=420,
        height=26 * len(rows),
        title=altair.TitleParams(
            "If one class of errors were repaired", subtitle=about, anchor="start", offset=12
        ),
    )
