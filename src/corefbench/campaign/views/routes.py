"""Routing table of the campaign server: paths, roles and views.

The application is built from this table alone; a test fails where the application has a route that
is not in it, and visits each with every role.
"""

from typing import Literal, TypeAlias

from corefbench.campaign.domain.visibility import Role
from corefbench.web.routing import BaseRoute, RoutingTable

Kind: TypeAlias = Literal["page", "form", "file", "api", "account", "upload"]
"""What the view returns and gets: ``page`` a page; ``form`` a redirect or page, from the fields of
a form; ``file`` a file; ``api`` a record; ``account`` a response that sets cookies; ``upload`` a
response, from a body that is read as a stream."""

ANYONE: frozenset[Role] = frozenset({"visitor", "applicant", "participant", "organiser"})
SIGNED_IN: frozenset[Role] = ANYONE - {"visitor"}
MEMBERS: frozenset[Role] = frozenset({"applicant", "participant"})
PARTICIPANTS: frozenset[Role] = frozenset({"participant"})
PARTICIPANTS_AND_ORGANISERS: frozenset[Role] = frozenset({"participant", "organiser"})
ORGANISERS: frozenset[Role] = frozenset({"organiser"})


class Route(BaseRoute, frozen=True, kw_only=True):
    """A path with its method, roles and view."""

    method: Literal["GET", "POST"]
    kind: Kind
    roles: frozenset[Role]
    own: bool = False
    """Whether it belongs to one team; others are told that it does not exist."""
    page: str = ""
    """Of a form: the page that contains it and shows it again with an error."""
    query: tuple[str, ...] = ()
    """Query parameters of the API."""
    status: int = 200
    """Status code of a successful API call."""

    @property
    def is_api(self) -> bool:
        """Whether it answers in JSON, errors included."""
        return self.path.startswith("/api/")


def _page(name: str, path: str, roles: frozenset[Role], view: str, *, own: bool = False) -> Route:
    return Route(name=name, method="GET", path=path, kind="page", roles=roles, view=view, own=own)


def _file(name: str, path: str, roles: frozenset[Role], view: str, *, own: bool = False) -> Route:
    return Route(name=name, method="GET", path=path, kind="file", roles=roles, view=view, own=own)


def _form(
    name: str, path: str, roles: frozenset[Role], view: str, page: str = "", *, kind: Kind = "form", own: bool = False
) -> Route:
    return Route(name=name, method="POST", path=path, kind=kind, roles=roles, view=view, page=page, own=own)


def _api(
    name: str,
    method: Literal["GET", "POST"],
    path: str,
    roles: frozenset[Role],
    view: str,
    *,
    kind: Kind = "api",
    own: bool = False,
    query: tuple[str, ...] = (),
    status: int = 200,
) -> Route:
    return Route(
        name=f"api-{name}",
        method=method,
        path=f"/api/v1{path}",
        kind=kind,
        roles=roles,
        view=view,
        own=own,
        query=query,
        status=status,
    )


_TASK = "/phases/{phase}/tasks/{task}"
_SUBMISSION = "/submissions/{submission}"

ROUTES = RoutingTable(
    "corefbench.campaign.views",
    (
        # For everybody.
        _page("home", "/", ANYONE, "tasks:home_page"),
        _page("api-docs", "/api", ANYONE, "api_docs:api_docs_page"),
        _page("receipt", "/receipt", ANYONE, "submissions:receipt_page"),
        _form("check-receipt", "/receipt", ANYONE, "submissions:check_receipt_action", "receipt"),
        # Accounts.
        _page("registration", "/register", ANYONE, "account:registration_page"),
        _form("register", "/register", ANYONE, "account:register", "registration", kind="account"),
        _page("sign-in-form", "/sign-in", ANYONE, "account:sign_in_page"),
        _form("sign-in", "/sign-in", ANYONE, "account:sign_in", "sign-in-form", kind="account"),
        _form("sign-out", "/sign-out", SIGNED_IN, "account:sign_out", kind="account"),
        _page("account", "/account", SIGNED_IN, "account:account_page"),
        _form("change-password", "/account", SIGNED_IN, "account:change_password", "account", kind="account"),
        _page("tokens", "/tokens", SIGNED_IN, "account:tokens_page"),
        _form("create-token", "/tokens", SIGNED_IN, "account:create_token_action", "tokens"),
        _form("revoke-token", "/tokens/{token}/revoke", SIGNED_IN, "account:revoke_token_action", "tokens", own=True),
        # Participants.
        _page("team", "/team", MEMBERS, "account:team_page"),
        _page("task", _TASK, ANYONE, "tasks:task_page"),
        _form("create-download", f"{_TASK}/download", PARTICIPANTS, "downloads:download_action", "task"),
        _page("download", "/downloads/{download}", PARTICIPANTS_AND_ORGANISERS, "downloads:download_page", own=True),
        _file("data", "/downloads/{download}/file", PARTICIPANTS, "downloads:data_file", own=True),
        _form("submit", f"{_TASK}/submissions", PARTICIPANTS, "uploads:handle_upload", "task", kind="upload"),
        _page("submissions", "/submissions", PARTICIPANTS, "submissions:submissions_page"),
        _page("submission", _SUBMISSION, PARTICIPANTS_AND_ORGANISERS, "submissions:submission_page", own=True),
        _form(
            "withdraw", f"{_SUBMISSION}/withdraw", PARTICIPANTS, "submissions:withdraw_action", "submission", own=True
        ),
        # The JSON API.
        _api("me", "GET", "/me", ANYONE, "account:api_me"),
        _api("campaign", "GET", "/campaign", ANYONE, "tasks:api_campaign"),
        _api("task", "GET", _TASK, ANYONE, "tasks:api_task"),
        _api(
            "create-download", "POST", f"{_TASK}/downloads", PARTICIPANTS, "downloads:api_create_download", status=201
        ),
        _api("data", "GET", "/downloads/{download}/file", PARTICIPANTS, "downloads:data_file", kind="file", own=True),
        _api(
            "check",
            "POST",
            f"{_TASK}/check",
            PARTICIPANTS,
            "uploads:handle_upload",
            kind="upload",
            query=("file_name",),
        ),
        _api(
            "submit",
            "POST",
            f"{_TASK}/submissions",
            PARTICIPANTS,
            "uploads:handle_upload",
            kind="upload",
            query=("file_name", "label", "request", "check"),
            status=201,
        ),
        _api("board", "GET", f"{_TASK}/board", ANYONE, "boards:api_board"),
        _api(
            "submissions", "GET", "/submissions", PARTICIPANTS, "submissions:api_submissions", query=("phase", "task")
        ),
        _api("submission", "GET", _SUBMISSION, PARTICIPANTS_AND_ORGANISERS, "submissions:api_submission", own=True),
        _api(
            "receipt", "GET", f"{_SUBMISSION}/receipt", PARTICIPANTS_AND_ORGANISERS, "submissions:api_receipt", own=True
        ),
        _api("withdraw", "POST", f"{_SUBMISSION}/withdraw", PARTICIPANTS, "submissions:api_withdraw", own=True),
        _api("check-receipt", "POST", "/receipts/check", ANYONE, "submissions:api_check_receipt"),
        _api("openapi", "GET", "/openapi.json", ANYONE, "api_docs:openapi_file", kind="file"),
        # Assets and monitoring.
        _file("static", "/static/{file}", ANYONE, "responses:static_file"),
        _file("health", "/health", ANYONE, "health:health_file"),
        _file("live", "/health/live", ANYONE, "health:liveness_file"),
        _file("ready", "/health/ready", ANYONE, "health:readiness_file"),
        _file("metrics", "/metrics", ORGANISERS, "health:metrics_file"),
        # Boards and the organisers' console.
        _page("boards", "/boards", ANYONE, "boards:boards_page"),
        _page("board", f"{_TASK}/board", ANYONE, "boards:board_page"),
        _file("board-file", f"{_TASK}/board/{{kind}}", ANYONE, "boards:board_file"),
        _page("console", "/organise", ORGANISERS, "console:console_page"),
        _page("console-teams", "/organise/teams", ORGANISERS, "console:console_teams_page"),
        _form("judge-team", "/organise/teams/{team}", ORGANISERS, "console:judge_team_action", "console-teams"),
        _page("console-submissions", "/organise/submissions", ORGANISERS, "console:console_submissions_page"),
        _form("rescore", "/organise/rescore", ORGANISERS, "console:rescore_action", "console-submissions"),
        _form("disqualify", "/organise/disqualify", ORGANISERS, "console:disqualify_action", "console-submissions"),
        _page("console-audit", "/organise/audit", ORGANISERS, "console:audit_page"),
        _form("freeze", "/organise/freeze", ORGANISERS, "console:freeze_action", "console"),
        _page("publication", "/organise/phases/{phase}", ORGANISERS, "console:publication_page"),
        _form("publish", "/organise/phases/{phase}", ORGANISERS, "console:publish_action", "publication"),
        _file("site", "/organise/site.zip", ORGANISERS, "console:site_file"),
    ),
)
url_for = ROUTES.url_for
