"""Right antecedent decisions by stratum: bars for kinds, lines for distances, lengths and sizes."""

from typing import TYPE_CHECKING

from corefbench.analysis.errors import ErrorAnalysis
from corefbench.analysis.strata import STRATA, stratum_named
from corefbench.errors import UsageError
from corefbench.report.charts import COLOURS

if TYPE_CHECKING:
    import altair

MOST = 60
_ORDERED = ("sentences", "mentions", "length", "size")
_MEASURES = ("Recall", "Precision", "F1")


def chart_rows(analysis: ErrorAnalysis, by: str) -> list[dict[str, str | float]]:
    """What is drawn: stratum, measure, value in per cent, and how many links it is of; nothing
    where there are none."""
    rows: list[dict[str, str | float]] = []
    for value, score in analysis.scores(by).items():
        found = (
            ("Recall", score.recall, score.anaphoric),
            ("Precision", score.precision, score.linked),
            ("F1", score.f1, min(score.anaphoric, score.linked)),
        )
        rows += [
            {"stratum": value, "measure": name, "score": 100 * number, "links": count}
            for name, number, count in found
            if count
        ]
    return rows


def strata_chart(analysis: ErrorAnalysis, by: str, name: str) -> "altair.Chart | altair.LayerChart":
    """The specification."""
    import altair

    by = stratum_named(by)
    rows = chart_rows(analysis, by)
    order = list(dict.fromkeys(str(row["stratum"]) for row in rows))
    if len(order) > MOST:
        raise UsageError(
            "there are too many strata to draw",
            found=f"{len(order)} by {by}",
            expected=f"at most {MOST}",
        )
    base = altair.Chart(altair.InlineData(rows)).encode(
        x=altair.X("stratum:N", sort=order, title=STRATA[by], axis=altair.Axis(labelAngle=0)),
        y=altair.Y("score:Q", title="%", scale=altair.Scale(domain=[0, 100])),
        color=altair.Color("measure:N", title=None).scale(
            domain=list(_MEASURES), range=COLOURS[:3]
        ),
    )
    marks: altair.Chart | altair.LayerChart
    marks = _lines(base) if by in _ORDERED else _bars(base)
    drawn: altair.Chart | altair.LayerChart = marks.properties(
        width=max(360, 70 * len(order)), height=280, title=_title(analysis, by, name)
    )
    return drawn


def _lines(base: "altair.Chart") -> "altair.Chart":
    """Told apart by shape as well as by colour."""
    import altair

    made: altair.Chart = base.mark_line(
        point=altair.OverlayMarkDef(filled=True, size=80, opacity=1)
    ).encode(shape=altair.Shape("measure:N", title=None).scale(domain=list(_MEASURES)))
    return made


def _bars(base: "altair.Chart") -> "altair.LayerChart":
    import altair

    offset = altair.XOffset("measure:N", sort=list(_MEASURES))
    bars = base.mark_bar().encode(xOffset=offset)
    numbers = base.mark_text(dy=-6, fontSize=9, color="#333").encode(
        xOffset=offset, text=altair.Text("score:Q", format=".0f"), color=altair.value("#333")
    )
    made: altair.LayerChart = bars + numbers
    return made


def _title(analysis: ErrorAnalysis, by: str, name: str) -> "altair.TitleParams":
    import altair

    score = analysis.overall
    about = (
        f"{name}: {score.anaphoric:,} anaphors in the key, {score.linked:,} links in the response"
    )
    if by == "gender" and analysis.bias is not None:
        about += f"; bias F/M {analysis.bias:.2f}"
    head = f"Right antecedent decisions by {STRATA[by].lower()}"
    return altair.TitleParams(head, subtitle=about, anchor="start", offset=12)
