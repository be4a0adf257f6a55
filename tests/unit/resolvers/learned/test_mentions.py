"""What UBIU takes for a mention, and what it knows of it."""

import pytest

from corefbench.preprocess.analysis import Constituent
from corefbench.resolvers.learned.mentions import NUMBERS, head_of, mention_table
from tests.trees import discourse
from tests.unit.resolvers.learned.stories import MENTIONS, told


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
    assert head_of(tags.split(), 0, len(tags.split())) == head


def test_the_head_is_looked_for_inside_the_span_only():
    assert head_of(["NN", "DT", "JJ", "NN"], 1, 3) == 2


def spans(of, **options):
    table = mention_table(of, **options)
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


def test_of_phrase_structure_every_noun_phrase_is_a_mention():
    from msgspec.structs import replace

    made = told(gold=False)
    leaf = Constituent(label="NP", start=2, end=4, children=())
    inner = Constituent(
        label="NP",
        start=2,
        end=4,
        children=(
            Constituent(label="DT", start=2, end=3),
            Constituent(label="NNS", start=3, end=4),
        ),
    )
    tree = Constituent(label="S", start=0, end=7, children=(inner, leaf))
    analysis = replace(made.analysis, trees=(tree, None, None, None, None))
    found = spans(replace(made, analysis=analysis))
    assert (2, 4) in found
    assert (2, 6) not in found  # the trees decide, not the dependencies
    assert (11, 12) in found  # possessive pronouns come from tags


def test_the_mentions_of_a_key_are_taken_as_they_are():
    table = mention_table(told())
    assert [(p.start, p.end) for p in table.discourse.phrases] == list(MENTIONS.values())


def test_heads_strings_and_kinds_of_mentions():
    table = mention_table(told())
    assert table.heads[1] == "dogs"
    assert table.strings[1] == "the dogs of bob"
    assert table.heads[5] == "cat"
    assert table.pronoun.tolist() == [False, False, False, *[True] * 2, False, *[True] * 2, False,
                                      True, False]  # fmt: skip
    assert table.proper.tolist() == [True, False, True, *[False] * 7, True]


def test_number_comes_from_tags_and_the_table_of_pronouns():
    table = mention_table(told())
    found = [NUMBERS[code] for code in table.number.tolist()]
    assert found[:3] == ["singular", "plural", "singular"]
    assert found[3:5] == ["singular", "plural"]  # she, them
    assert found[7] == "unknown"  # you


def test_relative_and_indefinite_pronouns_do_not_count_as_pronouns():
    text = """
    Everyone everyone PRON NN  2 nsubj
    slept    sleep    VERB VBD 0 root
    """
    assert not mention_table(discourse(text, [(0, 1, None)])).pronoun.any()
