"""Export a published campaign as a static site.

The pages are those that a visitor of the server sees, rendered by the same views and templates.
Links are relative; what needs a server is not linked.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from corefbench.campaign.leaderboard import EXPORT_FORMATS, build_board, export_board
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.settings import is_published
from corefbench.campaign.views.auth import Visitor
from corefbench.campaign.views.responses import ASSETS, render_page
from corefbench.campaign.views.routes import ROUTES
from corefbench.errors import UsageError
from corefbench.records import Record
from corefbench.web.rendering import Links
from corefbench.web.static_site import (
    MISSING,
    output_folder,
    relative_url,
    remove_dead_links,
    slugify,
    write_assets,
    zip_folder,
)


class _Target(Record, frozen=True):
    """A page or file, by its route and the parameters of its path."""

    route: str
    phase: str = ""
    task: str = ""
    kind: str = ""

    @property
    def file(self) -> str:
        """Return its path in the folder."""
        if self.route == "home":
            return "index.html"
        if self.route == "boards":
            return "boards.html"
        return f"boards/{slugify(self.phase)}/{slugify(self.task)}.{self.kind or 'html'}"


def write_site(platform: Platform, folder: Path, *, force: bool = False) -> int:
    """Write the pages, starting with ``index.html``; return how many.

    Raise if the folder is not empty, unless ``force``; then existing files are overwritten.
    """
    with output_folder(folder, "site", force=force):
        targets = list(_list_targets(platform))
        write_assets(folder, ASSETS)
        for target in targets:
            path = folder / target.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_render_target(platform, target, targets), encoding="utf-8")
    return sum(not target.kind for target in targets)


def zip_site(platform: Platform) -> bytes:
    """Return the site as a zip archive."""
    with TemporaryDirectory() as folder:
        write_site(platform, Path(folder))
        return zip_folder(Path(folder), slugify(platform.campaign.name))


def _list_targets(platform: Platform) -> Iterator[_Target]:
    """Yield all pages and files, with the boards of published phases."""
    with platform.database.read() as connection:
        published = [p for p in platform.campaign.phases if is_published(connection, p.name)]
    if not published:
        raise UsageError("nothing has been published", remedy="publish a phase: the site has what is published")
    yield _Target(route="home")
    yield _Target(route="boards")
    for phase in published:
        for data in phase.data:
            yield _Target(route="board", phase=phase.name, task=data.task)
            for kind in EXPORT_FORMATS:
                yield _Target(route="board-file", phase=phase.name, task=data.task, kind=kind)


def _render_target(platform: Platform, target: _Target, targets: list[_Target]) -> str:
    """Return a page or file as a visitor gets it."""
    if target.kind:
        return export_board(build_board(platform, target.phase, target.task), target.kind)
    visitor = Visitor()
    query = {"phase": target.phase, "task": target.task} if target.phase else {}
    html = render_page(
        ROUTES.load_view(target.route)(platform, visitor, query),
        _make_links(target.file, frozenset(targets)),
        campaign=platform.campaign,
        visitor=visitor,
        now=platform.clock(),
        path=Path(target.file).name,
    )
    return remove_dead_links(html)


def _make_links(here: str, targets: frozenset[_Target]) -> Links:
    """Return URLs as seen from a file."""

    def url(name: str, **values: object) -> str:
        if set(values) - {"phase", "task", "kind"}:
            return MISSING
        target = _Target(route=name, **{key: str(value) for key, value in values.items()})
        return relative_url(target.file, here) if target in targets else MISSING

    return Links(
        url=url, static=lambda name: relative_url(f"static/{name}", here), chart=lambda chart, theme: "", live=False
    )
