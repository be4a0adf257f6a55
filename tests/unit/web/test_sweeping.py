"""Uploads that nothing needs are deleted; all others stay."""

import os
from pathlib import Path

import pytest

from corefbench.runs import save, save_run
from corefbench.runs.record import record_scores
from corefbench.web.form import Form
from corefbench.web.orders import ORDER, OUTCOME, Order, Outcome, write_record
from corefbench.web.sweeping import WEEK, sweep
from corefbench.web.workbench import Workbench
from tests.unit.runs.made import NOON

NOW = 10 * WEEK
KEY = b"#begin document (a);\nAnn (1)\nleft -\nShe (1)\n\n#end document\n"


@pytest.fixture
def workbench(tmp_path: Path) -> Workbench:
    return Workbench(tmp_path)


def kept(workbench: Workbench, content: bytes, *, age: float) -> str:
    """An upload that was written so many seconds ago; what it is called by."""
    path = workbench.keep_upload("some.conll", content)
    for one in (path, path.parent):
        os.utime(one, (NOW - age, NOW - age))
    return workbench.upload_name(path)


def ordered(workbench: Workbench, form: Form, job: str, run: str = "") -> None:
    """A job that has been ordered, and that became a run if it has a name."""
    folder = workbench.folder / "jobs" / job
    folder.mkdir()
    write_record(folder / ORDER, Order(name="x", form=form, key="bundled"))
    if run:
        write_record(folder / OUTCOME, Outcome(run=run))


def left(workbench: Workbench) -> set[str]:
    return {path.name for path in (workbench.folder / "uploads").iterdir()}


def digest(name: str) -> str:
    return name.partition("/")[0]


def test_what_is_old_and_not_needed_is_deleted(workbench: Workbench) -> None:
    old, new = kept(workbench, b"a", age=WEEK + 60), kept(workbench, b"b", age=WEEK - 60)
    assert sweep(workbench, now=NOW) == [digest(old)]
    assert left(workbench) == {digest(new)}
    assert sweep(workbench, now=NOW) == []


def test_an_upload_of_several_files_is_as_old_as_the_newest_of_them(workbench: Workbench) -> None:
    name = workbench.keep_uploads([("a.conll", b"a"), ("b.conll", b"b")])
    folder = workbench.upload(name)
    for one in (folder / "a.conll", folder, folder.parent):
        os.utime(one, (0, 0))
    os.utime(folder / "b.conll", (NOW, NOW))
    assert sweep(workbench, now=NOW) == []
    os.utime(folder / "b.conll", (0, 0))
    assert sweep(workbench, now=NOW) == [digest(name)]


def test_what_a_job_reads_stays_until_it_is_removed(workbench: Workbench) -> None:
    key, response = kept(workbench, b"a", age=9 * WEEK), kept(workbench, b"b", age=9 * WEEK)
    job = "20260101-120000-0a0b0c"
    ordered(workbench, Form(kind="score", kept=key, responses_kept=(response,)), job)
    assert sweep(workbench, now=NOW) == []
    workbench.jobs.remove(job)
    assert set(sweep(workbench, now=NOW)) == {digest(key), digest(response)}


def test_what_a_run_was_made_of_stays_as_long_as_the_run(workbench: Workbench) -> None:
    name = kept(workbench, KEY, age=9 * WEEK)
    ordered(workbench, Form(kept=name), "20260101-120000-0a0b0c", run="made")
    save_run(workbench.folder / "runs" / "made.corefrun", KEY, {"same": KEY})
    assert sweep(workbench, now=NOW) == []
    workbench.delete_run("made")
    assert sweep(workbench, now=NOW) == [digest(name)]


def test_what_the_command_of_a_run_names_stays(workbench: Workbench) -> None:
    path = workbench.upload(kept(workbench, KEY, age=9 * WEEK))
    command = ("corefbench", "score", str(path))
    run = record_scores(KEY, {"same": KEY}, created=NOON, command=command)
    save(run, workbench.folder / "runs" / "made.corefrun")
    (workbench.folder / "runs" / "half.corefrun").write_bytes(b"PK")
    assert sweep(workbench, now=NOW) == []
    workbench.delete_run("made")
    assert sweep(workbench, now=NOW) == [path.parent.name]


def test_nothing_else_is_touched(workbench: Workbench) -> None:
    uploads = workbench.folder / "uploads"
    (uploads / "mine").mkdir()
    (uploads / "0123456789abcdef").write_text("a file")
    for one in uploads.iterdir():
        os.utime(one, (0, 0))
    assert sweep(workbench, now=NOW) == []
    assert left(workbench) == {"mine", "0123456789abcdef"}
