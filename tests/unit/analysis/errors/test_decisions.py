"""Wrong decisions, and recall and precision errors of spanning trees, worked by hand and against MUC."""

import pytest

import corefbench as cb
from corefbench.errors import UnknownName
from tests.unit.analysis.errors.texts import analyse, corpus, found

KEY = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [2 him ] ."


def test_a_perfect_response_has_no_wrong_decision():
    analysis = analyse(KEY, KEY)
    assert found(analysis, "decisions") == []
    # Two anaphors, She and him, both found; two links, both right.
    assert analysis.overall.f1 == 1.0


def test_an_anaphor_that_begins_an_entity_is_false_new():
    # "him" is anaphoric in the key, and the response has it alone.
    analysis = analyse(KEY, "[1 Ann ] met [2 Bob ] . / [1 She ] saw [3 him ] .")
    assert found(analysis, "decisions") == [("false-new", "him")]
    error = analysis.filter(taxonomy="decisions").errors[0]
    assert error.pair.key.text(error.key) == "Bob"
    # Recall: one of two anaphors. Precision: the one link made is right.
    assert (analysis.overall.recall, analysis.overall.precision) == (0.5, 1.0)


def test_an_anaphor_that_the_response_lacks_is_false_new():
    analysis = analyse(KEY, "[1 Ann ] met [2 Bob ] . / [1 She ] saw him .")
    assert found(analysis, "decisions") == [("false-new", "him")]


def test_a_first_mention_that_is_linked_is_a_false_link():
    # Bob begins its entity in the key; the response links it to Ann. "him" then is linked to its
    # closest predecessor in the response chain, She, which is another entity.
    analysis = analyse(KEY, "[1 Ann ] met [1 Bob ] . / [1 She ] saw [1 him ] .")
    assert found(analysis, "decisions") == [
        ("false-link", "Bob"),
        ("wrong-link", "She"),  # linked to Bob, not to Ann
        ("wrong-link", "him"),  # linked to She, not to Bob
    ]
    # No link of three is right, none of two anaphors found.
    assert (analysis.overall.linked, analysis.overall.right) == (3, 0)


def test_a_mention_that_the_key_lacks_is_a_false_link_where_it_is_linked():
    text = "[1 Ann ] met Bob . / [1 She ] saw [1 him ] ."
    analysis = analyse("[1 Ann ] met Bob . / [1 She ] saw him .", text)
    assert found(analysis, "decisions") == [("false-link", "him")]


def test_a_wrong_link_names_the_right_and_the_wrong_antecedent():
    # "him" is Bob in the key and Ann in the response; the closest of Ann's chain is She.
    analysis = analyse(KEY, "[1 Ann ] met [2 Bob ] . / [1 She ] saw [1 him ] .")
    assert found(analysis, "decisions") == [("wrong-link", "him")]
    example = analysis.filter(kind="wrong-link").examples(1)[0]
    assert example.key is not None
    assert example.key.text == "Bob"
    assert example.response is not None
    assert example.response.text == "She"
    assert example.mention.sentence == 2
    assert str(example.mention) == "Ann met Bob . She saw [him] ."


def test_unlinked_missing_and_extra_mentions_are_not_decision_errors():
    # The key's singleton "Bob" is missing, the response's singleton "Rome" is extra.
    analysis = analyse("[1 Ann ] met [2 Bob ] in Rome", "[1 Ann ] met Bob in [3 Rome ]")
    assert found(analysis, "decisions") == []


TREE_KEY = "[1 Ann ] met [2 Bob ] . / [1 The woman ] saw [2 him ] . / [1 Ann ] left [1 her ] dog"
TREE_RESPONSE = "[1 Ann ] met [2 Bob ] . / [3 The woman ] saw [1 him ] . / [3 Ann ] left [3 her ] dog"


def test_each_further_piece_of_a_chain_is_one_error():
    # Key chain 1 = Ann₁ | The woman, Ann₂, her: two pieces, one recall error, at "The woman".
    # Key chain 2 = Bob | him: two pieces, one recall error.
    # Response chain 1 = Ann₁ | him: one precision error. Chain 3 is of one entity.
    analysis = analyse(TREE_KEY, TREE_RESPONSE)
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
    tally = cb.score(corpus(TREE_KEY), corpus(TREE_RESPONSE)).tallies["muc"].sum()
    counts = analyse(TREE_KEY, TREE_RESPONSE).counts["links"]
    assert counts["recall-error"] == tally["recall_total"] - tally["recall_hits"]
    assert counts["precision-error"] == tally["precision_total"] - tally["precision_hits"]


def test_an_unknown_strategy_is_refused():
    with pytest.raises(UnknownName, match="closest"):
        analyse(TREE_KEY, TREE_RESPONSE, antecedents="closet")
