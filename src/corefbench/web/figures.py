"""Numbers of a page: unrounded, with their interval and what they are significantly better than."""

from collections.abc import Sequence

from corefbench.analysis.comparison import Comparison, Estimate, Part
from corefbench.record import Record
from corefbench.report.comparison_tables import shown


class Column(Record, frozen=True):
    """A measure in a table."""

    name: str
    title: str
    about: str = ""


class Figure(Record, frozen=True):
    """One number, as a fraction."""

    value: float | None
    shown: str = "–"
    """In per cent, rounded as the profile says."""
    low: float | None = None
    high: float | None = None
    better_than: tuple[str, ...] = ()
    """Methods that this one is significantly better than …"""
    marks: str = ""
    """… and their letters."""
    hits: int | None = None
    """Of a share: what was right …"""
    total: int | None = None
    """… of how many."""


RATES = (
    Column(name="success_rate", title="Success", about="right ÷ all anaphoric pronouns of the key"),
    Column(
        name="critical_success_rate",
        title="Critical",
        about="success where several candidates agree in gender and number",
    ),
    Column(
        name="critical_success_rate_shared",
        title="Critical, shared",
        about="the same with one window of candidates for all methods",
    ),
    Column(
        name="non_trivial_success_rate",
        title="Non-trivial",
        about="success where there is more than one candidate",
    ),
    Column(name="precision", title="Precision", about="right ÷ pronouns that were resolved"),
    Column(
        name="recall_identified",
        title="Recall, identified",
        about="right ÷ pronouns that the method took for anaphoric (Aone & Bennett 1995)",
    ),
    Column(
        name="etiquette",
        title="Etiquette",
        about="pronouns treated as they should be, left alone where they are not anaphoric",
    ),
    Column(
        name="resolution_rate",
        title="Resolution rate",
        about="right ÷ pronouns that are mentions of the key (Byron 2001)",
    ),
    Column(
        name="anchor_recall",
        title="Anchors",
        about="pronouns whose links end at a name or noun of their chain (Stuckardt 2001)",
    ),
)
"""The rates that pronoun resolution is reported by."""
TESTED: dict[str, Part] = {"success_rate": "recall", "precision": "precision"}
"""Those that are tested, and their part in a comparison."""


def figure(comparison: Comparison, method: str, score: str, part: Part) -> Figure | None:
    """A score with its interval and letters; None where there is no such part."""
    found: Estimate | None = comparison[method].scores[score].get(part)
    if found is None:
        return None
    beaten = comparison.beaten(method, score, part)
    letters = [comparison[name].mark for name in beaten]
    return Figure(
        value=found.value,
        shown=shown(comparison, score, found.value),
        low=found.low,
        high=found.high,
        better_than=beaten,
        marks=_between(comparison).join(letters),
    )


def best(figures: Sequence[Figure | None]) -> float | None:
    """The highest of a column, where there is one to choose."""
    values = [one.value for one in figures if one is not None and one.value is not None]
    return max(values) if len(values) > 1 and len(set(values)) > 1 else None


def _between(comparison: Comparison) -> str:
    return "," if len(comparison.systems) > 26 else ""
