"""The rows are those of English grammars; ambiguous forms go by tag, then by what follows."""

import pytest

from corefbench.preprocess.english.pronouns import (
    ANIMATE,
    ANY_GENDER,
    ANY_NUMBER,
    FEMININE,
    FIRST,
    MASCULINE,
    NEUTER,
    PLURAL,
    SECOND,
    SINGULAR,
    THIRD,
    THIRD_PERSON,
    Agreement,
    lookup_pronoun,
)

ROWS = [
    ("he him", "personal", THIRD, SINGULAR, MASCULINE, True),
    ("his", "possessive", THIRD, SINGULAR, MASCULINE, True),
    ("himself", "reflexive", THIRD, SINGULAR, MASCULINE, True),
    ("she her", "personal", THIRD, SINGULAR, FEMININE, True),
    ("hers", "possessive", THIRD, SINGULAR, FEMININE, True),
    ("herself", "reflexive", THIRD, SINGULAR, FEMININE, True),
    ("it", "personal", THIRD, SINGULAR, NEUTER, True),
    ("its", "possessive", THIRD, SINGULAR, NEUTER, True),
    ("itself", "reflexive", THIRD, SINGULAR, NEUTER, True),
    ("they them 'em ’em", "personal", THIRD, PLURAL, ANY_GENDER, True),
    ("their theirs", "possessive", THIRD, PLURAL, ANY_GENDER, True),
    ("themselves", "reflexive", THIRD, PLURAL, ANY_GENDER, True),
    ("themself", "reflexive", THIRD, SINGULAR, ANY_GENDER, True),
    ("each_other one_another", "reciprocal", THIRD, PLURAL, ANY_GENDER, True),
    ("I me", "personal", FIRST, SINGULAR, ANIMATE, False),
    ("my mine", "possessive", FIRST, SINGULAR, ANIMATE, False),
    ("myself", "reflexive", FIRST, SINGULAR, ANIMATE, False),
    ("we us", "personal", FIRST, PLURAL, ANIMATE, False),
    ("our ours", "possessive", FIRST, PLURAL, ANIMATE, False),
    ("ourselves", "reflexive", FIRST, PLURAL, ANIMATE, False),
    ("you", "personal", SECOND, ANY_NUMBER, ANIMATE, False),
    ("your yours", "possessive", SECOND, ANY_NUMBER, ANIMATE, False),
    ("yourself", "reflexive", SECOND, SINGULAR, ANIMATE, False),
    ("yourselves", "reflexive", SECOND, PLURAL, ANIMATE, False),
    ("one one's oneself", "indefinite", THIRD, SINGULAR, ANY_GENDER, False),
    ("this that", "demonstrative", THIRD, SINGULAR, NEUTER, False),
    ("these those", "demonstrative", THIRD, PLURAL, ANY_GENDER, False),
    ("who whom", "relative", THIRD, ANY_NUMBER, ANIMATE, False),
    ("whose", "relative", THIRD, ANY_NUMBER, ANY_GENDER, False),
    ("which", "relative", THIRD, ANY_NUMBER, NEUTER, False),
    ("someone anybody everyone nobody no_one", "indefinite", THIRD, ANY_NUMBER, ANIMATE, False),
    ("something nothing", "indefinite", THIRD, SINGULAR, NEUTER, False),
]


@pytest.mark.parametrize(
    ("form", "kind", "person", "number", "gender", "is_anaphor"),
    [(form.replace("_", " "), *rest) for forms, *rest in ROWS for form in forms.split()],
)
def test_every_row_says_what_grammars_say(form, kind, person, number, gender, is_anaphor):
    row = lookup_pronoun(form)
    assert row is not None
    assert row.kind == kind
    assert row.agreement == Agreement(person=person, number=number, gender=gender)
    assert row.is_anaphor == is_anaphor


@pytest.mark.parametrize(
    ("tag", "following", "kind"),
    [
        ("PRP$", ".", "possessive"),
        ("PRP", "dog", "personal"),
        ("", "dog", "possessive"),
        ("", "old", "possessive"),
        ("", ".", "personal"),
        ("", "to", "personal"),
        ("", None, "personal"),
    ],
)
def test_her_possesses_by_tag_and_else_before_a_noun_phrase(tag, following, kind):
    row = lookup_pronoun("Her", tag, following)
    assert row is not None
    assert (row.form, row.kind) == ("her", kind)


@pytest.mark.parametrize(
    ("form", "tag"),
    [("that", "IN"), ("'s", "POS"), ("'s", "VBZ"), ("'s", ""), ("one", "CD"), ("mine", "NN"),
     ("US", "NNP"), ("IT", "NN"), ("table", "NN"), ("", "")],
)  # fmt: skip
def test_words_that_their_tag_makes_something_else_are_no_pronouns(form, tag):
    assert lookup_pronoun(form, tag) is None


def test_that_relates_under_its_tag():
    row = lookup_pronoun("that", "WDT")
    assert row is not None
    assert row.kind == "relative"


def test_let_s_is_we():
    row = lookup_pronoun("'s", "PRP")
    assert row is not None
    assert row.agreement.person == FIRST


def test_shouted_pronouns_are_pronouns():
    assert lookup_pronoun("HE", "PRP") == lookup_pronoun("he")


def test_the_anaphors_of_one_word_are_the_third_person():
    assert set(THIRD_PERSON.values()) == {"personal", "possessive", "reflexive"}
    assert len(THIRD_PERSON) == 19
