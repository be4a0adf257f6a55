"""The folder of a campaign: what is read, and what is said of its faults."""

import shutil
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.campaign.config_file import CONFIG_NAME, find_problems, read_campaign, require_files
from corefbench.campaign.scaffold import create_campaign
from corefbench.corpus.combine import take_documents
from corefbench.datasets.bundled import load_bundled
from corefbench.errors import DataError

PIECES = [
    "[[phases]]\n",
    "[[tasks]]\n",
    "[phases]\n",
    "quota = 3\n",
    "public = nan\n",
    "window_hours = inf\n",
    "opens = 2026-01-01\n",
    "closes = 12:00:00\n",
    "data = []\n",
    "choices = { match = 1 }\n",
    'name = "\\u0000"\n',
    'key = "../x"\n',
    "-1",
    "99999999999999999999",
    "{",
    "]",
    '"',
    "=",
    "\n",
]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("campaign") / "exercise"
    corpus = load_bundled()
    first = [(corpus.documents.names[n], int(corpus.documents.parts[n])) for n in range(3)]
    create_campaign(folder, now=NOW, corpus=take_documents(corpus, np.arange(3), first))
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "exercise"))


def change(folder: Path, old: str, new: str) -> None:
    text = (folder / CONFIG_NAME).read_text("utf-8")
    assert old in text
    (folder / CONFIG_NAME).write_text(text.replace(old, new, 1), "utf-8")


def refused(folder: Path) -> DataError:
    with pytest.raises(DataError) as caught:
        read_campaign(folder)
    assert caught.value.code == "CB308"
    (finding, *_) = find_problems(folder)
    assert (finding.code, finding.message) == ("CB308", caught.value.message)
    return caught.value


def line(folder: Path, start: str, number: int = 1) -> int:
    lines = (folder / CONFIG_NAME).read_text("utf-8").split("\n")
    places = [n for n, text in enumerate(lines, 1) if text.strip().startswith(start)]
    return places[number - 1]


def test_a_new_folder_has_no_problems(folder: Path) -> None:
    assert find_problems(folder) == []


def test_a_folder_without_a_definition_is_refused_with_the_way_to_make_one(tmp_path: Path) -> None:
    assert "campaign init" in refused(tmp_path).remedy


def test_broken_toml_is_refused_with_line_and_column(folder: Path) -> None:
    change(folder, 'title = "Training"', "title = Training")
    place = refused(folder).place
    assert place.line == line(folder, "title = Training")
    assert place.column > 0


def test_a_misspelt_field_is_refused_with_its_line_and_what_was_meant(folder: Path) -> None:
    change(folder, "quota = {total", "qouta = {total")
    error = refused(folder)
    assert error.place.line == line(folder, "qouta")
    assert error.remedy == "did you mean quota?"


def test_a_field_of_the_wrong_kind_is_refused_with_its_line(folder: Path) -> None:
    change(folder, "window_hours = 48", 'window_hours = "two days"')
    assert refused(folder).place.line == line(folder, "window_hours")


def test_a_missing_field_is_refused_with_the_line_of_its_table(folder: Path) -> None:
    change(folder, 'title = "Test"\n', "")
    error = refused(folder)
    assert error.place.line == line(folder, "[[phases]]", 2)
    assert "title" in error.found


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "test"', 'name = "training"', "the name occurs twice"),
        ('name = "test"', 'name = "Test phase"', "the name cannot be used in addresses"),
        ('name = "task-1"', 'name = "../etc"', "the name cannot be used in addresses"),
        ("window_hours = 48", "window_hours = -1", "the length of the window is out of range"),
        ("window_hours = 48", "window_hours = nan", "the length of the window is out of range"),
        ("window_hours = 48", "public = 0.0", "the public share is out of range"),
        ("window_hours = 48", "public = 1.5", "the public share is out of range"),
        ("quota = {total = 3}", "quota = {total = -3}", "a quota is negative"),
        ('task = "task-4"', 'task = "task-5"', "there is no such task"),
        ('task = "task-4"', 'task = "task-3"', "the phase has the task twice"),
        ('key = "test/keys/task-1.xml"', 'key = "/etc/passwd"', "the path leaves the folder"),
        ('key = "test/keys/task-1.xml"', 'key = "a/../../b"', "the path leaves the folder"),
        ('key = "test/keys/task-1.xml"', 'key = ""', "the path leaves the folder"),
        ('key = "test/keys/task-1.xml"', 'key = "state/a"', "the path leads to the state of the server"),
        ('input = "test/inputs/task-1.xml"\n', "", "the phase has a window, which opens with"),
        ("closes = 2026-03-29T00:00:00Z", "closes = 2026-03-29T00:00:00", "the time has no zone"),
        ("closes = 2026-03-29T00:00:00Z", "closes = 2026-02-01T00:00:00Z", "the phase closes"),
        ("2026-03-29T00:00:00Z", "9999-12-31T23:59:59-14:00", "the year is implausible"),
        ("2026-03-29T00:00:00Z", "0001-01-01T00:00:00+14:00", "the year is implausible"),
    ],
)
def test_what_no_server_could_run_is_refused(folder: Path, old: str, new: str, message: str) -> None:
    change(folder, old, new)
    error = refused(folder)
    assert error.message.startswith(message)
    assert error.place.line > 0


def test_a_definition_that_is_nested_without_end_is_refused(folder: Path) -> None:
    change(folder, 'name = "test"', "name = " + "[" * 100_000)
    assert refused(folder).code == "CB308"


@given(data=st.data())
def test_whatever_is_changed_in_a_definition_only_coded_errors_come_of_it(made: Path, data: st.DataObject) -> None:
    text = (made / CONFIG_NAME).read_text("utf-8")
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 40, len(text))))
        piece = data.draw(st.sampled_from(PIECES) | st.text(max_size=8))
        text = text[:start] + piece + text[end:]
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / CONFIG_NAME).write_text(text, "utf-8", errors="replace")
        with suppress(DataError):
            campaign = read_campaign(Path(name))
            assert campaign.tasks
            assert all(phase.opens < phase.closes for phase in campaign.phases)


def test_a_link_that_leads_out_of_the_folder_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere.xml").write_text("secret", "utf-8")
    (folder / "out.xml").symlink_to(tmp_path / "elsewhere.xml")
    change(folder, "test/keys/task-1.xml", "out.xml")
    assert refused(folder).message == "the path leaves the folder"


def test_times_of_other_zones_are_read_in_utc(folder: Path) -> None:
    change(folder, "closes = 2026-03-29T00:00:00Z", "closes = 2026-03-29T02:00:00+02:00")
    assert read_campaign(folder).phases[0].closes.isoformat() == "2026-03-29T00:00:00+00:00"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('scored = "are-1"', 'scored = "conll-2021"', "there is no profile named"),
        ('scored = "are-1"', 'scored = "are-1"\nrank = "lea"', "there is no such score to rank"),
        ("test/keys/task-1.xml", "test/keys/none.xml", "the file is missing"),
        ("test/keys/task-1.xml", "README.md", "the file does not load"),
        ("test/keys/task-1.xml", "test/inputs/task-1.xml", "the file does not load: no two"),
        ("test/inputs/task-2.xml", "test/keys/task-2.xml", "the input holds the key"),
        ("test/inputs/task-4.xml", "test/keys/task-4.xml", "the input holds the key"),
    ],
)
def test_files_and_scores_that_do_not_fit_are_problems(folder: Path, old: str, new: str, message: str) -> None:
    change(folder, old, new)
    read_campaign(folder)
    found = [problem for problem in find_problems(folder) if problem.severity == "error"]
    assert any(problem.message.startswith(message) for problem in found), found
    assert all(problem.place.line > 0 for problem in found)


def test_a_server_does_not_start_without_the_files(folder: Path) -> None:
    require_files(folder, read_campaign(folder))
    (folder / "test/keys/task-2.xml").unlink()
    with pytest.raises(DataError, match="the file is missing") as caught:
        require_files(folder, read_campaign(folder))
    assert caught.value.place.line == line(folder, 'key = "test/keys/task-2.xml"')


def test_an_input_in_a_format_of_its_own_is_warned_of_as_nobody_looked(folder: Path) -> None:
    (folder / "plain.txt").write_text("Ann left. She was late.\n", "utf-8")
    change(folder, "test/inputs/task-3.xml", "plain.txt")
    (found,) = find_problems(folder)
    assert (found.severity, found.found) == ("warning", "plain.txt")


def test_a_folder_cannot_be_downloaded(folder: Path) -> None:
    change(folder, "test/inputs/task-3.xml", "test/inputs")
    assert "a folder cannot be downloaded" in [found.message for found in find_problems(folder)]


def test_a_blind_key_that_was_shown_before_is_warned_of(folder: Path) -> None:
    change(folder, "test/keys/task-1.xml", "training/keys/task-1.xml")
    found = [problem.message for problem in find_problems(folder) if problem.severity == "warning"]
    assert "the key of the blind phase is that of a phase that shows errors" in found
    assert "input and key have different documents" in found
