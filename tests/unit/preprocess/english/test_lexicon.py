"""Tables load, quickly, and hold what their sources say."""

import subprocess
import sys

import pytest

from corefbench.preprocess.english.lexicon import (
    animacy_share,
    gender_of_noun,
    gender_of_title,
    group_share,
    is_surname,
    lookup_first_name,
    person_share,
)
from corefbench.preprocess.english.pronouns import ANIMATE, ANY_GENDER, FEMININE, MASCULINE
from corefbench.preprocess.english.word_lists import COLLECTIVES, PLURAL_FORMS


@pytest.mark.parametrize(
    ("noun", "share"),
    # Measured on the files of WordNet 3.0 before the table was made.
    [("waiter", 1.0), ("president", 0.96), ("dog", 0.97), ("man", 1.0), ("company", 0.03),
     ("government", 0.0), ("computer", 0.07), ("printer", 0.33), ("agent", 0.24), ("star", 0.29)],
)  # fmt: skip
def test_animacy_is_the_share_of_persons_and_animals(noun, share):
    assert animacy_share(noun) == pytest.approx(share)


def test_the_top_concepts_are_animate():
    assert animacy_share("person") == animacy_share("animal") == 1.0
    assert person_share("person") == 1.0
    assert person_share("animal") == pytest.approx(0.0, abs=0.1)


def test_animals_are_no_persons():
    assert person_share("horse") < 0.1 < animacy_share("horse")


@pytest.mark.parametrize("noun", ["team", "committee", "government", "police", "orchestra"])
def test_groups_are_collective(noun):
    assert group_share(noun) > 0.5


def test_unknown_nouns_have_no_animacy():
    assert animacy_share("xyzzy") is None
    assert group_share("xyzzy") == person_share("xyzzy") == 0.0


@pytest.mark.parametrize(
    ("name", "gender"), [("Mary", FEMININE), ("JOHN", MASCULINE), ("kim", ANIMATE), ("Susan", FEMININE)]
)
def test_first_names_show_the_gender_of_nine_in_ten_bearers(name, gender):
    row = lookup_first_name(name)
    assert row is not None
    assert row.gender == gender


def test_first_names_know_what_else_they_are():
    assert lookup_first_name("Georgia").is_word
    assert lookup_first_name("April").is_word
    assert lookup_first_name("Clark").is_surname
    assert lookup_first_name("Canada") is None
    assert not lookup_first_name("Mary").is_word


def test_surnames_leave_out_places():
    assert is_surname("Cohen")
    assert not is_surname("London")


@pytest.mark.parametrize(
    ("noun", "gender"),
    [("man", MASCULINE), ("mother", FEMININE), ("policeman", MASCULINE), ("policewoman", FEMININE),
     ("chairman", ANIMATE), ("human", ANIMATE), ("baby", ANY_GENDER), ("dog", ANY_GENDER),
     ("table", 0), ("Queen", FEMININE)],
)  # fmt: skip
def test_nouns_show_gender(noun, gender):
    assert gender_of_noun(noun) == gender


@pytest.mark.parametrize(
    ("title", "gender"),
    [("Mr.", MASCULINE), ("Mrs", FEMININE), ("Sir", MASCULINE), ("Señora", FEMININE),
     ("Dr.", ANIMATE), ("Professor", ANIMATE), ("table", 0)],
)  # fmt: skip
def test_titles_show_gender(title, gender):
    assert gender_of_title(title) == gender


def test_no_noun_has_two_genders():
    from importlib.resources import files

    text = (files("corefbench.preprocess.english") / "data" / "gendered-nouns.txt").read_text("utf-8")
    nouns = [noun for line in text.splitlines() for noun in line.split()[1:]]
    assert sorted({noun for noun in nouns if nouns.count(noun) > 1}) == []


def test_the_seeds_of_mitkov_are_among_the_exceptions():
    assert {"government", "team", "parliament"} <= COLLECTIVES
    assert "data" in PLURAL_FORMS


def test_nothing_is_read_at_import():
    code = (
        "import corefbench.preprocess.english.lexicon as a, corefbench.preprocess.english.lexicon as f;"
        "import corefbench.preprocess.agreement;"
        "print(a._load_animacy.cache_info().currsize, f._load_first_names.cache_info().currsize)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["0", "0"]
