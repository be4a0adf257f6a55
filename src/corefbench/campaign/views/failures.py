"""An error as a page or as JSON: its code, what is wrong and what to do; never a traceback."""

from corefbench.campaign.views.access import Forbidden, NotThere, Unknown
from corefbench.errors import CorefbenchError, DataError, UnknownName
from corefbench.findings import Finding
from corefbench.record import Record
from corefbench.web.page import Page

_STATUS = {
    "CB003": 404,
    "CB301": 403,
    "CB302": 409,
    "CB303": 409,
    "CB304": 409,
    "CB305": 409,
    "CB306": 409,
    "CB307": 409,
    "CB309": 413,
    "CB311": 500,
    "CB312": 403,
    "CB314": 503,
    "CB317": 409,
    "CB318": 409,
    "CB342": 403,
    "CB343": 429,
    "CB344": 403,
    "CB345": 400,
}


class Unreadable(DataError):
    """Answers that are not even submitted: the check at the door found errors."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        super().__init__(
            "the answers cannot be read; nothing was submitted, nothing is charged",
            code="CB310",
            remedy="mend what is listed and send them again",
        )


class Failure(Record, frozen=True):
    """What is told of an error."""

    error: str
    """Its code: one of the table in the documentation."""
    message: str
    found: str = ""
    expected: str = ""
    remedy: str = ""
    status: int = 422
    findings: tuple[Finding, ...] = ()
    """Of answers that were refused: what ``corefbench check`` says of them."""


def failure_of(error: CorefbenchError) -> Failure:
    """The error as it is told."""
    place = str(error.place)
    return Failure(
        error=error.code,
        message=f"{place}: {error.message}" if place else error.message,
        found=error.found,
        expected=error.expected,
        remedy=error.remedy,
        status=status_of(error),
        findings=error.findings if isinstance(error, Unreadable) else (),
    )


def status_of(error: CorefbenchError) -> int:
    """The status of the answer."""
    if isinstance(error, Unknown):
        return 401
    if isinstance(error, UnknownName | NotThere):
        return 404
    if isinstance(error, Forbidden):
        return 403
    return _STATUS.get(error.code, 422)


def failed_page(failure: Failure) -> Page:
    """The page of an error."""
    titles = {401: "Sign in first", 403: "Not yours to see", 404: "Not found"}
    return Page(
        template="campaign_failed.html",
        title=titles.get(failure.status, "This did not work"),
        model=failure,
        status=failure.status,
    )
