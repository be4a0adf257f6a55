"""Minimal words are the highest: what lies deeper is not looked at once a word is found."""

from corefbench.matching.mina import minimal_words
from corefbench.matching.parse_bits import tree_of


def test_a_deeper_noun_phrase_gives_nothing_beside_a_higher_noun():
    """Of "b a of x" the inner phrase has the noun a right below it and b one step deeper."""
    bits = ["(NP(NP(NP*)", "*)", "(PP*", "(NP*)))"]
    root = tree_of(bits, ["b", "a", "of", "x"], ["NN", "NN", "IN", "NN"], 0)
    assert minimal_words(root) == {("a", 1)}
