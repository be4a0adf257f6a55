"""What was aimed at, on the test sets, and by how much it was missed."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

Row = Mapping[str, float]


class Goals(NamedTuple):
    """Percentages by set and figure, and words per second."""

    rows: Mapping[str, Row]
    speed: int


EWT, GUM = "EWT test", "GUM test, all genres"
GOALS = {
    "en": Goals(
        {
            EWT: {"UPOS": 93, "lemma": 95, "UAS": 84, "LAS": 81, "NP": 90, "GF": 92.5},
            GUM: {"UPOS": 96, "lemma": 95, "UAS": 86.5, "LAS": 83.5, "NP": 93, "GF": 92.5},
        },
        speed=4_500,
    ),
    "en-accurate": Goals(
        {
            EWT: {"UAS": 87, "LAS": 85, "NP": 93.5, "GF": 95.5},
            GUM: {"UAS": 90, "LAS": 88, "NP": 95.5, "GF": 95.5},
        },
        speed=1_800,
    ),
}


def misses(goals: Goals, found: Mapping[str, Row], speeds: Mapping[str, float]) -> str:
    """What is below its goal, as a sentence.

    >>> misses(Goals({EWT: {"UAS": 87}}, 1800), {EWT: {"UAS": 86.5}}, {EWT: 2000})
    'Below its goal: UAS on EWT test by 0.5.'
    """
    missed = list(_misses(goals, found, speeds))
    return f"Below its goal: {'; '.join(missed)}." if missed else "Every goal is met."


def _misses(goals: Goals, found: Mapping[str, Row], speeds: Mapping[str, float]) -> Iterator[str]:
    for name, row in goals.rows.items():
        for figure, goal in row.items():
            short = goal - round(found[name][figure], 1)
            if short > 0:
                yield f"{figure} on {name} by {short:.1f}"
        if speeds[name] < goals.speed:
            yield f"speed on {name} by {goals.speed - speeds[name]:,.0f} words/s"
