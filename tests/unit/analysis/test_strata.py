"""Strata: bins, their order, and names."""

import pytest

from corefbench.analysis.strata import STRATA, bin_values, parse_stratum, sort_strata
from corefbench.errors import UnknownName


def test_bins_are_closed_but_for_the_last():
    assert bin_values("size", [1, 2, 3, 5, 6, 21, 400]) == ["1", "2", "3–5", "3–5", "6–10", "21+", "21+"]
    assert bin_values("length", [0, 249, 250, 4999, 5000]) == [
        "0–249", "0–249", "250–499", "2000–4999", "5000+",
    ]  # fmt: skip


def test_no_antecedent_is_a_stratum_of_its_own_and_comes_last():
    assert bin_values("mentions", [-1, 0]) == ["first", "0"]
    assert sort_strata("mentions", ["first", "11–20", "0", "3–5"]) == ["0", "3–5", "11–20", "first"]


def test_types_have_their_own_order_and_forms_the_alphabet():
    assert sort_strata("type", ["zero", "nominal", "pronoun"]) == ["pronoun", "nominal", "zero"]
    assert sort_strata("pronoun", ["no pronoun", "she", "he"]) == ["he", "she", "no pronoun"]


def test_other_names_lead_to_the_stratum_and_unknown_ones_are_refused():
    assert parse_stratum("distance") == "sentences"
    assert all(parse_stratum(name) == name for name in STRATA)
    with pytest.raises(UnknownName, match="did you mean genre"):
        parse_stratum("genres")
