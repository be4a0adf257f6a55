"""A workbench that runs, with one of everything in it: for tests and for pictures of the docs."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

RUN = "demo"
RESOLVERS = "kennedy-boguraev,mitkov,most-recent"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
"""What keeps chromium quiet, and lets it run as root in a container."""
TEXT = (
    "The old ferry left the harbour before sunrise, and the captain blew its horn twice. Maria "
    "had promised her brother that she would meet him on deck, but he could not find her there."
)
_EXAMPLES = Path(__file__).parents[2] / "examples"
_PATIENCE = 90
"""Seconds that the server may take on a busy machine; it is held to less by its own test."""


def chromium() -> str:
    """The browser of this machine; empty where there is none."""
    return os.environ.get("COREFBENCH_CHROMIUM") or shutil.which("chromium") or ""


def make_run(path: Path) -> None:
    """A comparison of three resolvers on the corpus that comes with corefbench."""
    command = ["bench", "bundled", "--resolvers", RESOLVERS, "--brief", "--run", str(path)]
    subprocess.run([sys.executable, "-m", "corefbench", *command], check=True, capture_output=True)


@contextmanager
def serving(home: Path) -> Iterator[str]:
    """The address of ``corefbench ui`` on a folder, without a slash at its end."""
    with started(home) as (address, _):
        yield address


@contextmanager
def started(home: Path) -> "Iterator[tuple[str, subprocess.Popen[bytes]]]":
    """The same with its process, which a test may kill."""
    said = home / "said.txt"
    options = ["--folder", str(home), "--port", "0", "--no-browser"]
    with (
        open(said, "wb") as stream,
        subprocess.Popen(
            [sys.executable, "-m", "corefbench", "ui", *options], stdout=stream, stderr=stream
        ) as process,
    ):
        try:
            yield _address(process, said), process
        finally:
            process.terminate()
            process.wait(10)


def _address(process: "subprocess.Popen[bytes]", said: Path) -> str:
    """Where the server says that it is, once it answers."""
    end = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < end:
        found = re.search(r"http://127\.0\.0\.1:\d+", said.read_text())
        if found:
            return found[0]
        time.sleep(0.05)
    raise RuntimeError(f"corefbench ui did not start: {said.read_text()}")


def one_of_each(server: str) -> dict[str, str]:
    """An address of every page, by the name of its route; what is not there yet is made."""
    import httpx

    from corefbench.web.routes import address

    with httpx.Client(base_url=server, timeout=120) as client:
        tried = client.post(
            address("trial"),
            data={"text": TEXT, "resolvers": RESOLVERS.split(","), "preprocess": "en-accurate"},
        )
        job = client.post(
            address("prepare"),
            files=[
                (name, (None, value.encode()))
                for name, value in (
                    ("kind", "bench"),
                    ("name", "second"),
                    ("corpus", "bundled"),
                    ("mode", "automatic"),
                    ("resolvers", "most-recent"),
                    ("match", "head"),
                    ("profile", "conll-2012"),
                )
            ],
        )
        where = job.headers["location"]
        while client.get(f"{where}.json").json()["job"]["state"] in ("waiting", "running"):
            time.sleep(0.2)  # a page of a run that is not done yet would move on by itself
        answers = [f"{name}.response.conll" for name in ("cautious", "eager", "steady")]
        merged = client.post(
            address("merge"),
            files=[("files", (name, (_EXAMPLES / name).read_bytes())) for name in answers],
        )
    return {
        "home": address("home"),
        "prepare": address("prepare"),
        "job": where,
        "results": address("results", run=RUN),
        "reading": address("reading", run=RUN, document=0, response="mitkov"),
        "versus": address("versus", run=RUN, document=0, a="kennedy-boguraev", b="mitkov"),
        "errors": address("errors", run=RUN, response="mitkov"),
        "singletons": address("singletons", run=RUN),
        "statistics": address("statistics", corpus="bundled"),
        "trial": address("trial", example=1),
        "tried": tried.headers["location"],
        "merge": address("merge"),
        "merged": merged.headers["location"],
    }
