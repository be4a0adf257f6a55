import numpy as np
import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.scoring.matching.alignment import Alignment, Twins
from corefbench.scoring.measures.zero_anaphora import ZeroAnaphora

IDS = ["1", "2", "3", "3.5", "3.7", "3.9", "4", "4.11"]
KEY = [["1", "3.5", "3.9"], ["2", "3.7"]]
RESPONSE = [["1", "3.5", "3.7"], ["2", "4"], ["3", "4.11"]]
TWINS = {"1": "1", "2": "2", "3.5": "3.5", "3.7": "3.7", "4": "3.9"}
"""The worked example: the zero 3.9 of the key is answered by the word 4."""


def corpus(chains):
    """Chains of mentions of one word, or of two: the head, and the word before or behind it."""
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence(IDS, empty=["." in name for name in IDS], columns={"id": IDS})
    for number, chain in enumerate(chains):
        for name in chain:
            words = [IDS.index(word) for word in name.split()]
            build.mention(str(number), [(min(words), max(words) + 1)], head=words[0])
    return build.finish()


def numbered(key, response, twins):
    """The key mention of every response mention, from the words of twins."""
    names = [[IDS[m.start] for m in side[0].mentions] for side in (key, response)]
    return [names[0].index(twins[n]) if twins.get(n) in names[0] else -1 for n in names[1]]


def counts(key, response, twins=TWINS, **parameters):
    """``twins`` by word, or for every response mention the number of its twin."""
    left, right = corpus(key), corpus(response)
    numbers = numbered(left, right, twins) if isinstance(twins, dict) else twins
    alignment = Alignment(key=left, response=right, twins=Twins(key=np.array(numbers, np.int32)))
    total = ZeroAnaphora(**parameters).tally(alignment).sum()
    return ((total["recall_hits"], total["recall_total"]), (total["precision_hits"], total["precision_total"]))


@pytest.mark.parametrize("counterpart", ["head", "words", "twin"])
def test_the_worked_example_has_recall_a_third_and_precision_a_quarter(counterpart):
    assert counts(KEY, RESPONSE, counterpart=counterpart) == ((1, 3), (1, 4))


def test_the_first_of_a_chain_is_no_anaphor():
    assert counts([["3.5", "4"]], [["3.5", "4"]]) == ((0, 0), (0, 0))


def test_a_zero_whose_counterpart_is_the_first_of_its_chain_is_missed():
    assert counts([["1", "3.5"]], [["3.5", "4"]]) == ((0, 1), (0, 0))


def test_a_zero_without_counterpart_is_missed():
    assert counts([["1", "3.5"]], [["1", "2"]]) == ((0, 1), (0, 0))


def test_an_antecedent_need_not_be_a_zero():
    assert counts([["1", "3.5"]], [["1", "3.5"]]) == ((1, 1), (1, 1))


def test_the_same_words_come_before_the_twin_unless_the_twin_is_trusted():
    key, response = [["1", "3.5"]], [["1", "3.7"], ["2", "3.5"]]
    crossed = {"1": "1", "3.7": "3.5"}
    assert counts(key, response, crossed) == ((0, 1), (0, 2))
    assert counts(key, response, crossed, counterpart="twin") == ((1, 1), (1, 2))


def test_the_same_words_need_no_twin():
    assert counts([["1", "3.5"]], [["1", "3.5"]], {}) == ((1, 1), (1, 1))


def test_another_head_is_another_mention_unless_words_alone_are_compared():
    key, response = [["1", "3.5 3.7"]], [["1", "3.7 3.5"]]
    assert counts(key, response, {}, counterpart="head") == ((0, 1), (0, 1))
    assert counts(key, response, {}, counterpart="words") == ((1, 1), (1, 1))


def test_the_mention_that_opens_first_may_be_an_anaphor():
    """Of two mentions that start together the shorter is the antecedent."""
    assert counts([["3.5", "3.5 3.7"]], [["3.5", "3.5 3.7"]], {}) == ((1, 1), (1, 1))


def test_repeated_mentions_have_the_counterpart_of_the_last():
    """The key repeats 3.5, whose twin is 4: of its two chains one is that of the response."""
    key, response = [["1", "3.5"], ["2", "3.5"], ["3", "4.11"]], [["1", "4"], ["2"]]
    twins = [0, 1, 4]
    assert counts(key, response, twins, counterpart="twin") == ((1, 3), (1, 2))


def test_a_repeated_mention_with_a_twin_of_its_own_keeps_it():
    """The first 1 of the key has the twin, so that only 3.5 is linked to an antecedent."""
    key, response = [["1", "3.5"], ["1", "3.7"]], [["1", "3.5", "3.7"]]
    twins = [0, 2, 3]
    assert counts(key, response, twins, counterpart="twin") == ((1, 2), (1, 2))


def test_chains_are_told_apart_where_the_key_has_more_of_them():
    """3.5 stands with 2, where the key has it with 3, which the response lacks."""
    key, response = [["1"], ["2"], ["3", "3.5"]], [["2", "3.5"], ["1"]]
    assert counts(key, response, {}) == ((0, 1), (0, 1))


def test_without_empty_nodes_nothing_is_counted():
    build = CorpusBuilder("test")
    build.begin_document("d")
    build.sentence(["a", "b"])
    build.mention("e", [(0, 1)])
    plain = build.finish()
    alignment = Alignment(key=plain, response=plain, twins=Twins(key=np.zeros(1, np.int32)))
    assert set(ZeroAnaphora().tally(alignment).sum().values()) == {0.0}
