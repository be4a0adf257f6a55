"""Write a run as a static site.

The pages are those of the application. Links lead to files beside them; links to what only a server
could answer are removed.
"""

import re
from collections import deque
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from corefbench.records import Record
from corefbench.web.pages import Chart, Page, render_svg
from corefbench.web.rendering import Links, encode_json
from corefbench.web.static_site import MISSING, output_folder, relative_url, remove_dead_links, slugify, write_assets
from corefbench.workbench.routes import ASSETS, RENDERER, build_page, url_for
from corefbench.workbench.storage import Workbench

_PAGE_PARAMETERS = {
    "results": (),
    "reading": ("document", "response"),
    "compare": ("document", "a", "b"),
    "errors": ("response", "page"),
    "singletons": ("response",),
}
"""The pages of a bundle, and the parameters that may distinguish two of the same route."""
_FOLDERS = {"compare": "versus"}
"""Folders of pages whose name is not that of the route: published bundles are linked to."""
_MAX_PAIRWISE_RESPONSES = 4
"""With more responses, only the first one is compared with each of the others."""
_LINK = re.compile(r'<a\b[^>]*\shref="([^"#]+)')

Progress = Callable[[int, int], None]
"""Called with the number of pages that are written and that are known."""


class _BundlePage(Record, frozen=True):
    """A page by its route and parameters."""

    name: str
    values: tuple[tuple[str, str], ...]


def write_bundle(
    workbench: Workbench, run: str, folder: Path, *, force: bool = False, progress: Progress | None = None
) -> int:
    """Write the pages of a run and return their number; ``index.html`` has the results.

    A folder that is not empty is refused unless ``force``; then files of the same names are
    overwritten.
    """
    bundle = _BundleWriter(workbench, run, folder)
    with output_folder(folder, "bundle", force=force):
        return bundle.write(progress or (lambda done, known: None))


class _BundleWriter:
    """Writes pages and follows their links to further pages."""

    def __init__(self, workbench: Workbench, run: str, folder: Path) -> None:
        self.workbench, self.run, self.folder = workbench, run, folder
        self.responses = [result.name for result in workbench.run(run).header.results]
        self.files: dict[_BundlePage, str] = {}
        self.queued: set[_BundlePage] = set()
        self.queue: deque[_BundlePage] = deque()
        self.charts: set[str] = set()

    def write(self, progress: Progress) -> int:
        """Write all pages that can be reached from the results."""
        write_assets(self.folder, ASSETS)
        self._enqueue(_BundlePage(name="results", values=()))
        done = 0
        while self.queue:
            target = self.queue.popleft()
            self._write_page(target, self._file(target))
            done += 1
            progress(done, done + len(self.queue))
        return done

    def _write_page(self, target: _BundlePage, file: str) -> None:
        page = build_page(target.name, self.workbench, {"run": self.run, **dict(target.values)})
        page = replace(page, breadcrumbs=self._breadcrumbs(page, file))
        targets: dict[str, _BundlePage] = {}
        json_file = str(Path(file).with_suffix(".json"))
        html = RENDERER.render(
            page, self._links(file, targets), path=relative_url(file, file), json_url=Path(json_file).name, csrf=""
        )
        path = self.folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(remove_dead_links(html), encoding="utf-8")
        (self.folder / json_file).write_bytes(encode_json(page))
        for link in dict.fromkeys(_LINK.findall(html)):
            if link in targets:
                self._enqueue(targets[link])

    def _links(self, file: str, targets: dict[str, _BundlePage]) -> Links:
        """Return URLs as seen from a file; ``targets`` collects the pages behind them."""

        def url(name: str, **values: object) -> str:
            target = self._target(name, values)
            if target is None:
                return MISSING
            link = relative_url(self._file(target), file)
            targets[link] = target
            return link

        return Links(
            url=url,
            static=lambda name: relative_url(f"static/{name}", file),
            chart=lambda chart, theme: relative_url(self._write_chart(chart, theme), file),
            live=False,
        )

    def _target(self, name: str, values: dict[str, object]) -> _BundlePage | None:
        """Return a page if the bundle has it; the results stand for the home page."""
        name = "results" if name == "home" else name
        if name not in _PAGE_PARAMETERS or values.pop("run", self.run) != self.run:
            return None
        parameters = {key: str(value) for key, value in values.items() if value not in (None, "")}
        if name == "compare" and not self._normalise_pair(parameters):
            return None
        if name in ("errors", "reading", "singletons") and self.responses:
            parameters.setdefault("response", self.responses[0])
        if set(parameters) - set(_PAGE_PARAMETERS[name]):
            return None
        return _BundlePage(name=name, values=tuple(sorted(parameters.items())))

    def _normalise_pair(self, parameters: dict[str, str]) -> bool:
        """Name both responses in the order of the run; return whether the pair has a page."""
        first = parameters.get("a") or self.responses[0]
        second = parameters.get("b") or next((r for r in self.responses if r != first), "")
        if first == second or not {first, second} <= set(self.responses):
            return False
        parameters["a"], parameters["b"] = sorted((first, second), key=self.responses.index)
        return len(self.responses) <= _MAX_PAIRWISE_RESPONSES or parameters["a"] == self.responses[0]

    def _file(self, target: _BundlePage) -> str:
        """Return the file name of a page, whether or not it will be written."""
        if target not in self.files:
            self.files[target] = self._free_name(target)
        return self.files[target]

    def _free_name(self, target: _BundlePage) -> str:
        if target.name == "results":
            return "index.html"
        values = dict(target.values)
        parts = [slugify(values[key]) for key in _PAGE_PARAMETERS[target.name] if key in values]
        folder = _FOLDERS.get(target.name, target.name)
        stem = f"{folder}/{'-'.join(parts)}" if parts else folder
        taken, number, name = set(self.files.values()), 1, f"{stem}.html"
        while name in taken:
            number += 1
            name = f"{stem}.{number}.html"
        return name

    def _enqueue(self, target: _BundlePage) -> None:
        if target not in self.queued:
            self.queued.add(target)
            self.queue.append(target)

    def _write_chart(self, chart: Chart, theme: str) -> str:
        name = f"drawings/{chart.digest}-{theme}.svg"
        if name not in self.charts:
            (self.folder / "drawings").mkdir(exist_ok=True)
            (self.folder / name).write_text(render_svg(chart, theme), encoding="utf-8")
            self.charts.add(name)
        return name

    def _breadcrumbs(self, page: Page, file: str) -> tuple[tuple[str, str], ...]:
        """Keep the results; the other pages above are not in the bundle."""
        results = url_for("results", run=self.run)
        return tuple((title, relative_url("index.html", file)) for title, url in page.breadcrumbs if url == results)
