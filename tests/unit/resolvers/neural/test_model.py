"""A book goes through in parts, and nothing of the answer depends on their size."""

import numpy as np
import pytest
import torch

from corefbench.resolvers.neural import model, pair_features
from corefbench.resolvers.neural.decoding import decode
from corefbench.resolvers.neural.example import Example
from corefbench.resolvers.neural.pair_features import NEARNESS, MentionFeatures
from tests.unit.resolvers.neural import tiny


@pytest.fixture(scope="module")
def book():
    """Forty texts as one, of which every word is a mention: seven hundred."""
    words, sentences = [], []
    for part in tiny.documents(40):
        sentences += [len(words) + start for start in part.sentences]
        words += part.words
    return Example(name="book", words=tuple(words), sentences=tuple(sentences))


def test_the_size_of_the_parts_makes_no_difference(network, book, monkeypatch):
    spans = [(n, n + 1) for n in range(len(book.words))]
    found = decode(network, book, "one", threshold=0.4)
    given = decode(network, book, "one", mentions=spans)
    monkeypatch.setattr(model, "_WORDS_PER_BATCH", 7)
    monkeypatch.setattr(model, "_MENTIONS_PER_BATCH", 50)
    monkeypatch.setattr(model, "_MAX_COARSE_PAIRS", 30_000)
    monkeypatch.setattr(model, "_SPANS_PER_BATCH", 11)
    assert decode(network, book, "one", threshold=0.4).chains() == found.chains()
    again = decode(network, book, "one", mentions=spans)
    assert again.chains() == given.chains()
    ours, theirs = ([link.confidence for link in made.links] for made in (again, given))
    assert ours == pytest.approx(theirs, abs=1e-5)


def test_weights_of_far_mentions_are_those_of_the_table(network, book):
    known = MentionFeatures(book, [(n, n + 1) for n in range(len(book.words))])
    first, end = 600, 700
    rows, columns = np.arange(first, end)[:, None], np.arange(end)
    table = torch.from_numpy(NEARNESS)
    with torch.no_grad():
        ours = network.ranker._nearness(known, first, end)
    assert first - pair_features.MAX_DISTANCE > 0
    assert torch.equal(ours, table[torch.from_numpy(known.nearness(rows, columns))])


def test_words_between_two_mentions_are_looked_at_pair_by_pair():
    words = ("Ann", ",", "a", "doctor", ",", "is", "kind", "and", "Bob", "too")
    example = Example(name="a", words=words, sentences=(0,))
    known = MentionFeatures(example, [(0, 1), (2, 4), (6, 7), (8, 9)])
    one, two = np.arange(4)[:, None], np.arange(4)[None]
    names = np.array(pair_features._BETWEEN)[known._between(one, np.broadcast_to(two, (4, 4)))]
    assert names[1, 0] == "comma"
    assert names[2, 1] == "copula"
    assert names[3, 2] == "and"
    assert names[3, 0] == "far"
    assert names[2, 2] == "overlap"
