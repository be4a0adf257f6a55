"""Dry runs: the whole campaign by a clock that is moved."""

from pathlib import Path

import pytest

from corefbench.campaign.dry_run import DryRun, Step, dry_run, require_faultless
from corefbench.errors import VerificationFailed
from tests.campaign import write_campaign


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> DryRun:
    folder = write_campaign(tmp_path_factory.mktemp("dry") / "tiny")
    before = files(folder)
    made = dry_run(folder, teams=("most-recent", "all-in-one"))
    assert files(folder) == before  # nothing of the campaign is changed
    return made


def files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def said(played: DryRun, phase: str, who: str) -> list[str]:
    return [step.what for step in played.steps if (step.phase, step.who) == (phase, who)]


def test_a_sound_campaign_goes_as_its_definition_says(played: DryRun) -> None:
    assert played.faults == ()
    require_faultless(played)


def test_what_comes_too_early_too_late_or_too_often_is_refused(played: DryRun) -> None:
    told = said(played, "test", "most-recent")
    assert "coreference: submits before it opens: CB302" in told
    assert "coreference: submits when it has closed: CB303" in told
    assert "coreference: submits 2 more: CB305" in told


def test_it_tells_when_windows_close_and_scores_are_seen(played: DryRun) -> None:
    told = said(played, "test", "all-in-one")
    assert "coreference: downloads; its window closes at 2026-03-17T00:00:00.000000Z" in told
    assert "coreference: submits; sees that it is scored, no score yet" in told
    (training,) = [t for t in said(played, "training", "all-in-one") if "sees" in t]
    assert training.startswith("coreference: submits; sees conll ")
    assert training.endswith(" and its errors")


def test_boards_are_seen_when_it_is_time_and_by_whom(played: DryRun) -> None:
    before, after = said(played, "test", "visitor")[0], said(played, "test", "visitor")[-1]
    assert before == "coreference: sees no board"
    assert "sees the board over all documents: 1. " in after
    assert [(board.phase, board.task) for board in played.boards] == [
        ("training", "coreference"),
        ("test", "coreference"),
        ("test", "links"),
    ]
    assert all(board.published and len(board.lines) == 2 for board in played.boards)


def test_a_step_that_is_not_as_expected_is_an_error() -> None:
    step = Step(time="", phase="test", who="a", what="is taken", as_expected=False)
    with pytest.raises(VerificationFailed, match="a: is taken"):
        require_faultless(DryRun(steps=(step,), boards=()))
