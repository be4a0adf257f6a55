"""What must hold for every measure, whoever registered it (R3): properties × measures."""

import pytest

from corefbench.scoring.measures import measures
from tests.properties.battery import PROPERTIES
from tests.properties.exemptions import EXEMPT, matches, reason
from tests.properties.variants import variants

EXAMPLES = 10
MANY = 1_000
LEAST = 12


def failures(rule: str, examples: range) -> dict[str, int]:
    """The measures for which the property does not hold, and in which example first."""
    wrong: dict[str, int] = {}
    for seed in examples:
        for name, holds in PROPERTIES[rule](seed):
            if not holds:
                wrong.setdefault(name, seed)
    return wrong


def check(rule: str, wrong: dict[str, int]) -> None:
    broken = {name: seed for name, seed in wrong.items() if not reason(rule, name)}
    assert broken == {}, f"not so in the example of this number: {rule}"


def test_every_measure_has_enough_properties() -> None:
    asked = {n: sum(not reason(rule, n) for rule in PROPERTIES) for n in variants()}
    assert {name.partition("(")[0] for name in asked} == set(measures)
    assert min(asked.values()) >= LEAST, asked


def test_exemptions_are_of_properties_and_measures_that_exist() -> None:
    assert EXEMPT.keys() <= PROPERTIES.keys()
    for some in EXEMPT.values():
        for name in some:
            assert any(v == name or v.startswith(name.rstrip("*")) for v in variants()), name


@pytest.mark.parametrize("rule", PROPERTIES)
def test_property(rule: str) -> None:
    check(rule, failures(rule, range(EXAMPLES)))


@pytest.mark.slow
@pytest.mark.parametrize("rule", PROPERTIES)
def test_property_in_a_thousand_examples(rule: str) -> None:
    wrong = failures(rule, range(10_000, 10_000 + MANY))
    check(rule, wrong)
    needed = {name for name in EXEMPT.get(rule, {}) for w in wrong if matches(name, w)}
    assert needed == EXEMPT.get(rule, {}).keys(), "exempt without need"
