"""Coloured text as a drawing that needs nothing else."""

import io
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

_FONTS = re.compile(r"@font-face \{\{.*?\}\}", re.DOTALL)
_WIDEST = 140


def as_svg(text: "Text", title: str = "") -> str:
    """The text as it looks in a terminal, as SVG; fonts are those of the reader's machine."""
    from rich._export_format import CONSOLE_SVG_FORMAT
    from rich.console import Console

    width = min(_WIDEST, max(map(len, text.plain.splitlines()), default=1) + 1)
    console = Console(
        file=io.StringIO(), record=True, width=width, force_terminal=True, highlight=False
    )
    console.print(text)
    plain = _FONTS.sub("", CONSOLE_SVG_FORMAT).replace("Fira Code", "ui-monospace")
    return console.export_svg(title=title, code_format=plain, unique_id="corefbench")
