"""Authenticate visitors by session cookie or API token, and check their roles.

The role is looked up for every request, so that an approval, a sign-out or a revoked token counts
at once. The database has only the SHA-256 of cookies and tokens.
"""

import hashlib
import hmac
from asyncio import to_thread

from corefbench.campaign.domain.visibility import Role
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.credentials import get_session, get_token_owner, hash_secret
from corefbench.campaign.storage.users import Team, User, get_team
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
    platform = get_state(request).platform
    bearer, cookie = bearer_token(request), request.cookies.get(SESSION_COOKIE, "")
    visitor = None
    if bearer:
        visitor = await to_thread(_authenticate_token, platform, bearer)
    elif cookie:
        visitor = await to_thread(_authenticate_session, platform, cookie)
    if visitor is None:
        visitor = _anonymous_visitor(platform, request.cookies.get(VISITOR_COOKIE, ""))
    request.state.visitor = visitor
    require_role(route, visitor)
    return visitor


def bearer_token(request: AnyRequest) -> str:
    """Return the API token of a request; empty if it has none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


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


def _anonymous_visitor(platform: Platform, cookie: str) -> Visitor:
    return Visitor(csrf=anonymous_csrf_token(platform, cookie) if cookie else "")


def _authenticate_token(platform: Platform, token: str) -> Visitor:
    with platform.database.read() as connection:
        user = get_token_owner(connection, hash_secret(token))
        if user is None:
            raise AuthenticationRequired("the token is unknown or was revoked", remedy="create a new one")
        team = get_team(connection, user.team) if user.team else None
    return _make_visitor(user, team, by_token=True)


def _authenticate_session(platform: Platform, cookie: str) -> Visitor | None:
    """Return who has signed in; None if the session has ended."""
    digest = hash_secret(cookie)
    with platform.database.read() as connection:
        session = get_session(connection, digest, platform.clock())
        if session is None:
            return None
        team = get_team(connection, session.person.team) if session.person.team else None
    return _make_visitor(session.person, team, csrf=session.csrf, session=digest)


def _make_visitor(
    user: User, team: Team | None, *, csrf: str = "", session: str = "", by_token: bool = False
) -> Visitor:
    if user.organiser:
        role: Role = "organiser"
    else:
        is_approved = team is not None and team.state == "approved"
        role = "participant" if is_approved else "applicant"
    return Visitor(
        role=role,
        person=user.id,
        name=user.name,
        email=user.email,
        team=team.id if team else "",
        team_name=team.name if team else "",
        csrf=csrf,
        by_token=by_token,
        session=session,
    )
