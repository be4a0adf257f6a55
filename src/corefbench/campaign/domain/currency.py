"""Whether scores were made as the campaign says today, or by an earlier profile or version."""

from collections.abc import Mapping

from corefbench.campaign.domain.definition import Task
from corefbench.campaign.domain.scores import are_number
from corefbench.errors import UsageError
from corefbench.scoring.choosing import customised, described
from corefbench.scoring.signature import Signature
from corefbench.version import __version__

_ARE = {"average": "macro", "weighting": "mean"}


def is_current(task: Task, signature: str, *, any_version: bool = False) -> bool:
    """Whether scoring again would be done in the same way, by the same version or by any.

    >>> task = Task(name="a", title="A", scored="are-1")
    >>> made = f"are-1|average:macro|key:k@1|version:{__version__}"
    >>> is_current(task, made), is_current(task, made.replace("macro", "micro"))
    (True, False)
    """
    if not any_version and f"|version:{__version__}" not in signature:
        return False
    if are_number(task):
        return _is_current_exercise(task, signature)
    profile = customised(task.scored, task.choices)
    try:
        found = Signature.parse(signature)
    except UsageError:
        return False
    return (found.profile, found.choices) == (profile.name, described(profile))


def _is_current_exercise(task: Task, signature: str) -> bool:
    first, *rest = signature.split("|")
    fields: Mapping[str, str] = dict(one.partition(":")[::2] for one in rest)
    wanted = {name: task.choices.get(name, usual) for name, usual in _ARE.items()}
    return first == task.scored and all(
        fields.get(name, value) == value for name, value in wanted.items()
    )
