"""From a page to HTML or JSON; the same templates serve the app and the static bundle."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, islice, repeat
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from corefbench.report.table import percent
from corefbench.runs.marks import SYMBOLS
from corefbench.version import __version__
from corefbench.web.assets import asset_address
from corefbench.web.page import Drawing, Page
from corefbench.web.reading.sheets import sheets
from corefbench.web.routes import address

Links = Callable[..., str]
"""From the name of a page and its values to where it is: ``url("results", run="first")``."""


class Place(msgspec.Struct, frozen=True):
    """Where pages stand: in the app, or in a bundle of files."""

    url: Links
    static: Callable[[str], str]
    """Where a style sheet or script is."""
    drawing: Callable[[Drawing, str], str]
    """Where a chart is; the second is the theme, light or dark."""
    live: bool = True
    """Whether something can be asked for that is not there yet: forms, runs, uploads."""


def in_app() -> Place:
    """Pages of the running app."""
    return Place(
        url=address,
        static=asset_address,
        drawing=lambda drawing, theme: f"/drawings/{drawing.digest}-{theme}.svg",
    )


def as_html(page: Page, place: Place, *, path: str = "", twin: str = "") -> str:
    """The page; ``path`` is its own address, ``twin`` that of its JSON."""
    return "".join(in_parts(page, place, path=path, twin=twin))


def in_parts(page: Page, place: Place, *, path: str = "", twin: str = "") -> Iterator[str]:
    """The page from top to bottom, so that a long one can be read before it is all there."""
    template = environment().get_template(page.template)
    pieces = template.generate(
        page=page, model=page.model, place=place, url=place.url, path=path, twin=twin
    )
    for size in chain(_FIRST, repeat(_AT_ONCE)):
        some = list(islice(pieces, size))
        if not some:
            return
        yield "".join(some)


_AT_ONCE = 600
"""Pieces of a page that are sent together …"""
_FIRST = (30, 200)
"""… but the first ones alone: a browser asks for style sheets as soon as it has their names."""


def as_json(page: Page) -> bytes:
    """The page's record."""
    return msgspec.json.encode(page.model, enc_hook=list)


@cache
def environment() -> Environment:
    """The templates, and what they may call."""
    made = Environment(
        loader=PackageLoader("corefbench.web"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["version"] = __version__
    made.globals["symbols"] = SYMBOLS
    made.filters["percent"] = _percent
    made.filters["embedded"] = embedded
    made.filters["sheets"] = sheets
    made.filters["count"] = lambda number: f"{number:,}"
    return made


def embedded(value: Any) -> Markup:
    r"""JSON that may stand inside a script element: nothing in it ends the element.

    >>> embedded(["</script>"])
    Markup('["\\u003c/script\\u003e"]')
    """
    text = msgspec.json.encode(value).decode()
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def _percent(fraction: Any) -> str:
    return "–" if fraction is None else percent(fraction)
