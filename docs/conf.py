"""How Sphinx builds the documentation: `make docs`."""

import sys
from pathlib import Path

from sphinx.application import Sphinx

sys.path.insert(0, str(Path(__file__).parent))

import cards
import reference_pages

from corefbench.version import __version__

project = "corefbench"
author = "The corefbench authors"
project_copyright = "the corefbench authors, Apache-2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
smartquotes = False

html_theme = "furo"
html_title = f"corefbench {__version__}"

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_class_signature = "separated"


def setup(app: Sphinx) -> None:
    """Write the pages of the reference, and fill in what other pages take from the registries."""
    reference_pages.write(Path(__file__).parent / "reference")

    def fill_in(app: Sphinx, name: str, source: list[str]) -> None:
        source[0] = cards.fill_in(source[0])

    app.connect("source-read", fill_in)
