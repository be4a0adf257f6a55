"""Pages as files that need no server: where they lead to, what lies beside them, the folder."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from os.path import relpath
from pathlib import Path
from posixpath import dirname
from shutil import copyfile

from corefbench.errors import DataError, Place, UsageError

ABSENT = "absent:"
"""The address of what only a server could answer."""
_DEAD = re.compile(rf'<a\b([^>]*)\shref="{ABSENT}[^"]*"([^>]*)>(.*?)</a>', re.DOTALL)


@contextmanager
def written_into(folder: Path, what: str, *, force: bool) -> Iterator[None]:
    """While pages are written: a folder that is not empty is refused unless ``force``, and what the
    operating system refuses is said."""
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


def copy_static(folder: Path, *sources: Path, without: tuple[str, ...]) -> None:
    """Style sheets and scripts, but for those that only a server uses."""
    (folder / "static").mkdir(parents=True, exist_ok=True)
    for source in sources:
        for path in sorted(source.iterdir()):
            if path.is_file() and not path.name.startswith(without):
                copyfile(path, folder / "static" / path.name)


def relative(there: str, here: str) -> str:
    """The way from a file to another.

    >>> relative("index.html", "reading/a.html"), relative("static/a.css", "index.html")
    ('../index.html', 'static/a.css')
    """
    return relpath(there, dirname(here) or ".").replace("\\", "/")


def plain(text: str) -> str:
    """A value as part of a file name that every system takes.

    >>> plain("random(seed=1)"), plain("../été")
    ('random-seed-1', 't')
    """
    return re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-.")[:80] or "x"


def without_dead_links(html: str) -> str:
    """The page where links that lead nowhere are their words; buttons that do are gone.

    >>> without_dead_links('<a class="soft" href="absent:">Errors</a>')
    '<span>Errors</span>'
    """
    return _DEAD.sub(_words_of, html)


def _words_of(match: "re.Match[str]") -> str:
    attributes = match[1] + match[2]
    return "" if re.search(r'class="[^"]*\bbutton\b', attributes) else f"<span>{match[3]}</span>"
