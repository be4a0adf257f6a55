"""The sandbox: what a child process may use, and what becomes of those that go wrong."""

import os
import select
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from corefbench.campaign.jobs import sandbox
from corefbench.campaign.jobs.sandbox import Limits, inspect_sandbox, report_sandbox, run_sandboxed
from corefbench.errors import UsageError

LIMITS = Limits()


def reverse(content: bytes) -> bytes:
    return content[::-1]


def fork_server(_: bytes) -> bytes:
    return str(os.getppid()).encode()


def open_files(_: bytes) -> bytes:
    return " ".join(sorted(os.listdir("/proc/self/fd"), key=int)).encode()


def exit_at_once(_: bytes) -> bytes:
    os._exit(7)


def test_the_function_is_called_in_another_process():
    result = run_sandboxed(reverse, b"abc", LIMITS)
    assert (result.output, result.status) == (b"cba", 0)


def test_several_threads_may_run_children():
    contents = [b"%03d" % number for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda content: run_sandboxed(reverse, content, LIMITS), contents))
    assert [result.output[::-1] for result in results] == contents


def test_a_child_that_exits_leaves_its_status():
    result = run_sandboxed(exit_at_once, b"", LIMITS)
    assert (result.output, result.status) == (b"", 7)


def test_a_child_inherits_no_open_files():
    files = run_sandboxed(open_files, b"", LIMITS).output.split()
    assert len(files) <= 5  # the three standard streams, the pipe, and the listing itself


def test_a_fork_server_that_was_killed_is_replaced():
    first = int(run_sandboxed(fork_server, b"", LIMITS).output)
    watch = os.pidfd_open(first)
    os.kill(first, signal.SIGKILL)
    select.select([watch], [], [], 30)
    os.close(watch)
    second = run_sandboxed(fork_server, b"", LIMITS)
    assert int(second.output) != first


OWNER = """
import os, sys, time
from corefbench.campaign.jobs.sandbox import Limits, run_sandboxed

def environment(_):
    with open("/proc/self/environ", "rb") as own:
        return own.read() + b"\\0" + str(os.getppid()).encode()

if __name__ == "__main__":
    sys.stdout.buffer.write(run_sandboxed(environment, b"", Limits()).output + b"\\n")
    sys.stdout.flush()
    time.sleep(60)
"""


def test_children_know_no_secrets_and_the_fork_server_ends_with_its_owner(tmp_path):
    script = tmp_path / "owner.py"
    script.write_text(OWNER)
    secret = {"COREFBENCH_DATABASE": "postgresql://corefbench:swordfish@host/campaign"}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, env=os.environ | secret) as owner:
        assert owner.stdout is not None
        *environment, server = owner.stdout.readline().strip().split(b"\0")
        assert b"OMP_NUM_THREADS=1" in environment
        assert not any(b"swordfish" in variable for variable in environment)
        watch = os.pidfd_open(int(server))
        owner.kill()
    gone, _, _ = select.select([watch], [], [], 30)
    os.close(watch)
    assert gone


CONFINED = """
import os, sys
from corefbench.campaign.jobs.sandbox import Limits, Refused, confine, leave_network
import socket, subprocess, threading
leave_network()
confine(Limits())
def attempt(name, action):
    try:
        action()
        os.write(1, f"{name} done\\n".encode())
    except (Refused, OSError, RuntimeError) as error:
        os.write(1, f"{name} {type(error).__name__}\\n".encode())
def connect():
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    line = libc.socket(2, 1, 0)
    address = (2).to_bytes(2, "little") + (9).to_bytes(2, "big") + bytes([127, 0, 0, 1]) + bytes(8)
    libc.connect(line, address, 16)
    os.write(1, f"errno {ctypes.get_errno()}\\n".encode())
attempt("socket", lambda: socket.socket())
attempt("name", lambda: socket.getaddrinfo("localhost", 80))
attempt("program", lambda: subprocess.run(["true"]))
attempt("fork", os.fork)
attempt("write", lambda: open(sys.argv[1] + "/x", "w"))
attempt("append", lambda: os.open(sys.argv[1] + "/x", os.O_CREAT | os.O_WRONLY))
attempt("remove", lambda: os.remove(sys.argv[1]))
attempt("read", lambda: open(__file__ if "__file__" in globals() else "/etc/hostname").close())
connect()
"""


def test_a_confined_process_has_no_network_no_programs_and_writes_nothing(tmp_path):
    done = subprocess.run([sys.executable, "-c", CONFINED, str(tmp_path)], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert lines[:7] == [
        f"{action} Refused" for action in ("socket", "name", "program", "fork", "write", "append", "remove")
    ], done.stderr
    assert lines[7] == "read done"
    assert list(tmp_path.iterdir()) == []
    unreachable = {"errno 101"}  # ENETUNREACH: not even the own machine
    if os.geteuid() == 0:
        assert lines[8] in unreachable | {"errno 111"}


def test_the_protections_that_are_reported_are_those_that_children_have():
    child = run_sandboxed(network_namespace, b"", LIMITS).output.decode()
    active = {protection.name: protection.active for protection in inspect_sandbox()}
    assert active == {
        "network": child != os.readlink("/proc/self/ns/net"),
        "limits": True,
        "privileges": True,
        "audit-hook": True,
    }


def network_namespace(_: bytes) -> bytes:
    return os.readlink("/proc/self/ns/net").encode()


REFUSED = """
import ctypes, sys
from corefbench.campaign.jobs import sandbox
class Refusing:  # as in a container that allows no namespaces
    def __init__(self): self.libc = ctypes.CDLL(None)
    def unshare(self, flags): return -1
    def __getattr__(self, name): return getattr(self.libc, name)
sandbox._load_libc = Refusing
sandbox.print_protections()
"""


def test_a_kernel_that_refuses_namespaces_is_noticed():
    done = subprocess.run([sys.executable, "-c", REFUSED], capture_output=True, text=True, check=True)
    assert done.stdout == '["limits","privileges","audit-hook"]'


def test_a_server_that_requires_the_sandbox_does_not_start_without(monkeypatch, caplog):
    monkeypatch.setattr(sandbox, "_probe", lambda: frozenset({"limits", "privileges", "audit-hook"}))
    lines: list[str] = []
    with caplog.at_level("INFO", "corefbench.campaign"):
        report_sandbox(required=False, say=lines.append)
    assert "NOT ACTIVE: no network" in lines[0]
    (record,) = caplog.records
    assert (record.levelname, vars(record)["network"], vars(record)["limits"]) == ("WARNING", False, True)
    with pytest.raises(UsageError, match="not active: no network") as error:
        report_sandbox(required=True, say=lines.append)
    assert error.value.code == "CB319"
