"""From a printed value and ours to a verdict: the rounding of the paper is the only tolerance."""

from math import floor

from corefbench.experiments.base import Cell, Verdict
from corefbench.experiments.printed import Erratum, Printed, PrintedTable, Row, Value, read_value
from corefbench.measures.tally import harmonic

_EPSILON = 1e-9
Bounds = tuple[float, float]


def compare(
    value: Value, ours: float, *, bounds: Bounds | None = None, cut: bool = False
) -> Verdict:
    """``same``, ``consistent`` or ``differs``.

    ``bounds`` are what the digits of other printed cells allow ours to be, where ours is computed
    from them; ``cut`` is for papers that sometimes drop digits instead of rounding.

    >>> compare(read_value("66.7"), 200 / 3), compare(read_value("66.6"), 200 / 3)
    ('same', 'differs')
    >>> compare(read_value("66.6"), 200 / 3, cut=True)
    'same'
    >>> compare(read_value("73.9"), 73.85 - 0.01, bounds=(73.8, 73.9))
    'consistent'
    """
    steps, printed = ours / value.unit, round(value.value / value.unit)
    if floor(steps + 0.5 + _EPSILON) == printed or (cut and floor(steps + _EPSILON) == printed):
        return "same" if bounds is None else "consistent"
    half = value.unit / 2 + _EPSILON
    if bounds is not None and bounds[0] - half <= value.value <= bounds[1] + half:
        return "consistent"
    return "differs"


def cell(
    printed: Printed,
    table: PrintedTable,
    row: Row,
    column: str,
    ours: float | None,
    *,
    bounds: Bounds | None = None,
    cut: bool = False,
) -> Cell:
    """A cell of a table with its verdict; without a value of ours it needs data.

    ``bounds`` are given where ours comes from other printed cells, which makes it ``consistent`` at
    best.
    """
    value = row.values[column]
    if ours is None:
        return Cell(row=row.name, column=column, printed=value.text, verdict="needs data")
    found = compare(value, ours, bounds=bounds, cut=cut)
    if found == "differs":
        erratum = printed.erratum(table.number, row.name, column)
        found = "erratum" if erratum is not None and _explains(erratum, ours, cut) else found
    return Cell(
        row=row.name,
        column=column,
        printed=value.text,
        ours=ours,
        difference=ours - value.value,
        digits=value.digits,
        verdict=found,
    )


def _explains(erratum: Erratum, ours: float, cut: bool) -> bool:
    """An erratum that says in figures what is right explains that value only."""
    figure = erratum.correct[:1].isdigit()
    return not figure or compare(read_value(erratum.correct), ours, cut=cut) == "same"


def exactly(ours: float | None) -> Bounds | None:
    """The bounds of a value that whole numbers in print determine."""
    return None if ours is None else (ours, ours)


def free(row: str, column: str, ours: float | None, digits: int = 2) -> Cell:
    """A value on free data."""
    return Cell(row=row, column=column, ours=ours, digits=digits, verdict="free data")


def f1_of(recall: Value, precision: Value) -> tuple[float, Bounds]:
    """F of two printed values, and what their rounding allows it to be; all in per cent."""
    r, p, low, high = recall.value, precision.value, recall.unit / 2, precision.unit / 2
    return harmonic(r, p), (harmonic(r - low, p - high), harmonic(r + low, p + high))
