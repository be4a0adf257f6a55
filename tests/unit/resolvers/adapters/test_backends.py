"""A process that is slow, dies or talks nonsense ends in a coded error, and is ended itself."""

import os
import sys
from pathlib import Path
from queue import SimpleQueue
from time import monotonic

import pytest

from corefbench.errors import DataError, UsageError
from corefbench.resolvers.adapters.backends import WorkerBackend, WorkerProcess, find_interpreter, make_request
from tests.trees import discourse

HELLO = 'print(\'{"version": "1"}\', flush=True)\n'
READ = HELLO + "sys.stdin.readline()\n"
DOCUMENT = make_request(discourse("Ann Ann PROPN NNP 2 nsubj\nslept sleep VERB VBD 0 root"))


def python(tmp_path: Path, code: str) -> str:
    """What passes for a Python, and does something else than run the script."""
    program = tmp_path / "other.py"
    program.write_text(f"import os, sys, time\n{code}")
    path = tmp_path / "python"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{program}" "$@"\n')
    path.chmod(0o755)
    return str(path)


def ended(pid: int) -> bool:
    """Whether no such process runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"


@pytest.mark.parametrize(
    ("code", "number", "said"),
    [
        ("time.sleep(90)", "CB261", "took more than 0.5 seconds"),
        (READ + "time.sleep(90)", "CB261", "took more than 0.5 seconds"),
        (HELLO + "time.sleep(90)", "CB261", "took more than 0.5 seconds"),
        ("sys.exit('no licence')", "CB260", "exit code 1 before it answered"),
        (READ + "os.kill(os.getpid(), 11)", "CB260", "exit code -11 before it answered"),
        ("print('Welcome!')", "CB262", "invalid JSON"),
        ("print('{}')", "CB262", "did not report its version"),
        ("sys.stdout.buffer.write(bytes(range(256)))", "CB262", "invalid JSON"),
        (READ + "print('[1, 2]', flush=True); time.sleep(90)", "CB262", "invalid JSON"),
        (READ + "print('{\"answers\": []}', flush=True)", "CB262", "0 answers to 1 documents"),
        (READ + 'print(\'{"answers": [{"unit": "bytes", "chains": []}]}\')', "CB262", "invalid JSON"),
    ],
)
def test_each_way_to_go_wrong_has_its_code(tmp_path: Path, code: str, number: str, said: str) -> None:
    worker = WorkerBackend(python(tmp_path, code), "fastcoref", {})
    began = monotonic()
    limit = 0.5 if number == "CB261" else 20
    if HELLO in code:
        worker.open(20)
    with pytest.raises(DataError, match=said) as error:
        worker.ask([DOCUMENT], limit)
    assert error.value.code == number
    assert monotonic() - began < 60
    assert "Traceback" not in str(error.value)


def test_a_document_that_nobody_reads_does_not_block(tmp_path: Path) -> None:
    """A pipe holds 64 kB: more waits for a reader, who here never comes."""
    from msgspec.structs import replace

    worker = WorkerBackend(python(tmp_path, HELLO + "time.sleep(60)"), "fastcoref", {})
    worker.open(20)
    with pytest.raises(DataError, match="took more than"):
        worker.ask([replace(DOCUMENT, text="x" * 1_000_000)], 0.3)


def test_the_end_of_standard_error_is_reported(tmp_path: Path) -> None:
    code = "sys.stderr.write('x' * 500_000 + 'out of memory at last'); sys.exit(9)"
    with pytest.raises(DataError) as error:
        WorkerBackend(python(tmp_path, code), "fastcoref", {}).open(20)
    assert error.value.found.endswith("out of memory at last")
    assert len(error.value.found) <= 2000


def test_a_late_process_is_ended_with_those_it_started(tmp_path: Path) -> None:
    code = (
        "import subprocess\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "open(sys.argv[-1] + '.pids', 'w').write(f'{os.getpid()} {child.pid}')\n"
        "print('not JSON', flush=True); time.sleep(60)\n"
    )
    process = WorkerProcess(python(tmp_path, code), "fastcoref", str(tmp_path / "known"))
    assert process.exchange(b"", 20) == b"not JSON\n"
    pids = [int(pid) for pid in (tmp_path / "known.pids").read_text().split()]
    assert not any(map(ended, pids))
    process.end()
    deadline = monotonic() + 5
    while not all(map(ended, pids)) and monotonic() < deadline:
        pass
    assert all(map(ended, pids))


def test_a_worker_ends_with_its_owner(tmp_path: Path) -> None:
    process = WorkerProcess(python(tmp_path, HELLO + "time.sleep(60)"), "fastcoref", "{}")
    running = process._running
    assert running.poll() is None
    del process
    assert running.poll() is not None


def test_an_interrupt_ends_the_process_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    process = WorkerProcess(python(tmp_path, HELLO + "time.sleep(60)"), "fastcoref", "{}")
    process.exchange(b"", 20)

    class Interrupted(SimpleQueue[bytes]):
        def get(self, block: bool = True, timeout: float | None = None) -> bytes:
            raise KeyboardInterrupt

    monkeypatch.setattr("corefbench.resolvers.adapters.backends.SimpleQueue", Interrupted)
    with pytest.raises(KeyboardInterrupt):
        process.exchange(b"{}", 20)
    assert process._running.poll() is not None


def test_an_environment_may_be_named_by_its_folder(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").touch()
    assert find_interpreter(str(tmp_path)) == str(tmp_path / "bin" / "python")
    with pytest.raises(UsageError, match="cannot start this Python"):
        WorkerBackend(str(tmp_path / "nowhere"), "fastcoref", {}).open(1)
