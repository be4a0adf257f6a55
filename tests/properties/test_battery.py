"""What must hold for every measure of chains, whoever registered it, and for mention detection.

A measure is in the battery because it is in the registry. ``VARIANTS`` adds parameters; the sets
below name the few measures of which a property is not true by definition, with the reason.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefbench as cb
from corefbench.measures import ChainMeasure, Score, measures
from tests.properties.partitions import Pair, Spans, corpora, pairs

VARIANTS = ("blanc(edge=both)",)
BATTERY = (
    "mentions",
    *(name for name in measures if issubclass(measures[name], ChainMeasure)),
    *VARIANTS,
)

LINKS = {"muc"}
"""Count links alone: chains of one mention are worth nothing, even if they are right."""
PAIRS = {"blanc", "blanc(edge=both)"}
"""Count pairs of mentions: a document of one mention has none, and a right singleton adds both
right and wrong pairs."""
ONE_SIDED = {"blanc"}
"""Leave out the half that the *key* lacks: not the same if key and response change places."""


def score(documents: list[Pair], **choices: str) -> cb.Result:
    keys, responses = (named(side) for side in zip(*documents, strict=True))
    return cb.score_clusters(keys, responses, measures=",".join(BATTERY), **choices)


def named(documents: Sequence[Spans]) -> dict[str, Spans]:
    """Documents by name: of a list of empty lists nobody knows what it is a list of."""
    return {str(number): document for number, document in enumerate(documents)}


def values(score: Score) -> tuple[float, float, float]:
    return score.recall, score.precision, score.f1


def each(*results: cb.Result, but: set[str] = frozenset()) -> Iterator[tuple[str, list[Score]]]:
    """Every measure's score in each of the results, side by side."""
    for name in BATTERY:
        if name not in but:
            yield name, [result[name] for result in results]


def assert_same(one: cb.Result, other: cb.Result, but: set[str] = frozenset()) -> None:
    for name, (ours, theirs) in each(one, other, but=but):
        assert values(ours) == pytest.approx(values(theirs), abs=1e-12), name


def test_the_battery_covers_the_registered_measures_of_chains() -> None:
    assert {"mentions", "muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea"} <= set(BATTERY)


@given(corpora())
def test_a_response_equal_to_the_key_scores_one_wherever_there_is_something_to_find(
    documents: list[Pair],
) -> None:
    result = score([(key, key) for key, _ in documents])
    sizes = [[len(chain) for chain in key] for key, _ in documents]
    for name, (found,) in each(result):
        if name in LINKS:
            anything = any(size > 1 for document in sizes for size in document)
        elif name in PAIRS:
            anything = any(sum(document) > 1 for document in sizes)
        else:
            anything = any(sizes)
        assert values(found) == pytest.approx([float(anything)] * 3, abs=1e-12), name


@given(corpora())
def test_exchanging_key_and_response_exchanges_recall_and_precision(documents: list[Pair]) -> None:
    exchanged = [(response, key) for key, response in documents]
    for name, (ours, theirs) in each(score(documents), score(exchanged), but=ONE_SIDED):
        mirrored = (theirs.precision, theirs.recall, theirs.f1)
        assert values(ours) == pytest.approx(mirrored, abs=1e-12), name


@given(corpora(), st.randoms(use_true_random=False))
def test_the_order_of_chains_and_of_mentions_does_not_matter(
    documents: list[Pair], random: Random
) -> None:
    def shuffled(chains: Spans) -> Spans:
        chains = [random.sample(chain, len(chain)) for chain in chains]
        return random.sample(chains, len(chains))

    assert_same(score(documents), score([(shuffled(k), shuffled(r)) for k, r in documents]))


@given(corpora(), st.randoms(use_true_random=False))
def test_the_order_of_documents_does_not_matter(documents: list[Pair], random: Random) -> None:
    assert_same(score(documents), score(random.sample(documents, len(documents))))


@given(corpora(), st.integers(1, 50))
def test_where_the_mentions_stand_does_not_matter(documents: list[Pair], step: int) -> None:
    def moved(chains: Spans) -> Spans:
        return [[(3 * a + step, 3 * b + step) for a, b in chain] for chain in chains]

    assert_same(score(documents), score([(moved(k), moved(r)) for k, r in documents]))


@given(corpora(), corpora())
def test_the_tally_of_two_corpora_is_the_sum_of_their_tallies(
    one: list[Pair], other: list[Pair]
) -> None:
    results = score(one), score(other), score(one + other)
    for name in BATTERY:
        left, right, both = (result.tallies[name].sum() for result in results)
        assert {c: left[c] + right[c] for c in both} == pytest.approx(both, abs=1e-9), name


@given(corpora())
def test_the_tally_of_a_document_does_not_depend_on_the_others(documents: list[Pair]) -> None:
    together = score(documents)
    for row, document in enumerate(documents):
        alone = score([document])
        for name in BATTERY:
            expected = alone.tallies[name].values[0]
            assert together.tallies[name].values[row] == pytest.approx(expected, abs=1e-12), name


@given(corpora())
def test_scores_lie_between_zero_and_one(documents: list[Pair]) -> None:
    for name, (found,) in each(score(documents)):
        assert all(0 <= value <= 1 + 1e-12 for value in values(found)), name


@given(corpora())
def test_f1_is_at_most_the_mean_of_recall_and_precision(documents: list[Pair]) -> None:
    for name, (found,) in each(score(documents)):
        assert found.f1 <= (found.recall + found.precision) / 2 + 1e-12, name


@given(corpora())
def test_the_same_corpus_twice_scores_the_same(documents: list[Pair]) -> None:
    assert_same(score(documents), score(documents + documents))


@given(pairs())
def test_of_one_document_micro_and_macro_are_the_same(document: Pair) -> None:
    assert_same(score([document]), score([document], average="macro"))


@given(corpora())
def test_mentions_that_have_nothing_in_common_score_zero(documents: list[Pair]) -> None:
    elsewhere = [
        (key, [[(a + 100, b + 100) for a, b in chain] for chain in response])
        for key, response in documents
    ]
    for name, (found,) in each(score(elsewhere)):
        assert values(found) == (0.0, 0.0, 0.0), name


def grown(documents: list[Pair], grow: Callable[[Spans, Spans], Pair]) -> list[Pair]:
    key, response = documents[0]
    return [grow(key, response), *documents[1:]]


@given(corpora())
def test_a_singleton_that_both_sides_have_lowers_nothing(documents: list[Pair]) -> None:
    more = grown(documents, lambda key, response: ([*key, [(99, 99)]], [*response, [(99, 99)]]))
    for name, (before, after) in each(score(documents), score(more), but=PAIRS):
        assert after.recall >= before.recall - 1e-12, name
        assert after.precision >= before.precision - 1e-12, name


@given(corpora())
def test_a_spurious_singleton_leaves_recall_and_does_not_raise_precision(
    documents: list[Pair],
) -> None:
    more = grown(documents, lambda key, response: (key, [*response, [(99, 99)]]))
    for name, (before, after) in each(score(documents), score(more)):
        assert after.precision <= before.precision + 1e-12, name
        if name != "blanc(edge=both)":  # which may gain a half that scores 0
            assert after.recall == pytest.approx(before.recall, abs=1e-12), name


@given(corpora())
def test_a_missed_singleton_leaves_precision_and_does_not_raise_recall(
    documents: list[Pair],
) -> None:
    more = grown(documents, lambda key, response: ([*key, [(99, 99)]], response))
    for name, (before, after) in each(score(documents), score(more), but=PAIRS):
        assert after.recall <= before.recall + 1e-12, name
        assert after.precision == pytest.approx(before.precision, abs=1e-12), name


@given(corpora())
def test_an_empty_document_on_both_sides_changes_nothing(documents: list[Pair]) -> None:
    assert_same(score(documents), score([*documents, ([], [])]))


SCRIPT = """
import corefbench as cb
key = [[(i, i) for i in range(a, 60, 7)] for a in range(7)]
response = [[(i, i + i % 3 % 2) for i in range(a, 60, 5)] for a in range(5)]
print(cb.score_clusters({"a": key, "b": response}, {"b": key, "a": response}).signature)
"""


def test_the_signature_does_not_depend_on_the_hash_seed() -> None:
    outputs = set()
    for seed in ("0", "1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", SCRIPT]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        outputs.add(done.stdout)
    assert len(outputs) == 1
