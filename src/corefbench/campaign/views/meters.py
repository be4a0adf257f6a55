"""What the server counts: requests and how long they took, and the state of the campaign.

Labels are names of routes, states, phases and tasks; nothing about people or teams.
"""

import logging
from collections.abc import Iterator
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.monitoring import Activity, activity

_log = logging.getLogger("corefbench.campaign")
_REGISTRY = CollectorRegistry()
_REQUESTS = Counter(
    "corefbench_requests", "Requests by route and status.", ["route", "status"], registry=_REGISTRY
)
_SECONDS = Histogram(
    "corefbench_request_seconds",
    "Time to answer, by route.",
    ["route"],
    registry=_REGISTRY,
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)


class Timed:
    """Counts a request when it is over: ``with Timed("submit") as timed: … timed.status = 201``."""

    def __init__(self, route: str) -> None:
        self._route = route
        self.status = 500

    def __enter__(self) -> "Timed":
        self._began = perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        took = perf_counter() - self._began
        _SECONDS.labels(self._route).observe(took)
        _log.debug("answered", extra={"route": self._route, "status": self.status, "seconds": took})
        _REQUESTS.labels(self._route, str(self.status)).inc()


def written(platform: Platform) -> bytes:
    """All of it, as Prometheus reads it."""
    now = platform.clock()
    with platform.database.read() as connection:
        found = activity(connection, now)
    waiting = (now - found.waiting_since).total_seconds() if found.waiting_since else 0.0
    state = CollectorRegistry()
    state.register(_State(found, waiting))
    return generate_latest(_REGISTRY) + generate_latest(state)


class _State(Collector):
    """The campaign at this moment."""

    def __init__(self, found: Activity, waiting: float) -> None:
        self._found, self._waiting = found, waiting

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """One gauge after the other."""
        submissions = GaugeMetricFamily(
            "corefbench_submissions", "Submissions.", labels=["phase", "task", "state"]
        )
        for place in self._found.places:
            for state, count in place.counts.items():
                submissions.add_metric([place.phase, place.task, state], count)
        yield submissions
        yield GaugeMetricFamily(
            "corefbench_queue", "Submissions that wait.", value=self._found.queued
        )
        yield GaugeMetricFamily(
            "corefbench_queue_seconds", "How long the oldest has waited.", value=self._waiting
        )
        leases = GaugeMetricFamily(
            "corefbench_leases", "Submissions that are being scored.", labels=["lost"]
        )
        for lost in (False, True):
            count = sum(lease.lost == lost for lease in self._found.leases)
            leases.add_metric([str(lost).lower()], count)
        yield leases
        teams = GaugeMetricFamily("corefbench_teams", "Teams.", labels=["state"])
        for name, count in self._found.teams.items():
            teams.add_metric([name], count)
        yield teams
