"""Tables as comma-separated values."""

import csv
import io

from corefbench.report.table import Table


def render(table: Table) -> str:
    """Headers and rows; a cell that a spreadsheet would take for a formula is disarmed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.headers)
    writer.writerows([_disarmed(cell) for cell in row] for row in table.rows)
    return out.getvalue().rstrip("\n")


def _disarmed(cell: str) -> str:
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell
