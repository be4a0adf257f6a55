"""Lists of clusters as corpora: how many documents they are, and what they hold."""

import pytest

import corefbench as cb
from corefbench.scoring.clusters import corpora_from_clusters, corpus_from_clusters
from tests.clusters import clusters


def test_spans_end_with_their_second_number():
    found = corpus_from_clusters([[(0, 1), (4, 4)], [(2, 3)]], "test")
    assert found.mentions.start.tolist() == [0, 4, 2]
    assert found.mentions.end.tolist() == [2, 5, 4]
    assert found.mentions.chain.tolist() == [0, 0, 1]


def test_there_are_neither_parts_nor_sentences():
    found = corpus_from_clusters({"a": clusters("A"), "b": clusters("B")}, "test")
    assert found.documents.parts.tolist() == [-1, -1]
    assert found.tokens.sentences.tolist() == []


def test_documents_are_as_long_as_their_last_mention_needs():
    found = corpus_from_clusters([[], clusters("AC"), [], clusters("B")], "test", several=True)
    assert found.tokens.offsets.tolist() == [0, 0, 3, 3, 5]
    assert corpus_from_clusters([], "test").tokens.offsets.tolist() == [0, 0]


def names(key: object, response: object) -> list[tuple[str, ...]]:
    return [side.documents.names for side in corpora_from_clusters(key, response)]


def test_a_side_without_clusters_is_as_many_documents_as_the_other():
    some = [clusters("AB"), clusters("C")]
    assert names(some, [[], []]) == names([[], []], some) == [("0", "1"), ("0", "1")]
    by_name = {"a": clusters("AB"), "b": clusters("C")}
    assert names(by_name, [[], []]) == [("a", "b"), ("0", "1")]
    assert names([[], []], by_name) == [("0", "1"), ("a", "b")]


def test_without_any_cluster_each_side_is_one_document():
    assert names([], []) == [("0",), ("0",)]
    assert names([[], []], []) == [("0",), ("0",)]


@pytest.mark.parametrize("wrong", [[(3, 4), (-1, 0)], [(3, 4), (3, 1)]])
def test_one_wrong_span_among_others_is_enough(wrong):
    with pytest.raises(cb.DataError) as error:
        corpus_from_clusters([wrong], "test")
    assert error.value.code == "CB112"


def test_what_is_no_list_is_refused_at_once():
    with pytest.raises(cb.DataError) as error:
        corpora_from_clusters(5, [])
    assert error.value.found == "'int' object is not iterable"
