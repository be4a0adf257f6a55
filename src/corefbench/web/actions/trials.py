"""Try a text."""

from asyncio import to_thread
from typing import Any

from litestar import Request, Response, post
from litestar.response import Redirect

from corefbench.errors import CorefbenchError
from corefbench.web.render import as_html, in_app
from corefbench.web.routes import address
from corefbench.web.trials import keep, try_text
from corefbench.web.views.trial import Filled, page_of
from corefbench.web.workbench import Workbench

Asked = Request[Any, Any, Any]


def handlers(workbench: Workbench) -> list[Any]:
    """The handlers."""

    @post("/try")
    async def attempt(request: Asked) -> Response[Any]:
        sent = await request.form()
        chosen = tuple(name for name in sent.getall("resolvers", []) if isinstance(name, str))
        filled = Filled(
            text=str(sent.get("text", "")),
            resolvers=chosen,
            preprocess=str(sent.get("preprocess", "")),
        )
        return await to_thread(_tried, workbench, filled)

    return [attempt]


def _tried(workbench: Workbench, filled: Filled) -> Response[Any]:
    """The way to the answers, or the form again with what is wrong."""
    try:
        trial = try_text(filled.text, filled.resolvers, filled.preprocess)
    except CorefbenchError as error:
        page = page_of(workbench, filled, str(error))
        body = as_html(page, in_app(), path=address("trial"))
        return Response(body, status_code=page.status, media_type="text/html")
    keep(trial, workbench.folder / "trials")
    return Redirect(address("tried", trial=trial.name), status_code=303)
