"""A server that is killed while it makes a run: what was finished is there when it starts again."""

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.browser.running import Address, started

httpx = pytest.importorskip("httpx", reason="httpx is not installed")
pytest.importorskip("litestar", reason="the extra ui is not installed")

_PATIENCE = 240.0
"""Seconds, on a busy machine."""


def sent(address: Address, name: str, **fields: str) -> str:
    """The address of a job that is asked for as the form does."""
    fields = {
        "kind": "bench",
        "name": name,
        "corpus": "bundled",
        "mode": "annotated",
        "match": "head",
        "profile": "conll-2012",
        **fields,
    }
    files = [(field, (None, value.encode())) for field, value in fields.items()]
    answer = httpx.post(f"{address}/prepare", files=files, headers=address.headers, timeout=120)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def until(address: Address, job: str, holds: Callable[[Any], bool]) -> Any:
    """The job, once that holds."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        found = httpx.get(f"{address}{job}.json", headers=address.headers, timeout=60).json()["job"]
        if holds(found):
            return found
        time.sleep(0.2)
    raise AssertionError(f"it never came true: {found}")


def test_finished_runs_are_there_and_the_killed_one_is_said_to_be(
    run_file: Path, tmp_path: Path, new_page: Callable[..., Any], axe: Callable[[Any], None]
) -> None:
    home = tmp_path / "home"
    (home / "runs").mkdir(parents=True)
    shutil.copy(run_file, home / "runs")
    before = (home / "runs" / run_file.name).read_bytes()
    with started(home) as (address, process):
        done = sent(address, "done", resolvers="most-recent")
        until(address, done, lambda job: job["state"] == "done")
        job = sent(address, "killed", further="command(run=sleep 321)")
        until(address, job, lambda job: (job["progress"] or {}).get("stage") == "resolving")
        process.kill()
        process.wait(30)
    left = sorted(path.name for path in (home / "runs").iterdir())
    assert left == ["demo.corefrun", "done.corefrun"]
    assert (home / "runs" / run_file.name).read_bytes() == before
    with started(home) as (address, _):
        page = new_page(base_url=address)
        page.goto("/")
        for name in ("demo", "done"):
            assert page.get_by_role("link", name=name, exact=True).is_visible()
        page.goto("/runs/done")
        assert page.get_by_role("heading", level=1).text_content() == "done"
        page.goto(job)
        assert page.get_by_text("was ended from outside").is_visible()
        assert page.get_by_role("button", name="Start it again").is_visible()
        axe(page)
        assert until(address, job, lambda _: True)["state"] == "stopped"
