"""From a run to its numbers, to the pronouns that a system got wrong, and away with all of it."""

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest


def test_two_clicks_lead_from_a_run_to_a_pronoun_that_a_system_got_wrong(page: Any) -> None:
    page.goto("/runs/demo")
    page.get_by_role("link", name="mitkov, pronouns:").click()
    page.wait_for_url("**/errors?response=mitkov")
    row = page.get_by_role("row").filter(has_text="wrong").first
    row.get_by_role("link").click()
    page.wait_for_url("**/read/*#m*")
    mention = page.evaluate("location.hash.slice(1)")
    assert page.locator(f"#{mention}").is_visible()


def test_one_click_opens_the_document_with_most_errors(page: Any) -> None:
    page.goto("/runs/demo")
    link = page.get_by_role("table", name="errors by document").get_by_role("link").first
    label = link.inner_text()
    link.click()
    assert label in page.get_by_role("heading", level=1).inner_text()


def test_documents_are_sorted_by_links_that_say_so(page: Any) -> None:
    page.goto("/runs/demo?by=document")
    table = page.get_by_role("table", name="errors by document")
    table.get_by_role("link", name="Document").click()
    page.wait_for_url("**sort=document**")
    assert page.locator('th[aria-sort="ascending"]').inner_text().startswith("Document")
    labels = table.locator("tbody th").all_inner_texts()
    assert labels == sorted(labels)
    page.get_by_role("navigation", name="Measure").get_by_role("link", name="LEA F1").click()
    page.wait_for_url("**measure=lea**")
    assert "LEA F1" in page.locator("table.documents caption").inner_text()


def test_a_method_shows_its_signature_and_command(page: Any) -> None:
    page.goto("/runs/demo")
    page.locator("table.figures").first.get_by_role("link", name="mitkov", exact=True).click()
    code = page.locator("#provenance-2 code")
    code.first.wait_for(state="visible")
    assert code.first.inner_text().startswith("mitkov|mode:automatic|")
    assert "corefbench bench bundled --resolvers mitkov" in code.last.inner_text()


def test_results_are_reached_with_the_keyboard_alone(page: Any) -> None:
    page.goto("/")
    link = page.get_by_role("link", name="demo", exact=True)
    link.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/demo")
    page.get_by_role("link", name="mitkov, pronouns:").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/errors?response=mitkov")
    assert page.get_by_role("heading", level=1).inner_text() == "Errors of mitkov"


@pytest.mark.parametrize(
    ("title", "ending"),
    [
        ("LaTeX", ".tex"),
        ("CSV", ".csv"),
        ("Markdown", ".md"),
        ("JSON", ".json"),
        ("BibTeX", ".bib"),
        ("Run file", ".corefrun"),
    ],
)
def test_a_button_saves_a_file(page: Any, tmp_path: Path, title: str, ending: str) -> None:
    page.goto("/runs/demo")
    content = _saved(page, tmp_path, title, ending)
    assert content
    if ending == ".csv":
        assert next(csv.reader(io.StringIO(content.decode())))[0] == "method"
    if ending == ".json":
        assert json.loads(content)["run"]["kind"] == "bench"


def test_a_button_saves_all_pages(page: Any, tmp_path: Path) -> None:
    page.context.set_default_timeout(180_000)
    page.goto("/runs/demo")
    with zipfile.ZipFile(io.BytesIO(_saved(page, tmp_path, "Static pages (zip)", ".zip"))) as made:
        assert "demo/index.html" in made.namelist()


def _saved(page: Any, folder: Path, title: str, ending: str) -> bytes:
    buttons = page.get_by_role("group", name="Take the results away")
    with page.expect_download() as waiting:
        buttons.get_by_role("link", name=title, exact=True).click()
    assert waiting.value.suggested_filename.endswith(ending)
    waiting.value.save_as(folder / "saved")
    return (folder / "saved").read_bytes()
