"""Strata: bins, their order, and names."""

import pytest

from corefbench.analysis.strata import STRATA, binned, in_order, stratum_named
from corefbench.errors import UnknownName


def test_bins_are_closed_but_for_the_last():
    assert binned("size", [1, 2, 3, 5, 6, 21, 400]) == [
        "1",
        "2",
        "3–5",
        "3–5",
        "6–10",
        "21+",
        "21+",
    ]
    assert binned("length", [0, 249, 250, 4999, 5000]) == [
        "0–249", "0–249", "250–499", "2000–4999", "5000+",
    ]  # fmt: skip


def test_no_antecedent_is_a_stratum_of_its_own_and_comes_last():
    assert binned("mentions", [-1, 0]) == ["first", "0"]
    assert in_order("mentions", ["first", "11–20", "0", "3–5"]) == ["0", "3–5", "11–20", "first"]


def test_types_have_their_own_order_and_forms_the_alphabet():
    assert in_order("type", ["zero", "nominal", "pronoun"]) == ["pronoun", "nominal", "zero"]
    assert in_order("pronoun", ["no pronoun", "she", "he"]) == ["he", "she", "no pronoun"]


def test_other_names_lead_to_the_stratum_and_unknown_ones_are_refused():
    assert stratum_named("distance") == "sentences"
    assert all(stratum_named(name) == name for name in STRATA)
    with pytest.raises(UnknownName, match="did you mean genre"):
        stratum_named("genres")
