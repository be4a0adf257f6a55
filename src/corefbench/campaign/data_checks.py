"""The files of a campaign, opened: keys that load, inputs that hold no key, scores that exist."""

from collections.abc import Iterator
from pathlib import Path

from corefbench.campaign.domain.definition import Campaign, Data, Phase, Task
from corefbench.campaign.domain.scores import are_number, score_names
from corefbench.campaign.faults import Fault
from corefbench.campaign.file_checks import checked_files, there
from corefbench.errors import CorefbenchError


def data_faults(campaign: Campaign, folder: Path) -> Iterator[Fault]:
    """What is wrong with tasks and files of a definition that is sound."""
    unknown = set()
    for number, task in enumerate(campaign.tasks):
        for fault in _task(task, ("tasks", number)):
            unknown.add(task.name)
            yield fault
        if not any(data.task == task.name for phase in campaign.phases for data in phase.data):
            yield Fault(
                path=("tasks", number),
                message="no phase has data of the task",
                found=task.name,
                severity="warning",
            )
    yield from missing_files(campaign, folder)
    for number, phase in enumerate(campaign.phases):
        yield from _order(campaign, number)
        for place, data in enumerate(phase.data):
            path = ("phases", number, "data", place)
            if data.task not in unknown:
                yield from checked_files(campaign.task(data.task), data, folder, path)
            yield from _shown_before(campaign, phase, data, folder, (*path, "key"))


def _task(task: Task, path: tuple[str | int, ...]) -> Iterator[Fault]:
    try:
        known = score_names(task)
    except CorefbenchError as error:
        yield Fault(
            path=(*path, "scored"),
            message=error.message,
            found=error.found,
            expected=error.expected,
            remedy=error.remedy,
        )
        return
    if are_number(task) and task.choices:
        yield Fault(path=(*path, "choices"), message="the exercise's tasks have no choices")
    if task.rank and task.rank not in known:
        yield Fault(
            path=(*path, "rank"),
            message="there is no such score to rank by",
            found=task.rank,
            expected=", ".join(known),
        )


def _order(campaign: Campaign, number: int) -> Iterator[Fault]:
    if number and campaign.phases[number].opens < campaign.phases[number - 1].opens:
        yield Fault(
            path=("phases", number, "opens"),
            message="the phase opens before the one that is listed above it",
            found=campaign.phases[number].name,
            severity="warning",
        )


def missing_files(campaign: Campaign, folder: Path) -> Iterator[Fault]:
    """Files that are not there, or too large; the files themselves are not opened."""
    for number, phase in enumerate(campaign.phases):
        for place, data in enumerate(phase.data):
            path = ("phases", number, "data", place)
            yield from there(folder / data.key, (*path, "key"))
            if data.input:
                yield from there(folder / data.input, (*path, "input"), is_file=True)


def _shown_before(
    campaign: Campaign, phase: Phase, data: Data, folder: Path, path: tuple[str | int, ...]
) -> Iterator[Fault]:
    """Whether the key of a blind phase is that of one that shows errors."""
    for other in campaign.phases:
        for theirs in other.data:
            if phase.blind and not other.blind and _same(folder / data.key, folder / theirs.key):
                yield Fault(
                    path=path,
                    message="the key of the blind phase is that of a phase that shows errors",
                    found=f"{data.key}, {other.name}",
                    severity="warning",
                )


def _same(one: Path, other: Path) -> bool:
    import filecmp

    both = one.is_file() and other.is_file()
    return both and filecmp.cmp(one, other, shallow=False)
