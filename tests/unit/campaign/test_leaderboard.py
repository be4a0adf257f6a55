"""Leaderboards, their confidence intervals and significance tests."""

import csv
import io
import json
from datetime import UTC, datetime

import numpy as np
import pytest

import corefbench
from corefbench.campaign.domain.ranking import HeadlineScore
from corefbench.campaign.leaderboard import (
    EXPORT_FORMATS,
    Board,
    BoardLine,
    build_board,
    compute_difference_p,
    compute_interval,
    export_board,
)
from corefbench.campaign.platform import Platform
from corefbench.campaign.storage.settings import publish
from corefbench.campaign.storage.submissions import disqualify_submission, withdraw_submission
from corefbench.errors import UnknownName, UsageError
from tests.campaign import MovableClock, answers, enter
from tests.campaign_play import score_all, send

IN_TEST = datetime(2026, 3, 16, tzinfo=UTC)


AFTER = datetime(2026, 3, 23, tzinfo=UTC)


def make_public(platform: Platform) -> None:
    with platform.database.write() as connection:
        publish(connection, platform.campaign.phase("test"), person=None, now=platform.clock())


@pytest.fixture
def played(platform: Platform, clock: MovableClock) -> Platform:
    """Four teams; one answers half of the documents, and sends something better later."""
    clock.set(IN_TEST)
    for team, quality, documents in (
        ("Alpha", "good", 6),
        ("Beta", "poor", 6),
        ("Gamma", "key", 6),
        ("Delta", "good", 3),
    ):
        clock.forward(minutes=1)
        send(platform, enter(platform, team), answers(quality, documents=documents))
    score_all(platform)
    clock.set(AFTER)
    return platform


def order(board: Board) -> list[tuple[int, str]]:
    return [(line.rank, line.team) for line in board.lines]


def test_a_published_board_ranks_by_all_documents(played: Platform):
    make_public(played)
    board = build_board(played, "test", "coreference")
    assert order(board) == [(1, "Gamma"), (2, "Alpha"), (3, "Delta"), (4, "Beta")]
    assert board.names
    assert board.share == "all"
    assert board.measure == "CoNLL F1"
    assert len(board.methods) == 1
    assert "response:" not in board.methods[0]


def test_the_ranking_is_that_of_scoring_the_files_anew(played: Platform):
    make_public(played)
    key = (played.folder / "data" / "test.key.conll").read_bytes()
    expected = {
        team: corefbench.score(key, answers(quality, documents=documents)).conll.f1
        for team, quality, documents in (
            ("Alpha", "good", 6),
            ("Beta", "poor", 6),
            ("Gamma", "key", 6),
            ("Delta", "good", 3),
        )
    }
    lines = build_board(played, "test", "coreference").lines
    assert {line.team: line.score for line in lines} == pytest.approx(expected, abs=1e-12)
    assert [line.team for line in lines] == sorted(expected, key=lambda team: -expected[team])


def test_intervals_tests_and_coverage_stand_beside_the_score(played: Platform):
    make_public(played)
    first, second, third, last = build_board(played, "test", "coreference").lines
    assert (first.low, first.high) == (1, 1)
    # All six documents differ: 2 of the 2⁶ ways to swap are as far apart.
    assert first.p == pytest.approx(2 / 2**6)
    assert first.significant
    assert (second.covered, second.documents) == (6, 6)
    assert (third.covered, third.documents) == (3, 6)
    assert last.p is None


def test_before_publication_nobody_but_organisers_sees_the_board(played: Platform):
    for role in ("visitor", "applicant", "participant"):
        with pytest.raises(UsageError, match="CB312"):
            build_board(played, "test", "coreference", role=role)
    board = build_board(played, "test", "coreference", role="organiser")
    assert board.lines[0].team == "Gamma"
    assert board.lines[0].submission


def test_the_preview_is_what_visitors_see_after_publication(played: Platform):
    preview = build_board(played, "test", "coreference", role="organiser", preview=True)
    with pytest.raises(UsageError, match="CB312"):
        build_board(played, "test", "coreference", role="participant", preview=True)
    make_public(played)
    assert build_board(played, "test", "coreference") == preview
    assert not any(line.submission for line in preview.lines)


def test_a_board_that_is_shown_early_is_over_the_public_share_and_without_names(
    platform: Platform, clock: MovableClock
):
    own = enter(platform, "Mine")
    send(platform, own, answers("good", "training"), phase="training")
    send(platform, enter(platform, "Theirs"), answers("poor", "training"), phase="training")
    score_all(platform)
    mine, theirs = build_board(platform, "training", "coreference", role="participant", team=own.team).lines
    assert (mine.team, mine.own) == ("Mine", True)
    assert mine.submission
    assert theirs.team != "Theirs"
    assert not theirs.own
    assert not theirs.submission


def test_the_public_board_counts_the_public_documents_only(played: Platform):
    from msgspec.structs import replace

    campaign = played.campaign
    phases = tuple(replace(phase, scores="at-close") for phase in campaign.phases)
    early = replace(played, campaign=replace(campaign, phases=phases))
    board = build_board(early, "test", "coreference", role="participant")
    assert board.share == "public"
    assert {line.documents for line in board.lines} == {3}
    assert all(line.scores == {} for line in board.lines)
    whole = build_board(early, "test", "coreference", role="organiser")
    assert whole.split
    assert {line.public_rank for line in whole.lines} == {1, 2, 3, 4}
    assert {round(line.public, 12) for line in whole.lines if line.public is not None} == {
        round(line.score, 12) for line in board.lines
    }


def test_others_see_the_time_of_a_submission_to_the_minute(platform: Platform, clock: MovableClock):
    clock.set(IN_TEST)
    own = enter(platform, "Own")
    for person in (own, enter(platform, "Other")):
        clock.forward(seconds=7, microseconds=123456)
        send(platform, person, answers("good"))
    score_all(platform)
    clock.set(AFTER)
    make_public(platform)
    lines = build_board(platform, "test", "coreference", role="organiser").lines
    assert sorted(line.received for line in lines) == ["2026-03-16T00:00:07.123456Z", "2026-03-16T00:00:14.246912Z"]
    board = build_board(platform, "test", "coreference", role="participant", team=own.team or "")
    assert {line.own: line.received for line in board.lines} == {
        True: "2026-03-16T00:00:07.123456Z",
        False: "2026-03-16T00:00Z",
    }
    assert "14.246912" not in export_board(board, "json")


def test_what_was_withdrawn_or_disqualified_is_not_ranked(played: Platform):
    first, second, *_ = build_board(played, "test", "coreference", role="organiser").lines
    with played.database.write() as connection:
        withdraw_submission(connection, first.submission, person=None, now=played.clock())
        disqualify_submission(connection, second.submission, person=None, reason="copied", now=played.clock())
    board = build_board(played, "test", "coreference", role="organiser")
    assert order(board) == [(1, "Delta"), (2, "Beta")]


def test_anonymous_for_ever_stays_so_after_publication(played: Platform):
    from msgspec.structs import replace

    hidden = replace(played, campaign=replace(played.campaign, anonymity="always"))
    make_public(hidden)
    board = build_board(hidden, "test", "coreference")
    assert not board.names
    assert not {line.team for line in board.lines} & {"Alpha", "Beta", "Gamma", "Delta"}


def test_a_board_without_submissions_is_empty(played: Platform):
    assert build_board(played, "test", "links", role="organiser").lines == ()


def test_unknown_places_are_refused(played: Platform):
    for phase, task in (("tset", "coreference"), ("test", "chains"), ("training", "links")):
        with pytest.raises(UnknownName):
            build_board(played, phase, task, role="organiser")


def test_scores_of_an_earlier_profile_are_ranked_but_not_compared(played: Platform):
    from msgspec.structs import replace

    for changes in ({"scored": "corefud"}, {"rank": "lea"}, {"choices": {"singletons": "strip"}}):
        tasks = tuple(replace(task, **changes) for task in played.campaign.tasks)
        changed = replace(played, campaign=replace(played.campaign, tasks=tasks))
        board = build_board(changed, "test", "coreference", role="organiser")
        assert order(board)[0] == (1, "Gamma")
        assert board.outdated == 4
        assert {(line.low, line.p) for line in board.lines} == {(None, None)}


def system(shares: list[float], documents: str = "") -> HeadlineScore:
    """One whose score is the mean of its documents'."""
    return HeadlineScore(
        documents=tuple(documents or map(str, range(len(shares)))),
        tallies=np.array([[share, 1.0] for share in shares]),
        statistic=lambda sums: (sums[:, 0] / sums[:, 1])[:, np.newaxis],
        answered=len(shares),
    )


def test_p_is_the_share_of_all_swaps_that_are_as_far_apart():
    # Of the 2³ ways to swap, only none and all swapped have a difference of 1: p = 2/8.
    assert compute_difference_p(system([1, 1, 1]), system([0, 0, 0])) == pytest.approx(0.25)


def test_equal_systems_are_not_told_apart():
    assert compute_difference_p(system([0.5, 0.25]), system([0.25, 0.5])) == 1


def test_an_interval_holds_the_score_and_documents_that_agree_make_it_a_point():
    low, high = compute_interval(system([0.0, 0.2, 0.4, 0.6, 0.8, 1.0]))
    assert 0 < low < 0.5 < high < 1
    assert compute_interval(system([0.4, 0.4, 0.4])) == (pytest.approx(0.4), pytest.approx(0.4))


def test_one_document_gives_neither_interval_nor_test():
    assert compute_interval(system([1.0])) is None
    assert compute_difference_p(system([1.0]), system([0.0])) is None


def test_systems_of_other_documents_are_not_compared():
    assert compute_difference_p(system([1, 1], "ab"), system([0, 0], "ac")) is None


def test_the_same_systems_always_give_the_same_figures():
    generator = np.random.default_rng(7)
    one, other = (system(list(generator.random(40))) for _ in range(2))
    assert compute_interval(one) == compute_interval(one)
    assert compute_difference_p(one, other) == compute_difference_p(one, other)


HOSTILE = [
    '=HYPERLINK("http://evil.example","x")',
    "@SUM(1+1)",
    "+1+2",
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


def test_team_names_are_no_html_and_no_links_in_markdown():
    names = {
        "<img src=x onerror=alert(1)>": "&lt;img src=x onerror=alert(1)&gt;",
        "[click](javascript:alert(1))": r"[click\](javascript:alert(1))",
        r"\[a](http://evil.example)": r"\\[a\](http\://evil.example)",
        "https://evil.example": r"https\://evil.example",
        "www.evil.example": r"www\.evil.example",
        "a | b `c` &lt;": r"a \| b \`c\` &amp;lt;",
    }
    lines = tuple(
        BoardLine(rank=1, team=name, score=0.5, low=None, high=None, p=None, covered=1, documents=1, received="")
        for name in names
    )
    board = Board(
        campaign="<b>C</b>",
        phase="test",
        phase_title="Test",
        task="t",
        task_title="T",
        measure="CoNLL F1",
        published=True,
        names=True,
        share="all",
        rule="best",
        lines=lines,
        methods=("a`<b>",),
    )
    text = export_board(board, "md")
    assert [line.split(" | ")[1] for line in text.splitlines() if line.startswith("| 1 ")] == [
        escaped if " | " not in name else escaped.split(" | ")[0] for name, escaped in names.items()
    ]
    assert r"a \| b \`c\` &amp;lt;" in text
    assert text.startswith("**&lt;b&gt;C&lt;/b&gt;: T, Test**")
    assert "`a'<b>`" in text
