"""The token of the workbench: in a URL, then in a cookie; forms carry a CSRF token."""

import re

import pytest
from litestar.testing import TestClient

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
