"""Read submitted forms and check their CSRF tokens."""

from collections.abc import Iterable
from secrets import compare_digest

from litestar.datastructures import UploadFile

from corefbench.errors import UsageError
from corefbench.records import Record
from corefbench.web.responses import AnyRequest

CSRF_FIELD = "csrf"
CSRF_HEADER = "x-csrf-token"
_MAX_VALUE_LENGTH = 4_000
"""Characters of one short value in a URL or a form."""


class UploadedFile(Record, frozen=True):
    """A file of a form."""

    name: str
    content: bytes


class SubmittedForm(Record, frozen=True):
    """The fields of a form with the parameters of its path."""

    fields: dict[str, list[str]]
    files: dict[str, list[UploadedFile]]

    def get(self, name: str, default: str = "") -> str:
        """Return the last value of a field."""
        values = self.fields.get(name)
        return values[-1] if values else default

    def get_files(self, name: str) -> list[UploadedFile]:
        """Return the files of a field."""
        return self.files.get(name, [])


async def read_form(request: AnyRequest) -> SubmittedForm:
    """Read the form of a request with all its files."""
    sent = await request.form()
    fields: dict[str, list[str]] = {}
    files: dict[str, list[UploadedFile]] = {}
    for name, value in sent.multi_items():
        if isinstance(value, str):
            fields.setdefault(name, []).append(value)
        elif isinstance(value, UploadFile) and value.filename:  # an empty field has no name
            file = UploadedFile(name=value.filename, content=await value.read())
            files.setdefault(name, []).append(file)
    fields |= {name: [str(value)] for name, value in request.path_params.items()}
    return SubmittedForm(fields=fields, files=files)


def read_query(request: AnyRequest) -> dict[str, str]:
    """Return the parameters of query and path."""
    query = {name: str(value) for name, value in request.query_params.items()}
    return query | {name: str(value) for name, value in request.path_params.items()}


def check_csrf(sent: str, expected: str) -> None:
    """Raise if the CSRF token is missing or wrong."""
    if not expected or not compare_digest(sent.encode(), expected.encode()):
        raise UsageError(
            "the form is too old or comes from another site",
            code="CB344",
            remedy="reload the page and send it again; cookies must be allowed",
        )


def check_values(values: Iterable[tuple[str, str]]) -> None:
    """Raise if a value is too long or has characters that no database accepts."""
    for name, value in values:
        is_invalid = "\0" in value or any("\ud800" <= c <= "\udfff" for c in value)
        if is_invalid or len(value) > _MAX_VALUE_LENGTH:
            raise UsageError(f"{name} cannot be understood", code="CB345")
