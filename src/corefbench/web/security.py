"""Only this machine, only our own pages: what a local server must refuse.

A page of another site can make a browser send requests to 127.0.0.1. It cannot read our answers,
but it could start runs (foreign ``Origin``), or, with a name of its own that points here, read them
too (foreign ``Host``). Both are refused, and so are other users of this machine.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from corefbench.web.peers import is_foreign

LOCAL = frozenset({"localhost", "127.0.0.1", "::1"})

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with no-referrer our own forms would have a null origin
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """Refuses foreign hosts and origins, and sends the headers that keep pages to themselves.

    It stands before the router, so that what is not found is guarded too; a HEAD is answered as
    the GET would be, without its body.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOCAL, *, shared: bool = False) -> None:
        self.app = app
        self.hosts = frozenset(hosts)
        self.shared = shared
        """Whether other users of this machine may come, as they must to a campaign."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        reason = self._refused(scope)
        if reason:
            await _refuse(send, reason)
            return
        bare = scope["method"] == "HEAD"
        if bare:
            scope["method"] = "GET"

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in HEADERS.items()
                        if name.encode() not in known
                    ),
                ]
            elif bare and message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        await self.app(scope, receive, guarded)

    def _refused(self, scope: HTTPScope) -> str:
        """Why a request is refused; empty where it is not."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if hostname(host) not in self.hosts:
            return f"this server does not answer to the name {host!r}"
        if not self.shared and is_foreign(scope["client"], scope["server"]):
            return "this is the workbench of another user of this machine"
        if scope["method"] in _SAFE:
            return ""
        origin = headers.get(b"origin", "")
        if origin and origin != f"{scope['scheme']}://{host}":
            return "forms of other sites are not taken"
        if headers.get(b"sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return "forms of other sites are not taken"
        return ""


def hostname(host: str) -> str:
    """The name without the port; empty where it is none.

    >>> hostname("localhost:8000"), hostname("[::1]:8000"), hostname("evil.example")
    ('localhost', '::1', 'evil.example')
    """
    if any(sign in host for sign in "@/\\?# "):
        return ""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


async def _refuse(send: Send, reason: str) -> None:
    body = f"403 {reason}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
