"""A tally: what a measure counted, document by document. Tallies add.

Summed over documents a tally becomes a score; because it adds, per-document scores, bootstrap,
significance tests, parallel and distributed runs are each written once for all measures.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from corefbench.records import Columns, Floats, Record


class Score(Record, frozen=True):
    """Recall, precision and F1 as fractions from 0 to 1."""

    recall: float
    precision: float
    f1: float


class Scores(Columns, frozen=True, eq=False):
    """Recall, precision and F1 of many summed tallies at once."""

    recall: Floats
    precision: Floats
    f1: Floats


class Tally(Columns, frozen=True, eq=False):
    """Named counts, one row per document.

    >>> tally = Tally.of(hits=np.array([1.0, 2.0]), total=np.array([2.0, 2.0]))
    >>> tally.sum()
    {'hits': 3.0, 'total': 4.0}
    """

    columns: tuple[str, ...]
    values: Floats
    """Documents × columns."""

    @classmethod
    def of(cls, **columns: np.ndarray) -> "Tally":
        return cls(
            columns=tuple(columns), values=np.stack([np.asarray(c, np.float64) for c in columns.values()], axis=1)
        )

    def __getitem__(self, column: str) -> Floats:
        return np.asarray(self.values[:, self.columns.index(column)])

    def __len__(self) -> int:
        return len(self.values)

    def sum(self) -> dict[str, float]:
        return dict(zip(self.columns, self.values.sum(axis=0).tolist(), strict=True))

    def rows(self) -> Iterator[dict[str, float]]:
        """The counts of each document."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.values.tolist())

    def halves(self, other: "Tally") -> "Tally":
        """The recall columns of this tally with all other columns of the other."""
        picked = [(self if column.startswith("recall") else other)[column] for column in self.columns]
        return Tally(columns=self.columns, values=np.stack(picked, axis=1))

    @staticmethod
    def concatenate(pieces: list["Tally"]) -> "Tally":
        """The documents of several tallies of one measure, in order."""
        if len(pieces) == 1:
            return pieces[0]
        return Tally(columns=pieces[0].columns, values=np.concatenate([p.values for p in pieces]))


def ratio(part: float, whole: float) -> float:
    """part / whole, 0 where whole is 0, following Pradhan et al. 2014."""
    return part / whole if whole else 0.0


def harmonic(recall: float, precision: float) -> float:
    """2PR / (P + R), 0 where both are 0.

    >>> harmonic(1.0, 0.5)
    0.6666666666666666
    """
    return ratio(2 * precision * recall, precision + recall)


def score_of_ratios(total: dict[str, float]) -> Score:
    """R, P and F1 of the four columns that most measures count."""
    recall = ratio(total["recall_hits"], total["recall_total"])
    precision = ratio(total["precision_hits"], total["precision_total"])
    return Score(recall=recall, precision=precision, f1=harmonic(recall, precision))


def mean_score(scores: Sequence[Score]) -> Score:
    """The means of recall, precision and F1, 0 where there are no scores."""
    return Score(
        recall=ratio(sum(s.recall for s in scores), len(scores)),
        precision=ratio(sum(s.precision for s in scores), len(scores)),
        f1=ratio(sum(s.f1 for s in scores), len(scores)),
    )


def ratios(part: Floats, whole: Floats) -> Floats:
    """``ratio`` of many at once.

    >>> ratios(np.array([1.0, 2.0]), np.array([2.0, 0.0])).tolist()
    [0.5, 0.0]
    """
    return np.divide(part, whole, out=np.zeros_like(part, np.float64), where=whole != 0)


def harmonics(recall: Floats, precision: Floats) -> Floats:
    """``harmonic`` of many at once."""
    return ratios(2 * precision * recall, precision + recall)


def scores_of_ratios(totals: Mapping[str, Floats]) -> Scores:
    """``score_of_ratios`` of many sums at once."""
    recall = ratios(totals["recall_hits"], totals["recall_total"])
    precision = ratios(totals["precision_hits"], totals["precision_total"])
    return Scores(recall=recall, precision=precision, f1=harmonics(recall, precision))


def scores_one_by_one(score: Callable[[dict[str, float]], Score], totals: Mapping[str, Floats]) -> Scores:
    """Many sums through the ``score`` of a measure that knows only one at a time."""
    rows = zip(*(column.tolist() for column in totals.values()), strict=True)
    scores = [score(dict(zip(totals, row, strict=True))) for row in rows]
    return Scores(
        recall=np.array([s.recall for s in scores], np.float64),
        precision=np.array([s.precision for s in scores], np.float64),
        f1=np.array([s.f1 for s in scores], np.float64),
    )
