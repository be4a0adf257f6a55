"""Pages and charts before they are rendered.

A view returns a ``Page``: its content and the template that lays it out. HTML, the JSON variant of
the page and the static export are all made from it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from math import ceil
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import msgspec

from corefbench.errors import MissingExtra, UsageError
from corefbench.records import Record

if TYPE_CHECKING:
    from corefbench.report.charts import AnyChart

Query: TypeAlias = Mapping[str, str]
"""Parameters of path and query by name."""

T = TypeVar("T")
_TEXT_COLORS = {"light": "#1d2430", "dark": "#e6e9ef"}
_LINE_COLORS = {"light": "#d9dee7", "dark": "#3a4352"}


class Chart(Record, frozen=True):
    """A Vega-Lite specification with a description in words."""

    specification: str
    alt: str

    @property
    def digest(self) -> str:
        """A hash: equal charts have the same URL."""
        return sha256(self.specification.encode()).hexdigest()[:16]


class Page(Record, frozen=True):
    """A template with its content."""

    template: str
    title: str
    model: Any
    """What the JSON variant contains: a dictionary, record or list; ``model`` in the template."""
    charts: dict[str, Chart] = {}  # noqa: RUF012
    breadcrumbs: tuple[tuple[str, str], ...] = ()
    """Titles and URLs of the pages above this one, outermost first."""
    status: int = 200
    headers: dict[str, str] = {}  # noqa: RUF012
    is_long: bool = False
    """Whether it is sent piece by piece."""


def page_number(query: Query) -> int:
    """Return the page number of a query."""
    text = query.get("page") or "1"
    if not (text.isascii() and text.isdecimal() and 0 < int(text) < 1_000_000):
        raise UsageError("there is no such page", found=text, expected="a number from 1 upwards")
    return int(text)


def paginate(items: Sequence[T], number: int, size: int) -> tuple[Sequence[T], int]:
    """Return the items of a page and the number of pages; raise if there is no such page.

    >>> paginate("abcde", 2, 3)
    ('de', 2)
    """
    pages = max(1, ceil(len(items) / size))
    if number > pages:
        raise UsageError("there is no such page", found=str(number), expected=f"1 to {pages}")
    return items[(number - 1) * size : number * size], pages


def make_chart(chart: "AnyChart", alt: str) -> Chart:
    """Convert an Altair chart."""
    from corefbench.report.charts import apply_style

    return Chart(specification=apply_style(chart).to_json(), alt=alt)


@lru_cache(maxsize=256)
def render_svg(chart: Chart, theme: str = "light") -> str:
    """Render a chart on a transparent background in the colours of the theme."""
    from corefbench.report.charts import can_draw

    if not can_draw():
        raise MissingExtra("altair", "charts")
    import vl_convert

    text_color = _TEXT_COLORS.get(theme, _TEXT_COLORS["light"])
    line_color = _LINE_COLORS.get(theme, _LINE_COLORS["light"])
    specification = msgspec.json.decode(chart.specification)
    config = specification.setdefault("config", {})
    config["background"] = None
    for part in ("axis", "axisX", "axisY", "legend", "header"):
        config[part] = {**config.get(part, {}), "labelColor": text_color, "titleColor": text_color}
    for part in ("axis", "axisX", "axisY"):
        config[part] |= {"gridColor": line_color, "domainColor": line_color, "tickColor": line_color}
    config["title"] = {**config.get("title", {}), "color": text_color, "subtitleColor": text_color}
    config["text"] = {**config.get("text", {}), "color": text_color}
    svg: str = vl_convert.vegalite_to_svg(msgspec.json.encode(specification).decode())
    return svg
