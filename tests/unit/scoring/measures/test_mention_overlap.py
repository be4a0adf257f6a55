import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from corefbench.corpus.builder import CorpusBuilder
from corefbench.scoring.matching import exact
from corefbench.scoring.matching.alignment import Alignment
from corefbench.scoring.measures.mention_overlap import MentionOverlap

KEY = [[(2, 14)], [(48, 49)], [(2, 6)], [(30, 33)], [(63, 65)], [(67, 68)]]


def corpus(*documents):
    build = CorpusBuilder("test")
    for number, mentions in enumerate(documents):
        build.begin_document(f"d{number}")
        build.sentence([f"w{n}" for n in range(70)])
        for parts in mentions:
            build.mention("e", parts)
    return build.finish()


def total(key, response):
    alignment = Alignment(key=key, response=response, twins=exact.match(key, response))
    return MentionOverlap().tally(alignment).sum()


def test_mentions_reduced_to_their_heads_have_full_precision():
    response = [[(10, 11)], [(48, 49)], [(3, 4)], *KEY[3:]]
    counts = total(corpus(KEY), corpus(response))
    assert counts["recall_hits"] / counts["recall_total"] == 9 / 23
    assert counts["precision_hits"] / counts["precision_total"] == 9 / 9


def test_a_mention_is_paired_once():
    assert total(corpus([[(0, 4)]]), corpus([[(0, 2)], [(1, 4)]]))["recall_hits"] == 3


def test_documents_are_counted_apart():
    key, response = corpus([[(0, 4)]], [[(0, 2)]]), corpus([[(2, 4)]], [[(5, 6)]])
    alignment = Alignment(key=key, response=response, twins=exact.match(key, response))
    tally = MentionOverlap().tally(alignment)
    assert tally["recall_hits"].tolist() == [2, 0]
    assert tally["recall_total"].tolist() == [4, 2]
    assert tally["precision_total"].tolist() == [2, 1]


def test_no_mentions_count_nothing():
    assert set(total(corpus([]), corpus([])).values()) == {0}


MENTIONS = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 5), st.booleans()).map(
        lambda m: [(m[0], m[0] + m[1])] + [(m[0] + m[1] + 1, m[0] + m[1] + 2)] * m[2]
    ),
    max_size=9,
)


@given(MENTIONS, MENTIONS)
def test_the_overlap_is_that_of_the_full_matrix(key, response):
    def words(mentions):
        return [{n for a, b in parts for n in range(a, b)} for parts in mentions]

    matrix = np.array([[len(k & r) for r in words(response)] for k in words(key)]).reshape(len(key), len(response))
    best = matrix[linear_sum_assignment(matrix, maximize=True)].sum()
    assert total(corpus(key), corpus(response))["recall_hits"] == best
