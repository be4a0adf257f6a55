"""A comparison as comma-separated values for programs: one figure a row, fractions, unrounded."""

import csv
import io
from collections.abc import Iterator

import msgspec

from corefbench.analysis.comparison import Comparison, Difference, Estimate

_ABOUT_SYSTEMS = ("system", "score", "part", *Estimate.__struct_fields__)
_ABOUT_PAIRS = (
    "first",
    "second",
    "score",
    "part",
    "first_value",
    "second_value",
    *Difference.__struct_fields__,
)


def as_rows(comparison: Comparison) -> str:
    """A row for every pair, score and part; of a single system, for every score and part."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(_ABOUT_PAIRS if comparison.pairs else _ABOUT_SYSTEMS)
    writer.writerows(_pairs(comparison) if comparison.pairs else _systems(comparison))
    return out.getvalue().rstrip("\n")


def _systems(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    for system in comparison.systems:
        for score, figures in system.scores.items():
            for part, found in figures.items():
                name = _disarmed(system.name)
                yield name, score, part, *msgspec.structs.astuple(found)


def _pairs(comparison: Comparison) -> Iterator[tuple[object, ...]]:
    systems = {system.name: system.scores for system in comparison.systems}
    for pair in comparison.pairs:
        names = _disarmed(pair.first), _disarmed(pair.second)
        for score, figures in pair.scores.items():
            for part, found in figures.items():
                values = (systems[name][score][part].value for name in (pair.first, pair.second))
                yield *names, score, part, *values, *msgspec.structs.astuple(found)


def _disarmed(name: str) -> str:
    """A name that a spreadsheet would take for a formula is disarmed; numbers are numbers."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@", "\t", "\r") else name
