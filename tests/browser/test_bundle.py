"""The static bundle, opened as files."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_LOADED = """() => [...document.images].filter((one) => one.checkVisibility())
  .every((one) => { one.loading = "eager"; return one.complete && one.naturalWidth > 0; })"""


@pytest.fixture(scope="module")
def pages(browser: Any, run_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published") / "pages"
    command = [sys.executable, "-m", "corefbench", "bundle", str(run_file), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


@pytest.fixture
def files(new_page: Callable[..., Any], pages: Path) -> Any:
    """A tab that has no server to ask."""
    page = new_page(color_scheme="light", offline=True)
    page.goto((pages / "index.html").as_uri())
    return page


def test_results_and_charts_are_there(files: Any, axe: Callable[[Any], None]) -> None:
    assert files.get_by_role("heading", level=1).inner_text() == "demo"
    assert files.get_by_role("row", name="mitkov").count() > 0
    files.wait_for_function(_LOADED)
    assert files.locator("form").count() == 0
    axe(files)


def test_texts_are_read_from_files(files: Any, axe: Callable[[Any], None]) -> None:
    documents = files.get_by_role("region", name="Documents")
    documents.get_by_role("link", name="news-wolf").first.click()
    files.wait_for_url("**/reading/*.html")
    assert files.get_by_role("heading", level=1).inner_text() == "news-wolf"
    files.keyboard.press("n")
    files.locator("[data-details]").get_by_role("button", name="error").first.wait_for()
    axe(files)
    files.get_by_role("navigation", name="Responses").get_by_role("link", name="mitkov").click()
    files.wait_for_url("**/reading/*mitkov.html")


def test_errors_and_singletons_are_a_click_away(files: Any) -> None:
    for title in ("Errors", "Singletons"):
        files.get_by_role("navigation", name="This run").get_by_role("link", name=title).click()
        files.wait_for_url(f"**/{title.lower()}/*.html")
        files.wait_for_function(_LOADED)
        assert title in files.get_by_role("heading", level=1).inner_text()
        assert files.locator("main table tbody tr").count() > 0
        files.get_by_role("link", name="Results", exact=True).first.click()
        files.wait_for_url("**/index.html")


def test_systems_stand_side_by_side(files: Any) -> None:
    files.get_by_role("link", name="compare", exact=False).first.click()
    files.wait_for_url("**/versus/*.html")
    assert files.get_by_role("heading", level=1).is_visible()
