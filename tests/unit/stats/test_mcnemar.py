"""McNemar's exact test against scipy's binomial test."""

import pytest
from scipy.stats import binomtest

from corefbench.stats.mcnemar import mcnemar


@pytest.mark.parametrize(
    ("first", "second"), [(0, 0), (1, 0), (5, 0), (3, 9), (40, 60), (700, 800)]
)
def test_the_p_value_is_that_of_the_binomial_test(first: int, second: int) -> None:
    pairs = [(True, False)] * first + [(False, True)] * second + [(True, True), (False, False)]
    found = mcnemar(pairs)
    assert (found.only_first, found.only_second) == (first, second)
    expected = binomtest(first, first + second).pvalue if first + second else 1.0
    assert found.p == pytest.approx(expected, rel=1e-9)
