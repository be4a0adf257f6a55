"""Authenticate visitors by session cookie or API token, and check their roles.

The role is looked up for every request, so that an approval, a sign-out or a revoked token counts at once.
"""

import hashlib
import hmac
from asyncio import to_thread

from corefbench.campaign.domain.visibility import Role
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.credentials import Identity, get_session_identity, hash_secret
from corefbench.campaign.views.routes import Route
from corefbench.campaign.views.state import get_state
from corefbench.records import Record
from corefbench.web.errors import AuthenticationRequired, PermissionDenied
from corefbench.web.responses import AnyRequest

SESSION_COOKIE = "corefbench_session"
VISITOR_COOKIE = "corefbench_visit"
"""Cookie of visitors who have not signed in; the CSRF token of their forms is derived from it."""


class Visitor(Record, frozen=True):
    """Who sends a request; all but the role is empty for those who have not signed in."""

    role: Role = "visitor"
    person: str = ""
    name: str = ""
    email: str = ""
    team: str = ""
    team_name: str = ""
    csrf: str = ""
    """The CSRF token of the visitor's forms."""
    by_token: bool = False
    """Whether an API token was sent instead of a cookie."""
    session: str = ""
    """SHA-256 of the session cookie."""


async def authorize(request: AnyRequest, route: Route) -> Visitor:
    """Return who sends a request; raise if the role does not suffice."""
    state = get_state(request)
    platform = state.platform
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    cookie = request.cookies.get(SESSION_COOKIE, "")
    visitor = None
    if scheme.lower() == "bearer" and token.strip():
        identity = await state.token_identities.submit(hash_secret(token.strip()))
        if identity is None:
            raise AuthenticationRequired("the token is unknown or was revoked", remedy="create a new one")
        visitor = _make_visitor(identity, by_token=True)
    elif cookie:
        visitor = await to_thread(_authenticate_session, platform, cookie)
    if visitor is None:
        anonymous_cookie = request.cookies.get(VISITOR_COOKIE, "")
        visitor = Visitor(csrf=anonymous_csrf_token(platform, anonymous_cookie) if anonymous_cookie else "")
    request.state.visitor = visitor
    require_role(route, visitor)
    return visitor


def require_role(route: Route, visitor: Visitor) -> None:
    """Raise if the visitor's role may not use a route."""
    if visitor.role in route.roles:
        return
    if visitor.role == "visitor":
        raise AuthenticationRequired("this needs an account", remedy="sign in, or send a token")
    if visitor.role == "applicant" and "participant" in route.roles:
        raise PermissionDenied("the team is not approved", code="CB301", remedy="wait for the organisers")
    raise PermissionDenied("you may not see or do this")


def anonymous_csrf_token(platform: Platform, cookie: str) -> str:
    """Return the CSRF token of a visitor who has not signed in."""
    return hmac.new(platform.secret, b"form:" + cookie.encode(), hashlib.sha256).hexdigest()


def _authenticate_session(platform: Platform, cookie: str) -> Visitor | None:
    """Return who has signed in; None if the session has ended."""
    digest = hash_secret(cookie)
    with platform.database.read() as connection:
        identity = get_session_identity(connection, digest, platform.clock())
    return None if identity is None else _make_visitor(identity, session=digest)


def _make_visitor(identity: Identity, *, session: str = "", by_token: bool = False) -> Visitor:
    role: Role = "participant" if identity.team_state == "approved" else "applicant"
    return Visitor(
        role="organiser" if identity.organiser else role,
        person=identity.person,
        name=identity.name,
        email=identity.email,
        team=identity.team or "",
        team_name=identity.team_name or "",
        csrf=identity.csrf,
        by_token=by_token,
        session=session,
    )
