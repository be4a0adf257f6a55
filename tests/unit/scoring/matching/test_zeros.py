import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.scoring.matching import exact, head, partial
from corefbench.scoring.matching.zeros import dependency_agreement, is_zero


def corpus(tokens, *mentions):
    """One sentence of (ID, DEPS); mentions are (first ID, last ID, head ID)."""
    ids = [name for name, _ in tokens]
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence(ids, empty=["." in name for name in ids], columns={"id": ids, "deps": [deps for _, deps in tokens]})
    for first, last, at in mentions:
        build.mention("e", [(ids.index(first), ids.index(last) + 1)], head=ids.index(at))
    return build.finish()


WORDS = [("1", "_"), ("2", "_")]
KEY = corpus(
    [*WORDS, ("2.1", "1:nsubj"), ("2.2", "1:obj"), ("3", "_")],
    ("1", "1", "1"),
    ("2.1", "2.1", "2.1"),
    ("2.2", "2.2", "2.2"),
)


def reversed_zeros(*mentions):
    return corpus([*WORDS, ("2.1", "1:obj"), ("2.2", "1:nsubj"), ("3", "_")], *mentions)


def test_relation_and_parent_count_more_than_the_parent_alone():
    assert dependency_agreement("1:nsubj", "1:nsubj") == 11
    assert dependency_agreement("1:nsubj", "1:obj") == 1
    assert dependency_agreement("1:nsubj|2:obj", "1:nsubj") == pytest.approx(10 * 2 / 3 + 2 / 3)
    assert dependency_agreement("1:nsubj", "2:nsubj") == 0
    assert dependency_agreement("_", "_") == 0


@pytest.mark.parametrize("rule", [exact, head, partial])
def test_zeros_match_by_dependency_whatever_their_position(rule):
    response = reversed_zeros(("1", "1", "1"), ("2.1", "2.1", "2.1"), ("2.2", "2.2", "2.2"))
    assert rule.match(KEY, response).key.tolist() == [0, 2, 1]
    assert rule.match_linear(KEY, response).key.tolist() == [0, 1, 2]


@pytest.mark.parametrize("rule", [exact, head, partial])
def test_beside_zeros_other_mentions_match_as_ever(rule):
    """The sides have different numbers of mentions, so that each must be taken for itself."""
    response = reversed_zeros(("2", "2", "2"), ("2.2", "2.2", "2.2"), ("3", "3", "3"))
    assert rule.match(KEY, response).key.tolist() == [-1, 1, -1]
    assert rule.match(response, KEY).key.tolist() == [-1, 1, -1]
    assert rule.match(KEY, reversed_zeros(("1", "1", "1"))).key.tolist() == [0]
    assert rule.match(reversed_zeros(("3", "3", "3"), ("2", "2", "2")), KEY).key.tolist() == [-1] * 3


def test_a_zero_is_a_mention_headed_by_an_empty_node():
    mentions = ("2", "2.1", "2.1"), ("2.1", "3", "3")
    assert is_zero(corpus([*WORDS, ("2.1", "1:obj"), ("3", "_")], *mentions)).tolist() == [True, False]


def test_a_zero_left_over_may_match_what_is_no_zero():
    key = corpus([*WORDS, ("2.1", "1:obj")], ("2", "2.1", "2.1"))
    response = corpus([*WORDS, ("2.1", "2:obj")], ("2", "2.1", "2"))
    assert exact.match(key, response).key.tolist() == [0]
    assert head.match(key, response).key.tolist() == [-1]


def test_zeros_of_different_sentences_do_not_match():
    def two_sentences(which):
        build = CorpusBuilder("test")
        build.begin_document("d")
        for _ in range(2):
            build.sentence(["1", "1.1"], empty=[False, True], columns={"id": ["1", "1.1"], "deps": ["_", "1:nsubj"]})
        build.mention("e", [(2 * which + 1, 2 * which + 2)], head=2 * which + 1)
        return build.finish()

    assert head.match(two_sentences(0), two_sentences(1)).key.tolist() == [-1]
    assert head.match(two_sentences(1), two_sentences(1)).key.tolist() == [0]


def test_without_dependencies_zeros_match_by_position():
    plain = CorpusBuilder("test")
    plain.begin_document("d")
    plain.sentence(["1", "2", "2.1", "3"], empty=[False, False, True, False])
    plain.mention("e", [(2, 3)], head=2)
    assert head.match(KEY, plain.finish()).key.tolist() == [1]
