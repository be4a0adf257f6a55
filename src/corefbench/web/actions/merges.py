"""Merge annotations of several people, and take the merge away."""

from asyncio import to_thread
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from litestar import Request, Response, get, post
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.response import Redirect
from msgspec.structs import replace

from corefbench.errors import CorefbenchError, UnknownName, UsageError
from corefbench.web.actions.exports import attachment
from corefbench.web.intake import absolute
from corefbench.web.merging import Choices, Given, Kept, keep, merged_of, opened
from corefbench.web.page import Page
from corefbench.web.render import as_html, in_app
from corefbench.web.routes import address
from corefbench.web.views.merge import page_of
from corefbench.web.workbench import Workbench
from corefbench.web.writing import written

Asked = Request[Any, Any, Any]
_WORDS = ("rule", "mentions", "links", "ties", "scope", "format")


def handlers(workbench: Workbench) -> list[Any]:
    """The handlers."""
    return [_merge(workbench), _decide(workbench), _export(workbench)]


def _merge(workbench: Workbench) -> Any:
    @post("/merge")
    async def merge(request: Asked) -> Response[Any]:
        sent = await request.form()
        choices, files, key = _choices(sent), await _files(sent, "files"), await _files(sent, "key")
        paths, key_path = _text(sent, "paths"), _text(sent, "key_path")

        def work() -> Response[Any]:
            try:
                given = _named(files, paths)
                gold = key[0] if key else _at(key_path)
                made = keep(workbench, given, choices, created=datetime.now(UTC), key=gold)
            except CorefbenchError as error:
                page = page_of(workbench, choices, paths=paths, key_path=key_path, error=str(error))
                return _html(page)
            return Redirect(address("merged", merge=made), status_code=303)

        return await to_thread(work)

    return merge


def _decide(workbench: Workbench) -> Any:
    @post("/merge/{merge:str}/decisions")
    async def decide(request: Asked) -> Response[Any]:
        answers = await _files(await request.form(), "decisions")
        if not answers:
            raise UsageError("no file is chosen", expected="the file of disagreements, answered")

        def work() -> str:
            kept = opened(workbench, request.path_params["merge"])
            given: dict[str, Given] = {n: Path(p) for n, p in kept.annotations().items()}
            return keep(
                workbench,
                given,
                kept.manifest.choices,
                created=datetime.now(UTC),
                key=_key(kept),
                decisions=answers[0][1],
            )

        return Redirect(address("merged", merge=await to_thread(work)), status_code=303)

    return decide


def _key(kept: Kept) -> tuple[str, Given] | None:
    name = kept.manifest.key
    return (name, kept.folder / "key" / name) if name else None


def _export(workbench: Workbench) -> Any:
    @get("/merge/{merge:str}/export/{what:str}", sync_to_thread=True)
    def export(request: Asked) -> Response[bytes]:
        made = merged_of(opened(workbench, request.path_params["merge"]))
        what = request.path_params["what"]
        if what == "conflicts":
            from corefbench.analysis.annotation.conflict_file import conflict_lines

            lines = conflict_lines(made.conflicts, made.names, made.corpus, made.digest)
            content = "\n".join(lines) + "\n"
            return attachment("conflicts.txt", content.encode(), "text/plain; charset=utf-8")
        if what != "corpus":
            raise UnknownName("export", what, ["corpus", "conflicts"])
        ending, corpus = written(made.corpus, request.query_params.get("format", "conll"))
        return attachment(f"merged{ending}", corpus, "application/octet-stream")

    return export


def _choices(sent: FormMultiDict) -> Choices:
    given = {name: _text(sent, name).strip() for name in _WORDS}
    made = Choices(lenient=bool(_text(sent, "lenient")))
    return replace(made, **{name: value for name, value in given.items() if value})


def _text(sent: FormMultiDict, name: str) -> str:
    value = sent.get(name, "")
    return value if isinstance(value, str) else ""


async def _files(sent: FormMultiDict, field: str) -> list[tuple[str, bytes]]:
    """The files of a field; a field that was left empty sends one without a name."""
    files = [v for v in sent.getall(field, []) if isinstance(v, UploadFile) and v.filename]
    return [(file.filename, await file.read()) for file in files]


def _named(files: list[tuple[str, bytes]], paths: str) -> dict[str, Given]:
    """Files and paths by names that keep them apart."""
    given: list[tuple[str, Given]] = [(Path(name).name, content) for name, content in files]
    for line in filter(None, (line.strip() for line in paths.splitlines())):
        path = Path(absolute(line))
        given.append((path.name, path))
    return _apart(given)


def _apart(given: list[tuple[str, Given]]) -> dict[str, Given]:
    made: dict[str, Given] = {}
    for name, one in given:
        free, number = name, 2
        while free in made:
            free, number = f"{name} ({number})", number + 1
        made[free] = one
    return made


def _at(path: str) -> tuple[str, Given] | None:
    return (Path(path).name, Path(absolute(path))) if path.strip() else None


def _html(page: Page) -> Response[Any]:
    body = as_html(page, in_app(), path=address("merge"))
    return Response(body, status_code=page.status, media_type="text/html")
