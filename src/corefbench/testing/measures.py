"""Conformance checks for measures: the rules that scoring, resampling and parallel runs rely on."""

import math
import random
from collections.abc import Callable, Sequence

import numpy as np

from corefbench.scoring.clusters import corpora_from_clusters
from corefbench.scoring.measures import ChainMeasure, Measure, MentionMeasure, Score, Tally
from corefbench.scoring.measures.contingency import contingency
from corefbench.scoring.pipeline import align
from corefbench.scoring.profiles import Choices
from corefbench.testing.rules import require, require_card

Chains = list[list[tuple[int, int]]]
Pair = tuple[Chains, Chains]
"""The chains of a document in key and response."""

_NEAR = 1e-9


def check_measure(
    measure: Measure | Callable[[], Measure],
    *,
    identity: bool = True,
    symmetric: bool = True,
    trials: int = 60,
    seed: int = 0,
) -> None:
    """Check bounds, additivity, invariances, the score of identical chains, and symmetry.

    ``identity=False`` is for measures of what plain chains do not have (zeros, bridging);
    ``symmetric=False`` for those that treat key and response differently, with a reason.

    >>> from corefbench.scoring.measures.b_cubed import BCubed
    >>> check_measure(BCubed, trials=5)
    """
    instance = measure if isinstance(measure, ChainMeasure | MentionMeasure) else measure()
    who = f"measure {instance.card.name}"
    require_card(instance.card, who, "title", "sentence")
    require(str(instance).startswith(instance.card.name), who, "its printed name begins with its name", instance)
    generator = random.Random(seed)
    for trial in range(trials):
        documents = [random_pair(generator) for _ in range(generator.randint(1, 4))]
        here = f"{who}, trial {trial}"
        _check_counts(instance, documents, here)
        _check_values(instance, documents, here, identity)
        _check_invariance(instance, documents, generator, here)
        if symmetric:
            _check_symmetry(instance, documents, here)
    _check_empty(instance, who)


def random_pair(generator: random.Random, most: int = 12) -> Pair:
    """Return chains of a key and a response over a few mentions, some of which one side lacks.

    The key has at least two chains, one of them with two mentions.
    """
    labels = [(generator.randint(-1, 3), generator.randint(-1, 3)) for _ in range(generator.randint(0, most))]
    labels = [(0, generator.randint(-1, 3)), (0, generator.randint(-1, 3)), (1, generator.randint(-1, 3)), *labels]
    return _chains([key for key, _ in labels]), _chains([response for _, response in labels])


def _chains(labels: Sequence[int]) -> Chains:
    chains: dict[int, list[tuple[int, int]]] = {}
    for number, label in enumerate(labels):
        if label >= 0:
            chains.setdefault(label, []).append((2 * number, 2 * number + number % 2))
    return list(chains.values())


def tally(measure: Measure, documents: Sequence[Pair]) -> Tally:
    """Return what a measure counts in documents of exact mentions."""
    sides = zip(*documents, strict=True) if documents else ((), ())
    keys, responses = ({str(n): chains for n, chains in enumerate(side)} for side in sides)
    alignment = align(*corpora_from_clusters(keys, responses), Choices())
    if isinstance(measure, ChainMeasure):
        return measure.tally(contingency(alignment))
    return measure.tally(alignment)


def score(measure: Measure, documents: Sequence[Pair]) -> Score:
    """Return the score of documents."""
    return measure.score(tally(measure, documents).sum())


def _check_counts(measure: Measure, documents: Sequence[Pair], who: str) -> None:
    """Check that a tally has one row per document, and that rows are independent."""
    together = tally(measure, documents)
    rows = len(together)
    require(rows == len(documents), who, "a tally has a row for every document", f"{rows} rows")
    require(bool(np.isfinite(together.values).all()), who, "counts are finite", together.values.tolist())
    alone = Tally.concatenate([tally(measure, [document]) for document in documents])
    require(alone.columns == together.columns, who, "all tallies have the same columns", alone.columns)
    same = np.allclose(alone.values, together.values, rtol=0, atol=_NEAR)
    require(bool(same), who, "tallies add: a document counts the same alone and among others")
    once, twice = together.sum(), tally(measure, [*documents, *documents]).sum()
    adds = all(math.isclose(twice[column], 2 * once[column], abs_tol=_NEAR) for column in once)
    require(adds, who, "tallies add: twice the documents are twice the counts", twice)


def _check_values(measure: Measure, documents: Sequence[Pair], who: str, identity: bool) -> None:
    expected = score(measure, documents)
    inside = all(-_NEAR <= value <= 1 + _NEAR for value in _values(expected))
    require(inside, who, "recall, precision and F1 lie between 0 and 1", expected)
    if identity:
        perfect = score(measure, [(key, key) for key, _ in documents])
        is_one = all(math.isclose(value, 1, abs_tol=_NEAR) for value in _values(perfect))
        require(is_one, who, "a response equal to the key scores 1", perfect)
    total = tally(measure, documents).sum()
    many = measure.scores({column: np.array([value, value]) for column, value in total.items()})
    agree = _near(expected, Score(recall=many.recall[1], precision=many.precision[1], f1=many.f1[1]))
    require(agree, who, "`scores` of many sums is `score` of each", many.f1.tolist())


def _check_invariance(measure: Measure, documents: Sequence[Pair], generator: random.Random, who: str) -> None:
    expected = score(measure, documents)

    def shuffled(chains: Chains) -> Chains:
        return generator.sample([generator.sample(chain, len(chain)) for chain in chains], len(chains))

    def moved(chains: Chains) -> Chains:
        return [[(a + 5, b + 5) for a, b in chain] for chain in chains]

    variants = {
        "the labels and the order of chains": [(shuffled(k), shuffled(r)) for k, r in documents],
        "the order of documents": generator.sample(documents, len(documents)),
        "where mentions stand": [(moved(k), moved(r)) for k, r in documents],
    }
    for what, variant in variants.items():
        changed = score(measure, variant)
        require(_near(expected, changed), who, f"{what} does not matter", f"{expected} and {changed}")


def _check_symmetry(measure: Measure, documents: Sequence[Pair], who: str) -> None:
    expected = score(measure, documents)
    exchanged = score(measure, [(response, key) for key, response in documents])
    mirrored = Score(recall=exchanged.precision, precision=exchanged.recall, f1=exchanged.f1)
    rule = "exchanging key and response exchanges recall and precision (or say symmetric=False)"
    require(_near(expected, mirrored), who, rule, f"{expected} and {exchanged}")


def _check_empty(measure: Measure, who: str) -> None:
    """Check that empty documents are no error; 0/0 is 0."""
    cases: dict[str, list[Pair]] = {"an empty document": [([], [])], "no answer": [([[(0, 0)]], [])]}
    for what, documents in cases.items():
        result = score(measure, documents)
        require(all(map(math.isfinite, _values(result))), who, f"{what} has a finite score", result)


def _values(score: Score) -> tuple[float, float, float]:
    return score.recall, score.precision, score.f1


def _near(first: Score, second: Score) -> bool:
    return all(math.isclose(a, b, abs_tol=_NEAR) for a, b in zip(_values(first), _values(second), strict=True))
