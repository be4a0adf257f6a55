"""Which of several chains a repeated mention belongs to, and how many links are listed."""

import numpy as np
import pytest

import corefbench as cb
from corefbench.scoring.measures import repeated_mentions
from corefbench.scoring.measures.blanc import BLANC
from corefbench.scoring.measures.repeated_mentions import RepeatedMentions
from tests.clusters import clusters
from tests.tables import alignment, table

KEY = [[(7, 7), (1, 1)]]
RESPONSE = [[(0, 4), (7, 7)], [(1, 1), (7, 7)]]
"""The first chain opens first, at 0; the second is the first to complete a mention, at 1."""


@pytest.mark.parametrize(("repeats", "hits"), [("last", 1 / 2 + 1 / 2), ("last-opened", 4 / 2)])
def test_the_last_chain_is_the_last_to_complete_or_to_open_a_mention(repeats, hits):
    """By completion 7 is in the first chain and away from 1; by opening it is with 1."""
    tally = cb.score_clusters(KEY, RESPONSE, repeats=repeats).tallies["b_cubed"]
    assert tally.sum()["recall_hits"] == hits


@pytest.mark.parametrize(
    "response",
    [[[(0, 0), (7, 7)], [(0, 2), (7, 7)]], [[(0, 1), (7, 7)], [(0, 3), (7, 7)]], [[(1, 5), (7, 7)], [(0, 0), (7, 7)]]],
)
def test_longer_mentions_open_before_shorter_ones_and_earlier_before_later(response):
    """The first chain is the last to open, though the second has the higher number: the repeated
    7 is with the mention that the key has it with."""
    tally = cb.score_clusters(response[:1], response, repeats="last-opened").tallies["b_cubed"]
    assert tally.sum()["recall_hits"] == 4 / 2


@pytest.mark.parametrize(
    "response",
    [[[(0, 2), (7, 7)], [(2, 2), (7, 7)]], [[(0, 2), (7, 7)], [(1, 2), (7, 7)]], [[(4, 5), (7, 7)], [(0, 1), (7, 7)]]],
)
def test_inner_mentions_are_completed_before_outer_ones_and_earlier_before_later(response):
    """The first chain is the last to complete a mention, so that 7 is with its other mention."""
    tally = cb.score_clusters(response[:1], response, repeats="last").tallies["b_cubed"]
    assert tally.sum()["recall_hits"] == 4 / 2


def links(key: str, response: str) -> list[float]:
    found = alignment(key, response)
    repeated = RepeatedMentions.of(found)
    assert repeated is not None
    chains = found.key.mentions.chain, found.response.mentions.chain
    return repeated.links(*chains).counts.tolist()


def test_links_are_sets_of_pairs():
    """Coreferent: A with itself, AB, CD of the key, AB and CD of the response; separate: the 4
    pairs between the chains."""
    assert links("AAB CD", "AB CD") == [[2, 3, 2, 4, 4, 4]]


def test_of_a_huge_document_only_the_first_different_mentions_are_linked(monkeypatch):
    """With room for three: A, B and C, one link inside a chain and two across."""
    monkeypatch.setattr(repeated_mentions, "_MAX_LISTED", 3)
    assert links("AAB CD", "AB CD") == [[1, 1, 1, 2, 2, 2]]


def test_a_document_that_is_just_not_too_huge_keeps_its_repeats(monkeypatch):
    """The key has five mentions, A twice."""
    monkeypatch.setattr(repeated_mentions, "_MAX_LISTED", 5)
    assert links("AAB CD", "AB CD") == [[2, 3, 2, 4, 4, 4]]


def test_mentions_beyond_the_first_4000_are_not_linked(monkeypatch):
    """A chain of 4,001 mentions and a repeat; to count its links would take seconds."""
    linked = []

    def count(identity, _):
        linked.append(len(identity))
        return np.zeros(0, np.int64), np.zeros(0, np.int64)

    monkeypatch.setattr(repeated_mentions, "_links", count)
    key = [[(0, 0), *((n, n) for n in range(4_001))]]
    cb.score_clusters(key, [[(0, 0)]], repeats="keep")
    assert linked == [4_000, 1]


def test_blanc_takes_the_links_that_were_listed():
    counts = BLANC().tally(table("AAB CD", "AB CD"))
    assert counts["key_coreferent"].tolist() == [3]
    assert counts["response_coreferent"].tolist() == [2]


def test_what_the_key_lacks_has_numbers_that_the_key_has_not():
    found = RepeatedMentions.of(alignment("AAB", "CDB"))
    assert found is not None
    assert found.key.tolist() == [1, 1, 2]
    assert found.response.tolist() == [3, 4, 2]


def test_without_repeats_there_is_nothing_to_do():
    assert RepeatedMentions.of(alignment("AB", "AB")) is None


def test_a_response_without_a_key_keeps_its_own_numbers():
    found = RepeatedMentions.of(alignment("", "AAB"))
    assert found is not None
    assert found.key.tolist() == []
    assert len(np.unique(found.response)) == 2
    assert found.key_found().tolist() == []


def test_only_documents_with_repeats_are_listed():
    assert links("AB CD|AAB CD|AB", "AB CD|AB CD|AB") == [[2, 3, 2, 4, 4, 4]]


def test_documents_have_links_of_their_own():
    assert links("AAB CD|AAB CD|AAB CD", "AB CD|AB CD|AB CD") == [[2, 3, 2, 4, 4, 4]] * 3


@pytest.mark.parametrize(
    ("key", "response", "expected"),
    [
        # Printed by corefud-scorer 1.2, exact matching: CoNLL-U files with these entities.
        ("AAB CD", "AB CD", {"muc": 100, "b_cubed": 100, "ceaf_m": 100, "blanc": 100, "lea": 100, "mor": 100}),
        ("AA BC", "BC", {"muc": 100, "b_cubed": 100, "ceaf_m": 100, "blanc": 100, "lea": 100, "mor": 100}),
        ("AB AC", "AB AC", {"muc": 50, "b_cubed": 75, "ceaf_m": 100, "blanc": 50, "lea": 50, "mor": 100}),
    ],
)
def test_corefud_drops_repeats_in_a_chain_and_counts_others_in_their_last(key, response, expected):
    scores = cb.score_clusters(clusters(key), clusters(response), "corefud", match="exact").scores
    assert {name: round(100 * scores[name].f1, 2) for name in expected} == expected
