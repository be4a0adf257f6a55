import re

import pytest

from corefbench.citations import BIBLIOGRAPHY, Reference, bibtex
from corefbench.errors import UnknownName
from corefbench.formats import formats
from corefbench.preprocess import preprocessors
from corefbench.resolvers import resolvers
from corefbench.scoring.measures import measures
from corefbench.scoring.profiles import profiles


def cited() -> set[str]:
    """Every key that a card names."""
    cards = [
        *(profiles[name] for name in profiles),
        *(measures[name].card for name in measures),
        *(formats[name]().card for name in formats),
        *(preprocessors[name].card for name in preprocessors),
        *(resolvers[name].card for name in resolvers),
    ]
    return {key for card in cards for key in card.cites}


def test_every_work_that_a_card_cites_is_in_the_bibliography():
    assert cited() - BIBLIOGRAPHY.keys() == set()


@pytest.mark.parametrize("key", sorted(BIBLIOGRAPHY))
def test_a_key_is_the_first_authors_name_and_the_year(key):
    reference = BIBLIOGRAPHY[key]
    name = reference.author.partition(",")[0].lower()
    name = name.translate(str.maketrans({"ž": "z", "ý": "y", "á": "a", "ü": "ue", "ă": "a"}))
    assert key.startswith(f"{name}{reference.year}")


@pytest.mark.parametrize("key", sorted(BIBLIOGRAPHY))
def test_an_entry_has_balanced_braces_and_the_fields_of_its_kind(key):
    entry = BIBLIOGRAPHY[key].bibtex(key)
    assert entry.count("{") == entry.count("}")
    assert re.match(r"@(article|inproceedings)\{", entry)
    venue = "journal" if entry.startswith("@article") else "booktitle"
    for field in ("author", "title", "year", venue):
        assert f"\n  {field} = {{" in entry


def test_authors_are_family_name_first():
    for reference in BIBLIOGRAPHY.values():
        assert all(name.count(",") == 1 for name in reference.author.split(" and "))


def test_entries_are_sorted_and_each_is_printed_once():
    text = bibtex(["vilain1995", "bagga1998", "vilain1995"])
    assert re.findall(r"@\w+\{(\w+),", text) == ["bagga1998", "vilain1995"]


def test_an_unknown_key_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match="did you mean moosavi20"):
        bibtex(["moosavi2015"])


def test_a_reference_prints_as_one_line_with_two_authors_or_et_al():
    assert str(BIBLIOGRAPHY["cai2010"]).startswith("Cai & Strube 2010. ")
    assert str(BIBLIOGRAPHY["luo2014"]).startswith("Luo et al. 2014. ")


def test_references_are_frozen():
    reference = Reference(author="A, B", title="T", year=2000, venue="V")
    with pytest.raises(AttributeError):
        reference.year = 2001
