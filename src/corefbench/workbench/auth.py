"""Access to the local workbench: a token in the first URL, then a cookie.

Every user of a machine reaches its loopback address, so the address alone must not be enough. The
token is random, made at every start and known to whoever sees the terminal, as with Jupyter.
"""

import hmac
from collections.abc import Callable
from hashlib import sha256
from secrets import compare_digest, token_urlsafe
from typing import Any
from urllib.parse import urlencode

from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from corefbench.web.responses import AnyRequest
from corefbench.web.security import send_response

_TOKEN, _CODE = "token", "code"
_PUBLIC_PATH = "/static/"
"""Style sheets and scripts: there is nothing private in them."""


class AccessToken:
    """The secret of one server, with the cookie and the CSRF token derived from it."""

    def __init__(self, token: str = "") -> None:
        self.token = token or token_urlsafe(32)
        self.cookie = self._derive(b"cookie")
        self.csrf = self._derive(b"csrf")
        self._codes: set[str] = set()

    def add_to(self, url: str) -> str:
        """Return a URL that signs in."""
        return _with_query(url, {_TOKEN: self.token})

    def add_code_to(self, url: str) -> str:
        """Return a URL that signs in once.

        It is given to the browser on its command line, where other users of the machine may see
        it: by then it has been used.
        """
        code = token_urlsafe(32)
        self._codes.add(code)
        return _with_query(url, {_CODE: code})

    def accepts(self, parameters: dict[str, str]) -> bool:
        """Whether the query of a URL signs in; a code is used up."""
        code = parameters.get(_CODE, "")
        if code in self._codes:
            self._codes.discard(code)
            return True
        return _is_equal(parameters.get(_TOKEN, ""), self.token)

    def accepts_cookie(self, value: str) -> bool:
        """Whether a cookie is that of a signed-in browser."""
        return _is_equal(value, self.cookie)

    def accepts_header(self, value: str) -> bool:
        """Whether an Authorization header has the token; scripts send it."""
        scheme, _, token = value.partition(" ")
        return scheme.lower() == "bearer" and _is_equal(token.strip(), self.token)

    def is_script(self, request: AnyRequest) -> bool:
        """Whether the request has the token in a header, which no foreign page can send."""
        return self.accepts_header(request.headers.get("authorization", ""))

    def _derive(self, purpose: bytes) -> str:
        return hmac.new(self.token.encode(), purpose, sha256).hexdigest()


class TokenMiddleware:
    """Refuses requests without the token or the cookie."""

    def __init__(self, app: ASGIApp, token: AccessToken, refusal_page: Callable[[], str]) -> None:
        self.app = app
        self.token = token
        self.refusal_page = refusal_page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on who is signed in; exchange the token of a URL for a cookie."""
        if scope["type"] != ScopeType.HTTP or scope["path"].startswith(_PUBLIC_PATH):
            await self.app(scope, receive, send)
            return
        connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
        parameters = {name: str(value) for name, value in connection.query_params.items()}
        # Cookies are shared by all ports of a host: each server has its own.
        cookie = f"corefbench_{scope['server'][1] if scope['server'] else 0}"
        if self.token.accepts_cookie(connection.cookies.get(cookie, "")) or self.token.accepts_header(
            connection.headers.get("authorization", "")
        ):
            await self.app(scope, receive, send)
        elif scope["method"] == "GET" and self.token.accepts(parameters):
            headers = {
                "location": _url_without_token(scope, parameters),
                "set-cookie": f"{cookie}={self.token.cookie}; Path=/; HttpOnly; SameSite=Strict",
                "cache-control": "no-store",
            }
            await send_response(send, 303, b"", headers)
        else:
            headers = {"content-type": "text/html; charset=utf-8", "cache-control": "no-store"}
            await send_response(send, 403, self.refusal_page().encode(), headers)


def _url_without_token(scope: HTTPScope, parameters: dict[str, str]) -> str:
    others = {name: value for name, value in parameters.items() if name not in (_TOKEN, _CODE)}
    # One slash only: a path that begins with two would lead to another host.
    path = scope["raw_path"].decode("latin-1").partition("?")[0]
    return _with_query("/" + path.lstrip("/"), others)


def _with_query(url: str, parameters: dict[str, str]) -> str:
    if not parameters:
        return url
    return f"{url}{'&' if '?' in url else '?'}{urlencode(parameters)}"


def _is_equal(text: str, expected: str) -> bool:
    return compare_digest(text.encode(), expected.encode())
