"""Verdicts on hand-made answers."""

from collections.abc import Sequence

from corefbench.judging.success import Rate, rates
from corefbench.judging.verdict import Verdict, judge
from corefbench.resolvers import Candidate, Decision, Resolution
from tests.one_line_trees import read
from tests.trees import phrase
from tests.unit.judging.keyed import key, resolution

# 0 Ann 1 met 2 Tom 3 . 4 She 5 gave 6 him 7 her 8 book 9 . 10 It 11 pleased 12 him 13 .
TEXT = read(
    """
    Ann|NNP|2|nsubj|person met:meet|VBD|0|root Tom|NNP|2|obj|person .|.|2|punct
    She|PRP|2|nsubj gave:give|VBD|0|root him|PRP|2|iobj her|PRP$|5|nmod:poss book|NN|2|obj .|.|2|dep
    It|PRP|2|nsubj pleased:please|VBD|0|root him|PRP|2|obj .|.|2|punct
    """
)
ANN, TOM, BOOK = [(0, 1), (4, 5), (7, 8)], [(2, 3), (6, 7), (12, 13)], [(7, 9), (10, 11)]
CHAINS = {"ann": ANN, "tom": TOM, "book": BOOK}


def verdicts(
    *links: tuple[str, str | None], chains: dict[str, list[tuple[int, int]]] = CHAINS
) -> dict[int, Verdict]:
    """By the token of the pronoun."""
    return {v.token: v for v in judge("d", key(TEXT, chains), resolution(TEXT, *links))}


def test_there_is_a_verdict_for_every_third_person_pronoun() -> None:
    found = verdicts()
    assert [(v.token, v.form) for v in found.values()] == [
        (4, "she"),
        (6, "him"),
        (7, "her"),
        (10, "it"),
        (12, "him"),
    ]
    assert not any(v.identified or v.attempted or v.correct for v in found.values())
    assert all(v.anaphoric for v in found.values())


def test_any_other_mention_of_the_chain_is_right() -> None:
    found = verdicts(("She", "Ann"), ("her", "She"), ("him/2", "Tom"), ("him", "Ann"))
    assert [found[token].correct for token in (4, 7, 12, 6)] == [True, True, True, False]
    assert found[12].answer == found[6].expected == "Tom"
    assert found[12].expected == "him"  # the nearest mention of the key


def test_an_anaphor_left_alone_is_identified_and_wrong() -> None:
    left = verdicts(("She", None))[4]
    assert (left.identified, left.attempted, left.correct) == (True, False, False)


def test_a_pronoun_that_the_key_does_not_mention_is_spurious_when_resolved() -> None:
    without_book = {"ann": ANN, "tom": TOM}
    found = verdicts(("It", "her book"), chains=without_book)[10]
    assert (found.anaphoric, found.mention, found.attempted, found.correct) == (
        False,
        False,
        True,
        False,
    )
    assert found.expected == ""


def test_where_the_key_is_not_exhaustive_other_pronouns_are_left_out() -> None:
    one = key(TEXT, {"tom": [(2, 3), (12, 13)]})
    every = judge("d", one, resolution(TEXT, ("It", "her book")))
    some = judge("d", one, resolution(TEXT, ("It", "her book")), exhaustive=False)
    assert len(every) == 5
    assert [v.token for v in some] == [12]


def test_a_chain_of_one_makes_nothing_right() -> None:
    found = verdicts(("She", "Ann"), chains={"x": [(4, 5)], "y": [(0, 1)]})[4]
    assert (found.mention, found.anaphoric, found.correct) == (True, False, False)


def test_a_phrase_with_the_head_of_the_pronoun_is_the_pronoun_itself() -> None:
    # The key has one mention, *him*, at the head of both phrases.
    both = read("Tom|NNP|2|nsubj saw|VBD|0|root him|PRP|2|obj and|CC|5|cc Ann|NNP|3|conj")
    found = key(both, {"tom": [(0, 1), (2, 3)]})
    whole, inside = phrase(both, "him and Ann"), phrase(both, "him")
    answer = Resolution(
        resolver="by hand",
        discourse=both,
        decisions=(Decision(anaphor=inside.index, antecedent=whole.index),),
    )
    assert [v.correct for v in judge("d", found, answer)] == [False]


def test_a_later_mention_is_right_for_a_pronoun_that_begins_its_chain() -> None:
    forward = {"ann": [(4, 5), (7, 8)]}
    answers = resolution(TEXT, ("She", "her"))
    counted = judge("d", key(TEXT, forward, cataphora=True), answers)[0]
    assert (counted.anaphoric, counted.correct, counted.distance) == (True, True, -1)
    assert not judge("d", key(TEXT, forward), answers)[0].anaphoric


def test_distance_counts_sentences_back_to_the_nearest_mention() -> None:
    found = verdicts()
    assert {token: v.distance for token, v in found.items()} == {4: 1, 6: 1, 7: 0, 10: 1, 12: 1}


def test_links_are_followed_to_a_name_or_noun() -> None:
    found = verdicts(("She", "Ann"), ("her", "She"), ("him", "Tom"), ("him/2", "him"))
    assert [found[token].anchor for token in (4, 7, 6, 12)] == ["right"] * 4
    assert found[10].anchor == "none"


def test_a_right_link_to_a_pronoun_that_is_wrong_has_the_wrong_anchor() -> None:
    found = verdicts(("She", "Tom"), ("her", "She"))
    assert (found[7].correct, found[7].anchor) == (True, "wrong")


def test_links_in_a_circle_have_no_anchor() -> None:
    found = verdicts(("She", "her"), ("her", "She"))
    assert found[4].correct
    assert found[7].correct
    assert (found[4].anchor, found[7].anchor) == ("none", "none")


def test_an_anchor_that_the_key_does_not_have_is_unknown() -> None:
    found = verdicts(("It", "her book"), chains={"ann": ANN, "x": [(8, 9)]})
    assert found[10].anchor == "wrong"  # a mention, of another chain
    found = verdicts(("It", "her book"), chains={"ann": ANN})
    assert found[10].anchor == "unknown"


def test_stuckardts_counts_from_the_anchors() -> None:
    # right: She, her; wrong: him; none: it and the second him → P 2/3, R 2/5
    found = verdicts(("She", "Ann"), ("her", "She"), ("him", "Ann"))
    counted = rates(found.values())
    assert counted.anchor_precision == Rate(hits=2, total=3)
    assert counted.anchor_recall == Rate(hits=2, total=5)


def test_own_candidates_are_counted_before_and_after_agreement() -> None:
    she, ann, tom = phrase(TEXT, "She"), phrase(TEXT, "Ann"), phrase(TEXT, "Tom")
    answer = Resolution(
        resolver="by hand",
        discourse=TEXT,
        decisions=(
            Decision(
                anaphor=she.index,
                antecedent=ann.index,
                candidates=_candidates((ann.index, ""), (tom.index, "gender"), (5, "binding")),
            ),
        ),
    )
    found = judge("d", key(TEXT, CHAINS), answer)[0]
    # What binding drops has passed the agreement filter.
    assert (found.candidates, found.agreeing) == (3, 2)


def _candidates(*rows: tuple[int, str]) -> Sequence[Candidate]:
    return tuple(Candidate(phrase=number, dropped=why) for number, why in rows)  # type: ignore[arg-type]


def test_the_shared_window_is_this_sentence_and_the_two_before() -> None:
    far = read(
        """
        Ann|NNP|2|nsubj|person left|VBD|0|root
        Eve|NNP|2|nsubj|person left|VBD|0|root
        Tom|NNP|2|nsubj|person left|VBD|0|root
        She|PRP|2|nsubj slept|VBD|0|root
        """
    )
    found = judge("d", key(far, {"a": [(0, 1), (6, 7)]}), resolution(far, ("She", "Ann")))[0]
    # Eve and Tom are in the window, and Eve alone agrees; Ann is too far.
    assert (found.shared_candidates, found.shared_agreeing) == (2, 1)
    assert (found.candidates, found.correct, found.distance) == (0, True, 3)


def test_a_pronoun_that_pre_processing_has_no_phrase_for_was_not_identified() -> None:
    from corefbench.preprocess.build import discourse_of

    few = discourse_of(TEXT.analysis, [(0, 1, None), (4, 5, None)])
    found = {v.token: v for v in judge("d", key(few, CHAINS), resolution(few, ("She", "Ann")))}
    assert found[4].correct
    assert (found[6].phrase, found[6].identified, found[6].anaphoric) == (-1, False, True)
    assert (found[6].shared_candidates, found[6].anchor) == (0, "none")
