"""A published campaign as a folder of pages that need no server: to put anywhere, or to keep.

The pages are those that a visitor of the server sees, made by the same views and templates. Links
lead to files beside them; what only a server could answer is not linked.
"""

import io
import re
import zipfile
from collections.abc import Iterator
from os.path import relpath
from pathlib import Path
from posixpath import dirname
from shutil import copyfile
from tempfile import TemporaryDirectory

from corefbench.campaign.exports import EXPORTS, export
from corefbench.campaign.platform import Platform
from corefbench.campaign.standings import standings
from corefbench.campaign.storage.settings import is_published
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.again import view_of
from corefbench.campaign.views.render import as_html
from corefbench.campaign.views.routes import ROUTES
from corefbench.errors import DataError, Place, UsageError
from corefbench.record import Record
from corefbench.web import render
from corefbench.web.app import STATIC

_OWN_STATIC = Path(__file__).parent / "static"
_LIVE_ONLY = ("htmx", "reading", "versus", "trial", "marked", "prepare")
"""Static files that the pages of a site do not use."""
_ABSENT = "absent:"
_DEAD = re.compile(rf'<a\b([^>]*)\shref="{_ABSENT}[^"]*"([^>]*)>(.*?)</a>', re.DOTALL)
_YEAR = (1980, 1, 1, 0, 0, 0)
"""The same in every archive: equal sites are equal bytes."""


class _Target(Record, frozen=True):
    """A page, or a file, by its route and the parts of its path."""

    route: str
    phase: str = ""
    task: str = ""
    kind: str = ""

    @property
    def file(self) -> str:
        """Where it is in the folder."""
        if self.route == "home":
            return "index.html"
        if self.route == "boards":
            return "boards.html"
        return f"boards/{plain(self.phase)}/{plain(self.task)}.{self.kind or 'html'}"


def write_site(platform: Platform, folder: Path, *, force: bool = False) -> int:
    """Write the pages; how many there are. ``index.html`` is the first.

    A folder that is not empty is left alone unless ``force``; then files of the same names are
    written over.
    """
    if folder.is_dir() and any(folder.iterdir()) and not force:
        raise UsageError(
            "the folder is not empty",
            found=str(folder),
            expected="a new or empty folder",
            remedy="name another, or write into it with --force",
        )
    targets = list(_targets(platform))
    try:
        _copy_static(folder)
        for target in targets:
            written = folder / target.file
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(_content(platform, target, targets), encoding="utf-8")
    except OSError as error:
        raise DataError(
            "the site cannot be written",
            place=Place(source=str(folder)),
            found=error.strerror or str(error),
            remedy="check the path and its permissions",
        ) from error
    return sum(not target.kind for target in targets)


def zipped_site(platform: Platform) -> bytes:
    """The same as a zip archive."""
    stream = io.BytesIO()
    with (
        TemporaryDirectory() as made,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        folder = Path(made)
        write_site(platform, folder)
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(
                f"{plain(platform.campaign.name)}/{path.relative_to(folder).as_posix()}", _YEAR
            )
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    return stream.getvalue()


def _targets(platform: Platform) -> Iterator[_Target]:
    """Everything that is written; boards of phases that are published."""
    with platform.database.read() as connection:
        published = [p for p in platform.campaign.phases if is_published(connection, p.name)]
    if not published:
        raise UsageError(
            "nothing has been published", remedy="publish a phase: the site has what is published"
        )
    yield _Target(route="home")
    yield _Target(route="boards")
    for phase in published:
        for data in phase.data:
            yield _Target(route="board", phase=phase.name, task=data.task)
            for kind in EXPORTS:
                yield _Target(route="board-file", phase=phase.name, task=data.task, kind=kind)


def _content(platform: Platform, target: _Target, targets: list[_Target]) -> str:
    """A page or a file as a visitor gets it."""
    if target.kind:
        return export(standings(platform, target.phase, target.task), target.kind)
    visitor = Visitor()
    query = {"phase": target.phase, "task": target.task} if target.phase else {}
    html = as_html(
        view_of(ROUTES[target.route])(platform, visitor, query),
        _place(target.file, frozenset(targets)),
        campaign=platform.campaign,
        visitor=visitor,
        now=platform.clock(),
        path=Path(target.file).name,
    )
    return _DEAD.sub(_unlinked, html)


def _place(here: str, targets: frozenset[_Target]) -> render.Place:
    """Where things are, seen from a file."""

    def url(name: str, **values: object) -> str:
        if set(values) - {"phase", "task", "kind"}:
            return _ABSENT
        target = _Target(route=name, **{key: str(value) for key, value in values.items()})
        return _relative(target.file, here) if target in targets else _ABSENT

    return render.Place(
        url=url,
        static=lambda name: _relative(f"static/{name}", here),
        drawing=lambda drawing, theme: "",
        live=False,
    )


def _copy_static(folder: Path) -> None:
    (folder / "static").mkdir(parents=True, exist_ok=True)
    for source in (STATIC, _OWN_STATIC):
        for path in sorted(source.iterdir()):
            if path.is_file() and not path.name.startswith(_LIVE_ONLY):
                copyfile(path, folder / "static" / path.name)


def _relative(there: str, here: str) -> str:
    return relpath(there, dirname(here) or ".").replace("\\", "/")


def plain(text: str) -> str:
    """A name as part of a file name that every system takes.

    >>> plain("task 1"), plain("../été")
    ('task-1', 't')
    """
    return re.sub(r"[^A-Za-z0-9_.]+", "-", text).strip("-.")[:80] or "x"


def _unlinked(match: "re.Match[str]") -> str:
    """A link that leads nowhere becomes its words; a button goes."""
    attributes = match[1] + match[2]
    return "" if re.search(r'class="[^"]*\bbutton\b', attributes) else f"<span>{match[3]}</span>"
