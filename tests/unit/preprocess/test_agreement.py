"""What is known of a phrase: number and gender by every kind of evidence, and what stays open."""

import pytest

from corefbench.preprocess.agreement import infer_agreement
from corefbench.preprocess.english.pronouns import (
    ANIMATE,
    ANY_GENDER,
    ANY_NUMBER,
    FEMININE,
    MASCULINE,
    NEUTER,
    PLURAL,
    SINGULAR,
    Agreement,
)
from tests.trees import analysis, discourse, phrase

THE = "the the DET DT 2 det"


def _agreement(*lines, head=-1, entity=""):
    """Of a phrase given line by line; the head is the last word unless told."""
    parsed = analysis("\n".join(lines))
    return infer_agreement(parsed, head % len(lines), 0, len(lines), entity)


def _noun(word, lemma=None, tag="NN", determiner="the", entity=""):
    upos = "PROPN" if tag.startswith("NNP") else "NOUN"
    lines = [f"{determiner} {determiner} DET DT 2 det"] if determiner else []
    lines.append(f"{word} {lemma or word.lower()} {upos} {tag} 0 root")
    return _agreement(*lines, entity=entity)


@pytest.mark.parametrize(
    ("word", "lemma", "tag", "number"),
    [
        ("printer", None, "NN", SINGULAR),
        ("printers", "printer", "NNS", PLURAL),
        ("team", None, "NN", ANY_NUMBER),
        ("teams", "team", "NNS", PLURAL),
        ("government", None, "NN", ANY_NUMBER),
        ("parliament", None, "NN", ANY_NUMBER),
        ("data", "datum", "NNS", ANY_NUMBER),
        ("news", None, "NN", ANY_NUMBER),
        ("sheep", None, "NN", ANY_NUMBER),
        ("waiter", None, "NN", SINGULAR),
    ],
)
def test_number_is_that_of_the_tag_but_for_the_exceptions(word, lemma, tag, number):
    assert _noun(word, lemma, tag).number == number


@pytest.mark.parametrize("determiner", ["a", "any", "every", "each", "another"])
def test_they_takes_up_persons_that_are_not_known(determiner):
    assert _noun("student", determiner=determiner).number == ANY_NUMBER
    assert _noun("wife", determiner=determiner).number == SINGULAR
    assert _noun("printer", determiner=determiner).number == SINGULAR


@pytest.mark.parametrize(
    ("word", "gender"),
    [
        ("man", MASCULINE),
        ("woman", FEMININE),
        ("fisherman", MASCULINE),
        ("chairman", ANIMATE),
        ("waiter", MASCULINE),
        ("president", ANIMATE),
        ("dog", ANY_GENDER),
        ("tortoise", ANY_GENDER),
        ("printer", ANY_GENDER),
        ("table", NEUTER),
        ("company", NEUTER),
        ("xyzzy", ANY_GENDER),
    ],
)
def test_nouns_have_the_gender_of_their_table_and_else_the_animacy_of_their_senses(word, gender):
    assert _noun(word).gender == gender


@pytest.mark.parametrize(
    ("entity", "number", "gender"),
    [
        ("person", SINGULAR, ANIMATE),
        ("PERSON", SINGULAR, ANIMATE),
        ("organization", ANY_NUMBER, NEUTER),
        ("ORG", ANY_NUMBER, NEUTER),
        ("place", SINGULAR, NEUTER | FEMININE),
        ("animal", SINGULAR, ANY_GENDER),
        ("", ANY_NUMBER, ANY_GENDER),
    ],
)
def test_an_unknown_name_has_the_agreement_of_its_type(entity, number, gender):
    found = _noun("Xanadu", tag="NNP", entity=entity)
    assert (found.number, found.gender) == (number, gender)


def _name(*words, entity=""):
    rows = [f"{words[0]} {words[0]} PROPN NNP 0 root"]
    rows += [f"{word} {word} PROPN NNP 1 flat" for word in words[1:]]
    return _agreement(*rows, head=0, entity=entity)


@pytest.mark.parametrize(
    ("name", "gender"),
    [
        ("Mr. Smith", MASCULINE),
        ("Mrs. Smith", FEMININE),
        ("Dr. Smith", ANIMATE),
        ("Dr. Susan Smith", FEMININE),
        ("Queen Victoria", FEMININE),
        ("Mary", FEMININE),
        ("John Smith", MASCULINE),
        ("Kim Smith", ANIMATE),
        ("Charlotte", ANY_GENDER),
        ("Canada", NEUTER | FEMININE),
        ("Tuesday", NEUTER | FEMININE),
        ("Boston", NEUTER | FEMININE),
        ("Clark", ANY_GENDER),
    ],
)
def test_titles_and_first_names_show_the_gender_of_a_name(name, gender):
    assert _name(*name.split()).gender == gender


def test_names_that_are_also_places_count_of_persons():
    assert _name("Charlotte", entity="person").gender == FEMININE
    assert _name("Clark", entity="person").gender == ANIMATE


def test_a_firm_or_place_of_a_persons_name_may_be_the_person():
    assert _name("Charles", entity="place").gender & MASCULINE
    assert _name("Richardson", entity="organization").gender == ANY_GENDER
    assert _name("London", entity="place").gender == NEUTER | FEMININE


def test_a_name_with_an_article_is_not_that_of_a_person():
    found = _agreement(
        "the the DET DT 4 det",
        "James James PROPN NNP 4 compound",
        "Webb Webb PROPN NNP 4 compound",
        "Telescope Telescope PROPN NNP 0 root",
    )
    assert found.gender & NEUTER


def test_a_noun_before_the_name_shows_its_gender():
    found = _agreement(
        "actress actress NOUN NN 2 compound", "Kim Kim PROPN NNP 0 root", "Doe Doe PROPN NNP 2 flat", head=1
    )
    assert found.gender == FEMININE


def test_an_apposition_shows_the_gender_of_a_name():
    found = _agreement(
        "Kim Kim PROPN NNP 0 root",
        ", , PUNCT , 4 punct",
        "his his PRON PRP$ 4 nmod:poss",
        "mother mother NOUN NN 1 appos",
        head=0,
    )
    assert found.gender == FEMININE


def test_female_and_male_show_the_gender_of_a_noun():
    female = ("female female ADJ JJ 2 amod", "doctor doctor NOUN NN 0 root")
    assert _agreement(*female).gender == FEMININE


def test_who_makes_a_person_of_an_unknown_noun():
    found = _agreement(
        "the the DET DT 2 det",
        "xyzzy xyzzy NOUN NN 0 root",
        "who who PRON WP 4 nsubj",
        "left leave VERB VBD 2 acl:relcl",
        head=1,
    )
    assert found.gender == ANIMATE


@pytest.mark.parametrize(
    "lines",
    [
        ("to to PART TO 2 mark", "print print VERB VB 0 root"),
        ("Ann Ann PROPN NNP 4 nsubj", "is be AUX VBZ 4 cop", "a a DET DT 4 det",
         "doctor doctor NOUN NN 0 root"),
    ],
)  # fmt: skip
def test_a_clause_is_neuter_and_singular(lines):
    found = _agreement(*lines)
    assert (found.number, found.gender) == (SINGULAR, NEUTER)


def test_the_united_states_and_general_motors_are_of_any_number():
    for first, second in (("United", "States"), ("General", "Motors")):
        rows = (f"{first} {first} PROPN NNP 2 compound", f"{second} {second} PROPN NNPS 0 root")
        assert _agreement(*rows).number == ANY_NUMBER
    assert _noun("Americans", "American", "NNPS", determiner="").number == PLURAL


def _pair(first, joint, second):
    parsed = analysis(
        f"""
        {first}
        {joint} {joint} CCONJ CC 3 cc
        {second}
        """
    )
    return infer_agreement(parsed, 0, 0, 3, coordination=True)


JOHN, MARY = "John John PROPN NNP 0 root", "Mary Mary PROPN NNP 1 conj"


def test_and_makes_a_plural_of_both_genders():
    assert _pair(JOHN, "and", MARY) == Agreement(number=PLURAL, gender=ANIMATE)


def test_or_leaves_the_number_open():
    assert _pair(JOHN, "or", MARY).number == ANY_NUMBER


def test_nouns_under_one_determiner_may_be_one():
    found = _pair("friend friend NOUN NN 0 root", "and", "colleague colleague NOUN NN 1 conj")
    assert found.number == ANY_NUMBER
    plural = _pair("friends friend NOUN NNS 0 root", "and", "cousins cousin NOUN NNS 1 conj")
    assert plural.number == PLURAL


def test_a_conjunct_of_another_kind_makes_no_plural():
    found = _pair(JOHN, "and", "rich rich ADJ JJ 1 conj")
    assert (found.number, found.gender) == (SINGULAR, MASCULINE)


def test_a_name_that_the_tagger_missed_is_a_name():
    parsed = analysis(
        """
        then then ADV RB 2 advmod
        saw see VERB VBD 0 root
        Pedro pedro NOUN NN 2 obj
        """
    )
    assert infer_agreement(parsed, 2, 2, 3, "abstract").gender & MASCULINE


def test_pronouns_agree_as_their_rows_say():
    parsed = analysis("she she PRON PRP 2 nsubj\nslept sleep VERB VBD 0 root")
    agreement = infer_agreement(parsed, 0, 0, 1)
    assert (agreement.number, agreement.gender) == (SINGULAR, FEMININE)


def test_the_phrases_of_a_discourse_have_agreement():
    document = discourse(
        """
        The the DET DT 2 det
        waitress waitress NOUN NN 3 nsubj
        saw see VERB VBD 0 root
        the the DET DT 5 det
        printers printer NOUN NNS 3 obj
        """
    )
    assert phrase(document, "The waitress").agreement == Agreement(number=SINGULAR, gender=FEMININE)
    assert phrase(document, "the printers").agreement.number == PLURAL


@pytest.mark.parametrize("figure", ["1801", "42", "$5", "3-2"])
def test_what_is_written_in_digits_is_a_thing(figure):
    assert _agreement(f"{figure} {figure} NUM CD 0 root", head=0).gender == NEUTER


@pytest.mark.parametrize(
    ("word", "entity", "gender"),
    [("album", "person", NEUTER), ("hotel", "place", NEUTER), ("lawyer", "place", ANIMATE)],
)
def test_a_noun_that_the_dictionary_is_sure_of_is_that_whatever_its_type(word, entity, gender):
    assert _noun(word, entity=entity).gender == gender


def test_things_and_months_with_a_capital_are_no_persons():
    war = _noun("War", tag="NNP", determiner="", entity="event")
    month = _noun("May", tag="NNP", determiner="", entity="time")
    assert (war.gender, month.gender) == (NEUTER, NEUTER)
    assert _noun("Nietzsche", tag="NNP", determiner="", entity="time").gender & ANIMATE


def test_a_name_that_was_tagged_as_a_noun_is_a_name():
    document = discourse("then then ADV RB 3 advmod\nPaduh paduh NOUN NN 3 nsubj\nslept sleep VERB VBD 0 root\n")
    assert phrase(document, "Paduh").kind == "name"
