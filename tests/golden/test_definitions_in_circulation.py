"""Measures whose published versions differ, by hand-sized examples with known values."""

import pytest

import corefbench as cb
from tests.clusters import clusters, percent


def score(key: str, response: str, profile: str = "conll-2012", **choices: str) -> cb.Result:
    return cb.score_clusters(clusters(key), clusters(response), profile=profile, **choices)


# What a mention without a twin earns in B³: key ABC, response ABD or ABDE; precision of ABD I J K.
B_CUBED = {
    "conll-2012": ((44.4, 44.4, 44.4), (44.4, 25.0, 32.0), 22.2),
    "stoyanov-0": ((44.4, 100, 61.5), (44.4, 100, 61.5), 100),
    "stoyanov-all": ((55.6, 55.6, 55.6), (55.6, 37.5, 44.8), 77.8),
    "rahman-ng": ((55.6, 55.6, 55.6), (55.6, 37.5, 44.8), 55.6),
    "cai-strube": ((55.6, 66.7, 60.6), (55.6, 50.0, 52.6), 66.7),
    "conll-v5": ((55.6, 66.7, 60.6), (55.6, 50.0, 52.6), 66.7),
    "conll-2011": ((66.7, 66.7, 66.7), (73.3, 50.0, 59.5), 66.7),
}


@pytest.mark.parametrize("profile", B_CUBED)
def test_b_cubed_of_twinless_mentions(profile: str) -> None:
    one, two, precision = B_CUBED[profile]
    assert percent(score("ABC", "ABD", profile)["b_cubed"]) == one
    assert percent(score("ABC", "ABDE", profile)["b_cubed"]) == two
    assert percent(score("ABC", "ABD I J K", profile)["b_cubed"])[1] == precision


def test_the_2011_scorer_rewards_a_second_spurious_mention_with_recall() -> None:
    fewer = score("ABC", "ABD", "conll-2011")["b_cubed"].recall
    more = score("ABC", "ABDE", "conll-2011")["b_cubed"].recall
    assert (round(100 * fewer, 1), round(100 * more, 1)) == (66.7, 73.3)


@pytest.mark.parametrize(("response", "expected"), [("ABD", (66.7, 50.0, 57.1)), ("ABDE", (66.7, 40.0, 50.0))])
def test_ceaf_sys_solves_recall_and_precision_apart(response: str, expected: tuple[float, ...]) -> None:
    assert percent(score("ABC", response, "cai-strube")["ceaf_m"]) == expected


@pytest.mark.parametrize(
    ("key", "response", "by_key", "by_both"),
    [("ABCDEF", "AB CDE F", 0.421, 0.2105), ("A B C D E F", "AB CXY Z", 0.154, 0.0769)],
    ids=["M3", "N6"],
)
def test_blanc_leaves_a_half_out_by_the_key_or_by_both_sides(
    key: str, response: str, by_key: float, by_both: float
) -> None:
    result = score(key, response, measures="blanc, blanc(edge=both)")
    assert result["blanc"].f1 == pytest.approx(by_key, abs=5e-4)
    assert result["blanc(edge=both)"].f1 == pytest.approx(by_both, abs=5e-5)


TWO_DOCUMENTS = ([clusters("AB"), clusters("ABCDEFGH")], [clusters("AB"), clusters("AB CD EF GH")])
F1 = {  # MUC, B³, CEAFe, LEA, BLANC
    "micro": (76.92, 57.14, 40.00, 47.83, 29.41),
    "macro": (86.36, 70.00, 58.00, 62.50, 62.50),
}


@pytest.mark.parametrize("average", F1)
def test_micro_and_macro_averages_of_two_documents(average: str) -> None:
    result = cb.score_clusters(*TWO_DOCUMENTS, average=average)
    names = ("muc", "b_cubed", "ceaf_e", "lea", "blanc")
    assert tuple(percent(result[name], 2)[2] for name in names) == F1[average]


# Repeated mentions. J stands for a span that the key does not have.
def test_repeats_of_unknown_spans_stay_in_the_reference_scorer() -> None:
    result = score("ABCD", "ABJ CJ")
    assert percent(result["mentions"]) == (75.0, 75.0, 75.0)
    assert result.tallies["b_cubed"]["precision_total"].tolist() == [5.0]


def test_a_repeat_of_a_key_span_stays_in_the_first_chain() -> None:
    assert score("AB CD", "AB ACD")["b_cubed"] == score("AB CD", "AB CD")["b_cubed"]


def test_the_old_scorers_count_repeats() -> None:
    result = score("AB CD", "AB ACD", "conll-2011")
    assert result.tallies["b_cubed"]["precision_total"].tolist() == [5.0]


def test_repeating_correct_mentions_inflates_b_cubed_in_the_old_scorer() -> None:
    honest = score("AB", "AB CD", "semeval-2010")["b_cubed"].precision
    padded = score("AB", "ABABAB CD", "semeval-2010")["b_cubed"].precision
    assert padded > honest == 0.5
    assert score("AB", "ABABAB CD")["b_cubed"].precision == 0.5


def test_perfect_singletons_have_no_muc() -> None:
    result = score("A B C", "A B C")
    assert result.conll is not None
    assert round(100 * result.conll.f1, 1) == 66.7
    assert [result[n].f1 for n in ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")] == [0, 1, 1, 1, 1]
