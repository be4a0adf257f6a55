"""Build HTML, JSON, file and redirect responses."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

import msgspec
from litestar import Request, Response
from litestar.datastructures import Cookie
from litestar.response import File, Redirect, Stream

from corefbench.records import Record

AnyRequest: TypeAlias = Request[Any, Any, Any]
NO_STORE = "no-store"
IMMUTABLE = "public, max-age=31536000, immutable"
"""For URLs that contain a hash of their content."""


class FileContent(Record, frozen=True):
    """Bytes, or a file on disk, with media type and name."""

    body: bytes | Path
    media_type: str = "application/octet-stream"
    name: str = ""
    """The name to save it under; empty where it is shown in the browser."""
    status: int = 200
    cache: str = NO_STORE


def html_response(html: str | Iterator[str], status: int = 200, **options: Any) -> Response[Any]:
    """Return a page; one that is rendered piece by piece is sent as it is made."""
    kind: Any = Response if isinstance(html, str) else Stream
    response: Response[Any] = kind(html, status_code=status, media_type="text/html; charset=utf-8", **options)
    return response


def json_response(body: Any, status: int = 200) -> Response[bytes]:
    """Return a record, or bytes that are JSON already."""
    return Response(
        body if isinstance(body, bytes) else msgspec.json.encode(body),
        status_code=status,
        media_type="application/json",
        headers={"cache-control": NO_STORE},
    )


def file_response(file: FileContent) -> Response[Any]:
    """Return a file, as an attachment if it has a name."""
    headers = {"cache-control": file.cache}
    if file.name:
        # RFC 6266: old clients read the ASCII name, all others the second one.
        ascii_name = "".join(c if c.isascii() and (c.isalnum() or c in "-_. ()") else "_" for c in file.name)
        headers["content-disposition"] = (
            f"attachment; filename=\"{ascii_name}\"; filename*=UTF-8''{quote(file.name, safe='')}"
        )
    if isinstance(file.body, Path):
        return File(path=file.body, media_type=file.media_type, headers=headers)
    return Response(file.body, status_code=file.status, media_type=file.media_type, headers=headers)


def redirect(url: str, **options: Any) -> Response[Any]:
    """Redirect after a form, so that reloading the next page sends nothing again."""
    return Redirect(url, status_code=303, **options)


def make_cookie(request: AnyRequest, name: str, value: str, *, max_age: int | None = None) -> Cookie:
    """Return a cookie that scripts cannot read and other sites cannot send."""
    return Cookie(
        key=name,
        value=value,
        max_age=max_age,
        path="/",
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
