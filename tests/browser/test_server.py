"""The server as a browser meets it."""

from collections.abc import Callable
from typing import Any


def test_the_first_page_lists_the_run_and_keeps_nobody_out(page: Any, axe: Callable[[Any], None]) -> None:
    page.goto("/")
    assert page.get_by_role("link", name="demo", exact=True).is_visible()
    axe(page)
