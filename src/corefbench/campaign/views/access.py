"""Who asks: by the cookie of a session, or by a token of the interface.

A role is worked out anew for every request, so that an approval, a sign-out or a revoked token
counts at once. What is kept of a cookie or token is its SHA-256.
"""

import hashlib
import hmac
from collections.abc import Sequence

from sqlalchemy import Connection

from corefbench.campaign.domain.visibility import Role
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.digests import digest
from corefbench.campaign.storage.people import Person, Team
from corefbench.campaign.storage.people import team as team_of
from corefbench.campaign.storage.sessions import session
from corefbench.campaign.storage.tokens import people_of_tokens
from corefbench.campaign.views.routes import Route
from corefbench.errors import UsageError
from corefbench.record import Record

COOKIE = "corefbench_session"
FIRST_COOKIE = "corefbench_visit"
"""Of those who have not signed in: what the token in their forms is made from."""


class Visitor(Record, frozen=True):
    """Who asks; all but the role is empty for those who have not signed in."""

    role: Role = "visitor"
    person: str = ""
    name: str = ""
    email: str = ""
    team: str = ""
    team_name: str = ""
    csrf: str = ""
    """What every form must send back."""
    by_token: bool = False
    session: str = ""
    """The digest of the session's cookie."""


class Unknown(UsageError):
    """Somebody must sign in first."""

    default_code = "CB341"


class Forbidden(UsageError):
    """Somebody is known and may not."""

    default_code = "CB312"


class NotThere(UsageError):
    """Nothing is there, or nothing that this visitor may know of."""

    default_code = "CB003"


def first_csrf(platform: Platform, cookie: str) -> str:
    """The token in the forms of somebody who has not signed in."""
    return hmac.new(platform.secret, b"form:" + cookie.encode(), hashlib.sha256).hexdigest()


class Asking(Record, frozen=True):
    """What a request says of who asks."""

    cookie: str = ""
    bearer: str = ""
    first: str = ""

    @property
    def is_nobody(self) -> bool:
        """Whether nothing has to be looked up."""
        return not self.bearer and not self.cookie


def visitors_of(platform: Platform, asking: Sequence[Asking]) -> list[Visitor | Unknown]:
    """Who ask; a token that is not known is an error, a session that has ended is not."""
    with platform.database.read() as connection:
        digests = [digest(one.bearer) for one in asking if one.bearer]
        by_token = people_of_tokens(connection, digests) if digests else {}
        return [
            _by_token(by_token.get(digest(one.bearer)))
            if one.bearer
            else _by_session(platform, connection, one)
            for one in asking
        ]


def stranger(platform: Platform, asking: Asking) -> Visitor:
    """Somebody who has not signed in."""
    return Visitor(csrf=first_csrf(platform, asking.first) if asking.first else "")


def _by_token(found: tuple[Person, Team | None] | None) -> Visitor | Unknown:
    if found is None:
        return Unknown("the token is not known, or was revoked", remedy="make a new one")
    return _known(*found, by_token=True)


def _by_session(platform: Platform, connection: Connection, asking: Asking) -> Visitor:
    kept = digest(asking.cookie)
    found = session(connection, kept, platform.clock())
    if found is None:
        return stranger(platform, asking)
    team = team_of(connection, found.person.team) if found.person.team else None
    return _known(found.person, team, csrf=found.csrf, session=kept)


def _known(
    person: Person,
    team: Team | None,
    *,
    csrf: str = "",
    session: str = "",
    by_token: bool = False,
) -> Visitor:
    return Visitor(
        role=_role(person, team),
        person=person.id,
        name=person.name,
        email=person.email,
        team=team.id if team else "",
        team_name=team.name if team else "",
        csrf=csrf,
        by_token=by_token,
        session=session,
    )


def _role(person: Person, team: Team | None) -> Role:
    if person.organiser:
        return "organiser"
    return "participant" if team is not None and team.state == "approved" else "applicant"


def must_be_allowed(route: Route, visitor: Visitor) -> None:
    """An error where the role does not suffice."""
    if visitor.role in route.roles:
        return
    if visitor.role == "visitor":
        raise Unknown("this needs an account", remedy="sign in, or send a token")
    if visitor.role == "applicant" and "participant" in route.roles:
        raise Forbidden("the team is not approved", code="CB301", remedy="wait for the organisers")
    raise Forbidden("this is not yours to see or do")
