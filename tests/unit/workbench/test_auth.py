"""The token of the workbench: in a URL, then in a cookie; forms carry a CSRF token."""

import re
import socket
from pathlib import Path
from threading import Thread

import pytest
import uvicorn
from litestar.testing import TestClient

import corefbench
from corefbench.web.server import bind_socket
from corefbench.workbench.app import create_app
from corefbench.workbench.auth import AccessToken
from corefbench.workbench.routes import ROUTES
from corefbench.workbench.storage import Workbench
from tests.unit.workbench.samples import HERE

TOKEN = AccessToken("a-token-for-tests")
FORM = {"kind": "score", "corpus": "upload"}


@pytest.fixture
def client(tmp_path):
    with TestClient(create_app(Workbench(tmp_path), TOKEN), base_url=HERE) as client:
        client.follow_redirects = False
        yield client


def urls() -> list[str]:
    return [route.url(**dict.fromkeys(route.parameters, "x")) for route in ROUTES.values()]


@pytest.mark.parametrize("path", ["/", "/index.json", "/no-such-page", "/runs/demo/export/run"])
@pytest.mark.parametrize("query", ["", "?token=", "?token=guessed", "?code=guessed", "?token=é"])
def test_nothing_is_shown_without_the_token(client, path, query):
    answer = client.get(path + query)
    assert answer.status_code == 403
    assert "corefbench ui" in answer.text
    assert "set-cookie" not in answer.headers
    assert TOKEN.token not in answer.text


def test_no_route_but_the_assets_works_without_the_token(client):
    for url in urls():
        if not url.startswith("/static/"):
            assert client.get(url).status_code == 403, url
            assert client.post(url, data=FORM).status_code == 403, url
    assert client.get("/static/corefbench.css").status_code == 200


def test_the_token_of_a_url_is_exchanged_for_a_cookie(client):
    answer = client.get(TOKEN.add_to("/prepare?kind=score"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/prepare?kind=score")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert TOKEN.token not in cookie
    assert client.get("/prepare?kind=score").status_code == 200


def test_a_path_with_several_slashes_redirects_to_this_server(client):
    answer = client.get(f"{HERE}//evil.example/?token={TOKEN.token}")
    assert answer.headers["location"] == "/evil.example/"


def test_a_code_works_once(client):
    url = TOKEN.add_code_to("/")
    assert client.get(url).status_code == 303
    client.cookies.clear()
    assert client.get(url).status_code == 403


def test_a_cookie_of_another_port_or_server_is_not_accepted(client):
    for name, value in (("corefbench_1", TOKEN.cookie), ("corefbench_8765", "x")):
        answer = client.get("/", headers={"cookie": f"{name}={value}"})
        assert answer.status_code == 403


def test_forms_need_their_csrf_token(client):
    client.get(TOKEN.add_to("/"))
    for sent in ({}, {"csrf": ""}, {"csrf": "guessed"}, {"csrf": TOKEN.cookie}):
        answer = client.post("/prepare", data={**FORM, **sent})
        assert answer.status_code == 403
        assert "CB344" in answer.text
    page = client.get("/prepare?kind=score").text
    (csrf,) = set(re.findall(r'name="csrf" value="([^"]+)"', page))
    answer = client.post("/prepare", data={**FORM, "csrf": csrf})
    assert answer.status_code == 422  # read, and found to lack a key


def test_scripts_send_the_token_in_a_header_and_need_no_csrf_token(client):
    headers = {"authorization": f"Bearer {TOKEN.token}"}
    assert client.get("/index.json", headers=headers).json()["runs"] == []
    assert client.post("/prepare", data=FORM, headers=headers).status_code == 422
    assert client.get("/", headers={"authorization": "Bearer guessed"}).status_code == 403


def test_every_server_has_a_token_of_its_own():
    assert AccessToken().token != AccessToken().token


def test_every_route_that_changes_something_needs_the_csrf_token(client):
    client.get(TOKEN.add_to("/"))
    forms = [route for route in ROUTES.values() if route.kind == "form"]
    assert len(forms) >= 9
    for route in forms:
        url = route.url(**dict.fromkeys(route.parameters, "x"))
        answer = client.post(url, data=FORM)
        assert (answer.status_code, "CB344" in answer.text) == (403, True), route.name


@pytest.mark.parametrize("package", ["workbench", "campaign"])
def test_every_form_that_is_posted_has_the_field_of_the_csrf_token(package):
    templates = list((Path(corefbench.__file__).parent / package / "templates").glob("*.html"))
    forms = [
        form
        for template in templates
        for form in re.findall(r"<form\b.*?</form>", template.read_text("utf-8"), re.DOTALL)
        if 'method="post"' in form.lower()
    ]
    assert len(forms) >= 9
    assert [form for form in forms if not re.search(r"\b(csrf_field|token)\(\)", form)] == []


def test_other_users_of_the_machine_cannot_post_over_a_real_connection(tmp_path):
    """The token decides, not the owner of the socket, who cannot be found out once it is closed."""
    listener = bind_socket("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(create_app(Workbench(tmp_path), TOKEN), log_level="critical", ws="none"))
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    body = b"csrf=" + TOKEN.csrf.encode()
    host, port = listener.getsockname()
    request = (
        f"POST /try HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    ).encode() + body
    try:
        with socket.create_connection((host, port), timeout=10) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(1 << 16).startswith(b"HTTP/1.1 403 ")
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()
