"""Write pages as a folder of files that needs no server."""

import re
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from os.path import relpath
from pathlib import Path
from posixpath import dirname

from corefbench.errors import DataError, Place, UsageError
from corefbench.web.assets import Assets

MISSING = "absent:"
"""URL of a page that only a server could answer; links to it are removed."""
_DEAD_LINK = re.compile(rf'<a\b([^>]*)\shref="{MISSING}[^"]*"([^>]*)>(.*?)</a>', re.DOTALL)
_SERVER_ASSETS = "htmx"
"""Prefix of assets that only the pages of a server use."""


@contextmanager
def output_folder(folder: Path, what: str, *, force: bool) -> Iterator[None]:
    """Refuse a folder that is not empty unless ``force``; report what the system refuses."""
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise UsageError(
            "the folder is not empty",
            found=str(folder),
            expected="a new or empty folder",
            remedy="name another, or write into it with --force",
        )
    try:
        yield
    except OSError as error:
        raise DataError(
            f"the {what} cannot be written",
            place=Place(source=str(folder)),
            found=error.strerror or str(error),
            remedy="check the path and its permissions",
        ) from error


def write_assets(folder: Path, assets: Assets) -> None:
    """Write the style sheets and scripts that pages need without a server."""
    static = folder / "static"
    static.mkdir(parents=True, exist_ok=True)
    for name, asset in assets.by_name.items():
        if not name.startswith(_SERVER_ASSETS):
            (static / name).write_bytes(asset.content)


def relative_url(target: str, source: str) -> str:
    """Return the URL of a file as seen from another one.

    >>> relative_url("index.html", "reading/a.html"), relative_url("static/a.css", "index.html")
    ('../index.html', 'static/a.css')
    """
    return relpath(target, dirname(source) or ".").replace("\\", "/")


def slugify(text: str) -> str:
    """Convert a value to a part of a file name that every system accepts.

    >>> slugify("random(seed=1)"), slugify("../été")
    ('random-seed-1', 't')
    """
    return re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-.")[:80] or "x"


def remove_dead_links(html: str) -> str:
    """Replace links that lead nowhere by their text, and drop such buttons.

    >>> remove_dead_links('<a class="soft" href="absent:">Errors</a>')
    '<span>Errors</span>'
    """
    return _DEAD_LINK.sub(_link_text, html)


def _link_text(match: "re.Match[str]") -> str:
    attributes = match[1] + match[2]
    return "" if re.search(r'class="[^"]*\bbutton\b', attributes) else f"<span>{match[3]}</span>"


def zip_folder(folder: Path, name: str) -> bytes:
    """Pack a folder under one name; equal folders give equal bytes."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                # A ZipInfo without a date has that of 1980, whatever the file's is.
                entry = zipfile.ZipInfo(f"{name}/{path.relative_to(folder).as_posix()}")
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, path.read_bytes())
    return stream.getvalue()
