"""The page of a form once more, with what was wrong and what had been filled in."""

from asyncio import to_thread
from collections.abc import Callable
from importlib import import_module
from typing import Any

from litestar import Response
from msgspec.structs import replace

from corefbench.campaign.views.access import Visitor
from corefbench.campaign.views.answers import page_answer
from corefbench.campaign.views.asked import Asked
from corefbench.campaign.views.failures import status_of
from corefbench.campaign.views.routes import ROUTES, Route
from corefbench.campaign.views.site import Site
from corefbench.errors import CorefbenchError
from corefbench.web.page import Page


def view_of(route: Route) -> Callable[..., Page]:
    """The function behind a page."""
    view: Callable[..., Page] = import_module(route.module).view
    return view


async def again(
    request: Asked,
    site: Site,
    visitor: Visitor,
    route: Route,
    form: dict[str, str],
    error: CorefbenchError,
) -> Response[Any]:
    """Show the page that has the form; passwords must be typed again."""
    if not route.page or status_of(error) == 404:
        raise error
    typed = {name: value for name, value in form.items() if "password" not in name}
    page = await to_thread(view_of(ROUTES[route.page]), site.platform, visitor, typed)
    page = replace(page, status=status_of(error))
    return await to_thread(page_answer, request, site, visitor, page, said=error, typed=typed)
