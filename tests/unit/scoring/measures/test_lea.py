"""LEA by the example of its paper, Moosavi & Strube 2016, and by hand."""

import pytest

import corefbench as cb
from corefbench.scoring.measures.lea import LEA
from tests.clusters import clusters
from tests.tables import table


def score(key: str, response: str) -> tuple[float, float]:
    measure = LEA()
    found = measure.score(measure.tally(table(key, response)).sum())
    return found.recall, found.precision


def test_the_example_of_the_paper() -> None:
    """Key ABC DEFG, response AB CD FGHI: R = (3·⅓ + 4·⅙) / 7, P = (2·1 + 2·0 + 4·⅙) / 8."""
    recall, precision = score("ABC DEFG", "AB CD FGHI")
    assert recall == pytest.approx((3 * 1 / 3 + 4 * 1 / 6) / 7)
    assert precision == pytest.approx((2 * 1 + 2 * 0 + 4 * 1 / 6) / 8)
    assert (round(recall, 2), round(precision, 2)) == (0.24, 0.33)


def test_a_singleton_is_resolved_by_a_singleton() -> None:
    assert score("A", "A") == (1, 1)
    assert score("A B", "A BC") == (0.5, pytest.approx(1 / 3))
    assert score("A", "AB") == (0, 0)
    assert score("AB", "A B") == (0, 0)


def test_a_singleton_is_resolved_once_where_the_other_side_repeats_it() -> None:
    """A belongs to the last of the two chains that hold it."""
    found = cb.score_clusters(clusters("A"), clusters("A A"), repeats="last").tallies["lea"].sum()
    assert (found["recall_hits"], found["recall_total"]) == (1, 1)
    found = cb.score_clusters(clusters("A A"), clusters("A"), repeats="last").tallies["lea"].sum()
    assert (found["precision_hits"], found["precision_total"]) == (1, 1)


def test_long_chains_weigh_more() -> None:
    broken_long = score("ABCD EF", "AB CD EF")[0]
    broken_short = score("ABCD EF", "ABCD E F")[0]
    assert broken_long == pytest.approx((4 * 2 / 6 + 2) / 6)
    assert broken_short == pytest.approx(4 / 6)


@pytest.mark.parametrize(
    ("chains", "expected"),
    [
        # Counts printed by the LEA branch of the reference scorer for the file scored against itself.
        ("A A B", (3, 3, 2, 2)),
        ("AB AC", (2, 4, 0, 3)),
        ("AAB CD", (5, 5, 4, 4)),
    ],
)
def test_repeated_mentions_count_as_in_the_authors_scorer(chains: str, expected: tuple[int, ...]) -> None:
    tally = cb.score_clusters(clusters(chains), clusters(chains), "conll-v9").tallies["lea"].sum()
    assert tuple(tally.values()) == expected
