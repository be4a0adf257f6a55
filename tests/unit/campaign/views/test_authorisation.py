"""Every route with every role. What is expected stands here, not in the table of routes."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from litestar.types import ASGIApp

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.credentials import (
    create_session,
    create_token,
    delete_session,
    hash_secret,
    list_tokens,
    revoke_token,
)
from corefbench.campaign.storage.downloads import Download
from corefbench.campaign.storage.submissions import Submission
from corefbench.campaign.storage.users import User, set_team_state
from corefbench.campaign.views.auth import SESSION_COOKIE, VISITOR_COOKIE, anonymous_csrf_token
from corefbench.campaign.views.routes import ROUTES, Route
from corefbench.records import Record
from tests.campaign import answers, download, enter, submit
from tests.campaign_visits import Client, connected, organiser

ROLES = ("visitor", "applicant", "participant", "other", "organiser")
EVERYBODY, ORGANISERS = "yes yes yes yes yes", "no no no no yes"
OWN, OWN_AND_ORGANISERS = "no no yes gone no", "no no yes gone yes"
PARTICIPANTS, MEMBERS, ACCOUNTS = "no no yes yes no", "no yes yes yes no", "no yes yes yes yes"
EXPECTED = {
    "home": EVERYBODY,
    "api-docs": EVERYBODY,
    "receipt": EVERYBODY,
    "check-receipt": EVERYBODY,
    "registration": EVERYBODY,
    "register": EVERYBODY,
    "sign-in-form": EVERYBODY,
    "sign-in": EVERYBODY,
    "sign-out": ACCOUNTS,
    "account": ACCOUNTS,
    "change-password": ACCOUNTS,
    "team": MEMBERS,
    "task": EVERYBODY,
    "create-download": PARTICIPANTS,
    "download": OWN_AND_ORGANISERS,
    "data": OWN,
    "submit": PARTICIPANTS,
    "submissions": PARTICIPANTS,
    "submission": OWN_AND_ORGANISERS,
    "withdraw": OWN,
    "tokens": ACCOUNTS,
    "create-token": ACCOUNTS,
    "revoke-token": "no gone yes gone gone",
    "api-me": EVERYBODY,
    "api-campaign": EVERYBODY,
    "api-task": EVERYBODY,
    "api-create-download": PARTICIPANTS,
    "api-data": OWN,
    "api-check": PARTICIPANTS,
    "api-submit": PARTICIPANTS,
    "api-board": "no no yes yes yes",
    "api-submissions": PARTICIPANTS,
    "api-submission": OWN_AND_ORGANISERS,
    "api-receipt": OWN_AND_ORGANISERS,
    "api-withdraw": OWN,
    "api-check-receipt": EVERYBODY,
    "api-openapi": EVERYBODY,
    "static": EVERYBODY,
    "health": EVERYBODY,
    "live": EVERYBODY,
    "ready": EVERYBODY,
    "metrics": ORGANISERS,
    "boards": EVERYBODY,
    "board": EVERYBODY,
    "board-file": "no no yes yes yes",
    "console": ORGANISERS,
    "console-teams": ORGANISERS,
    "judge-team": ORGANISERS,
    "console-submissions": ORGANISERS,
    "rescore": ORGANISERS,
    "disqualify": ORGANISERS,
    "console-audit": ORGANISERS,
    "freeze": ORGANISERS,
    "publication": ORGANISERS,
    "publish": ORGANISERS,
    "site": ORGANISERS,
}
"""``gone``: they are told that nothing is there, for then nobody learns what others have."""


FIELDS = {"decision": "approved", "frozen": "no"}
"""What forms must say to be understood."""
SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""Where the database makes no difference."""


class Scene(Record, frozen=True):
    """A campaign with one of everything that belongs to the participant."""

    people: dict[str, User]
    submission: str
    download: str
    token: str

    def address(self, route: Route) -> str:
        values = {
            "phase": "training",
            "task": "coreference",
            "submission": self.submission,
            "download": self.download,
            "token": self.token,
            "team": self.people["applicant"].team or "",
            "kind": "json",
            "file": "campaign.css",
        }
        return route.url(**{name: values[name] for name in route.parameters})


@pytest.fixture
def scene(platform: Platform) -> Scene:
    people = {
        "applicant": enter(platform, "Hopeful", approved=False),
        "participant": enter(platform, "Ours"),
        "other": enter(platform, "Theirs"),
        "organiser": organiser(platform),
    }
    own = people["participant"]
    sent = submit(platform, own, answers("good", "training"))
    taken = download(platform, own, "training")
    assert isinstance(sent, Submission)
    assert isinstance(taken, Download)
    with platform.database.write() as connection:
        create_token(connection, own.id, "tests", platform.clock())
        (token,) = list_tokens(connection, own.id)
    return Scene(people=people, submission=sent.id, download=taken.id, token=token.id)


@pytest.fixture
def client(app: ASGIApp) -> Iterator[Client]:
    with connected(app) as started:
        yield started


def session(platform: Platform, person: User) -> dict[str, str]:
    """The cookie of a new session, and the token of its forms."""
    secret = f"{person.id}-cookie"
    with platform.database.write() as connection:
        now = platform.clock()
        until = now + timedelta(days=1)
        found = {"digest": hash_secret(secret), "person": person.id, "csrf": f"{person.id}-form"}
        delete_session(connection, hash_secret(secret))
        create_session(connection, **found, now=now, expires=until)
    return {"cookie": f"{SESSION_COOKIE}={secret}", "csrf": found["csrf"]}


def keys(platform: Platform, scene: Scene, role: str) -> dict[str, str]:
    if role == "visitor":
        return {"cookie": f"{VISITOR_COOKIE}=first", "csrf": anonymous_csrf_token(platform, "first")}
    return session(platform, scene.people[role])


def ask(client: Client, route: Route, where: str, key: dict[str, str], csrf: str):
    headers = {"cookie": key["cookie"]}
    client.cookies.clear()
    options = {"headers": headers}
    if route.method == "GET":
        return client.get(where, **options)
    if route.is_api:
        options["headers"] = {**headers, "x-csrf-token": csrf}
        return client.post(where, content=b"no answers", **options)
    file = {"file": ("answers.conll", b"no answers")} if route.kind == "upload" else None
    return client.post(where, data={"csrf": csrf, **FIELDS}, files=file, **options)


def outcome(answer) -> str:
    """What the one who asked was told."""
    assert answer.status_code < 500, answer.text
    to_the_door = answer.headers.get("location", "").startswith("/sign-in")
    if answer.status_code in (401, 403) or to_the_door:
        return "no"
    return "gone" if answer.status_code == 404 else "yes"


@SQLITE
def test_the_app_has_the_routes_of_the_table_and_no_others(app: ASGIApp):
    served = {
        (method, route.path)
        for route in app.app.routes
        for method in getattr(route, "methods", [])
        if method != "OPTIONS"
    }
    assert served == {(r.method, r.path.replace("}", ":str}")) for r in ROUTES.values()}
    assert set(EXPECTED) == set(ROUTES)


@pytest.mark.parametrize("role", ROLES)
def test_every_route_does_for_every_role_what_it_should(platform: Platform, scene: Scene, client, role: str):
    told = {}
    for name, route in ROUTES.items():
        if name in ("sign-in", "register", "change-password"):
            assert EXPECTED[name] == (EVERYBODY if "visitor" in route.roles else ACCOUNTS)
            continue  # a wrong password is a refusal for everybody
        key = keys(platform, scene, role)
        told[name] = outcome(ask(client, route, scene.address(route), key, key["csrf"]))
    expected = {name: EXPECTED[name].split()[ROLES.index(role)] for name in told}
    assert told == expected


@SQLITE
@pytest.mark.parametrize("role", ROLES)
def test_no_form_is_taken_without_its_token(platform: Platform, scene: Scene, client, role: str):
    looked = 0
    for route in ROUTES.values():
        if route.method == "POST" and route.name != "api-check-receipt":
            key = keys(platform, scene, role)
            for wrong in ("", "guessed"):
                answer = ask(client, route, scene.address(route), key, wrong)
                assert outcome(answer) == "no", route.name
                looked += 1
    assert looked >= 30


@SQLITE
def test_a_form_of_another_person_is_not_taken(platform: Platform, scene: Scene, client):
    key = keys(platform, scene, "participant")
    other = keys(platform, scene, "other")
    answer = ask(client, ROUTES["create-token"], "/tokens", key, other["csrf"])
    assert answer.status_code == 403
    assert "CB344" in answer.text


@SQLITE
def test_tokens_do_not_open_forms(platform: Platform, scene: Scene, client):
    with platform.database.write() as connection:
        clear = create_token(connection, scene.people["other"].id, "t", platform.clock())
    headers = {"authorization": f"Bearer {clear}"}
    assert client.get("/api/v1/me", headers=headers).json()["role"] == "participant"
    answer = client.post("/tokens", data={"label": "more", "csrf": ""}, headers=headers)
    assert answer.status_code == 403


def test_approval_and_revocation_count_at_once(platform: Platform, scene: Scene, client):
    person = scene.people["applicant"]
    with platform.database.write() as connection:
        clear = create_token(connection, person.id, "t", platform.clock())
    headers = {"authorization": f"Bearer {clear}"}
    assert client.get("/api/v1/submissions", headers=headers).json()["error"] == "CB301"
    with platform.database.write() as connection:
        now = platform.clock()
        set_team_state(connection, person.team or "", "approved", person=None, now=now)
    assert client.get("/api/v1/submissions", headers=headers).json() == []
    with platform.database.write() as connection:
        (token,) = list_tokens(connection, person.id)
        assert revoke_token(connection, token.id, person=person.id, now=platform.clock())
    assert client.get("/api/v1/me", headers=headers).status_code == 401
