"""The life of a submission.

queued ──▶ scoring ──▶ scored        the scores are there
  ▲           │  ├───▶ invalid       the answers cannot be scored: the participant's to mend
  └───────────┘  └───▶ failed        the platform gave up: the quota is given back
 lost lease, rescoring

``scored``, ``invalid`` and ``failed`` go back to ``queued`` when a profile changes or a fault is
mended. At any time the team may withdraw a submission and an organiser disqualify one; neither is
undone, and what was withdrawn or disqualified is never ranked. Only one that failed cannot be: its
quota was given back, and withdrawing it would use it a second time.
"""

from typing import Literal, TypeAlias

from corefbench.errors import UsageError

State: TypeAlias = Literal[
    "queued", "scoring", "scored", "invalid", "failed", "withdrawn", "disqualified"
]
STATES: tuple[State, ...] = (
    "queued",
    "scoring",
    "scored",
    "invalid",
    "failed",
    "withdrawn",
    "disqualified",
)
ENDED: frozenset[State] = frozenset({"withdrawn", "disqualified"})
TRANSITIONS: dict[State, frozenset[State]] = {
    "queued": frozenset({"scoring", *ENDED}),
    "scoring": frozenset({"queued", "scored", "invalid", "failed", *ENDED}),
    "scored": frozenset({"queued", *ENDED}),
    "invalid": frozenset({"queued", *ENDED}),
    "failed": frozenset({"queued"}),
    "withdrawn": frozenset(),
    "disqualified": frozenset(),
}
SHOWN: frozenset[State] = frozenset({"scored", "queued", "scoring"})
"""What is on a board, where it has an evaluation: that of before, while it is rescored."""
REFUNDED: frozenset[State] = frozenset({"failed"})
"""What does not count against a quota: the platform was at fault."""


def may_become(now: State, then: State) -> bool:
    """Whether the step is one of the above.

    >>> may_become("scoring", "queued"), may_become("withdrawn", "queued")
    (True, False)
    """
    return then in TRANSITIONS[now]


def become(now: State, then: State) -> State:
    """The next state, or a clear refusal."""
    if not may_become(now, then):
        raise UsageError(f"a submission that is {now} cannot become {then}", code="CB307")
    return then
