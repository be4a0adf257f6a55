"""Agreement of every two and of all, and quality against a key."""

import pytest

import corefbench as cb
from corefbench.analysis.annotation import agreement, merge
from corefbench.errors import MismatchError, UsageError
from tests.conll import conll

WORDS = list("abcdef")
ONE = conll("(1)", "(1)", "(1)", "(2)", "(2)", "-", words=WORDS)
TWO = conll("(1)", "(1)", "(2)", "(2)", "(2)", "-", words=WORDS)
THREE = conll("(1)", "(1)", "(1)", "-", "-", "(3)", words=WORDS)
KEY = conll("(1)", "(1)", "(1)", "(2)", "(2)", "(3)", words=WORDS)


def test_every_two_are_scored_and_the_mean_is_taken():
    agreed = agreement({"a": ONE, "b": TWO, "c": THREE})
    assert [(pair.one, pair.other) for pair in agreed.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    # MUC, links: abc de / ab cde share a-b and d-e, 2 of 3 and 2 of 3; abc de / abc f share 2 of
    # 2 and 2 of 3; ab cde / abc f share a-b, 1 of 3 and 1 of 2.
    muc = [pair.result["muc"].f1 for pair in agreed.pairs]
    assert muc == pytest.approx([2 / 3, 4 / 5, 2 / 5])
    assert agreed.f1["muc"] == pytest.approx(sum(muc) / 3)
    # Mentions: 5 of 5; 3 of 5 and 3 of 4; the same.
    mentions = [pair.result["mentions"].f1 for pair in agreed.pairs]
    assert mentions == pytest.approx([1, 2 / 3, 2 / 3])
    assert (agreed.spans.marked, agreed.spans.by_all, agreed.spans.by_one) == (6, 3, 1)


def test_annotators_can_change_places():
    one, other = agreement([ONE, THREE]), agreement([THREE, ONE])
    assert one.f1 == pytest.approx(other.f1)
    assert one.alphas == pytest.approx(other.alphas)


def test_the_same_annotation_twice_agrees_wholly():
    agreed = agreement([ONE, ONE])
    assert set(agreed.alphas.values()) == {1.0}
    assert set(agreed.f1.values()) == {1.0}


def test_alpha_of_two_looks_at_what_these_two_mark_only():
    # Whether or not a third marks f, a and b are as far apart.
    with_third = agreement([ONE, TWO, THREE]).pairs[0].alphas
    assert with_third == pytest.approx(agreement([ONE, TWO]).alphas)


def test_documents_have_their_own_alpha():
    other = conll("(1)", "(1)", name="e", words=["x", "y"])
    agreed = agreement([ONE + other, TWO + other])
    assert list(agreed.by_document) == ["d_0", "e_0"]
    assert agreed.by_document["d_0"] == pytest.approx(agreement([ONE, TWO]).alphas)
    assert agreed.by_document["e_0"]["masi"] is None  # one value: nothing to disagree on


def test_quality_is_the_mean_of_annotators_and_of_their_merges():
    agreed = agreement({"a": ONE, "b": TWO, "c": THREE}, key=KEY).quality
    assert [row.process for row in agreed.processes] == ["once", "merge of two", "vote of 3"]
    alone = [cb.score(KEY, each)["muc"] for each in (ONE, TWO, THREE)]
    once = agreed.processes[0].scores["muc"]
    assert once.recall == pytest.approx(sum(score.recall for score in alone) / 3)
    # By hand: MUC recall of the three is 3/3, 2/3 and 2/3, precision 3/3, 2/3 and 2/2.
    assert (once.recall, once.precision) == pytest.approx((7 / 9, 8 / 9))
    pairs = [(ONE, TWO), (ONE, THREE), (TWO, THREE)]
    merged = [cb.score(KEY, merge(pair).corpus)["b_cubed"].f1 for pair in pairs]
    assert agreed.processes[1].scores["b_cubed"].f1 == pytest.approx(sum(merged) / 3)
    voted = cb.score(KEY, merge([ONE, TWO, THREE]).corpus)
    assert agreed.processes[2].scores["average"].f1 == pytest.approx(voted.conll.f1)
    assert agreed.averaged == ("muc", "b_cubed", "ceaf_e")


def test_two_have_no_vote():
    agreed = agreement([ONE, TWO], key=KEY).quality
    assert [row.process for row in agreed.processes] == ["once", "merge of two"]


def test_profiles_can_be_chosen():
    agreed = agreement([ONE, TWO], profile="coval-remove")
    assert agreed.pairs[0].result.profile.name == "coval-remove"


def test_annotators_without_a_shared_document_are_not_compared():
    other = conll("(1)", "(1)", name="e", words=["x", "y"])
    agreed = agreement({"a": ONE, "b": TWO + other, "c": other}, lenient=True)
    assert [(pair.one, pair.other) for pair in agreed.pairs] == [("a", "b"), ("b", "c")]
    assert agreed.f1["muc"] == pytest.approx((2 / 3 + 1) / 2)


def test_invalid_settings_and_unknown_resolvers_raise():
    with pytest.raises(UsageError):
        agreement([ONE, TWO], missing="guess")
    with pytest.raises(UsageError):
        agreement([ONE, TWO], scope="world")
    with pytest.raises(MismatchError):
        agreement([ONE, conll("(1)", "(1)", words=["x", "y"])])
