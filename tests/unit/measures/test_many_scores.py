"""Many sums at once score as they do one by one, for every measure."""

from typing import ClassVar

import numpy as np
import pytest

from corefbench.measures import ChainMeasure, Measure, Score, Tally, measures, parse
from corefbench.measures.base import MeasureCard
from corefbench.measures.contingency import Contingency
from tests.tables import alignment, table

ALL = [*measures, "blanc(edge=both)", "blanc(links=response)"]


def columns(measure: Measure) -> tuple[str, ...]:
    if isinstance(measure, ChainMeasure):
        return measure.tally(table("ABC DE", "AB CDE")).columns
    return measure.tally(alignment("ABC DE", "AB CDE")).columns


def totals(names: tuple[str, ...], rows: int = 300) -> dict[str, np.ndarray]:
    """Sums of all sizes; a third of them zero, so that every edge is met."""
    random = np.random.default_rng(7)
    return {
        name: random.integers(0, 60, rows) / 4 * (random.random(rows) > 1 / 3) for name in names
    }


def assert_equal(measure: Measure, sums: dict[str, np.ndarray]) -> None:
    found = measure.scores(sums)
    for row in range(len(next(iter(sums.values())))):
        one = measure.score({name: float(values[row]) for name, values in sums.items()})
        many = found.recall[row], found.precision[row], found.f1[row]
        assert many == pytest.approx((one.recall, one.precision, one.f1), abs=1e-15)


@pytest.mark.parametrize("name", ALL)
def test_many_sums_score_as_each_does_alone(name: str) -> None:
    measure = parse(name)
    assert_equal(measure, totals(columns(measure)))


@pytest.mark.parametrize("name", ALL)
def test_no_measure_that_is_shipped_is_asked_one_by_one(name: str) -> None:
    kind = type(parse(name))
    assert kind.score is ChainMeasure.score or "scores" in vars(kind)


class Own(ChainMeasure, frozen=True):
    """A measure from elsewhere, with a score of its own."""

    card: ClassVar[MeasureCard] = MeasureCard(name="own", title="Own", sentence="")

    def tally(self, table: Contingency) -> Tally:
        raise NotImplementedError

    def score(self, total: dict[str, float]) -> Score:
        half = total["hits"] / 2 if total["hits"] else 0.0
        return Score(recall=half, precision=half, f1=half)


def test_a_measure_that_scores_one_sum_only_works_too() -> None:
    assert_equal(Own(), totals(("hits", "other")))
