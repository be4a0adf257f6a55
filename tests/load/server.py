"""The server as it runs for real, in a process of its own.

Arguments of ``main``: the folder of the campaign, the folder of its state, the URL of its database
and the number of workers. It prints its address on standard output.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from corefbench.campaign.platform import open_platform
from corefbench.campaign.server import serve
from tests.campaign import DEFINITION, write_campaign

ROOT = Path(__file__).parents[2]
# Not ``-m``: every child of the sandbox would import this module, and pytest with it, once more.
START = "from tests.load.server import main; main()"


def campaign_until(folder: Path, closes: datetime, quota: int) -> Path:
    """The tiny campaign, its training phase open until then, so many submissions a team."""
    write_campaign(folder)
    head, phase, rest = DEFINITION.partition('name = "training"')
    changed = rest.replace("opens = 2026-03-01T00:00:00Z", "opens = 2020-01-01T00:00:00Z", 1)
    changed = changed.replace(
        "closes = 2026-03-15T00:00:00Z", f"closes = {closes.isoformat()}\nquota = {{ total = {quota} }}", 1
    )
    later = changed.replace("2026-03-15T00:00:00Z", "2099-03-15T00:00:00Z")
    (folder / "campaign.toml").write_text(head + phase + later.replace("2026-03-22T00:00:00Z", "2099-03-22T00:00:00Z"))
    return folder


class Server(NamedTuple):
    """A server that runs."""

    port: int
    process: int

    def processor_time(self) -> float:
        """Seconds of processor time that it has used, without its children."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start_server(folder: Path, state: Path, url: str, workers: int = 0) -> tuple["subprocess.Popen[str]", int]:
    """Start a server; its process and its port. The caller stops it and closes its output."""
    process = subprocess.Popen(
        [sys.executable, "-c", START, str(folder), str(state), url, str(workers)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in iter(process.stdout.readline, ""):  # the address comes after the active protections
        if address := re.search(r"http://127\.0\.0\.1:(\d+)", line):
            return process, int(address[1])
    raise AssertionError(f"the server did not start: exit status {process.wait(60)}")


@contextmanager
def serving(folder: Path, state: Path, url: str, workers: int = 0) -> Iterator[Server]:
    """A server that runs as long as this does."""
    process, port = start_server(folder, state, url, workers)
    try:
        yield Server(port, process.pid)
    finally:
        process.terminate()
        process.wait(60)
        assert process.stdout is not None
        process.stdout.close()


def main() -> None:
    folder, state, url, workers = sys.argv[1:]
    platform = open_platform(Path(folder), state=Path(state), database=url)
    try:
        serve(platform, port=0, workers=int(workers), say=lambda line: print(line, flush=True))
    finally:
        platform.close()
