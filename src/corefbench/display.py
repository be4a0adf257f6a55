"""How things show themselves in notebooks, without knowing who draws them.

Corpora, results and answers are below the reports in the order of imports; the one who draws is
looked up by name when a notebook asks.
"""

from importlib import import_module

_RENDERER = "corefbench.report.notebook"


def as_html(thing: object) -> str:
    """What IPython shows of a thing: for ``_repr_html_``."""
    made: str = import_module(_RENDERER).render(thing)
    return made
