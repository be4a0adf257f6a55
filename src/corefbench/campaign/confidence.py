"""How sure a ranking is: an interval for every system, a test of each against the next.

Intervals are percentiles of a bootstrap over documents; the test is paired approximate
randomisation, of all ways to swap documents where they are few. Seed and number of resamples are
fixed, so that the same submissions always give the same board. Systems that were not scored on the
same documents are not tested against each other.
"""

from corefbench.campaign.domain.headline import Headline
from corefbench.record import Record
from corefbench.stats.significance import percentiles, randomisation_p, resampled

CONFIDENCE = 0.95
ALPHA = 0.05
SAMPLES = 2_000
SEED = 0


class Interval(Record, frozen=True):
    """Of one score."""

    low: float
    high: float


def interval(system: Headline) -> Interval | None:
    """Where the score would be with other documents; None where there are too few to tell."""
    if len(system.documents) < 2:
        return None
    (draws,) = resampled([system.tallies], system.statistic, SAMPLES, SEED)
    low, high = percentiles(draws, CONFIDENCE)
    return Interval(low=float(low[0]), high=float(high[0]))


def p_of_difference(one: Headline, other: Headline) -> float | None:
    """How often chance makes a difference as large; None where the two cannot be compared."""
    if len(one.documents) < 2 or one.documents != other.documents:
        return None
    tallies = [one.tallies, other.tallies]
    return float(randomisation_p(tallies, [(0, 1)], one.statistic, SAMPLES, SEED)[0, 0])
