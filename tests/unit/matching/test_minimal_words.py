"""The minimal words of trees worked out by hand, odd ones as coval reads them."""

import pytest

from corefbench.matching.mina import minimal_words
from corefbench.matching.parse_bits import tree_of


def minimum(text: str, first: int = 0) -> dict[str, int]:
    """The minimal words of a tree with their indices; tokens are written ``(NP*/the/DT``."""
    bits, words, tags = zip(*(token.split("/") for token in text.split()), strict=True)
    root = tree_of(bits, words, tags, first)
    assert root is not None
    return dict(minimal_words(root))


def test_words_right_below_the_root_are_the_minimum_whatever_its_label():
    assert minimum("(S*/go/VB (NP*))/it/PRP") == {"go": 1}
    assert minimum("(ADJP*/happy/JJ (PP*/with/IN (NP*)))/it/PRP") == {"happy": 1}


@pytest.mark.parametrize("label", ["NP-SBJ", "NML", "NP", "QP", "NX"])
def test_a_nominal_phrase_is_looked_into_on_every_level(label):
    """S ▸ phrase ▸ phrase ▸ man: beside it an adjective phrase that is none."""
    phrase = f"({label}({label}*))/man/NN"
    assert minimum(f"(S(ADJP*)/old/JJ {phrase} (ADVP*))/there/RB") == {"man": 1}


@pytest.mark.parametrize("label", ["VP", "VP-PRD"])
def test_below_a_verb_phrase_only_verb_phrases_count(label):
    assert minimum(f"({label}(NP*)/shares/NNS (VP*))/bought/VBD") == {"bought": 1}


@pytest.mark.parametrize("label", ["NP", "NML", "NP-TMP"])
def test_below_a_nominal_phrase_only_nominal_phrases_count(label):
    assert minimum(f"({label}(VP*)/bought/VBN (QP*))/ten/CD") == {"ten": 1}


def test_below_another_root_noun_phrases_come_first_then_verb_phrases_then_the_rest():
    assert minimum("(S(NP*)/Ann/NNP (VP*))/left/VBD") == {"Ann": 0}
    assert minimum("(S(NML*)/Ann/NNP (VP*))/left/VBD") == {"Ann": 0}
    assert minimum("(S(QP*)/ten/CD (VP*))/left/VBD") == {"left": 1}
    assert minimum("(S(QP*)/ten/CD (PP*/of/IN (NP*)))/us/PRP") == {"ten": 0}


def test_words_of_a_phrase_of_no_kind_do_not_count_beside_a_deeper_noun_phrase():
    assert minimum("(S(ADJP*/happy/JJ (NP*)))/him/PRP") == {"him": 1}


def test_what_lies_in_another_kind_of_phrase_is_not_reached():
    """The noun phrase has only a determiner and a prepositional phrase, which is not entered."""
    assert minimum("(NP*/that/DT (PP*/of/IN (NP*)))/him/PRP") == {}


def test_all_words_on_the_highest_level_count():
    assert minimum("(NP(NP*/man/NN (PP*)/of/IN *))/old/NN") == {"man": 1, "old": 2}


def test_a_word_with_a_letter_among_other_signs_has_content():
    assert minimum("(NP*)/U.S./NNP") == {"U.S.": 0}
    assert minimum("(NP*)/1,000/CD") == {"1,000": 0}


def test_words_outside_all_brackets_are_a_root_of_their_own():
    assert minimum("*/old/JJ", first=3) == {"old": 3}
    assert minimum("*/that/DT", first=3) == {}
    assert minimum("*/old/JJ */man/NN", first=3) == {"old man": 4}


def test_what_follows_words_outside_all_brackets_is_read_as_if_below_them():
    """As coval reads it: the words become a root, and what comes next hangs on it."""
    assert minimum("*/old/JJ (NP*)/man/NN */there/RB") == {"old": 1}
    assert minimum("*/the/DT (NP*)/man/NN") == {"man": 1}
    assert minimum("*/the/DT (NP*)/man/NN */there/RB") == {"there": 2}
    assert minimum("*/the/DT (PP*/of/IN (NP*))/him/PRP") == {}


@pytest.mark.parametrize("label", ["NP-SBJ", "NML", "NP"])
def test_each_coordinated_phrase_gives_its_words_however_deep(label):
    assert minimum(f"(NP({label}*)/Ann/NNP */and/CC ({label}(NP*)))/Ben/NNP") == {
        "Ann": 0,
        "Ben": 2,
    }
