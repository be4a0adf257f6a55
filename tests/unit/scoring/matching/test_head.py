import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.errors import MismatchError
from corefbench.scoring.matching import head


def corpus(*mentions):
    """A document of ten words; mentions are (start, end, head)."""
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence([f"w{n}" for n in range(10)])
    for start, end, at in mentions:
        build.mention("e", [(start, end)], head=at)
    return build.finish()


def twins(key, response):
    return head.match(corpus(*key), corpus(*response)).key.tolist()


def test_mentions_of_the_same_head_are_twins_whatever_their_spans():
    assert twins([(0, 4, 2)], [(1, 6, 2)]) == [0]


def test_the_same_span_with_another_head_is_no_twin():
    assert twins([(0, 4, 2)], [(0, 4, 1)]) == [-1]


def test_spans_decide_between_mentions_of_one_head():
    assert twins([(0, 4, 2)], [(1, 4, 2), (2, 3, 2)]) == [0, -1]
    assert twins([(0, 4, 2)], [(1, 3, 2), (0, 3, 2)]) == [0, -1]


def test_a_twin_of_the_same_span_comes_before_the_others():
    # Both key mentions lie wholly inside the response mention: by overlap they would be equal.
    assert twins([(0, 4, 2), (2, 3, 2)], [(0, 4, 2)]) == [0]
    assert twins([(1, 4, 2), (2, 3, 2)], [(2, 3, 2)]) == [1]


def test_of_equal_candidates_the_earlier_is_taken():
    assert twins([(2, 3, 2)], [(0, 3, 2), (1, 3, 2)]) == [0, -1]


def test_of_two_key_mentions_the_answer_goes_to_that_of_which_it_is_more():
    # One word shared: a quarter of the longer, half of the shorter.
    assert twins([(0, 4, 2), (1, 3, 2)], [(2, 3, 2)]) == [1]


def test_no_key_mention_is_taken_twice():
    assert sorted(twins([(0, 4, 2), (1, 4, 2)], [(2, 4, 2), (2, 3, 2), (2, 5, 2)])) == [-1, 0, 1]


@pytest.mark.parametrize("heads", [(-1, 2), (2, -1)])
def test_a_corpus_without_heads_is_refused(heads):
    with pytest.raises(MismatchError) as caught:
        twins([(0, 4, heads[0])], [(0, 4, heads[1])])
    assert caught.value.code == "CB211"
    assert caught.value.remedy


def test_an_empty_side_has_no_twins():
    assert twins([], [(0, 4, 2)]) == [-1]
    assert twins([(0, 4, 2)], []) == []
