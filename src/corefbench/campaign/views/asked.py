"""A request as the views take it: who asks, and what for."""

from secrets import compare_digest
from typing import Any, TypeAlias

from litestar import Request

from corefbench.campaign.views.access import (
    COOKIE,
    FIRST_COOKIE,
    Asking,
    Unknown,
    Visitor,
    must_be_allowed,
    stranger,
)
from corefbench.campaign.views.routes import Route
from corefbench.campaign.views.site import Site
from corefbench.errors import UsageError

Asked: TypeAlias = Request[Any, Any, Any]
_LONGEST = 4_000
"""Signs of one value in an address or a form; more has no use here."""


async def admitted(request: Asked, route: Route, site: Site) -> Visitor:
    """Who asks, where the role suffices."""
    asking = Asking(
        cookie=request.cookies.get(COOKIE, ""),
        bearer=bearer(request),
        first=request.cookies.get(FIRST_COOKIE, ""),
    )
    if asking.is_nobody:
        visitor: Visitor | Unknown = stranger(site.platform, asking)
    else:
        visitor = await site.visitors.ask(asking)
    if isinstance(visitor, Unknown):
        raise visitor
    request.state.visitor = visitor
    must_be_allowed(route, visitor)
    return visitor


def bearer(request: Asked) -> str:
    """The token that was sent along."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def query_of(request: Asked) -> dict[str, str]:
    """What the address says: the parts of its path, and what follows the question mark."""
    query = {name: str(value) for name, value in request.query_params.items()}
    return checked({**query, **{name: str(v) for name, v in request.path_params.items()}})


async def form_of(request: Asked, visitor: Visitor) -> dict[str, str]:
    """The fields of a form with the parts of the path; an error where it is not one of ours."""
    sent = await request.form()
    fields = {name: value for name, value in sent.items() if isinstance(value, str)}
    must_be_ours(fields.pop("csrf", ""), visitor)
    return checked({**fields, **{name: str(v) for name, v in request.path_params.items()}})


def must_be_ours(token: str, visitor: Visitor) -> None:
    """An error where a form does not send back what it was given."""
    if not visitor.csrf or not compare_digest(token.encode(), visitor.csrf.encode()):
        raise UsageError(
            "the form is too old or comes from another site",
            code="CB344",
            remedy="reload the page and send it again; cookies must be allowed",
        )


def checked(values: dict[str, str]) -> dict[str, str]:
    """The values, none of them too long or with signs that no database takes."""
    for name, value in values.items():
        if len(value) > _LONGEST or "\0" in value or any("\ud800" <= s <= "\udfff" for s in value):
            raise UsageError(f"{name} cannot be understood", code="CB345")
    return values
