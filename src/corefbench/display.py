"""HTML display in notebooks.

Corpora and results are in lower layers than the reports that render them, so the renderer is looked
up by name when a notebook asks for HTML.
"""

from importlib import import_module

_RENDERER = "corefbench.report.notebook"


def as_html(value: object) -> str:
    """Return the HTML of a corpus or a result, for ``_repr_html_``."""
    html: str = import_module(_RENDERER).render(value)
    return html
