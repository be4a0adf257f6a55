"""Checks of a campaign's configuration and data files."""

import re
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, get_args, get_origin

import msgspec

from corefbench.campaign.domain.config import Campaign, Data, Phase, Task
from corefbench.campaign.domain.ranking import get_are_task_number, list_score_names
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Severity
from corefbench.errors import CorefbenchError, DataError
from corefbench.formats.load import load
from corefbench.records import Record

TomlPath: TypeAlias = tuple[str | int, ...]
"""Keys and indices, such as ``("phases", 1, "opens")``."""
_YEARS = range(1990, 3000)
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,47}")
MAX_FILE_SIZE = 256 << 20
"""Bytes of a key or an input: scoring has limits on memory and time."""


class Problem(NamedTuple):
    """A problem of the configuration, and where in it."""

    path: TomlPath
    message: str
    found: str = ""
    expected: str = ""
    remedy: str = ""
    code: str = "CB308"
    severity: Severity = "error"


def check_config(campaign: Campaign, folder: Path) -> Iterator[Problem]:
    """Yield the problems that are found without opening a file."""
    yield from _check_names(campaign)
    for number, task in enumerate(campaign.tasks):
        if not task.title.strip():
            yield Problem(("tasks", number, "title"), "the task has no title")
    for number, phase in enumerate(campaign.phases):
        yield from _check_times(phase, ("phases", number))
        yield from _check_bounds(phase, ("phases", number))
        yield from _check_data(campaign, phase, folder, ("phases", number))


def check_data(campaign: Campaign, folder: Path) -> Iterator[Problem]:
    """Yield the problems of tasks and data files."""
    invalid = set()
    for number, task in enumerate(campaign.tasks):
        for problem in _check_task(task, ("tasks", number)):
            invalid.add(task.name)
            yield problem
        if not any(data.task == task.name for phase in campaign.phases for data in phase.data):
            yield Problem(("tasks", number), "no phase has data of the task", found=task.name, severity="warning")
    yield from check_files_exist(campaign, folder)
    for number, phase in enumerate(campaign.phases):
        yield from _check_order(campaign, number)
        for index, data in enumerate(phase.data):
            path = ("phases", number, "data", index)
            if data.task not in invalid:
                yield from _check_task_files(campaign.task(data.task), data, folder, path)
            yield from _check_key_exposed(campaign, phase, data, folder, (*path, "key"))


def check_files_exist(campaign: Campaign, folder: Path) -> Iterator[Problem]:
    """Yield files that are missing or too large, without opening them."""
    for number, phase in enumerate(campaign.phases):
        for index, data in enumerate(phase.data):
            path = ("phases", number, "data", index)
            yield from _check_file(folder / data.key, (*path, "key"))
            if data.input:
                yield from _check_file(folder / data.input, (*path, "input"), is_file=True)


def find_unknown_fields(raw: Any, kind: Any, path: TomlPath = ()) -> Iterator[Problem]:
    """Yield the fields that the configuration records do not have."""
    if get_origin(kind) is tuple and isinstance(raw, list):
        for index, entry in enumerate(raw):
            yield from find_unknown_fields(entry, get_args(kind)[0], (*path, index))
    elif isinstance(kind, type) and issubclass(kind, Record) and isinstance(raw, dict):
        known = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
        for name, value in raw.items():
            if name in known:
                yield from find_unknown_fields(value, known[name], (*path, name))
            else:
                near = get_close_matches(name, known, n=1)
                yield Problem(
                    (*path, name),
                    "there is no such field",
                    found=name,
                    expected=", ".join(known),
                    remedy=f"did you mean {near[0]}?" if near else "",
                )


def _check_names(campaign: Campaign) -> Iterator[Problem]:
    yield from _check_name(campaign.name, ("name",))
    lists: dict[str, tuple[Task | Phase, ...]] = {"tasks": campaign.tasks, "phases": campaign.phases}
    for kind, named in lists.items():
        if not named:
            yield Problem((kind,), f"the campaign has no {kind}")
        count = Counter(item.name for item in named)
        for number, item in enumerate(named):
            yield from _check_name(item.name, (kind, number, "name"))
            if count[item.name] > 1:
                yield Problem((kind, number, "name"), "the name occurs twice", found=item.name)


def _check_name(name: str, path: TomlPath) -> Iterator[Problem]:
    if not _NAME.fullmatch(name):
        yield Problem(
            path,
            "the name cannot be used in addresses",
            found=repr(name),
            expected="at most 48 of a–z, 0–9, dot, hyphen and underscore, a letter or digit first",
        )


def _check_times(phase: Phase, path: TomlPath) -> Iterator[Problem]:
    for name, time in (("opens", phase.opens), ("closes", phase.closes)):
        if time.tzinfo is None:
            yield Problem(
                (*path, name),
                "the time has no zone",
                found=time.isoformat(),
                expected=f"{time.isoformat()}Z for UTC, or an offset such as +02:00",
            )
        elif time.year not in _YEARS:
            yield Problem(
                (*path, name),
                "the year is implausible",
                found=str(time.year),
                expected=f"{_YEARS.start} to {_YEARS.stop - 1}",
            )
    if phase.opens.tzinfo and phase.closes.tzinfo and phase.closes <= phase.opens:
        yield Problem((*path, "closes"), "the phase closes before it opens", found=phase.name)


def _check_bounds(phase: Phase, path: TomlPath) -> Iterator[Problem]:
    if not 0 < phase.public <= 1:
        yield Problem(
            (*path, "public"),
            "the public share is out of range",
            found=str(phase.public),
            expected="more than 0, at most 1",
        )
    if not 0 <= phase.window_hours <= 24 * 366:
        yield Problem(
            (*path, "window_hours"),
            "the length of the window is out of range",
            found=str(phase.window_hours),
            expected="0 for none, or hours up to a year",
        )
    if min(phase.quota.total, phase.quota.day) < 0:
        yield Problem((*path, "quota"), "a quota is negative", expected="0 for no bound, or a number of submissions")


def _check_data(campaign: Campaign, phase: Phase, folder: Path, path: TomlPath) -> Iterator[Problem]:
    if not phase.data:
        yield Problem(path, "the phase has no data", found=phase.name)
    tasks = [task.name for task in campaign.tasks]
    count = Counter(data.task for data in phase.data)
    for number, data in enumerate(phase.data):
        here = (*path, "data", number)
        if data.task not in tasks:
            yield Problem((*here, "task"), "there is no such task", found=data.task, expected=", ".join(tasks))
        elif count[data.task] > 1:
            yield Problem((*here, "task"), "the phase has the task twice", found=data.task)
        if phase.window_hours and not data.input:
            yield Problem(here, "the phase has a window, which opens with a download, but no input", found=data.task)
        for name, inside in (("key", data.key), ("input", data.input)):
            yield from _check_path(folder, inside, (*here, name), optional=name == "input")


def _check_path(folder: Path, inside: str, path: TomlPath, *, optional: bool) -> Iterator[Problem]:
    """Yield a problem if a path leaves the folder, also through symbolic links."""
    if not inside and optional:
        return
    if _leaves_folder(folder, inside):
        yield Problem(
            path, "the path leaves the folder", found=inside, expected="a path inside the folder of the campaign"
        )
    elif Path(inside).parts[0] == "state":
        yield Problem(path, "the path leads to the state of the server", found=inside, expected="a path outside state/")


def _leaves_folder(folder: Path, inside: str) -> bool:
    if not inside or "\0" in inside or Path(inside).is_absolute() or ".." in Path(inside).parts:
        return True
    there = (folder / inside).resolve()
    return there == folder.resolve() or not there.is_relative_to(folder.resolve())


def _check_task(task: Task, path: TomlPath) -> Iterator[Problem]:
    try:
        known = list_score_names(task)
    except CorefbenchError as error:
        yield Problem((*path, "scored"), error.message, found=error.found, expected=error.expected, remedy=error.remedy)
        return
    if get_are_task_number(task) and task.choices:
        yield Problem((*path, "choices"), "the exercise's tasks have no choices")
    if task.rank and task.rank not in known:
        yield Problem((*path, "rank"), "there is no such score to rank by", found=task.rank, expected=", ".join(known))


def _check_order(campaign: Campaign, number: int) -> Iterator[Problem]:
    if number and campaign.phases[number].opens < campaign.phases[number - 1].opens:
        yield Problem(
            ("phases", number, "opens"),
            "the phase opens before the one that is listed above it",
            found=campaign.phases[number].name,
            severity="warning",
        )


def _check_key_exposed(campaign: Campaign, phase: Phase, data: Data, folder: Path, path: TomlPath) -> Iterator[Problem]:
    """Yield a problem if the key of a blind phase is also that of a phase that shows errors."""
    for other in campaign.phases:
        for theirs in other.data:
            if phase.blind and not other.blind and _is_same_file(folder / data.key, folder / theirs.key):
                yield Problem(
                    path,
                    "the key of the blind phase is that of a phase that shows errors",
                    found=f"{data.key}, {other.name}",
                    severity="warning",
                )


def _is_same_file(first: Path, second: Path) -> bool:
    import filecmp

    return first.is_file() and second.is_file() and filecmp.cmp(first, second, shallow=False)


def _check_file(path: Path, where: TomlPath, *, is_file: bool = False) -> Iterator[Problem]:
    """Yield a problem if a file is missing or too large."""
    if not path.exists():
        yield Problem(where, "the file is missing", found=path.name)
    elif is_file and not path.is_file():
        yield Problem(where, "a folder cannot be downloaded", remedy="pack it into one file")
    elif path.is_file() and path.stat().st_size > MAX_FILE_SIZE:
        yield Problem(
            where,
            "the file is too large",
            found=f"{path.stat().st_size >> 20} MB",
            expected=f"at most {MAX_FILE_SIZE >> 20} MB",
        )


def _check_task_files(task: Task, data: Data, folder: Path, path: TomlPath) -> Iterator[Problem]:
    """Load the key and the input of a task, and yield their problems."""
    key = _try_load(folder / data.key, data.format)
    if isinstance(key, DataError):
        yield _make_load_problem(key, (*path, "key"))
    elif key is not None:
        yield from _check_key(key, task, data, folder, (*path, "key"))
    if not data.input:
        return
    input_corpus = _try_load(folder / data.input, data.format)
    if isinstance(input_corpus, DataError):  # it may be in a format of its own, such as plain text
        input_corpus = _try_load(folder / data.input, "")
    if isinstance(input_corpus, Corpus):
        yield from _check_input(input_corpus, data, (*path, "input"))
        if isinstance(key, Corpus):
            yield from _check_same_documents(key, input_corpus, data, (*path, "input"))
    elif input_corpus is not None:
        yield Problem(
            (*path, "input"),
            "the input cannot be read: check yourself that it does not contain the key",
            found=data.input,
            severity="warning",
        )


def _try_load(path: Path, format: str) -> Corpus | DataError | None:
    """Return the corpus of a file, or why it cannot be read; None if there is no file."""
    if not path.exists() or (path.is_file() and path.stat().st_size > MAX_FILE_SIZE):
        return None
    try:
        return load(path, format=format or None)
    except DataError as error:
        return error


def _make_load_problem(error: DataError, path: TomlPath) -> Problem:
    return Problem(
        path,
        f"the file does not load: {error.message}",
        found=f"{error.place}: {error.found}" if str(error.place) else error.found,
        expected=error.expected,
        remedy=error.remedy,
        code=error.code,
    )


def _check_key(key: Corpus, task: Task, data: Data, folder: Path, path: TomlPath) -> Iterator[Problem]:
    """Yield a problem if the key cannot be scored against itself."""
    if not len(key.mentions):
        yield Problem(path, "the key has no mentions", found=data.key, code="CB210")
        return
    try:
        _score_key_by_itself(task, folder / data.key, data.format)
    except DataError as error:
        yield _make_load_problem(error, path)


def _score_key_by_itself(task: Task, key: Path, format: str) -> None:
    if number := get_are_task_number(task):
        from corefbench.tasks.are.score import score_task

        score_task(number, key, key, format=format or None)
    else:
        from corefbench.scoring.api import score
        from corefbench.scoring.overrides import customise_profile

        score(key, key, customise_profile(task.scored, task.choices), format=format or None)


def _check_input(input_corpus: Corpus, data: Data, path: TomlPath) -> Iterator[Problem]:
    """Yield a problem if the input has chains; mentions are allowed."""
    largest = int(input_corpus.chain_sizes().max(initial=0))
    if largest > 1 or any(input_corpus.mentions.columns.get("antecedent", ())):
        yield Problem(
            path,
            "the input holds the key: its mentions corefer",
            found=f"{data.input}, a chain of {largest} mentions",
            remedy="give participants the words, or mentions without their chains",
        )


def _check_same_documents(key: Corpus, input_corpus: Corpus, data: Data, path: TomlPath) -> Iterator[Problem]:
    theirs, ours = set(input_corpus.documents.labels()), set(key.documents.labels())
    if theirs != ours:
        yield Problem(
            path,
            "input and key have different documents",
            found=", ".join(sorted(theirs ^ ours)[:3]),
            severity="warning",
            code="CB202",
        )
