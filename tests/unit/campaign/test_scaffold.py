"""New campaigns: folders that can be served as they are."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from corefbench.campaign.config_file import CONFIG_NAME, find_problems, read_campaign, to_toml
from corefbench.campaign.domain.config import Campaign, Data, Phase, Quota, Task
from corefbench.campaign.scaffold import create_campaign, split_corpus
from corefbench.datasets.bundled import load_bundled
from corefbench.errors import UsageError
from corefbench.formats.load import load
from corefbench.scoring.api import score
from corefbench.tasks.are.score import score_task

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize("profile", ["are", "conll-2012", "corefud"])
def test_a_folder_of_any_profile_is_made_read_back_and_sound(tmp_path: Path, profile: str) -> None:
    campaign = create_campaign(tmp_path / "c", now=NOW, profile=profile)
    assert read_campaign(tmp_path / "c") == campaign
    assert find_problems(tmp_path / "c") == []


@pytest.mark.parametrize("profile", ["are", "conll-2012"])
def test_other_users_of_the_machine_can_read_no_key(tmp_path: Path, profile: str) -> None:
    before = os.umask(0o022)
    try:
        campaign = create_campaign(tmp_path / "c", now=NOW, profile=profile)
    finally:
        os.umask(before)
    folders = [tmp_path / "c", *(path for path in (tmp_path / "c").rglob("*") if path.is_dir())]
    assert {oct(folder.stat().st_mode & 0o777) for folder in folders} == {"0o700"}
    keys = [tmp_path / "c" / data.key for phase in campaign.phases for data in phase.data]
    assert {oct(key.stat().st_mode & 0o777) for key in keys} == {"0o600"}


def test_the_training_phase_is_open_at_once_and_the_test_is_blind(tmp_path: Path) -> None:
    training, test = create_campaign(tmp_path, now=NOW).phases
    assert training.opens <= NOW < training.closes == test.opens
    assert (training.blind, test.blind, test.window_hours) == (False, True, 48)


def test_training_and_test_have_all_documents_and_none_in_common() -> None:
    corpus = load_bundled()
    labels = {part: set(one.documents.labels()) for part, one in split_corpus(corpus).items()}
    assert labels["training"] | labels["test"] == set(corpus.documents.labels())
    assert not labels["training"] & labels["test"]


def test_keys_score_one_against_themselves_and_inputs_nothing(tmp_path: Path) -> None:
    create_campaign(tmp_path, now=NOW)
    for number in (2, 4):  # in 1 and 3 a pronoun that is answered by another pronoun counts half
        key = tmp_path / f"test/keys/task-{number}.xml"
        assert score_task(number, key, key).score.recall == 1
    create_campaign(tmp_path / "p", now=NOW, profile="conll-2012")
    data = read_campaign(tmp_path / "p").phases[1].data[0]
    assert score(tmp_path / "p" / data.key, tmp_path / "p" / data.key).conll.f1 == 1
    assert len(load(tmp_path / "p" / data.input).mentions) == 0


def test_a_campaign_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    create_campaign(tmp_path, now=NOW)
    before = (tmp_path / CONFIG_NAME).read_bytes()
    with pytest.raises(UsageError, match="CB331"):
        create_campaign(tmp_path, now=NOW, profile="conll-2012")
    assert (tmp_path / CONFIG_NAME).read_bytes() == before


def test_what_the_server_keeps_is_not_under_version_control(tmp_path: Path) -> None:
    create_campaign(tmp_path, now=NOW)
    assert "/state/" in (tmp_path / ".gitignore").read_text("utf-8").split("\n")


def test_any_definition_is_written_as_toml_that_reads_back(tmp_path: Path) -> None:
    campaign = Campaign(
        name="a",
        title='quotes " and \\ and \n and \x7f and é',
        anonymity="always",
        approval=False,
        ranking="last",
        tasks=(Task(name="t", title="T", scored="conll-2012", choices={"match": "head"}),),
        phases=(
            Phase(
                name="p",
                title="P",
                opens=NOW,
                closes=NOW.replace(microsecond=5, year=2027),
                data=(Data(task="t", key="k"),),
                quota=Quota(total=2, day=1),
                public=0.5,
            ),
        ),
    )
    (tmp_path / CONFIG_NAME).write_text(to_toml(campaign), encoding="utf-8")
    assert read_campaign(tmp_path) == campaign
