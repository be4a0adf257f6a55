"""Tables for the terminal: plain text, aligned, no library to load."""

from corefbench.report.table import Table


def render(table: Table) -> str:
    """The caption, the rows with their columns aligned, the notes.

    >>> print(render(Table(caption="c", headers=("Measure", "F1"), rows=(("MUC", "1.00"),))))
    c
    <BLANKLINE>
    Measure    F1
    MUC      1.00
    """
    grid = [table.headers, *table.rows]
    text = table.text_columns()
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if i in text else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in grid
    ]
    notes = ["", *table.notes] if table.notes else []
    return "\n".join([table.caption, "", *lines, *notes])
