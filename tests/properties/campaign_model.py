"""What a campaign should be after what was done to it: written down plainly, without a database.

The rules are stated here once more, in other words than in ``corefbench.campaign.domain``, so that
a fault of the one is not a fault of the other.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from corefbench.campaign.domain.config import Campaign, Phase


@dataclass
class ModelTeam:
    id: str
    name: str
    person: str
    state: str = "applied"
    windows: dict[tuple[str, str], datetime] = field(default_factory=dict)


@dataclass
class ModelSubmission:
    id: str
    team: str
    phase: str
    task: str
    sha256: str
    received: datetime
    request: str | None
    state: str = "queued"
    attempts: int = 0
    worker: str | None = None
    lease: datetime | None = None
    answers: str | None = None
    """Which answers it was last scored as; while it is scored again, too."""


@dataclass
class Model:
    campaign: Campaign
    teams: dict[str, ModelTeam] = field(default_factory=dict)
    submissions: dict[str, ModelSubmission] = field(default_factory=dict)
    published: set[str] = field(default_factory=set)
    frozen: bool = False
    pseudonyms: dict[tuple[str, str], str] = field(default_factory=dict)
    """Of a team in a phase: as they were drawn."""

    def charged(self, team: str, phase: str, task: str) -> list[ModelSubmission]:
        """What counts against the quota: everything but what the platform failed."""
        return [
            one
            for one in self.submissions.values()
            if (one.team, one.phase, one.task) == (team, phase, task) and one.state != "failed"
        ]

    def has_place(self, team: str, phase: Phase, task: str, day: datetime) -> bool:
        used = self.charged(team, phase.name, task)
        today = [one for one in used if one.received.date() == day.date()]
        return not (
            (phase.quota.total and len(used) >= phase.quota.total)
            or (phase.quota.day and len(today) >= phase.quota.day)
        )

    def refusal(self, team: ModelTeam, phase: Phase, task: str, now: datetime) -> str | None:
        """The code with which answers are refused."""
        if team.state != "approved":
            return "CB301"
        if now < phase.opens:
            return "CB302"
        if not now < phase.closes:
            return "CB303"
        if self.frozen:
            return "CB306"
        if phase.window_hours and not now < team.windows.get((phase.name, task), now):
            return "CB304"
        return None if self.has_place(team.id, phase, task, now) else "CB305"

    def download_refusal(self, team: ModelTeam, phase: Phase, now: datetime) -> str | None:
        if team.state != "approved":
            return "CB301"
        if now < phase.opens:
            return "CB302"
        return None if now < phase.closes else "CB303"

    def open_window(self, team: ModelTeam, phase: Phase, task: str, now: datetime) -> None:
        if phase.window_hours:
            closes = min(now + timedelta(hours=phase.window_hours), phase.closes)
            team.windows.setdefault((phase.name, task), closes)

    def queue(self) -> list[ModelSubmission]:
        waiting = [one for one in self.submissions.values() if one.state == "queued"]
        return sorted(waiting, key=lambda one: (one.received, one.id))

    def tried(self, one: ModelSubmission, attempts: int) -> None:
        """A lease was lost, or the platform failed."""
        one.state = "queued"
        if one.attempts >= attempts:  # what had scores is left as it was
            one.state = "scored" if one.answers else "failed"
        one.worker = one.lease = None

    def sees_board(self, role: str, phase: Phase, now: datetime) -> bool:
        released = phase.scores == "at-once" or (phase.scores == "at-close" and not now < phase.closes)
        return role == "organiser" or phase.name in self.published or (role == "participant" and released)

    def board(
        self, role: str, team: str, phase: Phase, task: str, scores: dict[str, tuple[float, float]]
    ) -> list[tuple[int, str, float]]:
        """Rank, name and score; ``scores`` has those of all documents and of the public share."""
        open_to_all = phase.name in self.published
        whole = role == "organiser" or open_to_all or phase.public == 1
        best: dict[str, tuple[float, ModelSubmission]] = {}
        for one in sorted(self.submissions.values(), key=lambda one: (one.received, one.id)):
            if (one.phase, one.task) != (phase.name, task) or one.answers is None:
                continue
            if one.state in ("withdrawn", "disqualified"):
                continue
            score = scores[one.answers][0 if whole else 1]
            if one.team not in best or score > best[one.team][0]:
                best[one.team] = (score, one)
        order = sorted(best.values(), key=lambda entry: (-entry[0], entry[1].received, entry[1].id))
        named = role == "organiser" or open_to_all
        return [
            (
                1 + sum(other > score for other, _ in order),
                self.teams[one.team].name if named or one.team == team else self.pseudonyms[one.team, phase.name],
                score,
            )
            for score, one in order
        ]

    def copy_of(self, id: str) -> ModelSubmission:
        return replace(self.submissions[id])
