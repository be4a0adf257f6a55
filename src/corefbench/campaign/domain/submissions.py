"""Rules of submissions: states, quota, admission and receipts.

queued ──▶ scoring ──▶ scored        there are scores
  ▲           │  ├───▶ invalid       the answers cannot be scored; the participant has to fix them
  └───────────┘  └───▶ failed        the platform gave up; the quota is refunded
 lost lease, rescoring

``scored``, ``invalid`` and ``failed`` return to ``queued`` when a profile changes or a problem of
the platform is fixed. At any time the team may withdraw a submission and an organiser may
disqualify it; both are final, and neither is ranked. Only a failed submission cannot be withdrawn:
its quota was refunded, and withdrawing it would use it again.

Submissions of a team for one task of one phase count against the quota unless the platform failed.
The time that counts is that of the server's clock when the last byte of the answers has arrived; it
is on the receipt. Accepted is what arrives from ``opens`` on and before ``closes`` and, if the team
has a window, before the window closes. Nothing is rounded.
"""

import hashlib
import hmac
from collections.abc import Iterable
from datetime import datetime
from typing import Literal, TypeAlias, get_args

import msgspec

from corefbench.campaign.domain.config import Phase, Quota
from corefbench.campaign.domain.times import format_time, start_of_day
from corefbench.errors import UsageError
from corefbench.records import Record

SubmissionState: TypeAlias = Literal["queued", "scoring", "scored", "invalid", "failed", "withdrawn", "disqualified"]
SUBMISSION_STATES: tuple[SubmissionState, ...] = get_args(SubmissionState)
FINAL_STATES: frozenset[SubmissionState] = frozenset({"withdrawn", "disqualified"})
TRANSITIONS: dict[SubmissionState, frozenset[SubmissionState]] = {
    "queued": frozenset({"scoring", *FINAL_STATES}),
    "scoring": frozenset({"queued", "scored", "invalid", "failed", *FINAL_STATES}),
    "scored": frozenset({"queued", *FINAL_STATES}),
    "invalid": frozenset({"queued", *FINAL_STATES}),
    "failed": frozenset({"queued"}),
    "withdrawn": frozenset(),
    "disqualified": frozenset(),
}
RANKED_STATES: frozenset[SubmissionState] = frozenset({"scored", "queued", "scoring"})
"""States that are on a board; while rescoring, with the earlier evaluation."""
REFUNDED_STATES: frozenset[SubmissionState] = frozenset({"failed"})
"""States that do not count against the quota, because the platform failed."""


def can_transition(state: SubmissionState, new_state: SubmissionState) -> bool:
    """Return whether a submission may change from one state to another.

    >>> can_transition("scoring", "queued"), can_transition("withdrawn", "queued")
    (True, False)
    """
    return new_state in TRANSITIONS[state]


def transition(state: SubmissionState, new_state: SubmissionState) -> SubmissionState:
    """Return the new state; raise if the change is not allowed."""
    if not can_transition(state, new_state):
        raise UsageError(f"a submission that is {state} cannot become {new_state}", code="CB307")
    return new_state


class RemainingQuota(Record, frozen=True):
    """Number of submissions left; None if there is no limit."""

    total: int | None
    day: int | None

    @property
    def any(self) -> bool:
        """Return whether at least one submission is left.

        >>> RemainingQuota(total=3, day=0).any, RemainingQuota(total=None, day=None).any
        (False, True)
        """
        return self.total != 0 and self.day != 0


def compute_remaining_quota(quota: Quota, charged: Iterable[datetime], now: datetime) -> RemainingQuota:
    """Return what is left after the submissions that arrived at these times."""
    times = list(charged)
    # The day of the server, in UTC: teams all over the world get the same number of submissions.
    today = sum(start_of_day(time) == start_of_day(now) for time in times)
    return RemainingQuota(
        total=max(quota.total - len(times), 0) if quota.total else None,
        day=max(quota.day - today, 0) if quota.day else None,
    )


class Refusal(Record, frozen=True):
    """Why something is refused."""

    code: str
    message: str
    remedy: str = ""


class Eligibility(Record, frozen=True):
    """What the rules look at, for a team and a task in a phase."""

    approved: bool
    window_closes: datetime | None = None
    """When the window of the team closes; None before its first download."""
    charged: tuple[datetime, ...] = ()
    """When the submissions arrived that count against the quota."""
    frozen: bool = False


def check_admission(phase: Phase, eligibility: Eligibility, arrived: datetime) -> Refusal | None:
    """Return why a submission is refused; None if it is accepted."""
    if not eligibility.approved:
        return Refusal(
            code="CB301", message="the team is not approved", remedy="wait for the organisers, or write to them"
        )
    return (
        check_phase_open(phase, arrived)
        or _check_frozen(eligibility)
        or _check_window(phase, eligibility.window_closes, arrived)
        or _check_quota(phase, eligibility.charged, arrived)
    )


def check_phase_open(phase: Phase, time: datetime) -> Refusal | None:
    """Return why uploads and downloads are refused at this time; None if the phase is open."""
    if time < phase.opens:
        return Refusal(code="CB302", message=f"{phase.title} opens at {format_time(phase.opens)}")
    if time >= phase.closes:
        return Refusal(
            code="CB303",
            message=f"{phase.title} closed at {format_time(phase.closes)}; this arrived at {format_time(time)}",
        )
    return None


def _check_frozen(eligibility: Eligibility) -> Refusal | None:
    if not eligibility.frozen:
        return None
    return Refusal(code="CB306", message="the organisers have frozen the campaign")


def _check_window(phase: Phase, closes: datetime | None, arrived: datetime) -> Refusal | None:
    if phase.window is None:
        return None
    if closes is None:
        return Refusal(
            code="CB304",
            message="the data has not been downloaded",
            remedy="download it first: the window opens with the first download",
        )
    if arrived >= closes:
        return Refusal(
            code="CB304", message=f"the window closed at {format_time(closes)}; this arrived at {format_time(arrived)}"
        )
    return None


def _check_quota(phase: Phase, charged: Iterable[datetime], arrived: datetime) -> Refusal | None:
    remaining = compute_remaining_quota(phase.quota, charged, arrived)
    if remaining.any:
        return None
    if remaining.total == 0:
        return Refusal(code="CB305", message=f"all {phase.quota.total} submissions of the phase are used")
    return Refusal(
        code="CB305",
        message=f"all {phase.quota.day} submissions of the day are used",
        remedy="the next day begins at midnight UTC",
    )


def compute_window_end(phase: Phase, opened: datetime) -> datetime | None:
    """Return when a window closes: never after the phase; None if the phase has no window."""
    return None if phase.window is None else min(opened + phase.window, phase.closes)


class Receipt(Record, frozen=True):
    """Proof of a submission or a download."""

    what: str
    """``submission`` or ``download``."""
    number: str
    """Id of the submission or download."""
    team: str
    phase: str
    task: str
    sha256: str
    bytes: int
    time: str
    """UTC, to the microsecond: the time that is compared with the deadline."""
    seal: str = ""


def sign_receipt(receipt: Receipt, secret: bytes) -> Receipt:
    """Return the receipt with its seal: HMAC-SHA256 over all other fields."""
    return msgspec.structs.replace(receipt, seal=_compute_seal(receipt, secret))


def is_genuine(receipt: Receipt, secret: bytes) -> bool:
    """Return whether the seal was made by the server for these fields.

    >>> receipt = Receipt(what="submission", number="s1", team="t", phase="p", task="a",
    ...                   sha256="00", bytes=1, time="2026-03-01T00:00:00.000000Z")
    >>> is_genuine(sign_receipt(receipt, b"secret"), b"secret"), is_genuine(receipt, b"secret")
    (True, False)
    """
    return hmac.compare_digest(receipt.seal.encode(), _compute_seal(receipt, secret).encode())


def _compute_seal(receipt: Receipt, secret: bytes) -> str:
    # The encoding is that of the record: fields in their order, no white space. It must not change.
    bare = msgspec.json.encode(msgspec.structs.replace(receipt, seal=""))
    return hmac.new(secret, bare, hashlib.sha256).hexdigest()
