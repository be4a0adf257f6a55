"""Boards to take away: every sign of a team's name is printed, none is obeyed."""

import csv
import io
import json

import pytest

from corefbench.campaign.exports import EXPORT_FORMATS, export_board
from corefbench.campaign.leaderboard import Board, BoardLine
from corefbench.errors import UnknownName

HOSTILE = [
    '=HYPERLINK("http://evil.example","x")',
    "@SUM(1+1)",
    "+1",
    "-2+3",
    "\t=1+1",
    "\r\n=1+1",
    " =1+1",
    "＝1+1",
    r"\input{/etc/passwd}",
    r"\write18{rm -rf /}",
    "a & b % c $ d # e _ f { g } h ~ i ^ j",
    "x \\\\ y\n\n\\end{table}",
    'quote " and , comma',
    "right\u202eto-left",
]


def board(*teams: str, **changes: object) -> Board:
    lines = tuple(
        BoardLine(
            rank=n,
            team=team,
            score=1 / n,
            low=0.1,
            high=0.9,
            p=0.01 if n < len(teams) else None,
            covered=3,
            documents=4,
            received="2026-03-01T00:00:00.000000Z",
        )
        for n, team in enumerate(teams, start=1)
    )
    return Board(
        campaign="A campaign",
        phase="test",
        phase_title="Test",
        task="chains",
        task_title="Chains",
        measure="CoNLL F1",
        published=True,
        names=True,
        share="all",
        rule="best",
        lines=lines,
        methods=("conll-2012|match:exact",),
        **changes,
    )


@pytest.mark.parametrize("team", HOSTILE)
def test_no_cell_of_the_csv_is_a_formula(team: str):
    rows = list(csv.reader(io.StringIO(export_board(board(team, "other"), "csv"))))
    assert [len(row) for row in rows] == [len(rows[0])] * 3
    for cell in (cell for row in rows for cell in row):
        assert not cell.strip() or cell.strip()[0] not in "=+-@＝＋－＠\t\r", cell


@pytest.mark.parametrize("team", HOSTILE)
def test_latex_prints_every_sign(team: str):
    made = export_board(board(team, "other"), "tex")
    assert r"\input" not in made
    assert r"\write" not in made
    assert made.count(r"\end{table}") == 1
    row = next(line for line in made.splitlines() if line.startswith("    1 &"))
    assert row.replace(r"\&", "").count("&") == 5
    assert row.endswith(r" \\")
    assert row.replace(r"\%", "").count("%") == 0


@pytest.mark.parametrize("team", HOSTILE)
def test_json_reads_back(team: str):
    made = json.loads(export_board(board(team, "other"), "json"))
    assert made["lines"][0]["team"] == team
    assert made["lines"][0]["significant"] is True
    assert made["lines"][1]["significant"] is False


def test_the_csv_has_what_the_board_has():
    assert export_board(board("a", "b"), "csv").splitlines() == [
        "Rank,Team,CoNLL F1,95 % interval,p to next,Documents",
        "1,a,100.00,10.00–90.00,0.010,3/4",
        "2,b,50.00,10.00–90.00,–,3/4",
    ]


def test_an_empty_board_can_be_taken_away():
    for kind in EXPORT_FORMATS:
        assert export_board(board(), kind)


def test_an_export_that_does_not_exist_is_refused():
    with pytest.raises(UnknownName, match="xlsx"):
        export_board(board("a"), "xlsx")
