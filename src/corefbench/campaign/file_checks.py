"""A key and an input, opened: whether the one scores, and the other does not give it away."""

from collections.abc import Iterator
from pathlib import Path

from corefbench.campaign.domain.definition import Data, Task
from corefbench.campaign.domain.scores import are_number
from corefbench.campaign.faults import Fault
from corefbench.errors import DataError
from corefbench.formats.load import load
from corefbench.model.corpus import Corpus

LARGEST = 256 << 20
"""The most bytes of a key or an input: scoring has bounds of memory and time."""


def there(path: Path, where: tuple[str | int, ...], *, is_file: bool = False) -> Iterator[Fault]:
    """Whether a file is there and of a size that can be dealt with."""
    if not path.exists():
        yield Fault(path=where, message="the file is not there", found=path.name)
    elif is_file and not path.is_file():
        yield Fault(
            path=where, message="a folder cannot be downloaded", remedy="pack it into one file"
        )
    elif path.is_file() and path.stat().st_size > LARGEST:
        yield Fault(
            path=where,
            message="the file is too large",
            found=f"{path.stat().st_size >> 20} MB",
            expected=f"at most {LARGEST >> 20} MB",
        )


def checked_files(
    task: Task, data: Data, folder: Path, path: tuple[str | int, ...]
) -> Iterator[Fault]:
    """A key and an input, opened."""
    key = _loaded(folder / data.key, data.format)
    if isinstance(key, DataError):
        yield _unreadable(key, (*path, "key"))
    elif key is not None:
        yield from _key(key, task, data, folder, (*path, "key"))
    if not data.input:
        return
    given = _loaded(folder / data.input, data.format)
    if isinstance(given, DataError):  # it may be in a format of its own, such as plain text
        given = _loaded(folder / data.input, "")
    if isinstance(given, Corpus):
        yield from _input(given, data, (*path, "input"))
        if isinstance(key, Corpus):
            yield from _same_documents(key, given, data, (*path, "input"))
    elif given is not None:
        yield Fault(
            path=(*path, "input"),
            message="the input cannot be read: see for yourself that it holds no key",
            found=data.input,
            severity="warning",
        )


def _loaded(path: Path, format: str) -> Corpus | DataError | None:
    """The corpus of a file, or why it cannot be read; None where there is none to read."""
    if not path.exists() or (path.is_file() and path.stat().st_size > LARGEST):
        return None
    try:
        return load(path, format=format or None)
    except DataError as error:
        return error


def _unreadable(error: DataError, path: tuple[str | int, ...]) -> Fault:
    return Fault(
        path=path,
        message=f"the file does not load: {error.message}",
        found=f"{error.place}: {error.found}" if str(error.place) else error.found,
        expected=error.expected,
        remedy=error.remedy,
        code=error.code,
    )


def _key(
    key: Corpus, task: Task, data: Data, folder: Path, path: tuple[str | int, ...]
) -> Iterator[Fault]:
    """A key must score by its own task: the key itself as the answers."""
    if not len(key.mentions):
        yield Fault(path=path, message="the key has no mentions", found=data.key, code="CB210")
        return
    try:
        _scored_by_itself(task, folder / data.key, data.format)
    except DataError as error:
        yield _unreadable(error, path)


def _scored_by_itself(task: Task, key: Path, format: str) -> None:
    if number := are_number(task):
        from corefbench.are.score import score_task

        score_task(number, key, key, format=format or None)
    else:
        from corefbench.scoring.api import score
        from corefbench.scoring.choosing import customised

        score(key, key, customised(task.scored, task.choices), format=format or None)


def _input(given: Corpus, data: Data, path: tuple[str | int, ...]) -> Iterator[Fault]:
    """Mentions may be given away, chains never."""
    largest = int(given.chain_sizes().max(initial=0))
    if largest > 1 or any(given.mentions.columns.get("antecedent", ())):
        yield Fault(
            path=path,
            message="the input holds the key: its mentions corefer",
            found=f"{data.input}, a chain of {largest} mentions",
            remedy="give participants the words, or mentions without their chains",
        )


def _same_documents(
    key: Corpus, given: Corpus, data: Data, path: tuple[str | int, ...]
) -> Iterator[Fault]:
    theirs, ours = set(given.documents.labels()), set(key.documents.labels())
    if theirs != ours:
        yield Fault(
            path=path,
            message="input and key have other documents",
            found=", ".join(sorted(theirs ^ ours)[:3]),
            severity="warning",
            code="CB202",
        )
