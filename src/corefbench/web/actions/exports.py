"""Take results away: LaTeX, CSV, JSON, Markdown, BibTeX, the run file, a bundle."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from litestar import Request, Response, get

from corefbench.errors import UnknownName
from corefbench.report import ReportFormat
from corefbench.report.statistics import report_statistics
from corefbench.web import exporting
from corefbench.web.commands import file_of
from corefbench.web.views.statistics import described
from corefbench.web.workbench import Workbench

Asked = Request[Any, Any, Any]

_TYPES = {
    ".tex": "text/x-tex; charset=utf-8",
    ".csv": "text/csv; charset=utf-8",
    ".md": "text/markdown; charset=utf-8",
    ".json": "application/json",
    ".bib": "text/x-bibtex; charset=utf-8",
}
_SHAPES: dict[str, ReportFormat] = {
    "statistics.tex": "latex",
    "statistics.csv": "csv",
    "statistics.md": "markdown",
    "statistics.json": "json",
}


def handlers(workbench: Workbench) -> list[Any]:
    """The handlers."""
    return [_of_run(workbench), _of_statistics(workbench)]


def _of_run(workbench: Workbench) -> Any:
    texts: dict[str, Callable[[Any], str]] = {
        "results.tex": exporting.as_latex,
        "results.csv": exporting.as_csv,
        "documents.csv": exporting.by_document_as_csv,
        "results.md": exporting.as_markdown,
        "results.json": exporting.as_json,
        "references.bib": exporting.as_bibtex,
    }

    @get("/runs/{run:str}/export/{what:str}", sync_to_thread=True)
    def export(request: Asked) -> Response[bytes]:
        run, what = request.path_params["run"], request.path_params["what"]
        if what == "run":
            content = workbench.path_of(run).read_bytes()
            return attachment(file_of(run), content, "application/octet-stream")
        if what == "bundle":
            return attachment(f"{run}.zip", _bundle(workbench, run), "application/zip")
        if what not in texts:
            raise UnknownName("export", what, [*texts, "run", "bundle"])
        text = texts[what](workbench.run(run))
        return _text(f"{run}-{what}", text)

    return export


def _of_statistics(workbench: Workbench) -> Any:
    @get("/statistics/export/{what:str}", sync_to_thread=True)
    def export(request: Asked) -> Response[bytes]:
        what = request.path_params["what"]
        if what not in _SHAPES:
            raise UnknownName("export", what, list(_SHAPES))
        _, description = described(workbench, dict(request.query_params))
        if description is None:
            raise UnknownName("corpus", "", ["bundled"])
        return _text(what, report_statistics(description, _SHAPES[what]))

    return export


def _bundle(workbench: Workbench, run: str) -> bytes:
    """The pages of a run as a zip, in one folder."""
    from corefbench.web.bundle import write_bundle

    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "pages"
        write_bundle(workbench, run, folder)
        return exporting.zipped(folder, run)


def _text(name: str, text: str) -> Response[bytes]:
    return attachment(name, f"{text}\n".encode(), _TYPES[Path(name).suffix])


def attachment(name: str, content: bytes, kind: str) -> Response[bytes]:
    """A file to be saved under a name, whatever letters that has."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_. ()") else "_" for c in name)
    said = f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"
    return Response(content, media_type=kind, headers={"content-disposition": said})
