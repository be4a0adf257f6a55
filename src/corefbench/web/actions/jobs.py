"""Start a run and stop it; rename and delete those that are kept."""

from asyncio import to_thread
from typing import Any

from litestar import Request, Response, get, post
from litestar.datastructures import FormMultiDict, UploadFile
from litestar.response import Redirect
from msgspec.structs import replace

from corefbench.web.form import Form, form_of
from corefbench.web.ordering import consider
from corefbench.web.page import Page
from corefbench.web.render import as_html, in_app
from corefbench.web.routes import address, visit
from corefbench.web.views.prepare import page_of
from corefbench.web.workbench import Workbench

Asked = Request[Any, Any, Any]


def handlers(workbench: Workbench) -> list[Any]:
    """The handlers."""
    return [_prepare(workbench), _progress(workbench), *_of_job(workbench), *_of_run(workbench)]


def _prepare(workbench: Workbench) -> Any:
    @post("/prepare")
    async def prepare(request: Asked) -> Response[Any]:
        sent = await request.form()
        form = await _taken(workbench, sent)
        considered = await to_thread(consider, workbench, form)
        if considered.order is None or sent.get("do") == "check":
            page = await to_thread(page_of, workbench, form, considered)
            return _html(page)
        return _to(address("job", job=workbench.jobs.submit(considered.order)))

    return prepare


async def _taken(workbench: Workbench, sent: FormMultiDict) -> Form:
    """The form, with the files that came with it kept."""
    form = form_of({name: [v for v in sent.getall(name) if isinstance(v, str)] for name in sent})
    corpus = await _files(sent, "corpus_files")
    if corpus:
        kept = await to_thread(workbench.keep_uploads, corpus)
        form = replace(form, kept=kept, corpus="upload")
    responses = await _files(sent, "response_files")
    if responses:
        paths = [await to_thread(workbench.keep_upload, *file) for file in responses]
        form = replace(form, responses_kept=tuple(map(workbench.upload_name, paths)))
    return form


async def _files(sent: FormMultiDict, field: str) -> list[tuple[str, bytes]]:
    """The files of a field; a field that was left empty sends one without a name."""
    files = [v for v in sent.getall(field, []) if isinstance(v, UploadFile) and v.filename]
    return [(file.filename, await file.read()) for file in files]


def _progress(workbench: Workbench) -> Any:
    @get("/jobs/{job:str}/progress", sync_to_thread=True)
    def progress(request: Asked) -> Response[str]:
        page = visit("job", workbench, {"job": request.path_params["job"]})
        made = _html(replace(page, template="job_state.html"))
        if page.model.job.state == "done":
            made.headers["hx-redirect"] = address("results", run=page.model.job.outcome.run)
        return made

    return progress


def _of_job(workbench: Workbench) -> list[Any]:
    @post("/jobs/{job:str}/cancel", sync_to_thread=True)
    def cancel(request: Asked) -> Response[Any]:
        workbench.jobs.cancel(request.path_params["job"])
        return _to(address("job", **request.path_params))

    @post("/jobs/{job:str}/again", sync_to_thread=True)
    def again(request: Asked) -> Response[Any]:
        workbench.jobs.again(request.path_params["job"])
        return _to(address("job", **request.path_params))

    @post("/jobs/{job:str}/remove", sync_to_thread=True)
    def remove(request: Asked) -> Response[Any]:
        workbench.jobs.remove(request.path_params["job"])
        return _to(address("home"))

    return [cancel, again, remove]


def _of_run(workbench: Workbench) -> list[Any]:
    @post("/runs/{run:str}/rename")
    async def rename(request: Asked) -> Response[Any]:
        sent = await request.form()
        workbench.rename_run(request.path_params["run"], str(sent.get("name", "")))
        return _to(address("home"))

    @post("/runs/{run:str}/delete", sync_to_thread=True)
    def delete(request: Asked) -> Response[Any]:
        workbench.delete_run(request.path_params["run"])
        return _to(address("home"))

    return [rename, delete]


def _html(page: Page) -> Response[str]:
    body = as_html(page, in_app(), path=address("prepare"))
    return Response(body, status_code=page.status, media_type="text/html")


def _to(where: str) -> Response[Any]:
    """Go on to a page, so that reloading it asks for nothing again."""
    return Redirect(where, status_code=303)
