"""Pronouns decided rightly or wrongly, by hand."""

import pytest

from corefbench.analysis.comparison import pronoun_decisions
from tests.conll import conll

WORDS = ["Ann", "met", "Eve", "before", "she", "left", "her", "house"]
KEY = conll("(1)", "-", "(2)", "-", "(1)", "-", "(1)|(3", "3)", words=WORDS)


def decided(*cells: str) -> dict[int, bool]:
    found = pronoun_decisions(KEY, {"system": conll(*cells, words=WORDS)})["system"]
    return {token: right for (_, token), right in found.items()}


def test_the_key_resolves_every_anaphoric_pronoun_correctly() -> None:
    assert pronoun_decisions(KEY, {"key": KEY}) == {"key": {("d_0", 4): True, ("d_0", 6): True}}


def test_an_antecedent_of_another_chain_is_wrong() -> None:
    assert decided("(1)", "-", "(2)", "-", "(2)", "-", "(1)", "-") == {4: False, 6: True}


def test_the_antecedent_is_the_nearest_earlier_mention() -> None:
    # she and her in Eve's chain: she goes back to Eve, wrong; her goes back to she, right.
    assert decided("-", "-", "(2)", "-", "(2)", "-", "(2)", "-") == {4: False, 6: True}


def test_a_pronoun_that_is_missing_or_begins_its_chain_is_wrong() -> None:
    assert decided("(1)", "-", "-", "-", "-", "-", "(4)", "-") == {4: False, 6: False}


def test_an_antecedent_that_the_key_does_not_have_is_wrong() -> None:
    assert decided("-", "(1)", "-", "-", "(1)", "-", "-", "-") == {4: False, 6: False}


def test_a_response_without_mentions_is_wrong_throughout() -> None:
    assert decided(*["-"] * 8) == {4: False, 6: False}


def test_a_document_that_the_response_lacks_counts_as_wrong() -> None:
    other = conll("(1)", "(1)", name="e", words=["Bob", "he"])
    found = pronoun_decisions(KEY + other, {"system": KEY})["system"]
    assert found == {("d_0", 4): True, ("d_0", 6): True, ("e_0", 1): False}


@pytest.mark.parametrize("words", [["Ann", "und", "Eva"], ["It", "rained", "there"]])
def test_without_anaphoric_pronouns_there_are_no_decisions(words: list[str]) -> None:
    key = conll("(1)", "-", "(1)", words=words)
    assert pronoun_decisions(key, {"system": key}) == {"system": {}}
