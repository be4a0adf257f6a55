"""The fourteen features, each by hand, and the window."""

from pathlib import Path

import numpy as np
import pytest

from corefbench.formats.load import load
from corefbench.preprocess.analysis import Constituent
from corefbench.preprocess.documents import analyse_documents
from corefbench.resolvers.mention_pair.pairs import (
    MAX_WINDOW,
    NUMBER_AGREEMENT,
    collect_mentions,
    find_noun_head,
    make_pairs,
)
from corefbench.resolvers.mention_pair.training import UbiuSettings
from corefbench.resolvers.training.config import parse_section, read_config
from tests.trees import discourse
from tests.unit.resolvers.mention_pair.stories import MENTIONS, number, told

NUMBERS = ("singular", "plural", "unknown")
_YES_NO = ("N", "Y")
_SAME = ("I", "C")
_OPEN = ("I", "C", "NA")
VALUES: dict[str, tuple[str, ...]] = {
    "antecedent": (),
    "mention": (),
    "antecedent is a pronoun": _YES_NO,
    "number of the mention": ("S", "P", "NA"),
    "mention is a pronoun": _YES_NO,
    "same string": _SAME,
    "one string inside the other": _SAME,
    "pronouns with the same string": _SAME,
    "no pronouns, same string": _SAME,
    "same pronoun but for case": _OPEN,
    "number agrees": _OPEN,
    "both pronouns": _OPEN,
    "both proper nouns": _OPEN,
    "sentences between": tuple(map(str, range(MAX_WINDOW + 1))),
}
"""The features of Zhekova & Kübler 2011 in their order: C compatible, I incompatible, NA open."""
NAMES = list(VALUES)


@pytest.fixture(scope="module")
def table():
    return collect_mentions(told())


@pytest.fixture(scope="module")
def words(table):
    return {head: place for place, head in enumerate(dict.fromkeys(table.heads))}


@pytest.fixture(scope="module")
def value(table, words):
    """The value of a feature of the pair of two mentions."""
    pairs = make_pairs(table, words, window=5)

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
def test_a_feature_has_the_value_that_the_paper_gives(value, feature, antecedent, mention, expected):
    assert value(feature, antecedent, mention) == expected


def test_there_are_fourteen_features_in_the_order_of_the_paper(table, words):
    assert len(VALUES) == 14
    assert NAMES[NUMBER_AGREEMENT] == "number agrees"
    assert make_pairs(table, words).codes.shape[1] == 14


@pytest.mark.parametrize("window", [0, 1, 3])
def test_pairs_reach_back_as_many_sentences_as_the_window(table, words, window):
    pairs = make_pairs(table, words, window=window)
    between = table.sentence[pairs.mention] - table.sentence[pairs.antecedent]
    assert between.max() == window
    wanted = {(i, j) for j in range(len(MENTIONS)) for i in range(j) if table.sentence[j] - table.sentence[i] <= window}
    listed = list(zip(pairs.antecedent.tolist(), pairs.mention.tolist(), strict=True))
    assert set(listed) == wanted
    assert len(listed) == len(wanted)
    assert [j for _, j in listed] == sorted(j for _, j in listed)


def test_heads_that_training_did_not_have_are_no_value_at_all(table):
    pairs = make_pairs(table, {"ann": 0})
    assert set(pairs.codes[:, 0].tolist()) == {0, -1}


def test_a_text_without_mentions_has_no_pairs():
    from tests.trees import discourse

    empty = collect_mentions(discourse("Run run VERB VB 0 root", []))
    assert make_pairs(empty, {}).codes.shape == (0, 14)


@pytest.mark.parametrize(
    ("tags", "head"),
    [
        ("DT NN", 1),
        ("DT NN NN", 2),  # rightmost noun: the garden door
        ("DT NN IN NNP", 1),  # the president of France
        ("NNP POS NN IN DT NN TO NN", 2),  # cut before the first preposition after a noun
        ("IN DT NN", 2),  # a preposition before any noun cuts nothing
        ("DT JJ", 1),  # the poor: no noun, the last token
        ("PRP", 0),
    ],
)
def test_the_head_is_the_rightmost_noun_before_a_prepositional_phrase(tags, head):
    assert find_noun_head(tags.split(), 0, len(tags.split())) == head


def test_the_head_is_looked_for_inside_the_span_only():
    assert find_noun_head(["NN", "DT", "JJ", "NN"], 1, 3) == 2


def spans(of, **options):
    table = collect_mentions(of, **options)
    return {(phrase.start, phrase.end) for phrase in table.discourse.phrases}


def test_noun_phrases_possessives_and_names_are_mentions():
    found = spans(told(gold=False))
    assert set(MENTIONS.values()) <= found


def test_each_name_within_a_phrase_is_a_mention_of_its_own():
    text = """
    Ann   Ann   PROPN NNP 3 nsubj
    Miller Miller PROPN NNP 1 flat
    slept sleep VERB  VBD 0 root
    """
    assert spans(discourse(text)) == {(0, 2), (0, 1), (1, 2)}


def test_verbs_are_mentions_only_where_asked_for():
    verbs = {(1, 2), (8, 9), (13, 14), (16, 17), (21, 22)}
    assert not spans(told(gold=False)) & verbs
    assert verbs <= spans(told(gold=False), verbs=True)


def test_a_verb_is_a_mention_if_it_has_a_predicate_lemma():
    # "additional mentions are included for each verb with a predicate lemma" (Kübler & Zhekova 2011)
    rows = [
        "Ann NNP (TOP(S(NP*) -", "had VBD (VP* have", "been VBN (VP* -", "seen VBN (VP* see",
        "in IN (PP* -", "talks NNS (NP*)))))) talk",
    ]  # fmt: skip
    lines = [f"d 0 {number} {' '.join(row.split()[:3])} {row.split()[3]} - - - * -" for number, row in enumerate(rows)]
    text = "\n".join(["#begin document (d); part 000", *lines, "", "#end document", ""])
    corpus = load(text.encode())
    ((_, analysed),) = analyse_documents(corpus, "parse")
    assert analysed.analysis.upos[1] == "AUX"
    assert spans(analysed, verbs=True) - spans(analysed) == {(1, 2), (3, 4)}


def test_the_configuration_that_follows_the_paper_has_verbs():
    path = Path(__file__).parents[4] / "examples" / "training" / "ubiu-ontogum.toml"
    assert parse_section(read_config(path).model, UbiuSettings, "model", "").verbs


def test_of_phrase_structure_every_noun_phrase_is_a_mention():
    from msgspec.structs import replace

    made = told(gold=False)
    leaf = Constituent(label="NP", start=2, end=4, children=())
    inner = Constituent(
        label="NP",
        start=2,
        end=4,
        children=(Constituent(label="DT", start=2, end=3), Constituent(label="NNS", start=3, end=4)),
    )
    tree = Constituent(label="S", start=0, end=7, children=(inner, leaf))
    analysis = replace(made.analysis, trees=(tree, None, None, None, None))
    found = spans(replace(made, analysis=analysis))
    assert (2, 4) in found
    assert (2, 6) not in found  # the trees decide, not the dependencies
    assert (11, 12) in found  # possessive pronouns come from tags


def test_the_mentions_of_a_key_are_taken_as_they_are():
    table = collect_mentions(told())
    assert [(p.start, p.end) for p in table.discourse.phrases] == list(MENTIONS.values())


def test_heads_strings_and_kinds_of_mentions():
    table = collect_mentions(told())
    assert table.heads[1] == "dogs"
    assert table.strings[1] == "the dogs of bob"
    assert table.heads[5] == "cat"
    assert table.pronoun.tolist() == [False, False, False, *[True] * 2, False, *[True] * 2, False,
                                      True, False]  # fmt: skip
    assert table.proper.tolist() == [True, False, True, *[False] * 7, True]


def test_number_comes_from_tags_and_the_table_of_pronouns():
    table = collect_mentions(told())
    found = [NUMBERS[code] for code in table.number.tolist()]
    assert found[:3] == ["singular", "plural", "singular"]
    assert found[3:5] == ["singular", "plural"]  # she, them
    assert found[7] == "unknown"  # you


def test_relative_and_indefinite_pronouns_do_not_count_as_pronouns():
    text = """
    Everyone everyone PRON NN  2 nsubj
    slept    sleep    VERB VBD 0 root
    """
    assert not collect_mentions(discourse(text, [(0, 1, None)])).pronoun.any()
