"""Every address of the server: its name, who may use it, and the module behind it.

The app is built from this table alone; a test fails where the app has a route that is not in it,
and visits each with every role.
"""

from typing import Literal, TypeAlias

from corefbench.campaign.domain.visibility import Role
from corefbench.errors import UnknownName
from corefbench.web.addresses import Addressed

Kind: TypeAlias = Literal["page", "form", "file", "api", "entrance", "upload"]
"""A page, what a form does, something handed out, an answer in JSON; the last two are the app's
own: signing in and out, and answers that arrive as a stream."""

ANYONE: frozenset[Role] = frozenset({"visitor", "applicant", "participant", "organiser"})
SIGNED_IN: frozenset[Role] = ANYONE - {"visitor"}
MEMBERS: frozenset[Role] = frozenset({"applicant", "participant"})
PARTICIPANTS: frozenset[Role] = frozenset({"participant"})
TAKING_PART: frozenset[Role] = frozenset({"participant", "organiser"})
ORGANISERS: frozenset[Role] = frozenset({"organiser"})


class Route(Addressed, frozen=True):
    """One address."""

    name: str
    method: Literal["GET", "POST"]
    kind: Kind
    roles: frozenset[Role]
    own: bool = False
    """Whether it is about something that belongs to one team: others are told it is not there."""
    page: str = ""
    """Of a form: the page that has it, and shows it again where something is wrong."""
    query: tuple[str, ...] = ()
    """Of the interface: what may follow the question mark."""

    @property
    def module(self) -> str:
        """The module behind it, below ``views``."""
        bare = self.name.removeprefix("api-").replace("-", "_")
        folder = {"page": "pages", "form": "forms", "file": "files"}.get(self.kind, "api")
        return f"corefbench.campaign.views.{folder}.{bare}"

    @property
    def speaks_json(self) -> bool:
        """Whether errors are told in JSON, too."""
        return self.path.startswith("/api/")


def _page(name: str, path: str, roles: frozenset[Role], *, own: bool = False) -> Route:
    return Route(name=name, method="GET", path=path, kind="page", roles=roles, own=own)


def _form(
    name: str, path: str, roles: frozenset[Role], page: str = "", *, own: bool = False
) -> Route:
    return Route(name=name, method="POST", path=path, kind="form", roles=roles, page=page, own=own)


def _file(name: str, path: str, roles: frozenset[Role], *, own: bool = False) -> Route:
    return Route(name=name, method="GET", path=path, kind="file", roles=roles, own=own)


def _api(
    name: str,
    method: Literal["GET", "POST"],
    path: str,
    roles: frozenset[Role],
    *,
    kind: Kind = "api",
    own: bool = False,
    query: tuple[str, ...] = (),
) -> Route:
    return Route(
        name=f"api-{name}",
        method=method,
        path=f"/api/v1{path}",
        kind=kind,
        roles=roles,
        own=own,
        query=query,
    )


def _entrance(name: str, path: str, roles: frozenset[Role], page: str = "") -> Route:
    return Route(name=name, method="POST", path=path, kind="entrance", roles=roles, page=page)


_PLACE = "/phases/{phase}/tasks/{task}"

_TABLE = (
    # What everybody may see.
    _page("home", "/", ANYONE),
    _page("interface", "/api", ANYONE),
    _page("receipt", "/receipt", ANYONE),
    _form("check-receipt", "/receipt", ANYONE, "receipt"),
    # Coming and going.
    _page("registration", "/register", ANYONE),
    _entrance("register", "/register", ANYONE, "registration"),
    _page("door", "/sign-in", ANYONE),
    _entrance("sign-in", "/sign-in", ANYONE, "door"),
    _entrance("sign-out", "/sign-out", SIGNED_IN),
    _page("account", "/account", SIGNED_IN),
    _entrance("change-password", "/account", SIGNED_IN, "account"),
    # Taking part.
    _page("team", "/team", MEMBERS),
    _page("task", _PLACE, ANYONE),
    _form("take", f"{_PLACE}/download", PARTICIPANTS, "task"),
    _page("download", "/downloads/{download}", TAKING_PART, own=True),
    _file("data", "/downloads/{download}/file", PARTICIPANTS, own=True),
    Route(
        name="submit",
        method="POST",
        path=f"{_PLACE}/submissions",
        kind="upload",
        roles=PARTICIPANTS,
        page="task",
    ),
    _page("submissions", "/submissions", PARTICIPANTS),
    _page("submission", "/submissions/{submission}", TAKING_PART, own=True),
    _form("withdraw", "/submissions/{submission}/withdraw", PARTICIPANTS, "submission", own=True),
    _page("tokens", "/tokens", SIGNED_IN),
    _form("make-token", "/tokens", SIGNED_IN, "tokens"),
    _form("revoke-token", "/tokens/{token}/revoke", SIGNED_IN, "tokens", own=True),
    # The JSON interface.
    _api("me", "GET", "/me", ANYONE),
    _api("campaign", "GET", "/campaign", ANYONE),
    _api("place", "GET", _PLACE, ANYONE),
    _api("take", "POST", f"{_PLACE}/downloads", PARTICIPANTS),
    _api("data", "GET", "/downloads/{download}/file", PARTICIPANTS, kind="file", own=True),
    _api("check", "POST", f"{_PLACE}/check", PARTICIPANTS, kind="upload", query=("file_name",)),
    _api(
        "submit",
        "POST",
        f"{_PLACE}/submissions",
        PARTICIPANTS,
        kind="upload",
        query=("file_name", "label", "request", "check"),
    ),
    _api("board", "GET", f"{_PLACE}/board", ANYONE),
    _api("submissions", "GET", "/submissions", PARTICIPANTS, query=("phase", "task")),
    _api("submission", "GET", "/submissions/{submission}", TAKING_PART, own=True),
    _api("receipt", "GET", "/submissions/{submission}/receipt", TAKING_PART, own=True),
    _api("withdraw", "POST", "/submissions/{submission}/withdraw", PARTICIPANTS, own=True),
    _api("check-receipt", "POST", "/receipts/check", ANYONE),
    _api("openapi", "GET", "/openapi.json", ANYONE, kind="file"),
    # For those who watch the machine.
    _file("static", "/static/{file}", ANYONE),
    _file("alive", "/health/live", ANYONE),
    _file("ready", "/health/ready", ANYONE),
    _file("metrics", "/metrics", ORGANISERS),
    # Boards and the organisers' console.
    _page("boards", "/boards", ANYONE),
    _page("board", f"{_PLACE}/board", ANYONE),
    _file("board-file", f"{_PLACE}/board/{{kind}}", ANYONE),
    _page("console", "/organise", ORGANISERS),
    _page("console-teams", "/organise/teams", ORGANISERS),
    _form("judge-team", "/organise/teams/{team}", ORGANISERS, "console-teams"),
    _page("console-submissions", "/organise/submissions", ORGANISERS),
    _form("rescore", "/organise/rescore", ORGANISERS, "console-submissions"),
    _form("disqualify", "/organise/disqualify", ORGANISERS, "console-submissions"),
    _page("console-audit", "/organise/audit", ORGANISERS),
    _form("freeze", "/organise/freeze", ORGANISERS, "console"),
    _page("publication", "/organise/phases/{phase}", ORGANISERS),
    _form("publish", "/organise/phases/{phase}", ORGANISERS, "publication"),
    _file("site", "/organise/site.zip", ORGANISERS),
)

ROUTES: dict[str, Route] = {route.name: route for route in _TABLE}


def address(name: str, **values: object) -> str:
    """The address of a page, form or file."""
    if name not in ROUTES:
        raise UnknownName("route", name, list(ROUTES))
    return ROUTES[name].address(**values)
