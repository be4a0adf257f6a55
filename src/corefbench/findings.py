"""A finding: something worth saying about an input that did not stop the work.

Readers report repairs, the scorer reports what endangers a comparison. The same record is what
``--format json`` prints and what the pages show.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

from corefbench.errors import CorefbenchError, FormatError, Place
from corefbench.record import Record

Severity: TypeAlias = Literal["error", "warning", "repair", "note"]


class Finding(Record, frozen=True):
    """One remark: code, severity, place, what was found and what to do."""

    code: str
    severity: Severity
    message: str
    place: Place = Place()
    found: str = ""
    remedy: str = ""

    @classmethod
    def of(cls, error: CorefbenchError) -> "Finding":
        """What an error says, for those who go on."""
        return cls(
            code=error.code,
            severity="error",
            message=error.message,
            place=error.place,
            found=", expected ".join(text for text in (error.found, error.expected) if text),
            remedy=error.remedy,
        )

    def __str__(self) -> str:
        place = str(self.place)
        text = f"{self.severity} {self.code} {self.message}"
        if self.found:
            text += f" (found {self.found})"
        if self.remedy:
            text += f"; {self.remedy}"
        return f"{place}: {text}" if place else text


Report: TypeAlias = Callable[[Finding], None]


def ignore(finding: Finding) -> None:
    """The report for callers who do not want to hear."""


class Strictness(Record, frozen=True):
    """What a reader does with a fault that could be repaired: raise, or repair and report.

    >>> heard = []
    >>> Strictness(lenient=True, report=heard.append).fault("CB113", "a mention occurs twice")
    >>> heard[0].severity
    'repair'
    """

    lenient: bool = False
    report: Report = ignore

    def fault(
        self,
        code: str,
        message: str,
        *,
        place: Place = Place(),
        found: str = "",
        expected: str = "",
        repair: str = "",
        remedy: str = "--lenient repairs what can be repaired and reports it",
    ) -> None:
        """Raise a FormatError, or, when lenient, report that ``repair`` was done."""
        if not self.lenient:
            raise FormatError(
                message, code=code, place=place, found=found, expected=expected, remedy=remedy
            )
        self.report(
            Finding(
                code=code,
                severity="repair",
                message=message,
                place=place,
                found=found,
                remedy=repair,
            )
        )
