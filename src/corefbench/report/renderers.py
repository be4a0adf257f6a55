"""Render tables as terminal text, Markdown, LaTeX, CSV and HTML, and values as JSON."""

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Literal, TypeAlias

import msgspec

from corefbench.diagnostics import Finding
from corefbench.errors import escape_controls
from corefbench.report.table import Table

ReportFormat: TypeAlias = Literal["table", "json", "markdown", "latex", "csv", "html"]


_LATEX_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}",
        "³": r"\textsuperscript{3}",
    }
)
_MARKDOWN_SPECIAL = re.compile(r"[\\|`]|\](?=[(\[:])|:(?=//)|(?<=www)\.", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+(,\d{3})*(\.\d+)?([eE][+-]?\d+)?")
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


def render_table(table: Table, format: ReportFormat) -> str:
    """Render a table as terminal text, Markdown, LaTeX or CSV."""
    renderers = {"table": render_text, "markdown": render_markdown, "latex": render_latex, "csv": render_csv}
    return renderers[format](table)


def render_tables(tables: Iterable[Table], format: ReportFormat, *, more: str = "") -> str:
    """Render several tables; ``more`` is HTML that follows them on a page."""
    if format == "html":
        return render_page(tables, more=more)
    return "\n\n".join(render_table(table, format) for table in tables)


def render_json(values: object) -> str:
    """Render plain values and records as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(values), indent=2).decode()


def render_sentences(heading: str, sentences: Sequence[str], format: ReportFormat) -> str:
    """Render sentences as a list: HTML for a page, else plain text that is Markdown, too."""
    if format == "html":
        items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
        return f"<h2>{escape(heading)}</h2><ul>{items}</ul>"
    return "\n".join([f"{heading}:", "", *(f"- {sentence}" for sentence in sentences)])


def render_explained(
    tables: Iterable[Table], explanations: Mapping[str, Sequence[str]], format: ReportFormat, *, more: str = ""
) -> str:
    """Render tables, then sentences under their headings where a format has room for them."""
    lists = [render_sentences(heading, sentences, format) for heading, sentences in explanations.items() if sentences]
    if format == "html":
        return render_tables(tables, format, more="".join(lists) + more)
    text = render_tables(tables, format)
    return "\n\n".join([text, *lists]) if format in ("table", "markdown") else text


def render_csv(table: Table) -> str:
    """Render headers and rows as comma-separated values."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(table.headers)
    writer.writerows([escape_formula(cell) for cell in row] for row in table.rows)
    return out.getvalue().rstrip("\n")


def escape_formula(cell: str) -> str:
    """Put an apostrophe before text that a spreadsheet would run as a formula; numbers stay numbers.

    >>> escape_formula("+0.00"), escape_formula("-1"), escape_formula("-1+cmd()"), escape_formula("@sum")
    ('+0.00', '-1', "'-1+cmd()", "'@sum")
    """
    if cell[:1] not in ("=", "+", "-", "@", "\t", "\r") or _NUMBER.fullmatch(cell):
        return cell
    return f"'{cell}"


def render_markdown(table: Table) -> str:
    """Render a pipe table; HTML, links and bars in it are escaped."""
    head = _markdown_row(table.headers)
    rule = "|" + "|".join(":---" if i == 0 else "---:" for i in range(len(table.headers))) + "|"
    notes = ["`" + note.replace("`", "'") + "`" for note in table.notes]
    return "\n\n".join(
        [f"**{escape_markdown(table.caption)}**", "\n".join([head, rule, *map(_markdown_row, table.rows)]), *notes]
    )


def _markdown_row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(map(escape_markdown, cells)) + " |"


def escape_markdown(text: str) -> str:
    r"""Escape what Markdown would show as HTML, a link, code or the end of a cell.

    Web addresses are links even without brackets on many sites.

    >>> print(escape_markdown("<b>x</b> [a](http://b) | 1 & 2"))
    &lt;b&gt;x&lt;/b&gt; [a\](http\://b) \| 1 &amp; 2
    """
    text = _MARKDOWN_SPECIAL.sub(r"\\\g<0>", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def escape_latex(text: str) -> str:
    """Escape text for LaTeX.

    >>> escape_latex("B³ & 50 %")
    'B\\\\textsuperscript{3} \\\\& 50 \\\\%'
    """
    return text.translate(_LATEX_ESCAPES)


def render_latex(table: Table) -> str:
    """Render a table environment for booktabs, with the notes in comments below."""
    columns = "l" + "r" * (len(table.headers) - 1)
    rows = [_latex_row(row) for row in table.rows]
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        _latex_row(table.headers),
        r"    \midrule",
        *rows,
        r"    \bottomrule",
        r"  \end{tabular}",
        rf"  \caption{{{escape_latex(table.caption)}}}",
        r"\end{table}",
        *(f"% {note}" for note in table.notes),
    ]
    return "\n".join(lines)


def _latex_row(cells: tuple[str, ...]) -> str:
    return "    " + " & ".join(map(escape_latex, cells)) + r" \\"


def render_text(table: Table) -> str:
    """Render the caption, rows with aligned columns, and the notes as plain text.

    >>> print(render_text(Table(caption="c", headers=("Measure", "F1"), rows=(("MUC", "1.00"),))))
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
    return escape_controls("\n".join([table.caption, "", *lines, *notes]))


def render_page(tables: Iterable[Table], findings: Iterable[Finding] = (), *, more: str = "", style: str = "") -> str:
    """Render a self-contained HTML page with tables, findings and signatures.

    ``more`` is HTML that follows the tables, ``style`` is CSS for it.
    """
    tables = list(tables)
    remarks = "".join(f"<li>{escape(str(finding))}</li>" for finding in findings)
    warnings = f"<h2>Findings</h2><ul>{remarks}</ul>" if remarks else ""
    # The first table has the scores, and their signatures as notes.
    notes = "".join(f"<li><code>{escape(note)}</code></li>" for note in tables[0].notes) if tables else ""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>corefbench report</title>'
        f"<style>{_STYLE}{style}</style></head><body><main><h1>corefbench report</h1>"
        f"{''.join(map(render_html_table, tables))}{more}{warnings}"
        f"<h2>Signatures</h2><ul>{notes}</ul>"
        "</main></body></html>"
    )


def render_html_table(table: Table) -> str:
    """Render a table without its notes."""
    text = table.word_columns()
    head = "".join(
        f'<th scope="col"{_class_attribute(number, text)}>{escape(header)}</th>'
        for number, header in enumerate(table.headers)
    )
    rows = "".join(
        f'<tr><th scope="row">{escape(row[0])}</th>'
        + "".join(f"<td{_class_attribute(number, text)}>{escape(cell)}</td>" for number, cell in enumerate(row[1:], 1))
        + "</tr>"
        for row in table.rows
    )
    return (
        f'<div class="wide"><table><caption>{escape(table.caption)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _class_attribute(number: int, text: set[int]) -> str:
    return ' class="text"' if number in text else ""
