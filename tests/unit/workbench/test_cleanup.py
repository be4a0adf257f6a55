"""Uploads that nothing needs are deleted; all others stay."""

import os
from pathlib import Path

import pytest

from corefbench.runs import write_run
from corefbench.runs.record import record_scores, save_run
from corefbench.workbench.jobs import OUTCOME_FILE, SPEC_FILE, JobOutcome, JobSpec, RunForm, write_record
from corefbench.workbench.storage import UPLOAD_LIFETIME, Workbench, delete_unused_uploads
from tests.unit.runs.samples import NOON

NOW = 10 * UPLOAD_LIFETIME
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


def ordered(workbench: Workbench, form: RunForm, job: str, run: str = "") -> None:
    """A job that has been ordered, and that became a run if it has a name."""
    folder = workbench.folder / "jobs" / job
    folder.mkdir()
    write_record(folder / SPEC_FILE, JobSpec(name="x", form=form, key="bundled"))
    if run:
        write_record(folder / OUTCOME_FILE, JobOutcome(run=run))


def left(workbench: Workbench) -> set[str]:
    return {path.name for path in (workbench.folder / "uploads").iterdir()}


def digest(name: str) -> str:
    return name.partition("/")[0]


def test_what_is_old_and_not_needed_is_deleted(workbench: Workbench) -> None:
    old, new = (kept(workbench, b"a", age=UPLOAD_LIFETIME + 60), kept(workbench, b"b", age=UPLOAD_LIFETIME - 60))
    assert delete_unused_uploads(workbench, now=NOW) == [digest(old)]
    assert left(workbench) == {digest(new)}
    assert delete_unused_uploads(workbench, now=NOW) == []


def test_an_upload_of_several_files_is_as_old_as_the_newest_of_them(workbench: Workbench) -> None:
    name = workbench.keep_uploads([("a.conll", b"a"), ("b.conll", b"b")])
    folder = workbench.upload(name)
    for one in (folder / "a.conll", folder, folder.parent):
        os.utime(one, (0, 0))
    os.utime(folder / "b.conll", (NOW, NOW))
    assert delete_unused_uploads(workbench, now=NOW) == []
    os.utime(folder / "b.conll", (0, 0))
    assert delete_unused_uploads(workbench, now=NOW) == [digest(name)]


def test_what_a_job_reads_stays_until_it_is_removed(workbench: Workbench) -> None:
    key, response = (kept(workbench, b"a", age=9 * UPLOAD_LIFETIME), kept(workbench, b"b", age=9 * UPLOAD_LIFETIME))
    job = "20260101-120000-0a0b0c"
    ordered(workbench, RunForm(kind="score", kept=key, responses_kept=(response,)), job)
    assert delete_unused_uploads(workbench, now=NOW) == []
    workbench.jobs.remove(job)
    assert set(delete_unused_uploads(workbench, now=NOW)) == {digest(key), digest(response)}


def test_what_a_run_was_made_of_stays_as_long_as_the_run(workbench: Workbench) -> None:
    name = kept(workbench, KEY, age=9 * UPLOAD_LIFETIME)
    ordered(workbench, RunForm(kept=name), "20260101-120000-0a0b0c", run="made")
    save_run(workbench.folder / "runs" / "made.corefrun", KEY, {"same": KEY})
    assert delete_unused_uploads(workbench, now=NOW) == []
    workbench.delete_run("made")
    assert delete_unused_uploads(workbench, now=NOW) == [digest(name)]


def test_what_the_command_of_a_run_names_stays(workbench: Workbench) -> None:
    path = workbench.upload(kept(workbench, KEY, age=9 * UPLOAD_LIFETIME))
    command = ("corefbench", "score", str(path))
    run = record_scores(KEY, {"same": KEY}, created=NOON, command=command)
    write_run(run, workbench.folder / "runs" / "made.corefrun")
    (workbench.folder / "runs" / "half.corefrun").write_bytes(b"PK")
    assert delete_unused_uploads(workbench, now=NOW) == []
    workbench.delete_run("made")
    assert delete_unused_uploads(workbench, now=NOW) == [path.parent.name]


def test_nothing_else_is_touched(workbench: Workbench) -> None:
    uploads = workbench.folder / "uploads"
    (uploads / "mine").mkdir()
    (uploads / "0123456789abcdef").write_text("a file")
    for one in uploads.iterdir():
        os.utime(one, (0, 0))
    assert delete_unused_uploads(workbench, now=NOW) == []
    assert left(workbench) == {"mine", "0123456789abcdef"}
