"""Recall and precision errors of spanning trees, worked by hand and against MUC."""

import pytest

import corefbench as cb
from corefbench.errors import UnknownName
from tests.unit.analysis.errors.texts import analyse, corpus, found

KEY = "[1 Ann ] met [2 Bob ] . / [1 The woman ] saw [2 him ] . / [1 Ann ] left [1 her ] dog"
RESPONSE = "[1 Ann ] met [2 Bob ] . / [3 The woman ] saw [1 him ] . / [3 Ann ] left [3 her ] dog"


def test_each_further_piece_of_a_chain_is_one_error():
    # Key chain 1 = Ann₁ | The woman, Ann₂, her: two pieces, one recall error, at "The woman".
    # Key chain 2 = Bob | him: two pieces, one recall error.
    # Response chain 1 = Ann₁ | him: one precision error. Chain 3 is of one entity.
    analysis = analyse(KEY, RESPONSE)
    assert found(analysis, "links") == [
        ("recall-error", "The woman"),
        ("recall-error", "him"),
        ("precision-error", "him"),
    ]
    recall, _, precision = analysis.filter(taxonomy="links").errors
    assert recall.pair.key.text(recall.key) == "Ann"
    assert precision.pair.response.text(precision.response) == "Ann"


def test_every_missing_mention_is_a_piece_of_its_own():
    # Ann | The woman | Ann | her: only the first and the last are found, and apart.
    key = "[1 Ann ] met Bob . / [1 The woman ] saw him . / [1 Ann ] left [1 her ] dog"
    analysis = analyse(key, "[1 Ann ] met Bob . / The woman saw him . / Ann left [2 her ] dog")
    assert [text for _, text in found(analysis, "links")] == ["The woman", "Ann", "her"]


def test_the_antecedent_is_the_closest_or_the_most_informative():
    key = "[1 Ann ] came . / [1 The woman ] sat . / [1 She ] ate . / [1 Ann Lee ] paid ."
    response = "[1 Ann ] came . / [1 The woman ] sat . / [1 She ] ate . / [2 Ann Lee ] paid ."
    for antecedents, expected in (("closest", "She"), ("type", "Ann")):
        (error,) = analyse(key, response, antecedents=antecedents).filter(taxonomy="links").errors
        assert (error.text, error.pair.key.text(error.key)) == ("Ann Lee", expected)


def test_a_pronoun_takes_the_closest_antecedent_in_either_way():
    key = "[1 Ann ] came . / [1 The woman ] sat . / [1 She ] ate ."
    response = "[1 Ann ] came . / [1 The woman ] sat . / [2 She ] ate ."
    (error,) = analyse(key, response, antecedents="type").filter(taxonomy="links").errors
    assert error.pair.key.text(error.key) == "The woman"


def test_the_number_of_errors_is_what_muc_misses():
    tally = cb.score(corpus(KEY), corpus(RESPONSE)).tallies["muc"].sum()
    counts = analyse(KEY, RESPONSE).counts["links"]
    assert counts["recall-error"] == tally["recall_total"] - tally["recall_hits"]
    assert counts["precision-error"] == tally["precision_total"] - tally["precision_hits"]


def test_an_unknown_strategy_is_refused():
    with pytest.raises(UnknownName, match="closest"):
        analyse(KEY, RESPONSE, antecedents="closet")
