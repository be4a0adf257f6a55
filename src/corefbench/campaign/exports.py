"""Export leaderboards as LaTeX, CSV, Markdown and JSON.

Team names are untrusted text: control characters and line breaks are removed, a cell that a
spreadsheet would read as a formula is quoted, and LaTeX special characters are escaped.
"""

from typing import Any, Literal, TypeAlias, get_args

import msgspec

from corefbench.campaign.leaderboard import ALPHA, CONFIDENCE, SAMPLES, Board, BoardLine
from corefbench.errors import UnknownName
from corefbench.report.renderers import ReportFormat, render_table
from corefbench.report.table import Table, percent

ExportFormat: TypeAlias = Literal["tex", "csv", "md", "json"]
EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
MEDIA_TYPES: dict[ExportFormat, str] = {
    "tex": "application/x-tex",
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
}
_TABLE_FORMATS: dict[ExportFormat, ReportFormat] = {"tex": "latex", "csv": "csv", "md": "markdown"}
_NONE = "–"
_FULL_WIDTH_FORMULA_CHARACTERS = "＝＋－＠"
"""Full-width characters that some spreadsheets read as =, +, - and @."""


def export_board(board: Board, kind: str) -> str:
    """Return the board as the text of a file with the extension ``kind``."""
    if kind not in EXPORT_FORMATS:
        raise UnknownName("export", kind, list(EXPORT_FORMATS))
    if kind == "json":
        return msgspec.json.format(msgspec.json.encode(board_to_dict(board)), indent=2).decode()
    return render_table(board_to_table(board), _TABLE_FORMATS[kind]) + "\n"


def board_to_dict(board: Board) -> dict[str, Any]:
    """Return the board as plain values; programs may rely on the keys."""
    values: dict[str, Any] = msgspec.to_builtins(board)
    for line, plain in zip(board.lines, values["lines"], strict=True):
        plain["significant"] = line.significant
    return {**values, "confidence": CONFIDENCE, "alpha": ALPHA, "samples": SAMPLES}


def board_to_table(board: Board) -> Table:
    """Return the board as a table, with fractions as percentages."""
    headers: tuple[str, ...] = ("Rank", "Team", board.measure, "95 % interval", "p to next", "Documents")
    rows = [_make_cells(line) for line in board.lines]
    if board.split:
        headers += ("Public", "Public rank")
        rows = [(*row, *_make_public_cells(line)) for row, line in zip(rows, board.lines, strict=True)]
    share = _describe_share(board)
    return Table(
        caption=f"{board.campaign}: {board.task_title}, {board.phase_title}{share}",
        headers=headers,
        rows=tuple(rows),
        notes=tuple(map(clean_text, board.methods)),
    )


def _describe_share(board: Board) -> str:
    return " (public share of the documents)" if board.share == "public" else ""


def _make_cells(line: BoardLine) -> tuple[str, ...]:
    return (
        str(line.rank),
        clean_text(line.team),
        percent(line.score),
        format_interval(line),
        format_p_value(line.p),
        f"{line.covered}/{line.documents}",
    )


def _make_public_cells(line: BoardLine) -> tuple[str, str]:
    if line.public is None or line.public_rank is None:
        return _NONE, _NONE
    return percent(line.public), str(line.public_rank)


def format_interval(line: BoardLine) -> str:
    """Return the confidence interval of a line as text."""
    if line.low is None or line.high is None:
        return _NONE
    return f"{percent(line.low)}–{percent(line.high)}"


def format_p_value(p: float | None) -> str:
    """Return a p-value as text.

    >>> format_p_value(0.0321), format_p_value(0.0001), format_p_value(None)
    ('0.032', '< 0.001', '–')
    """
    if p is None:
        return _NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def clean_text(text: str) -> str:
    r"""Return text in one line without control characters, with formulas quoted.

    >>> clean_text("a\n\tb\u202e"), clean_text("\uff1d1")
    ('a b', "'\uff1d1")
    """
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return f"'{line}" if line[:1] in _FULL_WIDTH_FORMULA_CHARACTERS and line else line
