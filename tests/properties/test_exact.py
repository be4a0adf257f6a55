"""What is computed in floating point is what exact fractions give, for every measure (R2)."""

import pytest

from corefbench.scoring.measures import measures
from tests.properties import exact
from tests.properties.documents import pairs
from tests.properties.variants import result, same, values, variants

TOLERANCE = 1e-12


def test_every_registered_measure_has_an_exact_definition() -> None:
    assert set(measures) == exact.ALL, "a new measure needs its definition in tests/properties"


def test_the_generated_documents_have_all_that_measures_look_at() -> None:
    seen = [pair for seed in range(200) for pair in pairs(seed)]
    assert any(len(mention) > 1 for p in seen for chain in p.key.chains for mention in chain)
    for what in ("silent", "bridges", "plurals"):
        assert sum(bool(getattr(p.key, what) and getattr(p.response, what)) for p in seen) > 30


def check(cases: range) -> None:
    """Compare every measure on corpora of these seeds."""
    for seed in cases:
        documents = pairs(seed)
        found = result(documents)
        for name in variants():
            expected = [tuple(map(float, t)) for t in exact.scores(name, documents)]
            ours = values(found[name])
            assert any(same(ours, one, TOLERANCE) for one in expected), (seed, name, ours, expected)


def test_floats_are_fractions() -> None:
    check(range(80))


@pytest.mark.slow
def test_floats_are_fractions_five_thousand_times() -> None:
    check(range(80, 5_080))
