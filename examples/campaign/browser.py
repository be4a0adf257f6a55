"""As much of a browser as forms need: it keeps cookies and sends back the token of a form."""

import re
from collections.abc import Callable
from html import unescape

import httpx


class Browser:
    """Someone who looks at the pages of a campaign and fills in its forms."""

    def __init__(self, server: str) -> None:
        self.http = httpx.Client(base_url=server, timeout=60, headers={"Origin": server})

    def open(self, page: str) -> str:
        """The text of a page."""
        answer = self.http.get(page)
        answer.raise_for_status()
        return answer.text

    def send(self, page: str, form: str, **fields: str) -> str:
        """Fill in a form that a page has; the page that comes after it."""
        token = re.search(r'name="csrf" value="([^"]*)"', self.open(page))
        csrf = unescape(token[1]) if token else ""
        answer = self.http.post(form, data={"csrf": csrf, **fields}, follow_redirects=True)
        answer.raise_for_status()
        return answer.text

    def sign_in(self, email: str, password: str) -> None:
        """Open a session."""
        self.send("/sign-in", "/sign-in", email=email, password=password)

    def close(self) -> None:
        """Leave."""
        self.http.close()


def all_of(page: str, pattern: str, made: Callable[[str], str] = unescape) -> list[str]:
    """What a page says in these places, each once."""
    return [made(one) for one in dict.fromkeys(re.findall(pattern, page))]
