"""Runs in processes of their own: made, queued, cancelled, killed, started again."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from corefbench.datasets.bundled import bundled_path
from corefbench.runs import open_run
from corefbench.runs.verify import verify_run
from corefbench.web.rendering import encode_json
from corefbench.workbench.jobs import (
    OUTCOME_FILE,
    PROGRESS_FILE,
    Job,
    JobProgress,
    JobQueue,
    JobSpec,
    RunForm,
    read_record,
    write_record,
)
from corefbench.workbench.routes import build_page
from corefbench.workbench.storage import Workbench
from corefbench.workbench.worker import ProgressReporter, _move_if_free, main
from tests.unit.workbench.samples import html as render

KEY = b"#begin document (a);\nAnn (1)\nleft -\nShe (1)\n\n#end document\n"
RESPONSE = b"#begin document (a);\nAnn (1)\nleft -\nShe (2)\n\n#end document\n"
PATIENCE = 240.0
"""Seconds, on a busy machine."""

ENDLESS = JobSpec(name="endless", form=RunForm(further="command(run=sleep 321)", mode="annotated"), key="bundled")


@pytest.fixture
def workbench(tmp_path: Path) -> Iterator[Workbench]:
    made = Workbench(tmp_path / "home")
    yield made
    made.jobs.close()


@pytest.fixture
def scoring(tmp_path: Path) -> JobSpec:
    (tmp_path / "key.conll").write_bytes(KEY)
    (tmp_path / "system.conll").write_bytes(RESPONSE)
    return JobSpec(
        name="scored",
        form=RunForm(kind="score"),
        key=str(tmp_path / "key.conll"),
        responses={"system.conll": str(tmp_path / "system.conll")},
        command=("corefbench", "score", "key.conll", "system.conll", "--run", "scored.corefrun"),
    )


def wait(jobs: JobQueue, job: str, until: Callable[[Job], bool]) -> Job:
    end = time.monotonic() + PATIENCE
    while not until(found := jobs.get(job)):
        assert time.monotonic() < end, found
        time.sleep(0.05)
    return found


def working(job: Job) -> bool:
    return job.progress is not None and job.progress.stage == "resolving"


def sleepers(jobs: JobQueue) -> list[int]:
    """The processes of the group that the worker leads."""
    group = jobs._process.pid  # type: ignore[union-attr]
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                found.append(int(folder.name))
    return found


def gone(processes: list[int]) -> bool:
    end = time.monotonic() + PATIENCE
    while any(_alive(process) for process in processes) and time.monotonic() < end:
        time.sleep(0.05)
    return not any(map(_alive, processes))


def _alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are in /proc")


def test_a_job_becomes_a_run_that_can_be_verified(workbench, scoring):
    job = workbench.jobs.submit(scoring)
    done = wait(workbench.jobs, job, lambda found: not found.active)
    assert (done.state, done.outcome.run) == ("done", "scored")
    run = open_run(workbench.folder / "runs" / "scored.corefrun")
    assert run.header.command == scoring.command
    assert verify_run(run).results == 1
    assert workbench.jobs.unfinished() == []
    page = build_page("job", workbench, {"job": job})
    text = render(page, path="/")
    assert 'href="/runs/scored"' in text
    assert "hx-trigger" not in text
    assert encode_json(page)


def test_a_comparison_is_the_one_of_the_command_line(tmp_path):
    folder = tmp_path / "jobs" / "one"
    folder.mkdir(parents=True)
    (tmp_path / "runs").mkdir()
    form = RunForm(resolvers=("most-recent",), mode="annotated")
    path = tmp_path / "two.conllu"
    documents = bundled_path().read_text("utf-8").split("# newdoc")
    path.write_text("# newdoc".join(documents[:3]), "utf-8")
    write_record(folder / "order.json", JobSpec(name="two", form=form, key=str(path)))
    assert main(folder) == 0
    run = open_run(tmp_path / "runs" / "two.corefrun")
    assert verify_run(run).documents == 2
    assert run.header.inputs[0].sha256
    options = ["--resolvers", "most-recent", "--mode", "annotated"]
    command = [sys.executable, "-m", "corefbench", "bench", str(path), *options, "--brief"]
    subprocess.run([*command, "--run", str(tmp_path / "x")], check=True, capture_output=True)
    assert open_run(tmp_path / "x").header.results == run.header.results
    assert sorted(file.name for file in folder.iterdir()) == ["order.json", "outcome.json", "progress.json"]


def test_what_goes_wrong_is_said_with_its_code(tmp_path):
    folder = tmp_path / "jobs" / "one"
    folder.mkdir(parents=True)
    order = JobSpec(name="x", form=RunForm(kind="score"), key="/none.conll", responses={"r": "/none"})
    write_record(folder / "order.json", order)
    assert main(folder) == 1
    outcome = (folder / OUTCOME_FILE).read_text()
    assert "CB006" in outcome
    assert "check the path" in outcome
    assert main(tmp_path) == 2


@linux
def test_jobs_wait_for_one_another_and_are_cancelled(workbench, scoring):
    jobs = workbench.jobs
    first, second, third = jobs.submit(ENDLESS), jobs.submit(ENDLESS), jobs.submit(scoring)
    wait(jobs, first, working)
    assert [jobs.get(job).state for job in (second, third)] == ["waiting", "waiting"]
    assert [jobs.get(job).ahead for job in (second, third)] == [1, 2]
    listed = build_page("home", workbench, {})
    assert [job.id for job in listed.model["jobs"]] == sorted([first, second, third], reverse=True)
    text = render(build_page("job", workbench, {"job": first}), path="/")
    assert "0 of 17 documents" in text
    assert 'hx-trigger="every 700ms"' in text
    assert 'http-equiv="refresh"' in text
    jobs.cancel(second)
    assert jobs.get(second).state == "cancelled"
    processes = sleepers(jobs)
    assert processes
    jobs.cancel(first)
    assert gone(processes)
    assert wait(jobs, third, lambda found: found.state == "done")
    assert jobs.get(first).state == "cancelled"
    assert sorted(os.listdir(workbench.folder / "runs")) == ["scored.corefrun"]
    jobs.remove(first)
    assert [job.id for job in jobs.unfinished()] == [second]


@linux
def test_a_killed_worker_loses_nothing_that_was_finished(workbench, scoring):
    jobs = workbench.jobs
    done, killed = jobs.submit(scoring), jobs.submit(ENDLESS)
    wait(jobs, killed, working)
    processes = sleepers(jobs)
    os.kill(jobs._process.pid, signal.SIGKILL)  # type: ignore[union-attr]
    stopped = wait(jobs, killed, lambda found: not found.active)
    assert stopped.state == "stopped"
    assert gone(processes)
    assert jobs.get(done).state == "done"
    assert os.listdir(workbench.folder / "runs") == ["scored.corefrun"]
    text = render(build_page("job", workbench, {"job": killed}), path="/")
    assert "Start it again" in text
    jobs.restart(killed)
    assert jobs.get(killed).active
    wait(jobs, killed, working)
    jobs.cancel(killed)


_SERVER = """
import sys, time
from pathlib import Path
import msgspec
from corefbench.workbench.jobs import JobQueue, JobSpec
jobs = JobQueue(Path(sys.argv[1]))
for line in sys.stdin.buffer.read().splitlines():
    print(jobs.submit(msgspec.json.decode(line, type=JobSpec)), flush=True)
while True:
    time.sleep(0.1)
    if jobs._process is not None:
        Path(sys.argv[2]).write_text(str(jobs._process.pid))
"""


@linux
def test_a_killed_server_takes_its_worker_along_and_no_run(workbench, scoring, tmp_path):
    import msgspec

    noted = tmp_path / "worker"
    arguments = [sys.executable, "-c", _SERVER, str(workbench.folder / "jobs"), str(noted)]
    pipe = subprocess.PIPE
    with subprocess.Popen(arguments, stdin=pipe, stdout=pipe) as server:
        server.stdin.write(b"\n".join(map(msgspec.json.encode, (scoring, ENDLESS))))
        server.stdin.close()
        done, killed = (server.stdout.readline().decode().strip() for _ in range(2))
        folder = workbench.folder / "jobs" / killed
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            progress = read_record(folder / PROGRESS_FILE, JobProgress)
            if progress is not None and progress.stage == "resolving":
                break
            time.sleep(0.1)
        worker = int(noted.read_text())
        assert _alive(worker)
        server.kill()
    assert gone([worker])
    again = Workbench(workbench.folder)
    assert again.jobs.get(done).state == "done"
    assert [run.name for run in again.list_runs()] == ["scored"]
    assert [(job.id, job.state) for job in again.jobs.unfinished()] == [(killed, "stopped")]


def test_a_run_never_takes_the_place_of_another(tmp_path):
    (tmp_path / "made").write_text("new")
    (tmp_path / "x.corefrun").write_text("old")
    assert not _move_if_free(tmp_path / "made", tmp_path / "x.corefrun")
    assert (tmp_path / "x.corefrun").read_text() == "old"
    assert _move_if_free(tmp_path / "made", tmp_path / "x-2.corefrun")
    assert (tmp_path / "x-2.corefrun").read_text() == "new"
    assert not (tmp_path / "made").exists()


def test_progress_says_what_is_left(tmp_path):
    assert JobProgress(stage="resolving", done=5, all=20, seconds=10.0).left == 30.0
    assert JobProgress(stage="resolving", done=0, all=20, seconds=10.0).left is None
    assert JobProgress(stage="reading").left is None
    report = ProgressReporter(tmp_path / "progress.json")
    report.stage("resolving", 3, "documents")
    for _ in range(3):
        report.advance(1)
    last = read_record(tmp_path / "progress.json", JobProgress)
    assert last is not None
    assert (last.done, last.all) == (3, 3)


@pytest.mark.parametrize("job", ["none", "../runs", "20260101-000000-000000", ""])
def test_ids_that_are_no_jobs_are_unknown(workbench, job):
    from corefbench.errors import UnknownName

    with pytest.raises(UnknownName):
        workbench.jobs.get(job)


def test_damaged_files_of_a_job_break_no_page(workbench, scoring):
    folder = workbench.jobs.folder / "20260101-000000-abcdef"
    folder.mkdir()
    (folder / "order.json").write_bytes(b"{half")
    assert workbench.jobs.unfinished() == []
    write_record(folder / "order.json", scoring)
    (folder / "progress.json").write_bytes(b"")
    (folder / "outcome.json").write_bytes(b"{")
    assert [job.state for job in workbench.jobs.unfinished()] == ["stopped"]
    assert "stopped" in render(build_page("home", workbench, {}), path="/")


def test_a_job_can_be_prepared_again_with_changes(workbench, scoring):
    folder = workbench.jobs.folder / "20260101-000000-abcdef"
    folder.mkdir()
    write_record(folder / "order.json", scoring)
    page = build_page("prepare", workbench, {"job": folder.name})
    assert page.model["form"] == scoring.form
