"""Tables for Markdown."""

from corefbench.report.table import Table


def render(table: Table) -> str:
    """A pipe table; bars in cells are escaped."""
    head = _row(table.headers)
    rule = "|" + "|".join(":---" if i == 0 else "---:" for i in range(len(table.headers))) + "|"
    notes = [f"`{note}`" for note in table.notes]
    return "\n\n".join(
        [f"**{table.caption}**", "\n".join([head, rule, *map(_row, table.rows)]), *notes]
    )


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
