"""α of coreference: units are mentions, the value of a mention is the set of its chain."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np

from corefbench.analysis.annotation.distances import LIKENESS
from corefbench.analysis.annotation.krippendorff import Likenesses, Sums, sums
from corefbench.analysis.annotation.sheets import ABSENT, UNMARKED, Sheet
from corefbench.record import Columns, Longs

Missing: TypeAlias = Literal["singleton", "absent"]
MISSING: tuple[Missing, ...] = ("singleton", "absent")
"""What a span counts as for an annotator who does not mark it: a chain of its own, or nothing."""


class Values(Columns, frozen=True, eq=False):
    """Chains of all annotators as values, and which of them share how many mentions."""

    table: Longs
    """Spans by annotators; -1 where there is no value."""
    sizes: Longs
    one: Longs
    other: Longs
    shared: Longs


def alphas(sheets: Iterable[Sheet], missing: Missing = "singleton") -> dict[str, float | None]:
    """α over all sheets, by distance."""
    values = values_of(list(sheets), missing)
    return {name: made.alpha for name, made in sums_of(values).items()}


def sums_of(values: Values) -> Mapping[str, Sums]:
    """The sums behind α, by distance."""
    made = {}
    for name, likeness in LIKENESS.items():
        alike = likeness(values.sizes[values.one], values.sizes[values.other], values.shared)
        pairs = Likenesses(one=values.one, other=values.other, likeness=alike)
        made[name] = sums(values.table, len(values.sizes), pairs)
    return made


def values_of(sheets: Sequence[Sheet], missing: Missing) -> Values:
    """The values of every span; chains of different sheets are different and share nothing."""
    annotators = sheets[0].chains.shape[1] if sheets else 0
    columns = [np.zeros(0, np.int64)] * annotators
    count = 0
    for annotator in range(annotators):
        chains = [sheet.chains[:, annotator] for sheet in sheets]
        columns[annotator], count = _numbered(chains, count, missing)
    table = np.column_stack(columns) if columns else np.zeros((0, 0), np.int64)
    sizes = np.bincount(table[table >= 0], minlength=count)
    return Values(table=table, sizes=sizes, **_shared(table, count))


def _numbered(chains: Sequence[Longs], first: int, missing: Missing) -> tuple[Longs, int]:
    """The values of one annotator, numbered from ``first``, and the next free number."""
    if not chains:
        return np.zeros(0, np.int64), first
    whole = np.concatenate(chains)
    sheet = np.repeat(np.arange(len(chains)), [len(some) for some in chains])
    made = np.full(len(whole), -1, np.int64)
    marked = whole >= 0
    width = int(whole.max(initial=0)) + 1
    made[marked] = np.unique((sheet * width + whole)[marked], return_inverse=True)[1] + first
    first = int(made.max(initial=first - 1)) + 1
    if missing == "singleton":
        alone = whole == UNMARKED
        made[alone] = first + np.arange(int(alone.sum()))
        first += int(alone.sum())
    made[whole == ABSENT] = -1
    return made, first


def _shared(table: Longs, count: int) -> dict[str, Longs]:
    """How many spans each ordered pair of values has in common, a value with itself too."""
    width = max(count, 1)
    codes = [np.zeros(0, np.int64)]
    for one in table.T:
        for other in table.T:
            both = (one >= 0) & (other >= 0)
            codes.append(one[both] * width + other[both])
    met, shared = np.unique(np.concatenate(codes), return_counts=True)
    return {"one": met // width, "other": met % width, "shared": shared}
