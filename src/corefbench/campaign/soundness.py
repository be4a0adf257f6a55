"""What a definition must keep to, whatever is in its files.

Names go into addresses, file names and the database, and paths may not leave the folder.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from corefbench.campaign.domain.definition import Campaign, Phase, Task
from corefbench.campaign.faults import Fault

_YEARS = range(1990, 3000)
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,47}")


def faults(campaign: Campaign, folder: Path) -> Iterator[Fault]:
    """All faults that are seen without opening a file."""
    yield from _names(campaign)
    for number, task in enumerate(campaign.tasks):
        if not task.title.strip():
            yield Fault(path=("tasks", number, "title"), message="the task has no title")
    for number, phase in enumerate(campaign.phases):
        yield from _times(phase, ("phases", number))
        yield from _bounds(phase, ("phases", number))
        yield from _data(campaign, phase, folder, ("phases", number))


def _names(campaign: Campaign) -> Iterator[Fault]:
    yield from _name(campaign.name, ("name",))
    lists: dict[str, tuple[Task | Phase, ...]] = {
        "tasks": campaign.tasks,
        "phases": campaign.phases,
    }
    for kind, named in lists.items():
        if not named:
            yield Fault(path=(kind,), message=f"the campaign has no {kind}")
        count = Counter(one.name for one in named)
        for number, one in enumerate(named):
            yield from _name(one.name, (kind, number, "name"))
            if count[one.name] > 1:
                yield Fault(
                    path=(kind, number, "name"), message="the name occurs twice", found=one.name
                )


def _name(name: str, path: tuple[str | int, ...]) -> Iterator[Fault]:
    if not _NAME.fullmatch(name):
        yield Fault(
            path=path,
            message="the name cannot be used in addresses",
            found=repr(name),
            expected="at most 48 of a–z, 0–9, dot, hyphen and underscore, a letter or digit first",
        )


def _times(phase: Phase, path: tuple[str | int, ...]) -> Iterator[Fault]:
    for name, time in (("opens", phase.opens), ("closes", phase.closes)):
        if time.tzinfo is None:
            yield Fault(
                path=(*path, name),
                message="the time has no zone",
                found=time.isoformat(),
                expected=f"{time.isoformat()}Z for UTC, or an offset such as +02:00",
            )
        elif time.year not in _YEARS:
            yield Fault(
                path=(*path, name),
                message="the year cannot be meant",
                found=str(time.year),
                expected=f"{_YEARS.start} to {_YEARS.stop - 1}",
            )
    if _aware(phase.opens, phase.closes) and phase.closes <= phase.opens:
        yield Fault(
            path=(*path, "closes"), message="the phase closes before it opens", found=phase.name
        )


def _aware(*times: datetime) -> bool:
    return all(time.tzinfo is not None for time in times)


def _bounds(phase: Phase, path: tuple[str | int, ...]) -> Iterator[Fault]:
    if not 0 < phase.public <= 1:
        yield Fault(
            path=(*path, "public"),
            message="the public share is no share",
            found=str(phase.public),
            expected="more than 0, at most 1",
        )
    if not 0 <= phase.window_hours <= 24 * 366:
        yield Fault(
            path=(*path, "window_hours"),
            message="the window has no such length",
            found=str(phase.window_hours),
            expected="0 for none, or hours up to a year",
        )
    if min(phase.quota.total, phase.quota.day) < 0:
        yield Fault(
            path=(*path, "quota"),
            message="a quota is negative",
            expected="0 for no bound, or a number of submissions",
        )


def _data(
    campaign: Campaign, phase: Phase, folder: Path, path: tuple[str | int, ...]
) -> Iterator[Fault]:
    if not phase.data:
        yield Fault(path=path, message="the phase has no data", found=phase.name)
    tasks = [task.name for task in campaign.tasks]
    count = Counter(data.task for data in phase.data)
    for number, data in enumerate(phase.data):
        here = (*path, "data", number)
        if data.task not in tasks:
            yield Fault(
                path=(*here, "task"),
                message="there is no such task",
                found=data.task,
                expected=", ".join(tasks),
            )
        elif count[data.task] > 1:
            yield Fault(
                path=(*here, "task"), message="the phase has the task twice", found=data.task
            )
        if phase.window_hours and not data.input:
            yield Fault(
                path=here,
                message="the phase has a window, which opens with a download, but no input",
                found=data.task,
            )
        for name, inside in (("key", data.key), ("input", data.input)):
            yield from _inside(folder, inside, (*here, name), optional=name == "input")


def _inside(
    folder: Path, inside: str, path: Sequence[str | int], *, optional: bool
) -> Iterator[Fault]:
    """A path must lead to something in the folder, also through symbolic links."""
    if not inside and optional:
        return
    if _leaves(folder, inside):
        yield Fault(
            path=tuple(path),
            message="the path leaves the folder",
            found=inside,
            expected="a path inside the folder of the campaign",
        )
    elif Path(inside).parts[0] == "state":
        yield Fault(
            path=tuple(path),
            message="the path leads to what the server keeps",
            found=inside,
            expected="a path outside state/",
        )


def _leaves(folder: Path, inside: str) -> bool:
    if not inside or "\0" in inside or Path(inside).is_absolute() or ".." in Path(inside).parts:
        return True
    there = (folder / inside).resolve()
    return there == folder.resolve() or not there.is_relative_to(folder.resolve())
