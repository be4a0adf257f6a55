"""Health checks and Prometheus metrics.

Labels are names of routes, states, phases and tasks; nothing about people or teams.
"""

import logging
import os
import shutil
from collections.abc import Iterator
from time import perf_counter

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from corefbench.campaign.jobs.sandbox import inspect_sandbox
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.monitoring import Activity, get_activity
from corefbench.campaign.storage.tables import settings
from corefbench.campaign.views.auth import Visitor
from corefbench.web.pages import Query
from corefbench.web.responses import FileContent

MIN_FREE_BYTES = 64 << 20
"""Free space below which the server is not ready: an upload and its scores may need as much."""
_log = logging.getLogger("corefbench.campaign")
_REGISTRY = CollectorRegistry()
_REQUESTS = Counter("corefbench_requests", "Requests by route and status.", ["route", "status"], registry=_REGISTRY)
_REQUEST_SECONDS = Histogram(
    "corefbench_request_seconds",
    "Time to answer, by route.",
    ["route"],
    registry=_REGISTRY,
    buckets=(0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)


class RequestTimer:
    """Measures a request: ``with RequestTimer("submit") as timer: … timer.status = 201``."""

    def __init__(self, route: str) -> None:
        self._route = route
        self.status = 500

    def __enter__(self) -> "RequestTimer":
        self._start = perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        seconds = perf_counter() - self._start
        _REQUEST_SECONDS.labels(self._route).observe(seconds)
        _log.debug("answered", extra={"route": self._route, "status": self.status, "seconds": seconds})
        _REQUESTS.labels(self._route, str(self.status)).inc()


def render_metrics(platform: Platform) -> bytes:
    """Return all metrics in the format of Prometheus."""
    now = platform.clock()
    with platform.database.read() as connection:
        activity = get_activity(connection, now)
    since = activity.waiting_since
    waiting = (now - since).total_seconds() if since else 0.0
    state = CollectorRegistry()
    state.register(_CampaignCollector(activity, waiting))
    return generate_latest(_REGISTRY) + generate_latest(state)


class _CampaignCollector(Collector):
    """Gauges of the current state of the campaign."""

    def __init__(self, activity: Activity, waiting: float) -> None:
        self._activity, self._waiting = activity, waiting

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield one gauge after the other."""
        submissions = GaugeMetricFamily("corefbench_submissions", "Submissions.", labels=["phase", "task", "state"])
        for row in self._activity.places:
            for state, count in row.counts.items():
                submissions.add_metric([row.phase, row.task, state], count)
        yield submissions
        yield GaugeMetricFamily("corefbench_queue", "Submissions that wait.", value=self._activity.queued)
        yield GaugeMetricFamily("corefbench_queue_seconds", "How long the oldest has waited.", value=self._waiting)
        leases = GaugeMetricFamily("corefbench_leases", "Submissions that are being scored.", labels=["lost"])
        for lost in (False, True):
            count = sum(lease.lost == lost for lease in self._activity.leases)
            leases.add_metric([str(lost).lower()], count)
        yield leases
        teams = GaugeMetricFamily("corefbench_teams", "Teams.", labels=["state"])
        for name, count in self._activity.teams.items():
            teams.add_metric([name], count)
        yield teams


def metrics_file(platform: Platform, visitor: Visitor, query: Query) -> FileContent:
    """Return all metrics."""
    return FileContent(body=render_metrics(platform), media_type=CONTENT_TYPE_LATEST)


def health_file(platform: Platform, visitor: Visitor, query: Query) -> FileContent:
    """Return as JSON whether the server is ready, and which protections its scoring processes have."""
    missing = _missing_service(platform)
    report = {
        "ready": not missing,
        "missing": missing,
        "sandbox": {protection.name: protection.active for protection in inspect_sandbox()},
    }
    return FileContent(body=msgspec.json.encode(report), media_type="application/json", status=503 if missing else 200)


def liveness_file(platform: Platform, visitor: Visitor, query: Query) -> FileContent:
    """Return that the server runs."""
    return FileContent(body=b"alive\n", media_type="text/plain; charset=utf-8")


def readiness_file(platform: Platform, visitor: Visitor, query: Query) -> FileContent:
    """Return whether the server can accept submissions, or what is missing."""
    missing = _missing_service(platform)
    body = f"not ready: {missing}\n" if missing else "ready\n"
    return FileContent(body=body.encode(), media_type="text/plain; charset=utf-8", status=503 if missing else 200)


def _missing_service(platform: Platform) -> str:
    try:
        with platform.database.read() as connection:
            connection.execute(select(settings.c.name).limit(1))
    except SQLAlchemyError:
        return "the database does not answer"
    if not os.access(platform.files.folder, os.W_OK):
        return "the folder of files cannot be written"
    if shutil.disk_usage(platform.files.folder).free < MIN_FREE_BYTES:
        return f"the disk is full: less than {MIN_FREE_BYTES >> 20} MB are free"
    return ""
