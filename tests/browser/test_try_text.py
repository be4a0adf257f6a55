"""Try it: from a pasted text to antecedents and reasons, with the keyboard alone."""

from collections.abc import Callable
from typing import Any

from tests.browser.running import TEXT


def test_a_pasted_text_is_resolved_and_explained(page: Any, axe: Callable[[Any], None]) -> None:
    page.goto("/try")
    page.get_by_label("Text", exact=True).fill(TEXT)
    page.get_by_role("button", name="Resolve").click()
    page.get_by_role("heading", name="Every pronoun").wait_for()
    row = page.get_by_role("row").filter(has=page.locator("strong", has_text="she"))
    assert row.get_by_role("cell").first.inner_text().split() == ["her", "=", "Maria"]
    row.get_by_role("link").first.click()
    page.get_by_role("heading", name="Why “she”").wait_for()
    assert page.get_by_role("cell", name="→ chosen").count() == 1
    axe(page)


def test_a_chain_lights_up_with_the_keyboard(page: Any, places: dict[str, str]) -> None:
    page.goto(places["trial"])
    chain = page.get_by_role("button", name="Maria · her")
    chain.focus()
    page.keyboard.press("Enter")
    assert chain.get_attribute("aria-pressed") == "true"
    lit = page.locator(".words .in.highlighted").all_inner_texts()
    assert lit[:2] == ["Maria", "her"]
    page.keyboard.press("Escape")
    assert page.locator(".words .highlighted").count() == 0


def test_nothing_to_resolve_is_said_on_the_form(page: Any, complaints: list[str]) -> None:
    page.goto("/try")
    page.get_by_label("Text", exact=True).fill("   ")
    page.get_by_role("button", name="Resolve").click()
    assert "there is no text" in page.get_by_role("alert").inner_text()
    assert page.get_by_label("Mitkov (1998)").is_checked()
    complaints.clear()


def test_the_example_needs_no_typing(page: Any) -> None:
    page.goto("/try")
    page.get_by_role("link", name="Fill in an example").press("Enter")
    page.wait_for_url("**/try?example=1")
    assert "ferry" in page.get_by_label("Text", exact=True).input_value()
