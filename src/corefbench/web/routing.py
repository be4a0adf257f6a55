"""Routes with path parameters, and the routing table that an application is built from."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from re import findall
from typing import Any, Generic, TypeVar
from urllib.parse import quote, urlencode

from corefbench.errors import UnknownName
from corefbench.records import Record


class BaseRoute(Record, frozen=True):
    """A named path and the function that serves it."""

    name: str
    path: str
    """As in ``/runs/{run}``."""
    view: str = ""
    """``module:function`` below the views of the application."""

    @property
    def parameters(self) -> list[str]:
        """The names in the path."""
        return findall(r"\{(\w+)\}", self.path)

    @property
    def litestar_path(self) -> str:
        """The path with typed parameters."""
        return self.path.replace("}", ":str}")

    def url(self, **values: object) -> str:
        """Fill in the path; other values become the query.

        >>> BaseRoute(name="results", path="/runs/{run}").url(run="a b", by="document", page=None)
        '/runs/a%20b?by=document'
        """
        path = self.path
        for name in self.parameters:
            path = path.replace(f"{{{name}}}", quote(str(values.pop(name)), safe=""))
        query = {name: str(value) for name, value in values.items() if value not in (None, "")}
        return f"{path}?{urlencode(query)}" if query else path


R = TypeVar("R", bound=BaseRoute)


class RoutingTable(Mapping[str, R], Generic[R]):
    """Routes by name; views are imported when they are first needed."""

    def __init__(self, package: str, routes: Iterable[R]) -> None:
        self._package = package
        self._routes = {route.name: route for route in routes}

    def __getitem__(self, name: str) -> R:
        if name not in self._routes:
            raise UnknownName("route", name, list(self._routes))
        return self._routes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._routes)

    def __len__(self) -> int:
        return len(self._routes)

    def url_for(self, name: str, **values: object) -> str:
        """Return the URL of a route."""
        return self[name].url(**values)

    def load_view(self, name: str) -> Callable[..., Any]:
        """Import the function behind a route."""
        module, _, function = self[name].view.partition(":")
        view: Callable[..., Any] = getattr(import_module(f"{self._package}.{module}"), function)
        return view
