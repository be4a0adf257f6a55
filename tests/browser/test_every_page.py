"""Every page of the table of routes: quiet and readable, light and dark, wide and narrow."""

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from corefbench.workbench.routes import ROUTES

PAGES = [name for name, route in ROUTES.items() if route.kind == "page"]
_NARROW = {"width": 360, "height": 740}
_LEVELS = """() => [...document.querySelectorAll("h1,h2,h3,h4,h5,h6")]
  .filter((one) => one.checkVisibility()).map((one) => Number(one.tagName[1]))"""
_SIDEWAYS = """() => document.documentElement.scrollWidth - document.documentElement.clientWidth"""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_accessible_light_and_wide_dark_and_narrow(
    name: str, places: dict[str, str], page: Any, axe: Callable[[Any], None]
) -> None:
    assert page.goto(places[name]).status == 200
    axe(page)
    assert_headings_descend(page.evaluate(_LEVELS))
    assert_json_twin(page)
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size(_NARROW)
    page.reload()
    assert page.evaluate(_SIDEWAYS) == 0, "the page scrolls sideways"
    axe(page)


def assert_headings_descend(levels: list[int]) -> None:
    """Raise unless there is one first-level heading, first, and no level is skipped."""
    assert levels.count(1) == 1, levels
    assert levels[0] == 1, levels
    assert all(after <= before + 1 for before, after in pairwise(levels)), levels


def assert_json_twin(page: Any) -> None:
    link = page.get_by_role("link", name="This page as JSON")
    answer = page.request.get(link.get_attribute("href"))
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    json.loads(answer.body())


def test_pages_can_be_read_without_scripts(places: dict[str, str], server: str, new_page: Callable[..., Any]) -> None:
    page = new_page(base_url=server, java_script_enabled=False)
    for name in PAGES:
        page.goto(places[name])
        assert page.get_by_role("main").inner_text().strip(), name
        assert page.title().endswith("· corefbench"), name


def test_what_is_not_there_is_said_on_a_page(page: Any, complaints: list[str]) -> None:
    assert page.goto("/runs/demmo").status == 404
    assert "demo" in page.get_by_role("alert").inner_text()
    assert page.goto("/nowhere").status == 404
    assert page.get_by_role("link", name="Back to the workbench").is_visible()
    complaints.clear()


def test_the_theme_is_kept_from_page_to_page(page: Any, places: dict[str, str]) -> None:
    page.goto("/")
    switch = page.get_by_role("button", name="Theme")
    switch.click()
    switch.click()
    assert switch.inner_text() == "Theme: dark"
    page.goto(places["results"])
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_the_first_stop_of_the_keyboard_skips_to_the_content(page: Any) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
