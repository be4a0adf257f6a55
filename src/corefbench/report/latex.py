"""Tables for LaTeX, with booktabs."""

from corefbench.report.table import Table

_ESCAPES = str.maketrans(
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


def escape(text: str) -> str:
    """Text that LaTeX prints as it is.

    >>> escape("B³ & 50 %")
    'B\\\\textsuperscript{3} \\\\& 50 \\\\%'
    """
    return text.translate(_ESCAPES)


def render(table: Table) -> str:
    """A table environment; the signature stands in a comment below, whole and searchable."""
    columns = "l" + "r" * (len(table.headers) - 1)
    rows = [_row(row) for row in table.rows]
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        _row(table.headers),
        r"    \midrule",
        *rows,
        r"    \bottomrule",
        r"  \end{tabular}",
        rf"  \caption{{{escape(table.caption)}}}",
        r"\end{table}",
        *(f"% {note}" for note in table.notes),
    ]
    return "\n".join(lines)


def _row(cells: tuple[str, ...]) -> str:
    return "    " + " & ".join(map(escape, cells)) + r" \\"
