"""SemEval-2010's matching: what is met first, what is taken already, and which document it is."""

import pytest

from corefbench.matching.semeval import match
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

Mention = tuple[str, int, int, int]
"""Chain, start, end, head."""


def corpus(*documents: list[Mention], empty: frozenset[int] = frozenset()) -> Corpus:
    """Documents of twelve tokens, those in ``empty`` empty nodes."""
    build = CorpusBuilder("test")
    for number, mentions in enumerate(documents):
        build.begin_document(f"d{number}")
        build.sentence([f"w{n}" for n in range(12)], empty=[n in empty for n in range(12)])
        for chain, start, end, head in mentions:
            build.mention(chain, [(start, end)], head=head)
    return build.finish()


def answers(key: list[Mention], *response: Mention) -> dict[tuple[int, int], tuple[str, int, int]]:
    """For every response span with a twin the chain and the span of the twin."""
    return found(corpus(key), corpus([*response]))


def found(key: Corpus, response: Corpus) -> dict[tuple[int, int], tuple[str, int, int]]:
    k, r = key.mentions, response.mentions
    return {
        (int(r.start[m]), int(r.end[m])): (
            key.chains.label(int(k.chain[twin])),
            int(k.start[twin]),
            int(k.end[twin]),
        )
        for m, twin in enumerate(match(key, response).key.tolist())
        if twin >= 0
    }


def test_what_is_matched_exactly_is_not_matched_again():
    key = [("a", 0, 5, 2)]
    assert answers(key, ("r", 0, 5, -1), ("r", 1, 4, -1)) == {(0, 5): ("a", 0, 5)}


def test_what_has_an_exact_match_keeps_it():
    """The longer key mention holds the answer (0, 2) too, and has its head in it."""
    key, response = [("a", 0, 2, 0), ("b", 0, 5, 0)], [("r", 0, 2, -1), ("s", 7, 8, -1)]
    assert answers(key, *response) == {(0, 2): ("a", 0, 2)}
    assert match(corpus(key), corpus(response)).credits().tolist() == [1, 0]


def test_an_answer_may_end_where_the_key_mention_ends():
    assert answers([("a", 0, 5, 2)], ("r", 1, 5, -1)) == {(1, 5): ("a", 0, 5)}


def test_of_mentions_that_end_together_the_inner_is_the_first():
    assert answers([("a", 0, 6, 5), ("a", 4, 6, 5)], ("r", 5, 6, -1)) == {(5, 6): ("a", 4, 6)}


def test_a_mention_of_one_token_comes_before_one_of_two():
    key = [("k", 0, 8, 2)]
    assert answers(key, ("a", 2, 4, -1), ("b", 2, 3, -1)) == {(2, 3): ("k", 0, 8)}


def test_where_a_mention_is_taken_the_next_of_its_chain_is_tried():
    key = [("a", 0, 6, 2), ("a", 1, 5, 2)]
    assert answers(key, ("r", 1, 5, -1), ("r", 2, 4, -1)) == {
        (1, 5): ("a", 1, 5),
        (2, 4): ("a", 0, 6),
    }


def test_a_chain_that_does_not_fit_does_not_end_the_search():
    """Of b only (1, 2), which does not fit, is tried; c fits and replaces a."""
    key = [("a", 0, 6, 2), ("b", 1, 2, 1), ("b", 1, 5, 2), ("c", 1, 4, 2)]
    assert answers(key, ("r", 2, 4, -1)) == {(2, 4): ("c", 1, 4)}


def test_nothing_on_one_side_matches_nothing():
    assert match(corpus([]), corpus([("r", 0, 1, -1)])).key.tolist() == [-1]
    assert match(corpus([("k", 0, 1, 0)]), corpus([])).key.tolist() == []
    assert match(corpus([]), corpus([])).key.tolist() == []


@pytest.mark.parametrize("documents", [(0, 1), (1, 0), (1, 2), (2, 1)])
def test_mentions_are_sought_in_their_own_document(documents: tuple[int, int]):
    """Every document has something left over on both sides, which does not fit."""
    sides = []
    for side, fitting in enumerate((("k", 0, 5, 2), ("r", 1, 4, -1))):
        left_over = ("x", 6 + 3 * side, 8 + 3 * side, -1)
        made: list[list[Mention]] = [[left_over], [left_over], [left_over]]
        made[documents[side]].append(fitting)
        sides.append(corpus(*made))
    assert found(*sides) == {}


def test_the_empty_nodes_of_earlier_documents_shift_nothing():
    """Token 2 of both key documents is empty, which the response does not have."""
    key = corpus([("a", 0, 2, 0)], [("a", 3, 7, 4)], empty=frozenset({2}))
    assert found(key, corpus([], [("r", 2, 6, -1)])) == {(2, 6): ("a", 3, 7)}
    assert found(key, corpus([], [("r", 3, 5, -1)])) == {(3, 5): ("a", 3, 7)}


def test_a_head_that_is_the_first_token_stays_it():
    key = corpus([("a", 0, 4, 0)], empty=frozenset({2}))
    assert found(key, corpus([("r", 0, 1, -1)])) == {(0, 1): ("a", 0, 4)}
    assert found(key, corpus([("r", 1, 2, -1)])) == {}
