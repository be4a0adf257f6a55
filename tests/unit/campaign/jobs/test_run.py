"""Children: what they may use, and what becomes of those that go wrong."""

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from msgspec.structs import replace

from corefbench.campaign.domain.outcome import Failed, Invalid, Scored, Valid
from corefbench.campaign.jobs import run
from corefbench.campaign.jobs.job import Job
from corefbench.campaign.jobs.limits import Limits
from corefbench.campaign.jobs.run import run_child
from tests.campaign import answers, tiny_campaign, write_campaign

CAMPAIGN = tiny_campaign()


@pytest.fixture
def job(tmp_path: Path) -> Job:
    (tmp_path / "upload").write_bytes(answers("good"))
    return Job(
        kind="score",
        path=str(tmp_path / "upload"),
        file_name="run.conll",
        task=CAMPAIGN.task("coreference"),
        data=CAMPAIGN.phase("test").data_of("coreference"),
        folder=str(write_campaign(tmp_path / "tiny")),
        public=0.5,
    )


@pytest.fixture(params=["nursed", "spawned"])
def way(request, monkeypatch) -> str:
    """Both ways to have a child: forked from the nursery, or a new interpreter."""
    if request.param == "spawned":
        monkeypatch.setattr(run, "warm_up", lambda: None)
    return request.param


def test_answers_are_scored(job, way):
    outcome = run_child(job)
    assert isinstance(outcome, Scored)
    assert outcome.evaluation.covered == 6
    assert outcome.evaluation.errors is None


def test_errors_are_seen_in_phases_that_are_not_blind(job):
    outcome = run_child(replace(job, blind=False))
    assert isinstance(outcome, Scored)
    seen = outcome.evaluation.errors
    assert seen is not None
    assert [one.document for one in seen.documents] == [r.document for r in outcome.evaluation.rows]
    assert sum(sum(one.errors.values()) for one in seen.documents) == sum(
        sum(kinds.values()) for kinds in seen.counts.values()
    )
    assert seen.examples


def test_answers_are_checked(job, way):
    assert isinstance(run_child(replace(job, kind="check")), Valid)
    Path(job.path).write_bytes(answers("good").replace(b"(0)", b"0)", 1))
    outcome = run_child(replace(job, kind="check"))
    assert isinstance(outcome, Invalid)
    assert outcome.findings[0].code == "CB104"


def test_a_child_is_not_told_the_password_of_the_database(monkeypatch):
    run.cool_down()
    monkeypatch.setenv("COREFBENCH_DATABASE", "postgresql://corefbench:swordfish@host/campaign")
    assert run.warm_up() is not None
    children = Path("/proc/thread-self/children").read_text().split()
    told = [Path(f"/proc/{child}/environ").read_bytes() for child in children]
    assert any(b"OMP_NUM_THREADS=1" in one for one in told)
    assert not any(b"swordfish" in one for one in told)


def test_an_upload_that_is_gone_is_the_platforms_failure(job, way):
    Path(job.path).unlink()
    outcome = run_child(job)
    assert isinstance(outcome, Failed)
    assert "FileNotFoundError" in outcome.reason


def test_too_much_memory_is_refused(job):
    assert isinstance(run_child(job, Limits(memory=280 << 20)), Scored)
    Path(job.path).write_bytes(answers("good") * 10_000)
    outcome = run_child(job, Limits(memory=280 << 20))
    assert isinstance(outcome, Invalid)
    assert outcome.findings[0].code == "CB309"


def test_too_much_time_of_the_processor_is_refused(job):
    Path(job.path).write_bytes(answers("good") * 25_000)
    outcome = run_child(job, Limits(cpu_seconds=1))
    assert isinstance(outcome, Invalid)
    assert (outcome.findings[0].code, outcome.findings[0].found) == ("CB309", "more than 1 s")


def test_too_much_time_on_the_wall_is_the_platforms_failure(job, way):
    Path(job.path).unlink()
    os.mkfifo(job.path)  # opening it waits for ever
    begun = time.monotonic()
    outcome = run_child(job, Limits(wall_seconds=1.5))
    assert isinstance(outcome, Failed)
    assert "longer than 1.5 s" in outcome.reason
    assert time.monotonic() - begun < 8


def test_answers_that_are_too_long_are_cut_off(job, way):
    assert isinstance(run_child(job, Limits(answer=500)), Failed)


def test_a_nursery_that_was_killed_is_replaced(job):
    nursery = run.warm_up()
    if nursery is None:
        pytest.skip("the system has no pidfd_open")
    assert isinstance(run_child(job), Scored)
    os.kill(nursery._process.pid, signal.SIGKILL)
    nursery._process.wait()
    assert isinstance(run_child(job), Scored)
    assert run.warm_up() is not nursery


OWNER = """
import signal
from corefbench.campaign.jobs.run import warm_up
print(warm_up()._process.pid, flush=True)
signal.pause()
"""


def test_a_nursery_ends_with_the_process_that_started_it():
    if not hasattr(os, "pidfd_open"):
        pytest.skip("the system has no pidfd_open")
    with subprocess.Popen(
        [sys.executable, "-c", OWNER], stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdout is not None
        nursery = os.pidfd_open(int(owner.stdout.readline()))
        owner.kill()
    gone, _, _ = select.select([nursery], [], [], 30)
    os.close(nursery)
    assert gone


CONFINED = """
import os, sys
from corefbench.campaign.jobs.limits import Limits, Refused, confine, leave_network
import socket, subprocess, threading
leave_network()
confine(Limits())
def tried(name, deed):
    try:
        deed()
        os.write(1, f"{name} done\\n".encode())
    except (Refused, OSError, RuntimeError) as error:
        os.write(1, f"{name} {type(error).__name__}\\n".encode())
def raw():
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    line = libc.socket(2, 1, 0)
    address = (2).to_bytes(2, "little") + (9).to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)
    libc.connect(line, address, 16)
    os.write(1, f"errno {ctypes.get_errno()}\\n".encode())
tried("socket", lambda: socket.socket())
tried("name", lambda: socket.getaddrinfo("localhost", 80))
tried("program", lambda: subprocess.run(["true"]))
tried("fork", os.fork)
tried("write", lambda: open(sys.argv[1] + "/x", "w"))
tried("append", lambda: os.open(sys.argv[1] + "/x", os.O_CREAT | os.O_WRONLY))
tried("remove", lambda: os.remove(sys.argv[1]))
tried("read", lambda: open(__file__ if "__file__" in globals() else "/etc/hostname").close())
raw()
"""


def test_a_confined_process_has_no_network_no_programs_and_writes_nothing(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", CONFINED, str(tmp_path)], capture_output=True, text=True, check=False
    )
    lines = done.stdout.splitlines()
    assert lines[:7] == [
        f"{deed} Refused"
        for deed in ("socket", "name", "program", "fork", "write", "append", "remove")
    ], done.stderr
    assert lines[7] == "read done"
    assert list(tmp_path.iterdir()) == []
    unreachable = {"errno 101"}  # ENETUNREACH: not even the own machine
    if os.geteuid() == 0:
        assert lines[8] in unreachable | {"errno 111"}
