"""False-new, false-link and wrong-link, each worked by hand."""

from tests.unit.analysis.errors.texts import analyse, found

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
