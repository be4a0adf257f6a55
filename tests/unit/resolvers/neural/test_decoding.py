"""Scores become links and chains as one works out by hand."""

import numpy as np
import pytest
import torch

from corefbench.resolvers.neural.decoding import EncodedDocument, RankedSpans, decode
from corefbench.resolvers.neural.example import Example
from tests.unit.resolvers.neural import tiny

NEVER = -1e4


def ranked(*rows):
    """Mentions of one word; each row has the scores of none and of all mentions."""
    count = len(rows)
    candidates = np.tile(np.arange(count), (count, 1))
    scores = [[none, *before, *[NEVER] * (count - len(before))] for none, *before in rows]
    return RankedSpans([(n, n + 1) for n in range(count)], candidates, torch.tensor(scores))


def test_a_mention_joins_the_chain_that_is_most_probable_in_sum():
    # The last has 0.3 on the first, and 0.25 + 0.25 on the two that corefer; none has 0.2.
    logs = [float(np.log(share)) for share in (0.2, 0.3, 0.25, 0.25)]
    made = ranked([0.0], [0.0, -9.0], [0.0, -9.0, 9.0], logs).decode()
    assert made.chains() == [[(0, 1)], [(1, 2), (2, 3), (3, 4)]]
    last = made.links[-1]
    assert last.antecedent == 1
    assert last.confidence == pytest.approx(0.5)
    assert [number for number, _ in last.candidates] == [0, 1, 2]


def test_none_wins_where_it_is_more_probable_than_every_chain():
    made = ranked([0.0], [0.0, -1.0]).decode()
    assert [link.antecedent for link in made.links] == [-1, -1]
    assert made.links[1].confidence == pytest.approx(1 / (1 + np.exp(-1)))


@pytest.mark.parametrize(("bias", "chains"), [(0.0, 2), (-0.5, 2), (-1.5, 1), (9.0, 2)])
def test_a_bias_makes_none_more_or_less_probable(bias, chains):
    assert len(ranked([0.0], [0.0, -1.0]).decode(bias).chains()) == chains


def test_a_document_without_words_has_no_mentions(network):
    made = decode(network, Example(name="empty", words=(), sentences=()), "one")
    assert made.spans == ()
    assert made.chains() == []


def test_given_mentions_are_all_answered_even_those_that_are_too_long_to_be_found(network):
    example = tiny.documents(1)[0]
    given = [(0, 1), (0, 9), (14, 15), (14, 15)]
    made = decode(network, example, "one", mentions=given)
    assert made.spans == ((0, 9), (0, 1), (14, 15))
    assert sorted(span for chain in made.chains() for span in chain) == sorted(set(given))


def test_one_reading_can_be_decoded_in_many_ways(network):
    example = tiny.documents(1)[0]
    document = EncodedDocument(network, example, "one")
    for threshold in (0.0, 0.4, 0.5):
        again = decode(network, example, "one", threshold=threshold, bias=0.25)
        assert document.rank(document.detect(threshold)).decode(0.25) == again
