"""The seven classes of Kummerfeld & Klein 2013, each worked by hand."""

import pytest

from tests.unit.analysis.errors.texts import analyse, found


def operations(key: str, response: str) -> list[tuple[str, str]]:
    return found(analyse(key, response), "operations")


def test_a_span_error_is_a_mention_with_the_head_but_not_the_boundaries_of_the_key():
    # Same head, "mayor", and nothing else is wrong once the span is altered.
    key = "[1 the old mayor of Rome ] spoke . / [1 He ] left ."
    response = "[1 the old mayor ] of Rome spoke . / [1 He ] left ."
    analysis = analyse(key, response)
    assert found(analysis, "operations") == [("span-error", "the old mayor")]
    example = analysis.filter(taxonomy="operations").examples(1)[0]
    assert example.key is not None
    assert example.key.text == "the old mayor of Rome"


def test_a_span_error_may_be_a_matter_of_punctuation_or_an_article():
    key = "[1 Rome Today ] printed it . / [1 The paper ] sold ."
    response = "[1 Rome Today printed ] it . / The [1 paper ] sold ."
    # "paper" is "The paper" without its article; "Rome Today printed" has another last word, so
    # another head: an extra mention for a missing one. The key's lead is missing, so it comes with
    # the merge of "The paper" (divided), and the response's lead goes with the split (conflated).
    assert operations(key, response) == [
        ("span-error", "paper"),
        ("conflated-entities", "paper"),
        ("divided-entity", "The paper"),
    ]


def test_a_missing_mention_is_introduced_and_merged():
    key = "[1 Ann ] said [1 she ] would bring [1 her ] dog"
    assert operations(key, "[1 Ann ] said [1 she ] would bring her dog") == [("missing-mention", "her")]


def test_an_extra_mention_is_split_off_and_removed():
    key = "[1 Ann ] said [1 she ] would bring it"
    assert operations(key, "[1 Ann ] said [1 she ] would bring [1 it ]") == [("extra-mention", "it")]


def test_a_missing_entity_is_a_chain_of_which_the_response_has_nothing():
    key = "[1 Ann ] met [2 the man ] . / [1 She ] saw [2 the man ] ."
    assert operations(key, "[1 Ann ] met the man . / [1 She ] saw the man .") == [("missing-entity", "the man")]


def test_a_missing_entity_may_have_pronouns_that_the_response_put_elsewhere():
    # Of the entity the response has "him" only, in Ann's chain: two mentions introduced make the
    # missing entity, "him" is split off (conflated) and merged (divided).
    key = "[1 Ann ] met [2 Bob ] . / [2 The man ] saw [1 her ] . / [1 She ] saw [2 him ] ."
    response = "[1 Ann ] met Bob . / The man saw [1 her ] . / [1 She ] saw [1 him ] ."
    assert operations(key, response) == [
        ("conflated-entities", "him"),
        ("missing-entity", "Bob"),
        ("divided-entity", "him"),
    ]


def test_an_extra_entity_is_a_chain_of_which_the_key_has_nothing():
    key = "[1 Ann ] met the man . / [1 She ] saw the man ."
    response = "[1 Ann ] met [2 the man ] . / [1 She ] saw [2 the man ] ."
    assert operations(key, response) == [("extra-entity", "the man")]


def test_a_singleton_that_one_side_lacks_is_an_entity():
    assert operations("[1 Ann ] met Bob", "Ann met [2 Bob ]") == [("extra-entity", "Bob"), ("missing-entity", "Ann")]


def test_a_divided_entity_is_merged():
    # Two pieces of one entity: the one with the lead, Ann, stays, the other is merged into it.
    key = "[1 Ann ] said [1 she ] left . / [1 Ann ] saw [1 her ] dog"
    response = "[1 Ann ] said [1 she ] left . / [2 Ann ] saw [2 her ] dog"
    analysis = analyse(key, response)
    assert found(analysis, "operations") == [("divided-entity", "Ann")]
    error = analysis.filter(kind="divided-entity").errors[0]
    assert [error.pair.key.text(m) for m in error.members] == ["Ann", "her"]


def test_conflated_entities_are_split():
    key = "[1 Ann ] said [1 she ] met [2 Bob ] . / [2 He ] left ."
    response = "[1 Ann ] said [1 she ] met [1 Bob ] . / [1 He ] left ."
    analysis = analyse(key, response)
    assert found(analysis, "operations") == [("conflated-entities", "Bob")]
    example = analysis.filter(kind="conflated-entities").examples(1)[0]
    assert example.response is not None
    assert example.response.text == "Ann"
    assert [member.text for member in example.members] == ["Bob", "He"]


def test_a_mention_in_the_wrong_chain_is_split_and_merged():
    key = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [2 him ] ."
    response = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [1 him ] ."
    assert operations(key, response) == [("conflated-entities", "him"), ("divided-entity", "him")]


def test_the_lead_is_the_earliest_mention_that_is_not_a_pronoun():
    # In each entity the pronoun comes first; the name is the lead, so the pronoun is merged.
    key = "When [1 she ] came , [1 Ann ] sat down"
    assert operations(key, "When [1 she ] came , [2 Ann ] sat down") == [("divided-entity", "she")]


@pytest.mark.parametrize(
    ("key", "response"),
    [
        # The lead is extra: the piece is split off it, and it goes with the split.
        ("Rome said [1 Ann ] saw [1 her ]", "[1 Rome ] said [1 Ann ] saw [1 her ]"),
        # The lead is missing: it comes with the merge.
        ("[1 Rome ] said [1 Ann ] saw [1 her ]", "Rome said [1 Ann ] saw [1 her ]"),
    ],
)
def test_a_lead_without_a_twin_makes_one_error_with_its_chain(key, response):
    analysis = analyse(key, response)
    assert sum(analysis.counts["operations"].values()) == 1
    assert {kind for kind, _ in found(analysis, "operations")} <= {"conflated-entities", "divided-entity"}
    assert analysis.if_fixed()[-1].alone["conll"] == 1.0
