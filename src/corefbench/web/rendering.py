"""Render pages to HTML and JSON with Jinja templates."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import chain, islice, repeat
from typing import Any

import msgspec
from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from corefbench.report.table import percent
from corefbench.version import __version__
from corefbench.web.pages import Chart, Page

_FIRST_CHUNKS = (30, 200)
_CHUNK_SIZE = 600
"""Template pieces that are sent together. The first chunks are small: a browser asks for the style
sheets as soon as it has their names."""


class Links(msgspec.Struct, frozen=True):
    """URLs as templates need them: those of a server, or of files beside each other."""

    url: Callable[..., str]
    """From the name of a route and its values: ``url("results", run="first")``."""
    static: Callable[[str], str]
    """From the name of a style sheet or script."""
    chart: Callable[[Chart, str], str]
    """From a chart and its theme, ``light`` or ``dark``."""
    live: bool = True
    """Whether a server answers: then there are forms and pages that are made on demand."""


class Renderer:
    """Renders with the templates of an application, then with those that both share."""

    def __init__(
        self, package: str, *, filters: Mapping[str, Callable[..., Any]], variables: Mapping[str, Any]
    ) -> None:
        self._package = package
        self._filters = filters
        self._variables = variables

    @cached_property
    def environment(self) -> Environment:
        """The templates and what they may call."""
        environment = Environment(
            loader=ChoiceLoader([PackageLoader(self._package), PackageLoader("corefbench.web")]),
            autoescape=select_autoescape(default=True),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.globals |= {"version": __version__, **self._variables}
        environment.filters |= {
            "percent": _format_percent,
            "script_json": script_json,
            "after_mention": after_mention,
            "browser_words": browser_words,
            "count": lambda number: f"{number:,}",
            **self._filters,
        }
        return environment

    def render(self, page: Page, links: Links, **context: Any) -> str:
        """Render a page."""
        return "".join(self.stream(page, links, **context))

    def stream(self, page: Page, links: Links, **context: Any) -> Iterator[str]:
        """Render a page from top to bottom, so that a long one can be read while it is made."""
        template = self.environment.get_template(page.template)
        pieces = template.generate(page=page, model=page.model, links=links, url=links.url, **context)
        for size in chain(_FIRST_CHUNKS, repeat(_CHUNK_SIZE)):
            chunk = list(islice(pieces, size))
            if not chunk:
                return
            yield "".join(chunk)


def encode_json(page: Page) -> bytes:
    """Return the content of a page as JSON."""
    return msgspec.json.encode(page.model, enc_hook=list)


def script_json(value: Any) -> Markup:
    r"""Encode a value for a script element: nothing in it can end the element.

    >>> script_json(["</script>"])
    Markup('["\\u003c/script\\u003e"]')
    """
    text = msgspec.json.encode(value).decode()
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


_NO_SPACE_BEFORE = tuple(".,;:!?)]}%…”’'")


def after_mention(text: str) -> str:
    """Return the text after a marked mention, with a space unless it begins with punctuation.

    >>> after_mention("barked ."), after_mention(", too"), after_mention("n't")
    (' barked .', ', too', "n't")
    """
    return text if not text or text.startswith((*_NO_SPACE_BEFORE, "n't")) else f" {text}"


_BROWSER_WORDS = {
    "--lenient reads it with:": "it can be repaired:",
    "--lenient repairs what can be repaired and reports it": (
        "correct the file, or tick the box that has it repaired, if the form has one"
    ),
    "--lenient lets those vote who have the document": "tick “Lenient” to let those vote who have the document",
    "name the format with --input-format": "choose the format in the form",
    "name another format with --input-format": "choose another format in the form",
}


def browser_words(text: str) -> str:
    """Replace advice to use an option of the command line, which a page does not have.

    >>> browser_words("--lenient reads it with: the second bracket dropped")
    'it can be repaired: the second bracket dropped'
    """
    for option, words in _BROWSER_WORDS.items():
        text = text.replace(option, words)
    return text


def _format_percent(fraction: Any) -> str:
    return "–" if fraction is None else percent(fraction)
