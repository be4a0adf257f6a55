"""The scores that a task gives, and which of them ranks."""

from corefbench.campaign.domain.definition import Task
from corefbench.errors import UnknownName
from corefbench.scoring.choosing import customised

_ARE = {"are-1": "success_rate", "are-2": "muc", "are-3": "overlap", "are-4": "overlap"}
"""What the exercise counts: answered pronouns, links, and both weighted by overlap."""


def are_number(task: Task) -> int:
    """Which of the exercise's tasks it is; 0 where it is none of them.

    >>> are_number(Task(name="a", title="A", scored="are-3"))
    3
    """
    return int(task.scored.removeprefix("are-")) if task.scored in _ARE else 0


def score_names(task: Task) -> list[str]:
    """The scores that may rank, that which does so unless told otherwise first.

    >>> score_names(Task(name="a", title="A", scored="are-1"))
    ['success_rate']
    """
    if task.scored in _ARE:
        return [_ARE[task.scored]]
    profile = customised(task.scored, task.choices)
    names = list(profile.measures)
    has_average = bool(profile.conll) and set(profile.conll) <= set(names)
    return ["conll", *names] if has_average else names


def ranking_score(task: Task) -> str:
    """The score that ranks."""
    known = score_names(task)
    if task.rank and task.rank not in known:
        raise UnknownName("score to rank by", task.rank, known)
    return task.rank or known[0]
