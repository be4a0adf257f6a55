"""The fourteen features, each by hand, and the window."""

import numpy as np
import pytest

from corefbench.resolvers.learned.mentions import mention_table
from corefbench.resolvers.learned.pairs import AGREEMENT, VALUES, pairs_of
from tests.unit.resolvers.learned.stories import MENTIONS, number, told

NAMES = list(VALUES)


@pytest.fixture(scope="module")
def table():
    return mention_table(told())


@pytest.fixture(scope="module")
def words(table):
    return {head: place for place, head in enumerate(dict.fromkeys(table.heads))}


@pytest.fixture(scope="module")
def value(table, words):
    """The value of a feature of the pair of two mentions."""
    pairs = pairs_of(table, words, window=5)

    def look_up(feature, antecedent, mention):
        here = (pairs.antecedent == number(antecedent)) & (pairs.mention == number(mention))
        (row,) = np.flatnonzero(here)
        code = int(pairs.codes[row, NAMES.index(feature)])
        return (VALUES[feature] or list(words))[code]

    return look_up


@pytest.mark.parametrize(
    ("feature", "antecedent", "mention", "expected"),
    [
        ("antecedent", "the dogs of Bob", "them", "dogs"),
        ("mention", "the dogs of Bob", "Her cat", "cat"),
        ("antecedent is a pronoun", "Ann", "She", "N"),
        ("antecedent is a pronoun", "She", "Her cat", "Y"),
        ("number of the mention", "Ann", "She", "S"),
        ("number of the mention", "Ann", "them", "P"),
        ("number of the mention", "Ann", "You", "NA"),
        ("mention is a pronoun", "Ann", "She", "Y"),
        ("mention is a pronoun", "She", "Her cat", "N"),
        ("same string", "Ann", "Ann again", "C"),
        ("same string", "She", "She again", "C"),
        ("same string", "the dogs of Bob", "the dogs", "I"),
        ("one string inside the other", "the dogs of Bob", "the dogs", "C"),
        ("one string inside the other", "Bob", "the dogs", "I"),
        ("one string inside the other", "Ann", "Ann again", "C"),
        ("pronouns with the same string", "She", "She again", "C"),
        ("pronouns with the same string", "She", "Her", "I"),
        ("pronouns with the same string", "Ann", "Ann again", "I"),
        ("no pronouns, same string", "Ann", "Ann again", "C"),
        ("no pronouns, same string", "She", "She again", "I"),
        ("same pronoun but for case", "She", "Her", "C"),
        ("same pronoun but for case", "She", "She again", "C"),
        ("same pronoun but for case", "them", "She again", "I"),
        ("same pronoun but for case", "Ann", "She", "NA"),
        ("number agrees", "Ann", "She", "C"),
        ("number agrees", "the dogs of Bob", "She", "I"),
        ("number agrees", "Ann", "You", "NA"),
        ("both pronouns", "She", "them", "C"),
        ("both pronouns", "Ann", "Bob", "I"),
        ("both pronouns", "Ann", "She", "NA"),
        ("both proper nouns", "Ann", "Ann again", "C"),
        ("both proper nouns", "the dogs of Bob", "the dogs", "I"),
        ("both proper nouns", "Ann", "Her cat", "NA"),
        ("sentences between", "Ann", "Bob", "0"),
        ("sentences between", "Ann", "the dogs", "3"),
    ],
)
def test_a_feature_has_the_value_that_the_paper_gives(
    value, feature, antecedent, mention, expected
):
    assert value(feature, antecedent, mention) == expected


def test_there_are_fourteen_features_in_the_order_of_the_paper(table, words):
    assert len(VALUES) == 14
    assert NAMES[AGREEMENT] == "number agrees"
    assert pairs_of(table, words).codes.shape[1] == 14


@pytest.mark.parametrize("window", [0, 1, 3])
def test_pairs_reach_back_as_many_sentences_as_the_window(table, words, window):
    pairs = pairs_of(table, words, window=window)
    between = table.sentence[pairs.mention] - table.sentence[pairs.antecedent]
    assert between.max() == window
    wanted = {
        (i, j)
        for j in range(len(MENTIONS))
        for i in range(j)
        if table.sentence[j] - table.sentence[i] <= window
    }
    listed = list(zip(pairs.antecedent.tolist(), pairs.mention.tolist(), strict=True))
    assert set(listed) == wanted
    assert len(listed) == len(wanted)
    assert [j for _, j in listed] == sorted(j for _, j in listed)


def test_heads_that_training_did_not_have_are_no_value_at_all(table):
    pairs = pairs_of(table, {"ann": 0})
    assert set(pairs.codes[:, 0].tolist()) == {0, -1}


def test_a_text_without_mentions_has_no_pairs():
    from tests.trees import discourse

    empty = mention_table(discourse("Run run VERB VB 0 root", []))
    assert pairs_of(empty, {}).codes.shape == (0, 14)
