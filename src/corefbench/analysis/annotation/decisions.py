"""Reading the file of conflicts back, with a person's answers."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from corefbench.analysis.annotation.conflict_file import BEGIN, DECISION, HEAD, OF
from corefbench.analysis.annotation.conflicts import Conflict, Grouping
from corefbench.analysis.annotation.gathering import letter
from corefbench.errors import DataError, FormatError, MismatchError, Place
from corefbench.record import Record

_BEGIN = re.compile(rf"{re.escape(BEGIN)}(\d+): (mention|chains)\b")
_AGAIN = "write the conflicts again with --conflicts, and answer the new file"


class Answer(Record, frozen=True):
    """What a person wrote, and where."""

    text: str
    place: Place


def read_decisions(path: str | Path, digest: str, conflicts: Sequence[Conflict]) -> dict[int, str]:
    """The answers by the number of the conflict; those that are ``?`` are not there."""
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            "the file of decisions cannot be read",
            place=Place(source=str(path)),
            found=getattr(error, "strerror", None) or str(error),
        ) from error
    _check_origin(lines, str(path), digest)
    asked = {conflict.number: conflict for conflict in conflicts}
    answers = {
        number: _checked(asked, number, answer)
        for number, answer in _answers(lines, str(path), asked).items()
    }
    return {number: text for number, text in answers.items() if text != "?"}


def _check_origin(lines: Sequence[str], source: str, digest: str) -> None:
    for number, line in enumerate(lines, 1):
        if line.startswith(OF):
            if line.removeprefix(OF).strip() != digest:
                raise MismatchError(
                    "the decisions were made for other annotations",
                    code="CB236",
                    place=Place(source=source, line=number),
                    found=line.removeprefix(OF).strip(),
                    expected=digest,
                    remedy="give the same annotations in the same order, or " + _AGAIN,
                )
            return
    raise FormatError(
        "this is not a file of conflicts",
        code="CB235",
        place=Place(source=source, line=1),
        found=lines[0][:60] if lines else "nothing",
        expected=f"{HEAD!r} and a line that begins with {OF.strip()!r}",
        remedy=_AGAIN,
    )


def _answers(lines: Sequence[str], source: str, asked: Mapping[int, Conflict]) -> dict[int, Answer]:
    made: dict[int, Answer] = {}
    current = 0
    for number, line in enumerate(lines, 1):
        place = Place(source=source, line=number)
        if line.startswith("=="):
            begun = _BEGIN.match(line)
            current = int(begun[1]) if begun else 0
            if begun is None or current not in asked or asked[current].kind != begun[2]:
                raise _unknown(line, place, len(asked))
        elif line.strip().lower().startswith(DECISION):
            if not current or current in made:
                raise FormatError(
                    "a decision stands outside of a conflict, or a conflict has two",
                    code="CB235",
                    place=place,
                    found=line,
                    expected=f"one line {DECISION!r} under each line {BEGIN + 'N'!r}",
                    remedy="leave one of them",
                )
            made[current] = Answer(text=line.strip()[len(DECISION) :].strip(), place=place)
    return made


def _unknown(line: str, place: Place, count: int) -> FormatError:
    return FormatError(
        "there is no such conflict",
        code="CB235",
        place=place,
        found=line,
        expected=f"the lines {BEGIN.strip()!r} as they were written, 1 to {count}",
        remedy=_AGAIN,
    )


def _checked(asked: Mapping[int, Conflict], number: int, answer: Answer) -> str:
    """The answer, in the words that the rest expects."""
    conflict, text = asked[number], answer.text
    if text in ("", "?"):
        return "?"
    if conflict.kind == "mention":
        if text.lower() not in ("keep", "drop"):
            raise _wrong(answer, "keep, drop or ?")
        return text.lower()
    grouping_of(conflict, text, answer.place)
    return text.upper() if text.isalpha() else text


def grouping_of(conflict: Conflict, text: str, place: Place | None = None) -> Grouping:
    """The groups that an answer to a chains conflict makes.

    >>> pieces = (((0, ((0, 1),)),), ((0, ((2, 3),)),), ((0, ((4, 5),)),))
    >>> two = Conflict(
    ...     number=1, kind="chains", document="d", spots=pieces, says=((1, 1, 2), (1, 2, None))
    ... )
    >>> grouping_of(two, "1 3 | 2"), grouping_of(two, "b")
    ((1, 2, 1), (1, 2, None))
    """
    answer = Answer(text=text, place=place or Place())
    letters = [letter(number) for number in range(len(conflict.says))]
    if text.upper() in letters:
        return conflict.says[letters.index(text.upper())]
    count = len(conflict.spots)
    expected = f"{', '.join(letters)}, each of the pieces 1 to {count} once as in 1 | 2, or ?"
    groups: dict[int, int] = {}
    for group, part in enumerate(text.split("|"), 1):
        for word in part.replace(",", " ").split():
            number = int(word) if word.isdecimal() else 0
            if not 1 <= number <= count or number in groups:
                raise _wrong(answer, expected)
            groups[number] = group
    if len(groups) < count:
        raise _wrong(answer, expected)
    return tuple(groups[number] for number in range(1, count + 1))


def _wrong(answer: Answer, expected: str) -> FormatError:
    return FormatError(
        "the decision is none of the possible ones",
        code="CB235",
        place=answer.place,
        found=answer.text,
        expected=expected,
        remedy="correct the line, or write ? to leave it to the rule",
    )
