"""Registering, signing in and signing out."""

from collections.abc import Callable
from datetime import timedelta
from re import fullmatch
from typing import Any

from litestar import Response
from litestar.datastructures import Cookie
from litestar.response import Redirect

from corefbench.campaign.storage import people
from corefbench.campaign.storage.audit import note
from corefbench.campaign.storage.digests import digest, new_secret
from corefbench.campaign.storage.sessions import (
    close_session,
    close_sessions_of,
    forget_expired,
    open_session,
)
from corefbench.campaign.views.access import COOKIE, FIRST_COOKIE, Visitor
from corefbench.campaign.views.answers import cookie
from corefbench.campaign.views.asked import Asked
from corefbench.campaign.views.passwords import hashed, is_dated, is_right
from corefbench.campaign.views.routes import address
from corefbench.campaign.views.site import Site
from corefbench.errors import UsageError

SESSION = timedelta(days=7)
_LONGEST = {"email": 254, "name": 120, "team": 80, "affiliation": 200}


def register(site: Site, _: Visitor, form: dict[str, str], request: Asked) -> Response[Any]:
    """A new account: with a new team, or in the team whose code is given."""
    now = site.platform.clock()
    _count_place(site, request)
    email, name = _email(form), _words(form, "name", "your name")
    code = form.get("code", "").strip()
    team = "" if code else _words(form, "team", "the name of the team")
    kept = hashed(form.get("password", ""))
    with site.platform.database.write() as connection:
        if code:
            person = people.join(
                connection, email=email, name=name, password_hash=kept, code=code, now=now
            )
        else:
            person = people.register(
                connection,
                email=email,
                name=name,
                password_hash=kept,
                team_name=team,
                affiliation=_words(form, "affiliation", ""),
                now=now,
                approved=not site.platform.campaign.approval,
            )
    return _enter(site, person.id, address("team"), request)


def sign_in(site: Site, _: Visitor, form: dict[str, str], request: Asked) -> Response[Any]:
    """Open a session for whoever knows the password."""
    now = site.platform.clock()
    email = form.get("email", "").strip().lower()
    _count_place(site, request)
    site.attempts.count(f"email {email[:254]}", now, allowed=site.allowed.sign_ins)
    with site.platform.database.read() as connection:
        person = people.person_by_email(connection, email)
        kept = people.password_of(connection, person.id) if person else None
    password = form.get("password", "")
    if not is_right(password, kept) or person is None or kept is None:
        raise UsageError("the e-mail address or the password is wrong", code="CB342")
    if is_dated(kept):
        with site.platform.database.write() as connection:
            people.set_password(connection, person.id, hashed(password))
    site.attempts.forget(f"email {email}")
    return _enter(site, person.id, inside(form.get("to", "")), request)


def sign_out(site: Site, visitor: Visitor, _: dict[str, str], request: Asked) -> Response[Any]:
    """End the session, here and on the server."""
    with site.platform.database.write() as connection:
        close_session(connection, visitor.session)
    gone = cookie(request, COOKIE, "", age=0)
    return Redirect(address("home"), status_code=303, cookies=[gone])


def change_password(
    site: Site, visitor: Visitor, form: dict[str, str], request: Asked
) -> Response[Any]:
    """Another password; all sessions end, and a new one begins here."""
    now = site.platform.clock()
    site.attempts.count(f"email {visitor.email}", now, allowed=site.allowed.sign_ins)
    with site.platform.database.read() as connection:
        kept = people.password_of(connection, visitor.person)
    if not is_right(form.get("password", ""), kept):
        raise UsageError("the present password is wrong", code="CB342")
    made = hashed(form.get("new_password", ""))
    with site.platform.database.write() as connection:
        people.set_password(connection, visitor.person, made)
        close_sessions_of(connection, visitor.person)
        note(connection, person=visitor.person, action="password", subject=visitor.person, now=now)
    return _enter(site, visitor.person, address("account", changed="yes"), request)


def inside(to: str) -> str:
    r"""Where to go on to: a page of ours, whatever a link to the door says.

    >>> inside("/submissions/ab"), inside("//evil.example"), inside("/\\evil.example")
    ('/submissions/ab', '/', '/')
    """
    return to if fullmatch(r"/[\w\-./%]*", to) and not to.startswith("//") else "/"


def _enter(site: Site, person: str, to: str, request: Asked) -> Response[Any]:
    """A session; the cookie that came before it is taken away."""
    secret, now = new_secret(), site.platform.clock()
    with site.platform.database.write() as connection:
        forget_expired(connection, now)
        open_session(
            connection,
            digest=digest(secret),
            person=person,
            csrf=new_secret(),
            now=now,
            expires=now + SESSION,
        )
    age = int(SESSION.total_seconds())
    cookies: list[Cookie] = [
        cookie(request, COOKIE, secret, age=age),
        cookie(request, FIRST_COOKIE, "", age=0),
    ]
    return Redirect(to, status_code=303, cookies=cookies)


def _count_place(site: Site, request: Asked) -> None:
    place = request.client.host if request.client else ""
    now = site.platform.clock()
    site.attempts.count(f"place {place}", now, allowed=site.allowed.from_one_place)


def _email(form: dict[str, str]) -> str:
    email = form.get("email", "").strip()
    if len(email) > _LONGEST["email"] or not fullmatch(r"[^\s@]+@[^\s@]+\.[^\s@]+", email):
        raise UsageError("this is no e-mail address", found=email[:100])
    return email


def _words(form: dict[str, str], field: str, what: str) -> str:
    """A line of text; empty is an error where ``what`` is asked for."""
    text = " ".join(form.get(field, "").split())
    if len(text) > _LONGEST[field] or not text.isprintable():
        raise UsageError(
            f"{field} cannot be taken", expected=f"at most {_LONGEST[field]} signs in one line"
        )
    if what and not text:
        raise UsageError(f"{what} is missing")
    return text


ENTRANCES: dict[str, Callable[[Site, Visitor, dict[str, str], Asked], Response[Any]]] = {
    "register": register,
    "sign-in": sign_in,
    "sign-out": sign_out,
    "change-password": change_password,
}
