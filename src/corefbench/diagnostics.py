"""Findings: remarks about an input that do not stop the work.

Readers report repairs, the scorer reports what makes a comparison doubtful; ``--format json``
prints the same records that the web pages show.
"""

from collections.abc import Callable
from typing import Literal, TypeAlias

from corefbench.errors import CorefbenchError, FormatError, Place, escape_controls
from corefbench.records import Record

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
        """Return the finding for an error, for callers that continue."""
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
        return escape_controls(f"{place}: {text}" if place else text)


Report: TypeAlias = Callable[[Finding], None]


def ignore_finding(finding: Finding) -> None:
    """Ignore a finding: the default report."""


class Strictness(Record, frozen=True):
    """What a reader does about a repairable error: raise, or repair and report.

    >>> findings = []
    >>> Strictness(lenient=True, report=findings.append).fault("CB113", "a mention occurs twice")
    >>> findings[0].severity
    'repair'
    """

    lenient: bool = False
    report: Report = ignore_finding

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
        """Raise a FormatError or, if lenient, report that ``repair`` was done."""
        if not self.lenient:
            raise FormatError(message, code=code, place=place, found=found, expected=expected, remedy=remedy)
        self.report(Finding(code=code, severity="repair", message=message, place=place, found=found, remedy=repair))
