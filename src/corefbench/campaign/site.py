"""A published campaign as a folder of pages that need no server: to put anywhere, or to keep.

The pages are those that a visitor of the server sees, made by the same views and templates. Links
lead to files beside them; what only a server could answer is not linked.
"""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from corefbench.campaign.exports import EXPORTS, export
from corefbench.campaign.platform import Platform
from corefbench.campaign.standings import standings
from corefbench.campaign.storage.settings import is_published
from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.again import view_of
from corefbench.campaign.views.render import as_html
from corefbench.campaign.views.routes import ROUTES
from corefbench.errors import UsageError
from corefbench.record import Record
from corefbench.web import render
from corefbench.web.assets import STATIC
from corefbench.web.offline import (
    ABSENT,
    copy_static,
    plain,
    relative,
    without_dead_links,
    written_into,
)

_OWN_STATIC = Path(__file__).parent / "static"
_LIVE_ONLY = ("htmx", "reading", "versus", "trial", "marked", "prepare")
"""Static files that the pages of a site do not use."""
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
    with written_into(folder, "site", force=force):
        targets = list(_targets(platform))
        copy_static(folder, STATIC, _OWN_STATIC, without=_LIVE_ONLY)
        for target in targets:
            written = folder / target.file
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(_content(platform, target, targets), encoding="utf-8")
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
    return without_dead_links(html)


def _place(here: str, targets: frozenset[_Target]) -> render.Place:
    """Where things are, seen from a file."""

    def url(name: str, **values: object) -> str:
        if set(values) - {"phase", "task", "kind"}:
            return ABSENT
        target = _Target(route=name, **{key: str(value) for key, value in values.items()})
        return relative(target.file, here) if target in targets else ABSENT

    return render.Place(
        url=url,
        static=lambda name: relative(f"static/{name}", here),
        drawing=lambda drawing, theme: "",
        live=False,
    )
