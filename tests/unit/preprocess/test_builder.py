"""The type of a name is what most of its uses have."""

import time

import pytest

from corefbench.formats.load import load
from corefbench.preprocess.builder import build_discourse, unify_name_types
from corefbench.preprocess.documents import gold_mentions
from corefbench.preprocess.pipelines.annotated import Conllu
from tests.data import data
from tests.one_line_trees import read
from tests.trees import analysis, discourse, phrase

TEXT = """
Ann Ann PROPN NNP 2 nsubj [person]
saw see VERB VBD 0 root
the the DET DT 4 det
dog dog NOUN NN 2 obj
of of ADP IN 7 case
her her PRON PRP$ 7 nmod:poss
friend friend NOUN NN 4 nmod
and and CCONJ CC 9 cc
Bob Bob PROPN NNP 7 conj
. . PUNCT . 2 punct

It it PRON PRP 2 nsubj
barked bark VERB VBD 0 root
. . PUNCT . 2 punct
"""


def test_phrases_come_in_order_with_their_parents():
    document = discourse(TEXT)
    assert document.mentions == "predicted"
    parents = {
        document.text_of(phrase): document.text_of(document.phrases[phrase.parent]) if phrase.parent >= 0 else ""
        for phrase in document.phrases
    }
    assert parents == {
        "Ann": "",
        "the dog of her friend and Bob": "",
        "her friend and Bob": "the dog of her friend and Bob",
        "her friend": "her friend and Bob",
        "her": "her friend",
        "Bob": "her friend and Bob",
        "It": "",
    }
    assert [phrase.kind for phrase in document.phrases][:2] == ["name", "nominal"]
    assert document.phrases[0].entity == "person"
    assert [document.text_of(anaphor) for anaphor in document.anaphors] == ["her", "It"]


def test_given_mentions_take_the_place_of_the_trees_phrases():
    document = discourse(TEXT, [(10, 11, None), (0, 1, 0), (2, 7, None), (5, 9, None), (0, 1, None)])
    assert document.mentions == "gold"
    assert [document.text_of(phrase) for phrase in document.phrases] == [
        "Ann",
        "the dog of her friend",
        "her friend and Bob",
        "It",
    ]
    words = document.analysis.words
    assert [words[phrase.head] for phrase in document.phrases] == ["Ann", "dog", "friend", "It"]
    assert [phrase.coordination for phrase in document.phrases] == [False, False, True, False]
    assert [phrase.function for phrase in document.phrases] == ["subject", "object", "oblique", "subject"]
    assert [phrase.embedded for phrase in document.phrases] == [False, False, True, False]
    # Mentions that cross do not contain each other.
    assert [phrase.parent for phrase in document.phrases] == [-1, -1, -1, -1]


def test_a_given_head_is_taken_and_one_outside_is_not():
    document = discourse(TEXT, [(2, 7, 6), (2, 4, 11)])
    assert [document.analysis.words[phrase.head] for phrase in document.phrases] == ["friend", "dog"]


def test_mentions_without_words_or_beyond_the_text_are_left_out():
    document = discourse(TEXT, [(3, 3, None), (90, 99, None), (-2, 0, None)])
    assert document.phrases == ()


def test_the_head_of_a_span_of_verbs_and_marks_is_found():
    document = discourse(TEXT, [(9, 10, None), (1, 2, None)])
    assert [document.analysis.words[phrase.head] for phrase in document.phrases] == ["saw", "."]
    assert [phrase.kind for phrase in document.phrases] == ["nominal", "nominal"]


def test_a_pleonastic_it_is_a_phrase_that_is_no_anaphor():
    document = discourse("""
    It it PRON PRP 2 expl
    seems seem VERB VBZ 0 root
    that that SCONJ IN 5 mark
    he he PRON PRP 5 nsubj
    left leave VERB VBD 2 ccomp
    """)
    assert [document.text_of(phrase) for phrase in document.phrases if phrase.pleonastic] == ["It"]
    assert [document.text_of(anaphor) for anaphor in document.anaphors] == ["he"]


def test_only_pronouns_and_one_word():
    assert len(discourse("He he PRON PRP 0 root").phrases) == 1
    assert discourse("Yes yes INTJ UH 0 root").phrases == ()


def test_the_same_analysis_makes_the_same_discourse():
    parsed = analysis(TEXT)
    assert build_discourse(parsed) == build_discourse(parsed)


@pytest.mark.slow
def test_forty_thousand_words_a_second():
    corpus = load(data("gum") / "dep" / "GUM_bio_byron.conllu")
    one, mentions = Conllu().analyse_document(corpus[0]), gold_mentions(corpus[0])
    build_discourse(one)
    begun = time.process_time()
    for _ in range(10):
        build_discourse(one)
        build_discourse(one, mentions)
    assert 20 * len(one.words) / (time.process_time() - begun) > 40_000


SLEPT = "slept:sleep|VBD|0|root"


def slept(name: str, kind: str = "") -> str:
    return f"{name}|NNP|2|nsubj{'|' + kind if kind else ''} {SLEPT}"


def types(*lines: str) -> list[str]:
    of = read("\n".join(lines))
    return [phrase.entity for phrase in of.phrases]


def test_the_majority_decides_and_fills_gaps() -> None:
    lines = slept("Turner", "person"), slept("Turner", "place"), slept("Turner", "person")
    assert types(*lines, slept("Turner")) == ["person"] * 4


def test_a_tie_leaves_types_as_they_are_and_makes_the_untyped_a_person() -> None:
    lines = slept("Turner", "place"), slept("Turner", "person"), slept("Turner")
    assert types(*lines) == ["place", "person", "person"]


def test_a_full_name_votes_for_its_last_word() -> None:
    full = "Ann|NNP|3|nsubj|person Turner|NNP|1|flat|person slept:sleep|VBD|0|root"
    assert types(full, full, slept("Turner", "place")) == ["person"] * 3


def test_other_names_and_nouns_do_not_count() -> None:
    of = read("\n".join((slept("Leeds", "place"), f"turner|NN|2|nsubj {SLEPT}")))
    assert unify_name_types(of.analysis, {0: "place"}) == {0: "place"}
    assert phrase(of, "turner").entity == ""
