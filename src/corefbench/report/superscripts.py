"""Letters above a number, in whatever way a format raises them.

A cell holds them between private characters that no text has; the renderer of the format then puts
its own signs there. In LaTeX an invisible rest makes all cells of a column equally wide, so that
the numbers stand under each other.
"""

import re

from msgspec.structs import replace

from corefbench.report.table import Table

_UP, _DOWN, _REST = "\ue000", "\ue001", "\ue002"
_RAISED = re.compile(f"{_UP}([^{_REST}]*){_REST}([^{_DOWN}]*){_DOWN}")


def raised(text: str, marks: str, longest: str) -> str:
    """The text with marks above it; ``longest`` are the longest marks of the column."""
    return f"{text}{_UP}{marks}{_REST}{longest[len(marks) :]}{_DOWN}" if longest else text


def as_words(table: Table) -> Table:
    """Marks after a blank, under each other: what a terminal shows.

    >>> rows = ((raised("9.50", "", "ab"),), (raised("81.20", "ab", "ab"),))
    >>> as_words(Table(caption="", headers=("F1",), rows=rows)).rows
    ((' 9.50   ',), ('81.20 ab',))
    """
    columns = [_in_words(column) for column in zip(*table.rows, strict=True)]
    return replace(table, rows=tuple(zip(*columns, strict=True)))


def _in_words(cells: tuple[str, ...]) -> list[str]:
    found = [_RAISED.search(cell) for cell in cells]
    if not all(found):
        return list(cells)
    texts = [cell.partition(_UP)[0] for cell in cells]
    marks = [match[1] for match in found if match]
    width, wide = max(map(len, texts)), max(map(len, marks))
    numbers = all(text.replace(".", "", 1).isdigit() for text in texts)
    padded = [text.rjust(width) if numbers else text.ljust(width) for text in texts]
    return [f"{text} {over.ljust(wide)}" for text, over in zip(padded, marks, strict=True)]


def as_tags(table: Table) -> Table:
    """Marks in ``<sup>``: what Markdown shows."""
    rows = tuple(tuple(_RAISED.sub(_tagged, cell) for cell in row) for row in table.rows)
    return replace(table, rows=rows)


def in_page(page: str) -> str:
    """The page with its marks in ``<sup>``, also where there are none, for the width."""
    return _RAISED.sub(r"<sup>\1</sup>", page)


def in_latex(text: str) -> str:
    r"""The text with its marks in ``\textsuperscript``, each as wide as the longest.

    >>> in_latex(raised("81.2", "a", "ab"))
    '81.2\\textsuperscript{a}\\hphantom{\\textsuperscript{b}}'
    """
    return _RAISED.sub(_latex, text)


def _latex(found: re.Match[str]) -> str:
    marks = rf"\textsuperscript{{{found[1]}}}" if found[1] else ""
    return marks + (rf"\hphantom{{\textsuperscript{{{found[2]}}}}}" if found[2] else "")


def _tagged(found: re.Match[str]) -> str:
    return f"<sup>{found[1]}</sup>" if found[1] else ""
