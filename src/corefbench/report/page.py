"""Results as one HTML page that needs nothing else."""

from collections.abc import Iterable
from html import escape

from corefbench.findings import Finding
from corefbench.report.table import Table

_STYLE = """
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 25%, Canvas); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .8rem; text-align: right; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child, .text { text-align: left; }
caption { text-align: left; font-weight: 600; padding-bottom: .4rem; }
.wide { overflow-x: auto; }
code { overflow-wrap: anywhere; font-size: .85rem; }
"""


def render(
    tables: Iterable[Table], findings: Iterable[Finding] = (), *, more: str = "", style: str = ""
) -> str:
    """A page with every table, what should be known about them, and their signatures.

    ``more`` is HTML that follows the tables, ``style`` is for what it holds.
    """
    tables = list(tables)
    remarks = "".join(f"<li>{escape(str(finding))}</li>" for finding in findings)
    heard = f"<h2>Worth knowing</h2><ul>{remarks}</ul>" if remarks else ""
    notes = "".join(f"<li><code>{escape(n)}</code></li>" for n in tables[0].notes) if tables else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>corefbench report</title>'
        f"<style>{_STYLE}{style}</style></head><body><main><h1>corefbench report</h1>"
        f"{''.join(map(tabulated, tables))}{more}{heard}<h2>Signatures</h2><ul>{notes}</ul>"
        "</main></body></html>"
    )


def tabulated(table: Table) -> str:
    """A table without its notes."""
    text = table.word_columns()
    head = "".join(
        f'<th scope="col"{_class(number, text)}>{escape(header)}</th>'
        for number, header in enumerate(table.headers)
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(
            f"<td{_class(number, text)}>{escape(cell)}</td>"
            for number, cell in enumerate(row[1:], 1)
        )
        + "</tr>"
        for row in table.rows
    )
    return (
        f'<div class="wide"><table><caption>{escape(table.caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _class(number: int, text: set[int]) -> str:
    return ' class="text"' if number in text else ""
