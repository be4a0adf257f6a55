"""What all tests share: the path to ``tests.…``, how long Hypothesis searches, where doctests are.

The normal run is the same every time, 30 examples a property. ``-m slow`` runs the properties
again, 1,000 random examples each, as does ``COREFBENCH_HYPOTHESIS=thorough``.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# One thread per process, said before NumPy or torch are imported: as many workers as cores run these
# tests, and threads that wait for a core spin. On two busy cores, boosting took 15 times as long.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

_COMMON = {
    "deadline": None,
    "database": None,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.differing_executors],
}
settings.register_profile("quick", max_examples=30, derandomize=True, **_COMMON)
settings.register_profile("thorough", max_examples=1_000, **_COMMON)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Analyses are kept among the other files of the tests, not in the user's folder."""
    os.environ["COREFBENCH_CACHE"] = str(tmp_path_factory.mktemp("cache"))


def pytest_configure(config: pytest.Config) -> None:
    wanted = os.environ.get("COREFBENCH_HYPOTHESIS", "thorough" if _only_slow(config) else "quick")
    settings.load_profile(wanted)
    config.pluginmanager.register(OnlyWhereDoctestsAre())


class OnlyWhereDoctestsAre:
    """Look for doctests in files that have some.

    ``--doctest-modules`` alone imports every module of ``src`` and inspects every test a second time,
    in each worker. A plug-in because hooks of this file would see ``tests`` only.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Iterator[None]:
        collectors = yield
        if file_path.suffix == ".py" and ">>>" not in file_path.read_text(encoding="utf-8"):
            return [collector for collector in collectors if type(collector) is pytest.Module]
        return collectors


def pytest_itemcollected(item: pytest.Item) -> None:
    is_property = "properties" in item.path.parts or hasattr(getattr(item, "obj", None), "hypothesis")
    if _only_slow(item.config) and is_property:
        item.add_marker(pytest.mark.slow)


def _only_slow(config: pytest.Config) -> bool:
    return str(config.getoption("markexpr")).strip() == "slow"
