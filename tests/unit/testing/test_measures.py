"""The kit finds a measure at fault that breaks a rule, and none of the built-in ones."""

import numpy as np
import pytest

from corefbench.scoring.measures import ChainMeasure, MentionMeasure, Score, Tally, measures, parse
from corefbench.scoring.measures.b_cubed import BCubed
from corefbench.scoring.measures.base import MeasureCard
from corefbench.scoring.measures.contingency import Contingency
from corefbench.testing import Nonconformance, check_measure

OF_MORE_THAN_CHAINS = {"zero", "bridging", "non_referring"}
"""Measures of what plain chains do not have: identical corpora without any score 0."""
ONE_SIDED = {"blanc"}
"""Leave out the half that the *key* lacks: not the same if key and response change places."""


@pytest.mark.parametrize("name", [*measures, "blanc(edge=both)"])
def test_the_built_in_measures_keep_the_rules(name: str) -> None:
    measure = parse(name)
    assert isinstance(measure, ChainMeasure | MentionMeasure)
    check_measure(
        measure, identity=measure.card.name not in OF_MORE_THAN_CHAINS, symmetric=name not in ONE_SIDED, trials=20
    )


class Mine(BCubed, frozen=True):
    card = MeasureCard(name="mine", title="Mine", sentence="One more.")


class NeverWhole(Mine, frozen=True):
    def score(self, total: dict[str, float]) -> Score:
        found = super().score(total)
        return Score(recall=found.recall * 0.9, precision=found.precision * 0.9, f1=found.f1 * 0.9)


class TooMuch(Mine, frozen=True):
    def score(self, total: dict[str, float]) -> Score:
        found = super().score(total)
        return Score(recall=found.recall + 1, precision=found.precision + 1, f1=found.f1 + 1)


class OneSided(Mine, frozen=True):
    def tally(self, table: Contingency) -> Tally:
        made = super().tally(table)
        return Tally.of(
            recall_hits=made["recall_hits"],
            recall_total=made["recall_total"],
            precision_hits=made["recall_hits"],
            precision_total=made["recall_total"],
        )


class CountsNeighbours(Mine, frozen=True):
    def tally(self, table: Contingency) -> Tally:
        made = super().tally(table)
        return Tally(columns=made.columns, values=made.values / len(made))


class ForgetsRows(Mine, frozen=True):
    def tally(self, table: Contingency) -> Tally:
        made = super().tally(table)
        return Tally(columns=made.columns, values=made.values.sum(axis=0, keepdims=True))


class PrefersTheFirst(Mine, frozen=True):
    def tally(self, table: Contingency) -> Tally:
        made = super().tally(table)
        first = np.zeros(len(made))
        if len(table.count):
            first[table.key_document[table.key[0]]] = 1.0 / (1 + table.key_size[0])
        return Tally.of(
            recall_hits=made["recall_hits"] * (1 - first),
            recall_total=made["recall_total"],
            precision_hits=made["precision_hits"],
            precision_total=made["precision_total"],
        )


class Divides(Mine, frozen=True):
    def score(self, total: dict[str, float]) -> Score:
        if not total["recall_total"]:
            return Score(recall=float("nan"), precision=0.0, f1=0.0)
        return super().score(total)


@pytest.mark.parametrize(
    ("measure", "rule", "identity"),
    [
        (NeverWhole, "equal to the key scores 1", True),
        (TooMuch, "between 0 and 1", False),
        (OneSided, "exchanges recall and precision", True),
        (CountsNeighbours, "tallies add", True),
        (ForgetsRows, "a row for every document", True),
        (PrefersTheFirst, "does not matter|tallies add", False),
        (Divides, "an empty document has a finite score", True),
    ],
)
def test_a_measure_that_breaks_a_rule_is_told_which(measure, rule: str, identity: bool) -> None:
    with pytest.raises(Nonconformance, match=rule):
        check_measure(measure, identity=identity)


def test_a_measure_that_is_one_sided_may_say_so() -> None:
    check_measure(OneSided, symmetric=False)
