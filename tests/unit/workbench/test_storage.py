"""The folder of the workbench: runs by name, listed quickly, renamed, deleted; uploads."""

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from corefbench.errors import UnknownName, UsageError
from corefbench.runs.record import save_run
from corefbench.web.rendering import encode_json
from corefbench.workbench import storage
from corefbench.workbench.storage import Workbench, safe_name
from corefbench.workbench.views.home import home_page
from tests.unit.workbench.samples import connect
from tests.unit.workbench.samples import html as render

KEY = b"#begin document (a);\nAnn (1)\nleft -\nShe (1)\n\n#end document\n"
RESPONSE = b"#begin document (a);\nAnn (1)\nleft -\nShe (2)\n\n#end document\n"


@pytest.fixture
def workbench(tmp_path: Path) -> Workbench:
    made = Workbench(tmp_path / "home")
    save_run(made.folder / "runs" / "first.corefrun", KEY, {"system": RESPONSE, "same": KEY})
    return made


def test_a_run_is_listed_in_few_words(workbench):
    (entry,) = workbench.list_runs()
    assert (entry.name, entry.kind, entry.documents) == ("first", "score", 1)
    assert entry.responses == ("system", "same")
    assert entry.conll == 1.0
    assert not entry.problem


def test_a_damaged_file_is_listed_as_such(workbench):
    whole = (workbench.folder / "runs" / "first.corefrun").read_bytes()
    (workbench.folder / "runs" / "half.corefrun").write_bytes(whole[: len(whole) // 2])
    (workbench.folder / "runs" / "empty.corefrun").write_bytes(b"")
    (workbench.folder / "runs" / "<b>.corefrun").write_bytes(b"PK no zip")
    problems = {entry.name: entry.problem for entry in workbench.list_runs()}
    assert not problems["first"]
    assert all(problems[name].startswith("CB") for name in ("half", "empty", "<b>"))
    text = render(home_page(workbench, {}), path="/")
    assert text.count("cannot be opened") == 3
    assert "<b>" not in text
    assert "&lt;b&gt;" in text


def test_files_are_opened_once_while_they_stay_the_same(workbench, monkeypatch):
    opened = []
    real = storage.open_run
    monkeypatch.setattr(storage, "open_run", lambda path: opened.append(path) or real(path))
    workbench.list_runs()
    workbench.list_runs()
    assert len(opened) == 1
    Workbench(workbench.folder).list_runs()  # another server remembers
    assert len(opened) == 1
    path = workbench.folder / "runs" / "first.corefrun"
    os.utime(path, ns=(1, 1))
    workbench.list_runs()
    assert len(opened) == 2


@pytest.mark.slow
def test_a_thousand_runs_are_listed_in_half_a_second(workbench):
    path = workbench.folder / "runs" / "first.corefrun"
    for number in range(1_000):
        os.link(path, path.with_name(f"run {number}.corefrun"))
    workbench.list_runs()
    again = Workbench(workbench.folder)
    began = time.process_time()
    text = render(home_page(again, {}), path="/")
    assert time.process_time() - began <= 0.5
    assert "1,001 runs" in text


def test_runs_are_found_by_words_of_their_row(workbench):
    path = workbench.folder / "runs" / "first.corefrun"
    for number in range(20):
        os.link(path, path.with_name(f"other {number}.corefrun"))
    assert [run.name for run in home_page(workbench, {"find": "FIRST same"}).model["runs"]] == ["first"]
    assert home_page(workbench, {"find": "nowhere"}).model["runs"] == []
    assert home_page(workbench, {}).model["searchable"]


def test_a_run_is_renamed_unless_the_name_is_taken(workbench):
    path = workbench.folder / "runs" / "first.corefrun"
    os.link(path, path.with_name("second.corefrun"))
    assert workbench.rename_run("first", "a/b: third") == "a b third"
    assert set(workbench.runs) == {"a b third", "second"}
    with pytest.raises(UsageError, match="of that name"):
        workbench.rename_run("second", "a b third")
    with pytest.raises(UsageError, match="needs a name"):
        workbench.rename_run("second", "../..")
    with pytest.raises(UnknownName):
        workbench.rename_run("../first", "x")


def test_a_run_is_deleted_for_good(workbench):
    workbench.delete_run("first")
    assert workbench.list_runs() == []
    with pytest.raises(UnknownName):
        workbench.delete_run("first")


def test_runs_elsewhere_are_left_alone(workbench, tmp_path):
    path = tmp_path / "mine.corefrun"
    os.link(workbench.folder / "runs" / "first.corefrun", path)
    workbench.external_runs["mine"] = path
    assert {entry.name: entry.elsewhere for entry in workbench.list_runs()} == {"mine": True, "first": False}
    with pytest.raises(UsageError, match="not in the folder"):
        workbench.delete_run("mine")
    assert path.exists()


@pytest.mark.parametrize("name", ["../first", "a/b", "none", "", ".", "\0", "x" * 300, "語" * 100])
def test_names_that_are_no_runs_are_unknown(workbench, name):
    with pytest.raises(UnknownName):
        workbench.run(name)


def test_the_page_asks_before_it_deletes(workbench):
    assert "Delete first" not in render(home_page(workbench, {}), path="/")
    asked = render(home_page(workbench, {"manage": "first"}), path="/")
    assert "Delete first for good" in asked
    assert 'action="/runs/first/rename"' in asked


def test_an_empty_workbench_teaches(tmp_path):
    page = home_page(Workbench(tmp_path), {})
    assert "Nothing has been run yet" in render(page, path="/")
    assert b'"runs":[]' in encode_json(page)


def test_uploads_are_kept_by_their_content(workbench):
    one = workbench.keep_uploads([("a.conll", KEY)])
    assert workbench.upload(one).read_bytes() == KEY
    assert workbench.keep_uploads([("a.conll", KEY)]) == one
    two = workbench.upload(workbench.keep_uploads([("a.conll", KEY), ("b.conll", RESPONSE)]))
    assert sorted(file.name for file in two.iterdir()) == ["a.conll", "b.conll"]


@pytest.mark.parametrize("name", ["../../x.conll", "C:\\x.conll", "/etc/passwd", "...", "", "a\0b"])
def test_the_name_of_an_upload_stays_in_its_folder(workbench, name):
    path = workbench.upload(workbench.keep_uploads([(name, KEY)]))
    assert path.parent.parent == workbench.folder / "uploads"
    assert path.read_bytes() == KEY


def test_files_of_one_name_in_two_folders_stay_two_files(workbench):
    sent = [("a/x.conll", KEY), ("b/x.conll", RESPONSE), ("x.conll", KEY), ("x.conll", RESPONSE), ("X.CONLL", b"3")]
    folder = workbench.upload(workbench.keep_uploads(sent))
    contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.*")}
    assert contents == {
        "a/x.conll": KEY,
        "b/x.conll": RESPONSE,
        "x.conll": KEY,
        "x (2).conll": RESPONSE,
        "X (3).CONLL": b"3",
    }


def test_a_file_and_a_folder_of_one_name_stay_two(workbench):
    folder = workbench.upload(workbench.keep_uploads([("a", KEY), ("a/b/c", RESPONSE), ("../../d", b"d")]))
    assert sorted(path.read_bytes() for path in folder.rglob("*") if path.is_file()) == sorted([KEY, RESPONSE, b"d"])
    assert [path.name for path in (workbench.folder / "uploads").iterdir()] == [folder.parent.name]


def test_thirty_uploads_of_one_file_at_once_all_succeed(workbench):
    start = Barrier(30)

    def upload(_: int) -> str:
        start.wait()
        return workbench.keep_uploads([("a.conll", KEY * 2_000)])

    with ThreadPoolExecutor(30) as pool:
        (name,) = set(pool.map(upload, range(30)))
    assert workbench.upload(name).read_bytes() == KEY * 2_000
    assert len(list(workbench.upload(name).parent.iterdir())) == 1  # no temporary file is left


def test_the_folder_of_an_upload_is_not_an_upload(workbench):
    folder = workbench.upload(workbench.keep_uploads([("a.conll", KEY)])).parent
    for name in ("..", ".", ".a.conll"):
        with pytest.raises(UsageError, match="no longer exists"):
            workbench.upload(f"{folder.name}/{name}")


@pytest.mark.parametrize("name", ["", "..", "../runs/first.corefrun", "0123456789abcdef/..", f"{'a' * 16}/{'x' * 300}"])
def test_what_is_no_upload_is_refused(workbench, name):
    with pytest.raises(UsageError, match="no longer exists"):
        workbench.upload(name)


@pytest.mark.parametrize("name", ["x" * 300, "語" * 100, "𐐷" * 60])
def test_a_run_name_that_is_too_long_is_a_message(workbench, name):
    with pytest.raises(UsageError, match="too long"):
        workbench.rename_run("first", name)
    with connect(workbench) as client:
        assert client.post("/runs/first/rename", data={"name": name}).status_code == 422
        assert client.get(f"/runs/{name}").status_code == 404
        form = {
            "kind": "score",
            "corpus": "path",
            "path": f"/{name}",
            "responses_path": f"/{name}/{name}",
            "name": name,
        }
        answer = client.post("/prepare", data=form)
        assert answer.status_code == 422
        assert "the name of the run is too long" in answer.text
        assert "no such file or folder" in answer.text
        assert client.post("/merge", data={"paths": f"/{name}\n/{name}x"}).status_code in (200, 422)
        assert client.get("/statistics", params={"corpus": f"/{name}"}).status_code in (200, 422)
    assert set(workbench.runs) == {"first"}


def test_names_are_made_fit_for_files_and_addresses():
    assert len(safe_name("語" * 500).encode()) <= 200
    assert safe_name(" a/b\\c?d#e%f ") == "a b c d e f"
    assert safe_name("x.json") == "x"
    assert len(safe_name("x" * 500)) == 100
