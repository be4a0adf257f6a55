"""Single choices made differently from the profile's, and how the signature prints them."""

import pytest
from msgspec.structs import replace

import corefbench as cb
from corefbench.scoring.overrides import customise_profile, describe_choices
from corefbench.scoring.profiles import profiles


def test_a_matching_rule_is_known_by_its_own_name():
    assert customise_profile("conll-2012", {"match": "min"}).choices.match == "minimum"


def test_a_choice_takes_the_place_of_the_exceptions():
    assert profiles["e2e-python"].choices_of("b_cubed").singletons == "strip"
    changed = customise_profile("e2e-python", {"singletons": "strip-key"})
    assert changed.choices_of("b_cubed").singletons == changed.choices_of("muc").singletons == "strip-key"


def test_what_the_profile_has_anyway_leaves_the_exceptions():
    same = customise_profile("e2e-python", {"singletons": "keep"})
    assert same.choices_of("b_cubed").singletons == "strip"


def test_measures_are_divided_by_commas_and_plus_signs_only():
    assert [*customise_profile("conll-2012", {"measures": "muc,lea + b3"}).measures] == ["muc", "lea", "b_cubed"]
    with pytest.raises(cb.UsageError):
        customise_profile("conll-2012", {"measures": "muc?lea"})


def test_measures_are_printed_where_they_are_not_those_of_the_profile():
    assert "measures" not in describe_choices(profiles["conll-2012"])
    assert describe_choices(customise_profile("conll-2012", {"measures": "muc,lea"}))["measures"] == "muc+lea"
    unknown = replace(profiles["conll-2012"], name="my-own")
    assert describe_choices(unknown)["measures"] == "+".join(unknown.measures)


def test_the_clustering_scope_is_printed_where_it_is_not_left_to_the_labels():
    assert "clustering_scope" not in describe_choices(profiles["conll-2012"])
    cut = customise_profile("conll-2012", {"clustering_scope": "topic"})
    assert describe_choices(cut)["clustering_scope"] == "topic"
