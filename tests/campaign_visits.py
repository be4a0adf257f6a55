"""Visitors of a campaign in tests: browsers with cookies, programs with tokens."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from typing import Any

import httpx
from litestar.types import ASGIApp

from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.credentials import create_token
from corefbench.campaign.storage.users import User, create_organiser
from tests.campaign import PASSWORD, password_hash

TASK = "/phases/training/tasks/coreference"
TEST = "/phases/test/tasks/coreference"


class Client:
    """Asks an app as if over the network, without its lifespan."""

    def __init__(self, app: ASGIApp, runner: asyncio.Runner) -> None:
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
        self._runner = runner
        self._client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1")
        self.cookies = self._client.cookies

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        return self._runner.run(self._client.request(method, path, **options))

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self.request("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self.request("POST", path, **options)

    def close(self) -> None:
        self._runner.run(self._client.aclose())


@contextmanager
def connected(app: ASGIApp) -> Iterator[Client]:
    """A client that is closed at the end."""
    with asyncio.Runner() as runner:
        client = Client(app, runner)
        yield client
        client.close()


class Browser:
    """A client that reads the token of forms as a browser would."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.csrf = ""

    def get(self, path: str, **options: Any) -> Any:
        answer = self.client.get(path, **options)
        found = re.search(r'name="csrf" value="([^"]*)"', answer.text)
        if found:
            self.csrf = unescape(found[1])
        return answer

    def post(self, path: str, data: dict[str, str] | None = None, **options: Any) -> Any:
        sent = {"csrf": self.csrf, **(data or {})}
        return self.client.post(path, data=sent, **options)

    def sign_in(self, email: str, password: str = PASSWORD) -> Any:
        self.get("/sign-in")
        answer = self.post("/sign-in", {"email": email, "password": password})
        self.get("/tokens")
        return answer


@contextmanager
def browsing(app: ASGIApp, email: str = "") -> Iterator[Browser]:
    """A browser, signed in where an address is given."""
    with connected(app) as client:
        browser = Browser(client)
        if email:
            assert browser.sign_in(email).status_code == 303
        yield browser


def organiser(platform: Platform, email: str = "organiser@example.org") -> User:
    with platform.database.write() as connection:
        return create_organiser(
            connection, email=email, name="Olga Organiser", password_hash=password_hash(), now=platform.clock()
        )


def token(platform: Platform, person: User) -> dict[str, str]:
    """The header that a program of this person sends."""
    with platform.database.write() as connection:
        clear = create_token(connection, person.id, "tests", platform.clock())
    return {"authorization": f"Bearer {clear}"}
