"""Register, sign in and out, account settings, API tokens and the own team."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from re import fullmatch
from typing import Any

from litestar import Response

from corefbench.campaign.domain.visibility import Role
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage import users
from corefbench.campaign.storage.audit import record_action
from corefbench.campaign.storage.credentials import (
    MIN_PASSWORD_LENGTH,
    clear_attempts,
    count_attempt,
    create_session,
    create_token,
    delete_expired_sessions,
    delete_session,
    delete_user_sessions,
    generate_secret,
    hash_password,
    hash_secret,
    list_tokens,
    needs_rehash,
    revoke_token,
    verify_password,
)
from corefbench.campaign.views.auth import SESSION_COOKIE, VISITOR_COOKIE, Visitor
from corefbench.campaign.views.routes import url_for
from corefbench.campaign.views.state import get_state
from corefbench.errors import UsageError
from corefbench.records import Record
from corefbench.web.errors import NotFound
from corefbench.web.pages import Page, Query
from corefbench.web.responses import AnyRequest, make_cookie, redirect

SESSION_LIFETIME = timedelta(days=7)
_MAX_LENGTHS = {"email": 254, "name": 120, "team": 80, "affiliation": 200}


class CurrentUser(Record, frozen=True):
    """The user who sends a request."""

    role: Role
    name: str
    email: str
    team: str
    team_name: str


def registration_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the form to register."""
    model = {"approval": platform.campaign.approval, "shortest": MIN_PASSWORD_LENGTH}
    return Page(template="registration.html", title="Register", model=model)


def register(request: AnyRequest, _: Visitor, form: Mapping[str, str]) -> Response[Any]:
    """Create an account with a new team, or in the team whose code is given.

    The answer is the same if the address has an account, which stays as it is: otherwise anybody
    could find out who takes part. So nobody is signed in here.
    """
    platform = get_state(request).platform
    _limit_attempts(request)
    email, name = _email_field(form), _text_field(form, "name", "your name")
    code = form.get("code", "").strip()
    team = "" if code else _text_field(form, "team", "the name of the team")
    password_hash = hash_password(form.get("password", ""))
    with suppress(users.AddressTaken), platform.database.write() as connection:
        if code:
            users.join_team(
                connection, email=email, name=name, password_hash=password_hash, code=code, now=platform.clock()
            )
        else:
            users.register_team(
                connection,
                email=email,
                name=name,
                password_hash=password_hash,
                team_name=team,
                affiliation=_text_field(form, "affiliation", ""),
                now=platform.clock(),
                approved=not platform.campaign.approval,
            )
    return redirect(url_for("sign-in-form", to=url_for("team"), registered="yes"))


def sign_in_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the form to sign in."""
    model = {
        "to": safe_redirect(query.get("to", "")),
        "contact": platform.campaign.contact,
        "registered": query.get("registered") == "yes",
    }
    return Page(template="sign_in.html", title="Sign in", model=model)


def sign_in(request: AnyRequest, _: Visitor, form: Mapping[str, str]) -> Response[Any]:
    """Start a session if the password is right."""
    platform = get_state(request).platform
    email = form.get("email", "").strip().lower()
    _limit_attempts(request, email)
    with platform.database.read() as connection:
        user = users.get_user_by_email(connection, email)
        password_hash = users.get_password_hash(connection, user.id) if user else None
    password = form.get("password", "")
    if not verify_password(password, password_hash) or user is None or password_hash is None:
        raise UsageError("the e-mail address or the password is wrong", code="CB342")
    new_hash = hash_password(password) if needs_rehash(password_hash) else ""
    with platform.database.write() as connection:
        clear_attempts(connection, _email_key(email))
        if new_hash:
            users.set_password_hash(connection, user.id, new_hash)
    return _start_session(request, user.id, safe_redirect(form.get("to", "")))


def sign_out(request: AnyRequest, visitor: Visitor, _: Mapping[str, str]) -> Response[Any]:
    """End the session, in the browser and on the server."""
    with get_state(request).platform.database.write() as connection:
        delete_session(connection, visitor.session)
    expired = make_cookie(request, SESSION_COOKIE, "", max_age=0)
    return redirect(url_for("home"), cookies=[expired])


def account_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the account."""
    model = {"shortest": MIN_PASSWORD_LENGTH, "changed": query.get("changed") == "yes"}
    return Page(template="account.html", title="Account", model=model)


def change_password(request: AnyRequest, visitor: Visitor, form: Mapping[str, str]) -> Response[Any]:
    """Set a new password; all sessions end and a new one starts here."""
    platform = get_state(request).platform
    _limit_attempts(request, visitor.email)
    with platform.database.read() as connection:
        password_hash = users.get_password_hash(connection, visitor.person)
    if not verify_password(form.get("password", ""), password_hash):
        raise UsageError("the current password is wrong", code="CB342")
    new_hash = hash_password(form.get("new_password", ""))
    with platform.database.write() as connection:
        users.set_password_hash(connection, visitor.person, new_hash)
        delete_user_sessions(connection, visitor.person)
        record_action(
            connection, person=visitor.person, action="password", subject=visitor.person, now=platform.clock()
        )
    return _start_session(request, visitor.person, url_for("account", changed="yes"))


def team_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the team of the visitor."""
    with platform.database.read() as connection:
        team = users.get_team(connection, visitor.team)
        pseudonyms = users.get_pseudonyms(connection, visitor.team)
        members = users.list_users(connection, visitor.team)
    if team is None:
        raise NotFound("there is no team")
    model = {
        "team": team,
        "members": members,
        "pseudonyms": pseudonyms_by_phase(platform, team, pseudonyms),
        "anonymity": platform.campaign.anonymity,
        "contact": platform.campaign.contact,
    }
    return Page(template="team.html", title=team.name, model=model)


def tokens_page(platform: Platform, visitor: Visitor, query: Query) -> Page:
    """Show the API tokens."""
    return _build_tokens_page(platform, visitor)


def create_token_action(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> Page:
    """Create an API token and show its secret, which is not shown again."""
    label = " ".join(form.get("label", "").split())
    if not label or len(label) > 80 or not label.isprintable():
        raise UsageError("the label is not valid", expected="1 to 80 characters in one line")
    with platform.database.write() as connection:
        secret = create_token(connection, visitor.person, label, platform.clock())
    return _build_tokens_page(platform, visitor, secret)


def revoke_token_action(platform: Platform, visitor: Visitor, form: Mapping[str, str]) -> str:
    """Revoke one of the visitor's API tokens."""
    with platform.database.write() as connection:
        is_revoked = revoke_token(connection, form["token"], person=visitor.person, now=platform.clock())
    if not is_revoked:
        raise NotFound("there is no such token")
    return url_for("tokens")


def api_me(platform: Platform, visitor: Visitor, query: Query) -> CurrentUser:
    """The user that the token belongs to."""
    return CurrentUser(
        role=visitor.role, name=visitor.name, email=visitor.email, team=visitor.team, team_name=visitor.team_name
    )


def safe_redirect(url: str) -> str:
    r"""Return a path of this server, whatever a link to the sign-in page says.

    >>> [safe_redirect(url) for url in ("/submissions/ab", "//evil.example", "/\\evil.example")]
    ['/submissions/ab', '/', '/']
    """
    return url if fullmatch(r"/[\w\-./%]*", url) and not url.startswith("//") else "/"


def _build_tokens_page(platform: Platform, visitor: Visitor, secret: str = "") -> Page:
    with platform.database.read() as connection:
        model = {"tokens": list_tokens(connection, visitor.person), "secret": secret}
    return Page(template="tokens.html", title="Tokens", model=model)


def _start_session(request: AnyRequest, user: str, url: str) -> Response[Any]:
    """Start a session; its cookie replaces that of the anonymous visitor."""
    platform = get_state(request).platform
    secret, now = generate_secret(), platform.clock()
    with platform.database.write() as connection:
        delete_expired_sessions(connection, now)
        create_session(
            connection,
            digest=hash_secret(secret),
            person=user,
            csrf=generate_secret(),
            now=now,
            expires=now + SESSION_LIFETIME,
        )
    cookies = [
        make_cookie(request, SESSION_COOKIE, secret, max_age=int(SESSION_LIFETIME.total_seconds())),
        make_cookie(request, VISITOR_COOKIE, "", max_age=0),
    ]
    return redirect(url, cookies=cookies)


def _limit_attempts(request: AnyRequest, email: str = "") -> None:
    """Count an attempt from this network address and with this e-mail address."""
    state = get_state(request)
    host, now = request.client.host if request.client else "", state.platform.clock()
    with state.platform.database.write() as connection:
        count_attempt(connection, f"host {host}", now, allowed=state.limits.attempts_per_host)
        if email:
            count_attempt(connection, _email_key(email), now, allowed=state.limits.sign_ins)


def _email_key(email: str) -> str:
    return f"email {email[:254].lower()}"


def _email_field(form: Mapping[str, str]) -> str:
    email = form.get("email", "").strip()
    if len(email) > _MAX_LENGTHS["email"] or not fullmatch(r"[^\s@]+@[^\s@]+\.[^\s@]+", email):
        raise UsageError("this is not an e-mail address", found=email[:100])
    return email


def _text_field(form: Mapping[str, str], field: str, required: str) -> str:
    """Return a line of text; raise if it is empty and ``required`` names it."""
    text = " ".join(form.get(field, "").split())
    if len(text) > _MAX_LENGTHS[field] or not text.isprintable():
        raise UsageError(f"{field} is not valid", expected=f"at most {_MAX_LENGTHS[field]} characters in one line")
    if required and not text:
        raise UsageError(f"{required} is missing")
    return text


def pseudonyms_by_phase(
    platform: Platform, team: users.Team, pseudonyms: Mapping[tuple[str, str], str]
) -> tuple[tuple[str, str], ...]:
    """Return the titles of phases in which a team has a pseudonym, and the pseudonyms."""
    return tuple(
        (phase.title, pseudonyms[team.id, phase.name])
        for phase in platform.campaign.phases
        if (team.id, phase.name) in pseudonyms
    )
