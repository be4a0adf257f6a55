"""Repeated mentions, rule by rule."""

import numpy as np
import pytest
from msgspec.structs import replace

import corefbench as cb
from corefbench.errors import MismatchError
from corefbench.scoring.clusters import corpus_from_clusters
from corefbench.scoring.policy.repeats import check_repeat_limit, distinct_in_chains, drop_repeats, repeated_answers
from tests.clusters import clusters
from tests.tables import alignment


def test_a_corpus_without_repeats_is_itself():
    corpus = corpus_from_clusters(clusters("AB C"), "x")
    assert distinct_in_chains(corpus) is corpus


def test_an_alignment_without_repeated_answers_is_itself():
    given = alignment("AB C", "AB D")
    assert drop_repeats(given) is given


def totals(key: str, response: str, repeats: str) -> tuple[float, ...]:
    """Recall and precision counts of B³."""
    result = cb.score_clusters(clusters(key), clusters(response), repeats=repeats)
    total = result.tallies["b_cubed"].sum()
    names = ("recall_hits", "recall_total", "precision_hits", "precision_total")
    return tuple(total[name] for name in names)


def test_drop_keeps_the_mention_of_the_first_chain() -> None:
    assert totals("AB C", "AB AC", "drop") == totals("AB C", "AB C", "drop")


def test_drop_does_not_see_repeats_of_spans_that_the_key_lacks() -> None:
    assert totals("AB", "AX BX", "drop")[3] == 4


def test_keep_counts_every_repeat() -> None:
    assert totals("AB", "ABA", "keep")[3] == 3


def test_last_counts_every_repeat_and_looks_mentions_up_in_the_last_chain() -> None:
    """Key AB, response AB AC: a dictionary has A in AC, so AB and the key share only B."""
    recall_hits, recall_total, _, precision_total = totals("AB", "AB AC", "last")
    assert (recall_hits, recall_total, precision_total) == (0.5 + 0.5, 2, 4)


def test_distinct_drops_repeats_within_a_chain_only() -> None:
    corpus = distinct_in_chains(corpus_from_clusters(clusters("AAB AC"), "x"))
    assert corpus[0].clusters() == clusters_half_open("AB AC")


def clusters_half_open(text: str) -> list[list[tuple[int, int]]]:
    return [[(a, b + 1) for a, b in chain] for chain in clusters(text)]


def test_what_the_rule_takes_for_the_same_stays_the_same_where_repeats_are_dropped() -> None:
    """B of the second response chain goes; X and Y, which no key mention answers, stay the same."""
    given = alignment("AB C", "BX ABY")
    own = replace(given.twins, key_same=np.array([1, 1, 2]), response_same=np.array([3, 4, 2, 3, 4]))
    found = drop_repeats(replace(given, twins=own))
    assert found.response[0].clusters() == clusters_half_open("BX AY")
    assert found.key_identity().tolist() == [1, 1, 2]
    assert found.response_identity().tolist() == [0, 3, 2, 3]


def test_the_repeated_answers_are_those_of_later_chains() -> None:
    found = alignment("AB C", "BC AB")
    assert repeated_answers(found).tolist() == [False, False, False, True]


@pytest.mark.parametrize(
    ("repeated", "limit", "measures", "refused"),
    [
        (1_000, "none", 5, False),
        (10, "per-run", 5, False),
        (11, "per-run", 5, True),
        (2, "perl-global", 5, False),
        (3, "perl-global", 5, True),
        (3, "perl-global", 1, False),
    ],
)
def test_the_limit(repeated: int, limit: str, measures: int, refused: bool) -> None:
    if not refused:
        check_repeat_limit(repeated, limit, measures)
        return
    with pytest.raises(MismatchError) as error:
        check_repeat_limit(repeated, limit, measures)
    assert error.value.code == "CB212"
