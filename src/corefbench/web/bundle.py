"""A run as a folder of pages that need no server: every text, table and chart, to publish or keep.

The pages are those of the app. Links lead to files beside them; what only a server could answer is
not linked.
"""

import re
from collections import deque
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from corefbench.record import Record
from corefbench.web import render
from corefbench.web.assets import STATIC
from corefbench.web.drawings import as_svg
from corefbench.web.offline import (
    ABSENT,
    copy_static,
    plain,
    relative,
    without_dead_links,
    written_into,
)
from corefbench.web.page import Drawing, Page
from corefbench.web.routes import ROUTES, visit
from corefbench.web.workbench import Workbench

_KEPT = {
    "results": (),
    "reading": ("document", "response"),
    "versus": ("document", "a", "b"),
    "errors": ("response", "page"),
    "singletons": ("response",),
}
"""The pages of a bundle, and what may distinguish two of a kind."""
_MANY = 4
"""Of more responses, not every two are laid side by side."""
_LIVE_ONLY = ("htmx",)
"""Static files that only pages of a server use."""
_LINK = re.compile(r'<a\b[^>]*\shref="([^"#]+)')

Progress = Callable[[int, int], None]
"""Told how many pages are written, and how many are known."""


class _Target(Record, frozen=True):
    """A page by its route and what it is asked."""

    name: str
    values: tuple[tuple[str, str], ...]


def write_bundle(
    workbench: Workbench,
    run: str,
    folder: Path,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> int:
    """Write the pages of a run; how many there are. ``index.html`` has its results.

    A folder that is not empty is left alone unless ``force``; then files of the same names are
    written over.
    """
    bundle = _Bundle(workbench, run, folder)
    with written_into(folder, "bundle", force=force):
        return bundle.write(progress or (lambda done, known: None))


class _Bundle:
    """The pages that are written, and those that written pages lead to."""

    def __init__(self, workbench: Workbench, run: str, folder: Path) -> None:
        self.workbench, self.run, self.folder = workbench, run, folder
        self.responses = [one.name for one in workbench.run(run).header.results]
        self.files: dict[_Target, str] = {}
        self.found: set[_Target] = set()
        self.waiting: deque[_Target] = deque()
        self.drawn: set[str] = set()

    def write(self, progress: Progress) -> int:
        """Page after page, each found by a link of an earlier one."""
        copy_static(self.folder, STATIC, without=_LIVE_ONLY)
        self._await(_Target(name="results", values=()))
        done = 0
        while self.waiting:
            target = self.waiting.popleft()
            self._write_page(target, self.files[target])
            done += 1
            progress(done, done + len(self.waiting))
        return done

    def _write_page(self, target: _Target, file: str) -> None:
        page = visit(target.name, self.workbench, {"run": self.run, **dict(target.values)})
        page = replace(page, crumbs=self._crumbs(page, file))
        links: dict[str, _Target] = {}
        place, twin = self._place(file, links), str(Path(file).with_suffix(".json"))
        html = render.as_html(page, place, path=relative(file, file), twin=Path(twin).name)
        written = self.folder / file
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(without_dead_links(html), encoding="utf-8")
        for link in dict.fromkeys(_LINK.findall(html)):
            if link in links:
                self._await(links[link])
        (self.folder / twin).write_bytes(render.as_json(page))

    def _place(self, file: str, links: dict[str, _Target]) -> render.Place:
        """Where things are, seen from a file; ``links`` takes what was asked for."""

        def url(name: str, **values: object) -> str:
            target = self._target(name, values)
            if target is None:
                return ABSENT
            made = relative(self._file(target), file)
            links[made] = target
            return made

        def drawing(drawing: Drawing, theme: str) -> str:
            return relative(self._drawn(drawing, theme), file)

        return render.Place(
            url=url,
            static=lambda name: relative(f"static/{name}", file),
            drawing=drawing,
            live=False,
        )

    def _target(self, name: str, values: dict[str, object]) -> _Target | None:
        """The page, if it is one of the bundle's; the first page of the app is the results."""
        name = "results" if name == "home" else name
        if name not in _KEPT or values.pop("run", self.run) != self.run:
            return None
        asked = {key: str(value) for key, value in values.items() if value not in (None, "")}
        if name == "versus" and not self._side_by_side(asked):
            return None
        if name in ("errors", "reading", "singletons") and self.responses:
            asked.setdefault("response", self.responses[0])
        if set(asked) - set(_KEPT[name]):
            return None
        return _Target(name=name, values=tuple(sorted(asked.items())))

    def _side_by_side(self, asked: dict[str, str]) -> bool:
        """Name both responses in the order of the run; whether they have a page."""
        chosen = [asked.get("a") or self.responses[0]]
        chosen.append(
            asked.get("b") or next((one for one in self.responses if one != chosen[0]), "")
        )
        if chosen[0] == chosen[1] or not set(chosen) <= set(self.responses):
            return False
        asked["a"], asked["b"] = sorted(chosen, key=self.responses.index)
        return len(self.responses) <= _MANY or asked["a"] == self.responses[0]

    def _file(self, target: _Target) -> str:
        """The name of a page's file, whether or not it will be written."""
        if target not in self.files:
            self.files[target] = self._free(target)
        return self.files[target]

    def _await(self, target: _Target) -> None:
        """A page that a written one leads to is to be written, once."""
        if target not in self.found:
            self._file(target)
            self.found.add(target)
            self.waiting.append(target)

    def _free(self, target: _Target) -> str:
        values = dict(target.values)
        words = [plain(values[key]) for key in _KEPT[target.name] if key in values]
        if target.name == "results":
            return "index.html"
        stem = "/".join([target.name, "-".join(words)]) if words else target.name
        taken, number, name = set(self.files.values()), 1, f"{stem}.html"
        while name in taken:
            number += 1
            name = f"{stem}.{number}.html"
        return name

    def _drawn(self, drawing: Drawing, theme: str) -> str:
        name = f"drawings/{drawing.digest}-{theme}.svg"
        if name not in self.drawn:
            (self.folder / "drawings").mkdir(exist_ok=True)
            (self.folder / name).write_text(as_svg(drawing, theme), encoding="utf-8")
            self.drawn.add(name)
        return name

    def _crumbs(self, page: Page, file: str) -> tuple[tuple[str, str], ...]:
        """The way to the page, without the pages that are not here."""
        way = [(title, self._results_at(where)) for title, where in page.crumbs]
        return tuple((title, relative(there, file)) for title, there in way if there)

    def _results_at(self, where: str) -> str:
        return "index.html" if where == ROUTES["results"].address(run=self.run) else ""
