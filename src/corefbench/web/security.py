"""Middleware that checks Host and Origin and sends security headers.

A page of another site can make a browser send requests to a server on this machine. It cannot read
the responses, but it could submit forms (foreign ``Origin``) or, with a host name of its own that
resolves to this machine, read them too (foreign ``Host``, DNS rebinding). Both are refused.
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})

CONTENT_SECURITY_POLICY = "; ".join(
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
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with no-referrer our own forms would have a null origin
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class SecurityMiddleware:
    """Refuses foreign hosts and origins, and adds the security headers.

    It wraps the whole application, so that unknown paths are covered too. A HEAD request is
    answered like GET, without the body.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str] = LOOPBACK_HOSTS) -> None:
        self.app = app
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the request and pass it on."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        reason = self._refusal(scope)
        if reason:
            body = f"403 {reason}\n".encode()
            await send_response(send, 403, body, {"content-type": "text/plain; charset=utf-8"})
            return
        is_head = scope["method"] == "HEAD"
        if is_head:
            scope["method"] = "GET"

        async def send_secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in SECURITY_HEADERS.items()
                        if name.encode() not in present
                    ),
                ]
            elif is_head and message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        await self.app(scope, receive, send_secured)

    def _refusal(self, scope: HTTPScope) -> str:
        """Return why a request is refused; empty if it is not."""
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if hostname(host) not in self.hosts:
            return f"this server does not answer to the name {host!r}"
        if scope["method"] in _SAFE_METHODS:
            return ""
        origin = headers.get(b"origin", "")
        is_foreign = origin and origin != f"{scope['scheme']}://{host}"
        site = headers.get(b"sec-fetch-site", "same-origin")
        if is_foreign or site not in ("same-origin", "none"):
            return "forms of other sites are not accepted"
        return ""


def hostname(host: str) -> str:
    """Return the name without the port; empty if there is none.

    >>> hostname("localhost:8000"), hostname("[::1]:8000"), hostname("evil.example")
    ('localhost', '::1', 'evil.example')
    """
    if any(character in host for character in "@/\\?# "):
        return ""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


async def send_response(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    """Send a response from a middleware."""
    encoded = [(name.encode(), value.encode()) for name, value in headers.items()]
    encoded.append((b"x-content-type-options", b"nosniff"))
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body, "more_body": False})
