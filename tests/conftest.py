"""What all tests share: the way to ``tests.…`` and how long Hypothesis looks for counterexamples.

The normal run is the same every time, 100 examples a property. ``-m slow`` runs the properties
again, 1,000 random examples each, as does ``COREFBENCH_HYPOTHESIS=thorough``.
"""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

_COMMON = {
    "deadline": None,
    "database": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.differing_executors],
}
settings.register_profile("quick", max_examples=100, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=1_000, **_COMMON)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Analyses are kept among the other files of the tests, not in the user's folder."""
    os.environ["COREFBENCH_CACHE"] = str(tmp_path_factory.mktemp("cache"))


def pytest_configure(config: pytest.Config) -> None:
    wanted = os.environ.get("COREFBENCH_HYPOTHESIS", "thorough" if _only_slow(config) else "quick")
    settings.load_profile(wanted)


def pytest_itemcollected(item: pytest.Item) -> None:
    if _only_slow(item.config) and "properties" in item.path.parts:
        item.add_marker(pytest.mark.slow)


def _only_slow(config: pytest.Config) -> bool:
    return str(config.getoption("markexpr")).strip() == "slow"
