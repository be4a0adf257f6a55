"""The rankings from scratch: only the answers that were sent, the keys, and the scorer."""

from pathlib import Path
from typing import NamedTuple

from corefbench.tasks.are.score import score_task


class Sent(NamedTuple):
    """Answers that the server took."""

    number: str
    team: str
    phase: str
    task: str
    content: bytes
    order: int


class Place(NamedTuple):
    """A line of a board."""

    rank: int
    team: str
    score: float


def ranking(sent: list[Sent], key: Path) -> list[Place]:
    """The best of every team, best first; equal scores share a rank, the earlier stands first."""
    best: dict[str, tuple[float, int]] = {}
    for one in sorted(sent, key=lambda one: one.order):
        score = _score(one, key)
        if one.team not in best or score > best[one.team][0] + 1e-12:
            best[one.team] = (score, one.order)
    order = sorted(best.items(), key=lambda item: (-item[1][0], item[1][1]))
    places: list[Place] = []
    for number, (team, (score, _)) in enumerate(order, start=1):
        ties = bool(places) and places[-1].score - score <= 1e-12
        places.append(Place(places[-1].rank if ties else number, team, score))
    return places


def _score(one: Sent, key: Path) -> float:
    task = int(one.task.removeprefix("task-"))
    result = score_task(task, key, one.content)
    return result.success_rate if task == 1 else result.score.f1
