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
from typing import Any

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


class Address(str):
    """Where a workbench is, without a slash at its end; ``token`` signs in."""

    token = ""

    @property
    def headers(self) -> dict[str, str]:
        """What a script sends to sign in."""
        return {"authorization": f"Bearer {self.token}"}

    def sign_in(self, context: Any) -> None:
        """Give the cookie to a context of the browser."""
        context.request.get(f"{self}/?token={self.token}")


def chromium() -> str:
    """The browser of this machine; empty where there is none."""
    return os.environ.get("COREFBENCH_CHROMIUM") or shutil.which("chromium") or ""


def make_run(path: Path) -> None:
    """A comparison of three resolvers on the corpus that comes with corefbench."""
    command = ["bench", "bundled", "--resolvers", RESOLVERS, "--brief", "--run", str(path)]
    subprocess.run([sys.executable, "-m", "corefbench", *command], check=True, capture_output=True)


@contextmanager
def serving(home: Path) -> Iterator[Address]:
    """The address of ``corefbench ui`` on a folder."""
    with started(home) as (address, _):
        yield address


@contextmanager
def started(home: Path) -> "Iterator[tuple[Address, subprocess.Popen[bytes]]]":
    """The same with its process, which a test may kill."""
    said = home / "said.txt"
    options = ["--folder", str(home), "--port", "0", "--no-browser"]
    with (
        open(said, "wb") as stream,
        subprocess.Popen([sys.executable, "-m", "corefbench", "ui", *options], stdout=stream, stderr=stream) as process,
    ):
        try:
            yield _address(process, said), process
        finally:
            process.terminate()
            process.wait(10)


def _address(process: "subprocess.Popen[bytes]", said: Path) -> Address:
    """Where the server says that it is, once it answers."""
    end = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < end:
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", said.read_text())
        if found:
            address = Address(found[1])
            address.token = found[2]
            return address
        time.sleep(0.05)
    raise RuntimeError(f"corefbench ui did not start: {said.read_text()}")


def one_of_each(server: Address) -> dict[str, str]:
    """An address of every page, by the name of its route; what is not there yet is made."""
    import httpx

    from corefbench.workbench.routes import url_for

    with httpx.Client(base_url=server, headers=server.headers, timeout=120) as client:
        tried = client.post(
            url_for("try"), data={"text": TEXT, "resolvers": RESOLVERS.split(","), "preprocess": "en-accurate"}
        )
        job = client.post(
            url_for("prepare"),
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
            url_for("merges"), files=[("files", (name, (_EXAMPLES / name).read_bytes())) for name in answers]
        )
    return {
        "home": url_for("home"),
        "prepare": url_for("prepare"),
        "job": where,
        "results": url_for("results", run=RUN),
        "reading": url_for("reading", run=RUN, document=0, response="mitkov"),
        "compare": url_for("compare", run=RUN, document=0, a="kennedy-boguraev", b="mitkov"),
        "errors": url_for("errors", run=RUN, response="mitkov"),
        "singletons": url_for("singletons", run=RUN),
        "statistics": url_for("statistics", corpus="bundled"),
        "try": url_for("try", example=1),
        "trial": tried.headers["location"],
        "merges": url_for("merges"),
        "merge": merged.headers["location"],
    }
