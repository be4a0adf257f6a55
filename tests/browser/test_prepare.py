"""Prepare a run, watch it, stop it; with a mouse, with keys alone, without JavaScript."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corefbench.runs import open_run
from corefbench.runs.verify import verify_run

KEY = b"#begin document (a);\nAnn (1)\nleft -\nShe (1)\n\n#end document\n"
RESPONSE = b"#begin document (a);\nAnn (1)\nleft -\nShe (2)\n\n#end document\n"
BROKEN = b"#begin document (a);\nAnn (1)\nleft 1)\n\n#end document\n"
PATIENCE = 90_000
"""Milliseconds that a run may take on a busy machine."""


def file(name: str, content: bytes) -> dict[str, Any]:
    return {"name": name, "mimeType": "text/plain", "buffer": content}


def choose(page: Any, *resolvers: str) -> None:
    """Tick these resolvers and no others."""
    ticked = page.locator("input[name=resolvers]:checked")
    while ticked.count():
        ticked.first.uncheck()
    for name in resolvers:
        page.check(f"#r-{name}")


def start(page: Any) -> None:
    page.get_by_role("button", name="Start the run").click()


def endless(page: Any, name: str) -> None:
    """Start a run that does not end by itself, and wait until it is under way."""
    page.goto("/prepare")
    choose(page)
    page.fill("#further", "command(run=sleep 321)")
    page.check("#annotated")
    page.fill("#name", name)
    start(page)
    page.get_by_text("0 of 17 documents").wait_for(timeout=PATIENCE)


def test_a_comparison_is_prepared_run_and_shown(page, axe, home: Path):
    page.goto("/")
    page.get_by_role("link", name="Prepare a run").click()
    axe(page)
    choose(page, "most-recent", "mitkov")
    page.check("#annotated")
    page.fill("#further", "random(seed=7)")
    page.fill("#name", "three of them")
    start(page)
    page.wait_for_url("**/jobs/*")
    page.wait_for_url("**/runs/three%20of%20them", timeout=PATIENCE)
    run = open_run(home / "runs" / "three of them.corefrun")
    assert verify_run(run).results == 3
    assert " ".join(run.header.command) == (
        "corefbench bench bundled --resolvers mitkov,most-recent,random(seed=7) "
        "--mode annotated --run three of them.corefrun"
    )
    page.goto("/")
    assert page.get_by_role("link", name="three of them", exact=True).is_visible()


def test_bad_input_is_refused_in_place_and_nothing_is_lost(page, axe, complaints):
    page.goto("/prepare")
    choose(page, "hobbs")
    page.check("input[name=corpus][value=upload]")
    page.set_input_files("#corpus_files", files=[file("bad.conll", BROKEN)])
    page.fill("#name", "mine")
    start(page)
    page.get_by_role("alert").get_by_text("Nothing was started.").wait_for()
    complaints.clear()  # the status 422
    row = page.locator("table.findings-table tbody tr", has_text="CB104")
    assert "3:6" in row.inner_text()
    assert "it can be repaired" in row.inner_text()
    assert "--lenient" not in row.inner_text()
    assert page.is_checked("#r-hobbs")
    assert not page.is_checked("#r-mitkov")
    assert page.input_value("#name") == "mine"
    assert "bad.conll" in page.locator(".stored-upload").inner_text()
    axe(page)
    page.set_input_files("#corpus_files", files=[file("good.conll", KEY)])
    page.get_by_role("button", name="Only check the input").click()
    page.get_by_role("status").get_by_text("corefbench bench good.conll").wait_for()
    axe(page)


def test_files_are_scored(page, axe, home: Path):
    page.goto("/prepare")
    page.get_by_role("link", name="Score files").click()
    axe(page)
    page.set_input_files("#corpus_files", files=[file("key.conll", KEY)])
    both = [file("one.conll", RESPONSE), file("two.conll", KEY)]
    page.set_input_files("#response_files", files=both)
    page.select_option("#profile", "ua")
    page.fill("#name", "scored")
    start(page)
    page.wait_for_url("**/runs/scored", timeout=PATIENCE)
    run = open_run(home / "runs" / "scored.corefrun")
    assert verify_run(run).results == 2
    assert [one.name for one in run.header.results] == ["one.conll", "two.conll"]


def test_a_run_is_watched_cancelled_and_started_again(page, axe, home: Path):
    endless(page, "endless")
    axe(page)
    address = page.url
    page.goto("/")
    assert "running" in page.locator("#jobs li", has_text="endless").inner_text()
    page.goto(address)
    page.get_by_role("button", name="Cancel the run").click()
    page.get_by_role("heading", name="Cancelled").wait_for(timeout=PATIENCE)
    axe(page)
    assert not (home / "runs" / "endless.corefrun").exists()
    page.get_by_role("button", name="Start it again").click()
    page.get_by_text("0 of 17 documents").wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Cancel the run").click()
    page.get_by_role("heading", name="Cancelled").wait_for(timeout=PATIENCE)
    page.get_by_role("link", name="Change the form").click()
    assert page.input_value("#further") == "command(run=sleep 321)"
    page.goto(address)
    page.get_by_role("button", name="Remove from the list").click()
    page.wait_for_url(re.compile(r"/$"))
    assert page.locator("#jobs li", has_text="endless").count() == 0


def test_an_error_is_shown_with_its_code_and_what_to_do(page):
    page.goto("/prepare")
    choose(page)
    page.fill("#further", "command(run=no-such-program-321)")
    page.check("#annotated")
    start(page)
    shown = page.locator("#state.failed[role=alert]")
    shown.wait_for(timeout=PATIENCE)
    assert re.search(r"CB\d\d\d", shown.inner_text())
    page.get_by_role("button", name="Remove from the list").click()


def test_keys_alone_are_enough(page, home: Path):
    page.goto("/prepare?kind=score")
    page.focus("#corpus input[value=upload]")
    page.keyboard.press("ArrowDown")  # to the path
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "path"
    (home / "key.conll").write_bytes(KEY)
    (home / "system.conll").write_bytes(RESPONSE)
    page.keyboard.type(str(home / "key.conll"))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "responses_path"
    page.keyboard.type(str(home / "system.conll"))
    for _ in range(4):  # profile, format, repairs, name
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "name"
    page.keyboard.type("by keys")
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/by%20keys", timeout=PATIENCE)


def test_it_works_without_javascript(new_page, server, home: Path):
    page = new_page(base_url=server, java_script_enabled=False)
    page.goto("/prepare?kind=score")
    page.set_input_files("#corpus_files", files=[file("key.conll", KEY)])
    page.set_input_files("#response_files", files=[file("one.conll", RESPONSE)])
    page.fill("#name", "plain")
    start(page)
    page.wait_for_url("**/runs/plain", timeout=PATIENCE)
    assert (home / "runs" / "plain.corefrun").is_file()


def test_runs_are_renamed_and_deleted_after_a_question(page, axe, run_file: Path, home: Path):
    (home / "runs" / "old.corefrun").write_bytes(run_file.read_bytes())
    page.goto("/")
    page.get_by_role("link", name="Rename or delete old").click()
    axe(page)
    page.fill("#new-name", "new one")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("link", name="Rename or delete new one").click()
    assert (home / "runs" / "new one.corefrun").is_file()
    page.get_by_role("button", name="Delete new one for good").click()
    page.wait_for_url(re.compile(r"/$"))
    assert page.get_by_role("link", name="new one", exact=True).count() == 0
    assert not (home / "runs" / "new one.corefrun").exists()


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.slow)])
def test_narrow_screens_do_not_scroll_sideways(
    new_page: Callable[..., Any], server: str, axe: Callable[[Any], None], scheme: str
):
    page = new_page(base_url=server, color_scheme=scheme, viewport={"width": 360, "height": 740})
    for path in ("/", "/?manage=demo", "/prepare", "/prepare?kind=score&corpus=path"):
        page.goto(path)
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 0, path
        axe(page)
