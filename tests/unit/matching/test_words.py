import numpy as np

from corefbench.matching.identity import identities, last_same
from corefbench.matching.words import heads, overlaps, word_sets
from corefbench.model.builder import CorpusBuilder


def corpus(ids, *mentions, sentences=1):
    """A document whose sentences have the tokens ``ids``; mentions are lists of parts."""
    build = CorpusBuilder("test")
    build.begin_document("before")
    build.sentence(["some", "words"])
    build.begin_document("d")
    for _ in range(sentences):
        build.sentence(ids, empty=["." in i for i in ids], columns={"id": ids})
    for parts in mentions:
        build.mention("e", parts, head=parts[0][0])
    return build.finish()


def words_of(sets, mention):
    return sets.expand(np.array([mention]))[1].tolist()


def test_without_empty_nodes_a_place_is_a_position():
    both = [corpus(["1", "2", "3"], [(0, 2)]), corpus(["1", "2", "3"], [(1, 3)])]
    key, response = word_sets(*both)
    assert key.solid
    assert words_of(key, 0) == [2, 3]
    assert words_of(response, 0) == [3, 4]
    assert overlaps(key, response, np.array([0]), np.array([0])).tolist() == [1]


def test_surface_words_are_the_same_whatever_the_empty_nodes():
    key = corpus(["1", "2", "3"], [(1, 3)])
    response = corpus(["0.1", "1", "1.1", "2", "3"], [(3, 5)])
    sets = word_sets(key, response)
    assert words_of(sets[0], 0) == words_of(sets[1], 0)
    codes = identities(*sets)
    assert codes[0].tolist() == codes[1].tolist()


def test_empty_nodes_are_compared_by_their_id():
    key = corpus(["1", "1.1", "1.2", "2"], [(1, 2)], [(2, 3)])
    response = corpus(["1", "1.2", "2"], [(1, 2)])
    codes = identities(*word_sets(key, response))
    assert last_same(*codes).tolist() == [1]


def test_empty_nodes_at_the_end_of_a_sentence_and_the_start_of_the_next_differ():
    key = corpus(["0.1", "1", "1.1"], [(2, 3)], [(3, 4)], sentences=2)
    codes, _ = identities(*word_sets(key, key))
    assert codes[0] != codes[1]


def test_a_mention_split_by_an_empty_node_is_the_whole_one_of_the_other_side():
    key = corpus(["1", "2", "3"], [(0, 2)])
    response = corpus(["1", "1.1", "2", "3"], [(0, 1), (2, 3)], [(0, 3)])
    codes = identities(*word_sets(key, response))
    assert sorted(last_same(*codes).tolist()) == [-1, 0]


def test_discontinuous_mentions_share_the_words_of_their_parts():
    key = corpus(["1", "2", "3", "4"], [(0, 1), (2, 4)])
    response = corpus(["1", "2", "3", "4"], [(0, 3)])
    sets = word_sets(key, response)
    assert sets[0].size.tolist() == [3]
    assert overlaps(*sets, np.array([0]), np.array([0])).tolist() == [2]


def test_an_unknown_head_is_the_first_word():
    known, unknown = corpus(["1", "1.1", "2"], [(1, 3)]), corpus(["1", "2"], [(1, 2)])
    sets = word_sets(known, unknown)
    assert heads(known, sets[0]).tolist() == [words_of(sets[0], 0)[0]]
    assert heads(unknown, sets[1]).tolist() == [words_of(sets[1], 0)[0]]
