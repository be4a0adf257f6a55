"""A page before it is drawn: what it says as a record, and the template that lays it out.

The record is the page's ``.json`` twin; HTML, JSON and the static bundle are made of
one ``Page``.
"""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any, TypeAlias

from corefbench.record import Record

if TYPE_CHECKING:
    from corefbench.report.charts import AnyChart
    from corefbench.web.workbench import Workbench

Query: TypeAlias = Mapping[str, str]
"""The parts of the path and what follows the question mark, by name."""


class Drawing(Record, frozen=True):
    """A chart: its Vega-Lite specification, and what it shows in words."""

    specification: str
    alt: str

    @property
    def digest(self) -> str:
        """Names the drawing: the same chart has the same address."""
        return sha256(self.specification.encode()).hexdigest()[:16]


class Page(Record, frozen=True):
    """What a view gives."""

    template: str
    title: str
    model: Any
    """A record, mapping or list that JSON can hold; the template knows it as ``model``."""
    drawings: dict[str, Drawing] = {}  # noqa: RUF012
    """Charts by the names that the template calls them."""
    crumbs: tuple[tuple[str, str], ...] = ()
    """The way here: titles and addresses, outermost first."""
    status: int = 200
    long: bool = False
    """Whether it is sent piece by piece."""


View: TypeAlias = "Callable[[Workbench, Query], Page]"


def drawing(chart: "AnyChart", alt: str) -> Drawing:
    """A chart as a page takes it."""
    from corefbench.report.charts import styled

    return Drawing(specification=styled(chart).to_json(), alt=alt)
