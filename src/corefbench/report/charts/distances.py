"""How far pronouns are from their antecedents, in sentences and in noun phrases."""

from collections import Counter
from typing import TYPE_CHECKING

from corefbench.report.charts import COLOURS
from corefbench.stats import Description

if TYPE_CHECKING:
    import altair

_LAST = {"Sentences": 5, "Noun phrases": 15}


def distance_rows(description: Description) -> list[dict[str, object]]:
    """The share of anaphoric pronouns at each distance, in per cent; the last bar is open."""
    pronouns = description.counts.pronouns
    rows: list[dict[str, object]] = []
    for unit, distances in (
        ("Sentences", pronouns.sentence_distances),
        ("Noun phrases", pronouns.noun_phrase_distances),
    ):
        rows += [
            {"unit": unit, "distance": label, "share": share}
            for label, share in _shares(distances, _LAST[unit]).items()
        ]
    return rows


def _shares(distances: Counter[int], last: int) -> dict[str, float]:
    """The share of each distance.

    >>> _shares(Counter({0: 3, 9: 1}), 2)
    {'0': 75.0, '1': 0.0, '2+': 25.0}
    """
    total = distances.total()
    names = [*map(str, range(last)), f"{last}+"]
    shares = dict.fromkeys(names, 0.0)
    for distance, count in distances.items():
        shares[names[min(distance, last)]] += 100 * count / total
    return shares


def distance_chart(description: Description) -> "altair.HConcatChart":
    """The specification: a small chart a unit."""
    import altair

    rows = distance_rows(description)
    charts = []
    for unit in _LAST:
        some = [row for row in rows if row["unit"] == unit]
        order = [str(row["distance"]) for row in some]
        charts.append(
            altair.Chart(altair.InlineData(some))
            .mark_bar(color=COLOURS[0])
            .encode(
                x=altair.X("distance:O", sort=order, title=f"{unit} back").axis(
                    labelAngle=0, ticks=False
                ),
                y=altair.Y("share:Q", title="Anaphoric pronouns (%)").axis(
                    tickCount=5, domain=False, ticks=False
                ),
                tooltip=["distance:O", altair.Tooltip("share:Q", format=".1f")],
            )
            .properties(width=20 * len(order) + 40, height=180)
        )
    count = description.counts.pronouns.sentence_distances.total()
    about = f"{count:,} third-person pronouns with an antecedent in the key"
    drawn: altair.HConcatChart = altair.hconcat(*charts, spacing=32).properties(
        title=altair.TitleParams(
            "Distance to the antecedent", subtitle=about, anchor="start", offset=12
        )
    )
    return drawn
