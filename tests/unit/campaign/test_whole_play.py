"""A whole campaign over HTTP, from ``init`` to the static site and back from a backup.

``examples/campaign/play.py`` does it, and ends with an error where a board is not the ranking that
is computed from scratch, or where the restored campaign has other pages.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.postgresql import Cluster

PLAY = Path(__file__).parents[3] / "examples" / "campaign" / "play.py"


def play(folder: Path, *options: str, seconds: float) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(PLAY), str(folder), *options],
        capture_output=True,
        encoding="utf-8",
        timeout=seconds,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr, done.stderr
    return done.stdout.splitlines()


def test_three_teams_from_init_to_the_published_site(tmp_path: Path) -> None:
    said = play(tmp_path / "play", "--teams", "3", "--tasks", "1", seconds=300)
    assert said[-1].endswith("the same pages")
    board = (tmp_path / "play/site/boards/test/task-1.html").read_text("utf-8")
    assert "Team 01 &amp; &lt;friends&gt;" in board


@pytest.mark.slow
@pytest.mark.parametrize(("kept", "restored"), [("sqlite", "postgresql"), ("postgresql", "sqlite")])
def test_twenty_teams_in_all_tasks_on_either_database(
    tmp_path: Path, kept: str, restored: str, cluster: Callable[[], Cluster]
) -> None:
    def url(kind: str) -> str:
        return cluster().url(cluster().create()) if kind == "postgresql" else ""

    options = ("--teams", "20", "--database", url(kept), "--restore-to", url(restored))
    said = play(tmp_path / "play", *options, seconds=3000)
    assert said[-1].endswith("the same pages")
    # Two phases with four boards of 20 teams; in each phase a withdrawn and a disqualified
    # submission are the only ones of their teams on the first board.
    assert any("156 lines of boards" in line for line in said)
