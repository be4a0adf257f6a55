"""Single choices made differently from the profile's, and how the signature prints them."""

import pytest
from msgspec.structs import replace

import corefbench as cb
from corefbench.profiles import profiles
from corefbench.scoring.choosing import customised, described


def test_a_matching_rule_is_known_by_its_own_name():
    assert customised("conll-2012", {"match": "min"}).choices.match == "minimum"


def test_a_choice_takes_the_place_of_the_exceptions():
    assert profiles["corefud"].choices_of("ceaf_e").repeats == "distinct"
    changed = customised("corefud", {"repeats": "keep"})
    assert changed.choices_of("ceaf_e").repeats == changed.choices_of("muc").repeats == "keep"


def test_what_the_profile_has_anyway_leaves_the_exceptions():
    same = customised("corefud", {"repeats": "last-opened"})
    assert same.choices_of("ceaf_e").repeats == "distinct"


def test_measures_are_divided_by_commas_and_plus_signs_only():
    assert [*customised("conll-2012", {"measures": "muc,lea + b3"}).measures] == [
        "muc",
        "lea",
        "b_cubed",
    ]
    with pytest.raises(cb.UsageError):
        customised("conll-2012", {"measures": "muc?lea"})


def test_measures_are_printed_where_they_are_not_those_of_the_profile():
    assert "measures" not in described(profiles["conll-2012"])
    assert described(customised("conll-2012", {"measures": "muc,lea"}))["measures"] == "muc+lea"
    unknown = replace(profiles["conll-2012"], name="my-own")
    assert described(unknown)["measures"] == "+".join(unknown.measures)


def test_the_clustering_scope_is_printed_where_it_is_not_left_to_the_labels():
    assert "clustering_scope" not in described(profiles["conll-2012"])
    cut = customised("conll-2012", {"clustering_scope": "topic"})
    assert described(cut)["clustering_scope"] == "topic"
