"""The documents of a run with the number of their errors, counted once for each open run."""

from weakref import WeakKeyDictionary

from corefbench.errors import UnknownName, UsageError
from corefbench.record import Record
from corefbench.runs import Run
from corefbench.web.reading.mentions import Mentions, mentions


class Listed(Record, frozen=True):
    """A document in a list."""

    number: int
    label: str
    mentions: int
    """Of the key."""
    errors: int
    pronoun_errors: int
    """Those of them that are third-person pronouns."""


_COUNTED: "WeakKeyDictionary[Run, dict[str, tuple[Listed, ...]]]" = WeakKeyDictionary()


def listed(run: Run, response: str) -> tuple[Listed, ...]:
    """All documents, with the errors of one response."""
    known = _COUNTED.setdefault(run, {})
    if response not in known:
        known[response] = tuple(_listed(run, number, response) for number in range(_size(run)))
    return known[response]


def _listed(run: Run, number: int, response: str) -> Listed:
    return entry(number, run.documents[number], mentions(run.document(number), response))


def entry(number: int, label: str, found: Mentions) -> Listed:
    """A document in the list, with the mentions it has."""
    return Listed(
        number=number,
        label=label,
        mentions=sum(key >= 0 for key in found.key),
        errors=len(found.errors()),
        pronoun_errors=len(found.errors(pronouns=True)),
    )


def number_of(run: Run, asked: str) -> int:
    """The document that an address names: a number, or a label."""
    if asked in run.documents:
        return run.documents.index(asked)
    if not (asked.isdecimal() and asked.isascii()):
        raise UnknownName("document", asked, list(run.documents))
    number = int(asked)
    if number >= _size(run):
        raise UsageError(
            f"there is no document {number} in this run",
            expected=f"0 to {_size(run) - 1}" if _size(run) else "a run with documents",
        )
    return number


def response_of(run: Run, asked: str | None) -> str:
    """The response that an address names, or the first."""
    names = [result.name for result in run.header.results]
    if asked is None and names:
        return names[0]
    if asked not in names:
        raise UnknownName("response", asked or "", names)
    return asked


def _size(run: Run) -> int:
    return len(run.documents)
