"""What a rule takes for the same mention counts before equal spans do."""

import numpy as np

from corefbench.scoring.matching.alignment import Alignment, Twins
from tests.tables import alignment


def test_without_a_word_from_the_rule_spans_decide():
    found = alignment("AB A", "C D")  # in the order of the chains: A, B, A
    assert found.key_identity().tolist() == [2, 1, 2]
    assert found.response_identity() is None


def test_what_the_rule_says_is_the_same_is_the_same():
    given = alignment("ABC", "ABC")
    same = Twins(key=given.twins.key, key_same=np.array([1, 1, 2]), response_same=np.array([0, 2, 2]))
    found = Alignment(key=given.key, response=given.response, twins=same)
    assert found.key_identity().tolist() == [1, 1, 2]
    assert found.response_identity().tolist() == [0, 2, 2]


def test_where_the_rule_finds_all_different_nothing_is_repeated():
    given = alignment("AB A", "A AB")
    own = Twins(key=given.twins.key, key_same=np.arange(3), response_same=np.arange(3))
    found = Alignment(key=given.key, response=given.response, twins=own)
    assert found.key_identity() is None
    assert found.response_identity() is None


def test_every_key_mention_knows_its_answer():
    assert alignment("ABC", "CA").response_of_key().tolist() == [1, -1, 0]
