"""As much of a browser as the recorded pages need: cookies, redirects and forms."""

from html.parser import HTMLParser
from urllib.parse import urljoin

import httpx


class Form:
    """A form of a page: where it goes, and what its fields hold."""

    def __init__(self, action: str, method: str) -> None:
        self.action, self.method = action, method
        self.fields: dict[str, list[str]] = {}
        self.files: list[str] = []


class _FormParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._select = ""
        self._area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        name = values.get("name", "")
        if tag == "form":
            self.forms.append(Form(values.get("action", ""), values.get("method", "get").lower()))
        if not self.forms:
            return
        fields = self.forms[-1].fields
        if tag == "input" and name:
            kind = values.get("type", "text")
            if kind == "file":
                self.forms[-1].files.append(name)
            elif kind not in ("checkbox", "radio", "submit") or "checked" in values:
                fields.setdefault(name, []).append(values.get("value", "on"))
        elif tag == "select":
            self._select = name
        elif tag == "option" and self._select and ("selected" in values or self._select not in fields):
            fields[self._select] = [values.get("value", "")]
        elif tag == "textarea":
            self._area = name
            fields[name] = [""]

    def handle_data(self, data: str) -> None:
        if self._area:
            self.forms[-1].fields[self._area][0] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = ""
        elif tag == "textarea":
            self._area = ""


class Browser:
    """Someone who looks at pages and fills in their forms."""

    def __init__(self, start: str) -> None:
        self.origin = str(httpx.URL(start).copy_with(path="/", query=None, fragment=None))
        self.http = httpx.Client(timeout=60, follow_redirects=True, headers={"Origin": self.origin.rstrip("/")})

    def get(self, path: str) -> httpx.Response:
        return self.http.get(urljoin(self.origin, path))

    def submit(
        self, page: str, action: str, files: dict[str, tuple[str, bytes]] | None = None, **values: str
    ) -> httpx.Response:
        """Fill in the form of a page whose action ends so, and send it."""
        answer = self.get(page)
        parser = _FormParser()
        parser.feed(answer.text)
        chosen = [form for form in parser.forms if form.action.endswith(action)]
        if not chosen:
            raise LookupError(f"{page} ({answer.status_code}) has no form for {action}")
        form = chosen[0]
        fields = {**form.fields, **{name: [value] for name, value in values.items()}}
        target = urljoin(str(answer.url), form.action)
        if form.method == "get":
            return self.http.get(target, params=fields)
        return self.http.post(target, data=fields, files=files)
