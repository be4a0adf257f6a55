"""Boards to take away: LaTeX, CSV, Markdown and JSON, made of what the one who asks may see.

Team names are other people's text: control signs and line ends are taken out of them, a cell that
a spreadsheet would take for a formula is disarmed, and LaTeX prints every sign as it is.
"""

from typing import Any, Literal, TypeAlias, get_args

import msgspec

from corefbench.campaign.board import Board, Line
from corefbench.campaign.confidence import ALPHA, CONFIDENCE, SAMPLES
from corefbench.errors import UnknownName
from corefbench.report import ReportFormat, render_table
from corefbench.report.table import Table, percent

Export: TypeAlias = Literal["tex", "csv", "md", "json"]
EXPORTS: tuple[Export, ...] = get_args(Export)
MEDIA_TYPES: dict[Export, str] = {
    "tex": "application/x-tex",
    "csv": "text/csv; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "json": "application/json",
}
_RENDERED: dict[Export, ReportFormat] = {"tex": "latex", "csv": "csv", "md": "markdown"}
_NONE = "–"
_WIDE_SIGNS = "＝＋－＠"
"""Full-width signs that some spreadsheets read as =, +, - and @."""


def export(board: Board, kind: str) -> str:
    """The board as the text of a file that ends in ``kind``."""
    if kind not in EXPORTS:
        raise UnknownName("export", kind, list(EXPORTS))
    if kind == "json":
        return msgspec.json.format(msgspec.json.encode(board_object(board)), indent=2).decode()
    return render_table(board_table(board), _RENDERED[kind]) + "\n"


def board_object(board: Board) -> dict[str, Any]:
    """The board in plain values; programs may rely on the keys."""
    made: dict[str, Any] = msgspec.to_builtins(board)
    for line, plain in zip(board.lines, made["lines"], strict=True):
        plain["significant"] = line.significant
    return {**made, "confidence": CONFIDENCE, "alpha": ALPHA, "samples": SAMPLES}


def board_table(board: Board) -> Table:
    """The board as a table: fractions are per cent."""
    headers: tuple[str, ...] = (
        "Rank",
        "Team",
        board.measure,
        "95 % interval",
        "p to next",
        "Documents",
    )
    rows = [_cells(line) for line in board.lines]
    if board.split:
        headers += ("Public", "Public rank")
        rows = [(*row, *_public(line)) for row, line in zip(rows, board.lines, strict=True)]
    return Table(
        caption=f"{board.campaign}: {board.task_title}, {board.phase_title}{_over(board)}",
        headers=headers,
        rows=tuple(rows),
        notes=tuple(map(plain, board.methods)),
    )


def _over(board: Board) -> str:
    return " (public share of the documents)" if board.share == "public" else ""


def _cells(line: Line) -> tuple[str, ...]:
    return (
        str(line.rank),
        plain(line.team),
        percent(line.score),
        interval(line),
        p_value(line.p),
        f"{line.covered}/{line.documents}",
    )


def _public(line: Line) -> tuple[str, str]:
    if line.public is None or line.public_rank is None:
        return _NONE, _NONE
    return percent(line.public), str(line.public_rank)


def interval(line: Line) -> str:
    """The interval of a score."""
    if line.low is None or line.high is None:
        return _NONE
    return f"{percent(line.low)}–{percent(line.high)}"


def p_value(p: float | None) -> str:
    """A p as it is printed.

    >>> p_value(0.0321), p_value(0.0001), p_value(None)
    ('0.032', '< 0.001', '–')
    """
    if p is None:
        return _NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def plain(text: str) -> str:
    r"""Text in one line without control signs; what a spreadsheet may compute is quoted.

    >>> plain("a\n\tb\u202e"), plain("\uff1d1")
    ('a b', "'\uff1d1")
    """
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return f"'{line}" if line[:1] in _WIDE_SIGNS and line else line
