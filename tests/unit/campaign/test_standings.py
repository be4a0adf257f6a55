"""Boards of a campaign that is played, on both databases."""

from datetime import UTC, datetime

import pytest

import corefbench
from corefbench.campaign.board import Board
from corefbench.campaign.platform import Platform
from corefbench.campaign.standings import standings
from corefbench.campaign.storage.settings import publish
from corefbench.campaign.storage.submissions import disqualify, withdraw
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
    board = standings(played, "test", "coreference")
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
    lines = standings(played, "test", "coreference").lines
    assert {line.team: line.score for line in lines} == pytest.approx(expected, abs=1e-12)
    assert [line.team for line in lines] == sorted(expected, key=lambda team: -expected[team])


def test_intervals_tests_and_coverage_stand_beside_the_score(played: Platform):
    make_public(played)
    first, second, third, last = standings(played, "test", "coreference").lines
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
            standings(played, "test", "coreference", role=role)
    board = standings(played, "test", "coreference", role="organiser")
    assert board.lines[0].team == "Gamma"
    assert board.lines[0].submission


def test_the_preview_is_what_visitors_see_after_publication(played: Platform):
    preview = standings(played, "test", "coreference", role="organiser", preview=True)
    with pytest.raises(UsageError, match="CB312"):
        standings(played, "test", "coreference", role="participant", preview=True)
    make_public(played)
    assert standings(played, "test", "coreference") == preview
    assert not any(line.submission for line in preview.lines)


def test_a_board_that_is_shown_early_is_over_the_public_share_and_without_names(
    platform: Platform, clock: MovableClock
):
    own = enter(platform, "Mine")
    send(platform, own, answers("good", "training"), phase="training")
    send(platform, enter(platform, "Theirs"), answers("poor", "training"), phase="training")
    score_all(platform)
    mine, theirs = standings(
        platform, "training", "coreference", role="participant", team=own.team
    ).lines
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
    board = standings(early, "test", "coreference", role="participant")
    assert board.share == "public"
    assert {line.documents for line in board.lines} == {3}
    assert all(line.scores == {} for line in board.lines)
    whole = standings(early, "test", "coreference", role="organiser")
    assert whole.split
    assert {line.public_rank for line in whole.lines} == {1, 2, 3, 4}
    assert {round(line.public, 12) for line in whole.lines if line.public is not None} == {
        round(line.score, 12) for line in board.lines
    }


def test_what_was_withdrawn_or_disqualified_is_not_ranked(played: Platform):
    first, second, *_ = standings(played, "test", "coreference", role="organiser").lines
    with played.database.write() as connection:
        withdraw(connection, first.submission, person=None, now=played.clock())
        disqualify(connection, second.submission, person=None, reason="copied", now=played.clock())
    board = standings(played, "test", "coreference", role="organiser")
    assert order(board) == [(1, "Delta"), (2, "Beta")]


def test_anonymous_for_ever_stays_so_after_publication(played: Platform):
    from msgspec.structs import replace

    hidden = replace(played, campaign=replace(played.campaign, anonymity="always"))
    make_public(hidden)
    board = standings(hidden, "test", "coreference")
    assert not board.names
    assert not {line.team for line in board.lines} & {"Alpha", "Beta", "Gamma", "Delta"}


def test_a_board_without_submissions_is_empty(played: Platform):
    assert standings(played, "test", "links", role="organiser").lines == ()


def test_unknown_places_are_refused(played: Platform):
    for phase, task in (("tset", "coreference"), ("test", "chains"), ("training", "links")):
        with pytest.raises(UnknownName):
            standings(played, phase, task, role="organiser")


def test_scores_of_an_earlier_profile_are_ranked_but_not_compared(played: Platform):
    from msgspec.structs import replace

    for changes in ({"scored": "corefud"}, {"rank": "lea"}, {"choices": {"singletons": "strip"}}):
        tasks = tuple(replace(task, **changes) for task in played.campaign.tasks)
        changed = replace(played, campaign=replace(played.campaign, tasks=tasks))
        board = standings(changed, "test", "coreference", role="organiser")
        assert order(board)[0] == (1, "Gamma")
        assert board.outdated == 4
        assert {(line.low, line.p) for line in board.lines} == {(None, None)}
