"""Tasks 2 and 4: the worked example of the specification, and MUC as it is scored elsewhere."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.are.chains import score_given, score_raw
from corefbench.are.overlap import WEIGHTINGS
from corefbench.scoring.api import score_clusters
from tests.properties.partitions import Pair, pairs
from tests.unit.are.keys import gold

PLACES = {name: (10 * place, 10 * place + 4) for place, name in enumerate("ABCDEFGH")}
KEY = gold({name: PLACES[name] for name in "ABCDEFG"}, ["ABC", "DEFG"])
RESPONSE = ["AB", "CD", "FGH"]


def raw(short: dict[str, int], weighting: str = "mean"):
    """The response, some of its mentions shorter than those of the key."""
    chains = [[(PLACES[m][0], PLACES[m][0] + short.get(m, 4)) for m in c] for c in RESPONSE]
    return score_raw(KEY, chains, weighting)


def test_mentions_that_are_given_make_it_the_muc_of_vilain_et_al():
    numbers = {name: number for number, name in enumerate("ABCDEFG")}
    scored = score_given(KEY, [[numbers[m] for m in c if m != "H"] for c in RESPONSE])
    assert (scored.hits, scored.key_total, scored.response_total) == (2, 5, 3)


def test_the_worked_example_of_task_4():
    assert (raw({}).score.recall, raw({}).score.precision) == (2 / 5, 2 / 4)
    scored = raw({"B": 2, "G": 3}).score
    assert (scored.recall, scored.precision) == (float(Fraction(13, 40)), float(Fraction(13, 32)))
    assert scored.f1 == pytest.approx(float(Fraction(13, 36)), abs=1e-15)


def test_the_least_overlap_of_a_part_may_count_for_all_of_it():
    scored = raw({"B": 2, "G": 3}, "min")
    assert (scored.hits, scored.score.recall, scored.score.precision) == (1.25, 0.25, 0.3125)


def test_from_a_threshold_of_one_half_it_is_muc():
    assert raw({"B": 2, "G": 3}, "threshold").hits == raw({}).hits == 2
    assert raw({"B": 1, "G": 3}, "threshold").hits == 1


def test_singletons_have_no_links():
    key = gold({"A": (0, 1), "B": (2, 3)}, ["A", "B"])
    scored = score_raw(key, [[(0, 1)], [(2, 3)]])
    assert (scored.hits, scored.key_total, scored.response_total) == (0, 0, 0)


@given(pairs(), st.sampled_from(WEIGHTINGS))
def test_with_exact_mentions_it_is_muc(pair: Pair, weighting: str):
    clusters, response = pair
    spans = [span for chain in clusters for span in chain]
    if not spans:
        return
    key = gold(
        {str(span): (span[0], span[1] + 1) for span in spans},
        [[str(span) for span in chain] for chain in clusters],
    )
    found = score_raw(key, [[(a, b + 1) for a, b in chain] for chain in response], weighting).score
    expected = score_clusters(clusters, response)["muc"]
    assert found.recall == pytest.approx(expected.recall)
    assert found.precision == pytest.approx(expected.precision)
