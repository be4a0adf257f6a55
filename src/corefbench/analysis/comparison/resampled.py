"""All figures of all systems in the same resamples, and the p-values of all pairs."""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from corefbench.analysis.comparison.records import Estimate
from corefbench.analysis.comparison.sampled import Sampled
from corefbench.analysis.comparison.settings import Settings
from corefbench.record import Columns, Floats
from corefbench.stats.resampling import is_enumerable
from corefbench.stats.significance import bootstrap_p, percentiles, randomisation_p, resampled


class Resampled(Columns, frozen=True, eq=False):
    """What came of it; without draws and p-values where there is one document."""

    confidence: float
    exact: bool
    """Whether p-values are of all ways to swap documents."""
    observed: list[Floats]
    """The figures of each system …"""
    draws: list[Floats] | None
    """… and those of its resamples: resamples × figures."""
    p_values: Floats | None
    """Pairs × figures."""

    def estimates(self, system: int) -> list[Estimate]:
        """The figures of one system with their intervals."""
        draws = None if self.draws is None else self.draws[system]
        return self._with_intervals(self.observed[system], draws)

    def differences(self, one: int, two: int) -> list[Estimate]:
        """The differences of two systems with their intervals."""
        draws = None if self.draws is None else self.draws[one] - self.draws[two]
        return self._with_intervals(self.observed[one] - self.observed[two], draws)

    def _with_intervals(self, values: Floats, draws: Floats | None) -> list[Estimate]:
        if draws is None:
            return [Estimate(value=value) for value in values.tolist()]
        low, high = percentiles(draws, self.confidence)
        rows = zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
        return [Estimate(value=value, low=a, high=b) for value, a, b in rows]


def resample(
    systems: Sequence[Sampled], settings: Settings, advance: Callable[[int], None] | None = None
) -> Resampled:
    """Draw, swap and test; systems have the same documents and figures."""
    tallies, statistic = [system.tallies for system in systems], systems[0].statistic
    observed = [statistic(values.sum(axis=0, keepdims=True))[0] for values in tallies]
    documents = len(tallies[0])
    if documents < 2:
        return Resampled(
            confidence=settings.confidence,
            exact=False,
            observed=observed,
            draws=None,
            p_values=None,
        )
    draws = resampled(tallies, statistic, settings.samples, settings.seed)
    pairs = list(combinations(range(len(systems)), 2))
    randomised = settings.test == "randomization"
    if not pairs:
        p_values = None
    elif randomised:
        p_values = randomisation_p(
            tallies, pairs, statistic, settings.samples, settings.seed, advance
        )
    else:
        p_values = np.array(
            [bootstrap_p(observed[a] - observed[b], draws[a] - draws[b]) for a, b in pairs]
        )
    return Resampled(
        confidence=settings.confidence,
        exact=randomised and is_enumerable(documents, settings.samples),
        observed=observed,
        draws=draws,
        p_values=p_values,
    )
