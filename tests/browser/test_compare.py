"""Two systems side by side in a browser."""

from collections.abc import Callable
from typing import Any

import pytest

ADDRESS = "/runs/demo/compare/12?a=mitkov&b=kennedy-boguraev"


def opened(page: Any, address: str = ADDRESS) -> Any:
    page.goto(address)
    page.locator("html[data-ready]").wait_for(state="attached")
    return page


def active(page: Any) -> str:
    return str(page.evaluate("document.activeElement.id"))


def test_the_first_right_and_the_second_wrong_comes_first(page: Any, axe: Callable[[Any], None]) -> None:
    opened(page)
    titles = page.locator("[data-group] h2").all_text_contents()
    assert titles[0].startswith("mitkov right, kennedy-boguraev wrong")
    assert titles[1].startswith("mitkov wrong, kennedy-boguraev right")
    axe(page)


def test_a_place_of_the_list_lights_both_panes(page: Any, axe: Callable[[Any], None]) -> None:
    opened(page)
    link = page.locator(".places > li:visible a").first
    target = link.get_attribute("href")
    link.click()
    assert f"#{active(page)}" == target
    assert page.locator(".rows .m.f").count() == 1
    assert page.locator(".rows .m.same").count() == 1
    one, other = page.locator(".rows .m.f"), page.locator(".rows .m.same")
    assert one.text_content() == other.text_content()
    assert abs(one.bounding_box()["y"] - other.bounding_box()["y"]) < 120
    assert page.locator("[data-details] .right").count() >= 1
    assert page.locator("[data-details] .wrong").count() >= 1
    axe(page)


def test_a_mention_that_is_clicked_is_shown_in_the_other_pane(page: Any) -> None:
    opened(page)
    page.locator("[id^=b].m.p").first.click()
    assert active(page).startswith("b")
    assert page.locator("[id^=a].m.same").count() == 1
    page.keyboard.press("s")
    assert active(page).startswith("a")


def test_the_panes_scroll_together(page: Any) -> None:
    opened(page)
    tops = """() => [...document.querySelectorAll('.text-block:last-child > .row:last-child > p')]
        .map((p) => p.getBoundingClientRect().top)"""
    for way in (0, 600):
        page.evaluate(f"scrollTo(0, {way})")
        one, other = page.evaluate(tops)
        assert one == other


def test_the_list_is_walked_by_keyboard_alone(page: Any) -> None:
    opened(page)
    links = page.locator("[data-group][open] .places > li:visible > a")
    targets = [link.get_attribute("href") for link in links.all()[:3]]
    for target in targets:
        page.keyboard.press("n")
        assert f"#{active(page)}" == target
    page.keyboard.press("p")
    assert f"#{active(page)}" == targets[1]
    page.keyboard.press("j")
    assert f"#{active(page)}" != targets[1]
    page.keyboard.press("Escape")
    assert page.locator(".rows .k, .rows .q, .rows .same").count() == 0


@pytest.mark.parametrize(
    ("label", "value", "data"),
    [
        ("Class of error", "wrong-link", "class"),
        ("Pronoun", "she", "pronoun"),
        ("Sentences to the antecedent", "0", "distance"),
        ("Type of mention", "name", "type"),
    ],
)
def test_filters_leave_what_fits_and_stay_in_the_address(page: Any, label: str, value: str, data: str) -> None:
    opened(page)
    page.get_by_label(label, exact=True).select_option(value)
    shown = page.locator(".places > li:not([hidden])")
    assert shown.count() > 0
    values = shown.evaluate_all(f"all => all.map((one) => one.dataset.{data})")
    assert all(value in found.split(" ") for found in values)
    totals = sum(int(text) for text in page.locator("[data-total]").all_text_contents())
    assert totals == shown.count()
    before = shown.count()
    opened(page, page.url)
    assert page.locator(".places > li:not([hidden])").count() == before


def test_three_systems_can_be_chosen(page: Any) -> None:
    opened(page)
    page.get_by_label("C", exact=True).select_option("most-recent")
    page.wait_for_url("**c=most-recent**")
    assert page.locator(".names h2").count() == 3


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.slow)])
def test_panes_stack_on_narrow_screens(
    new_page: Callable[..., Any], server: str, axe: Callable[[Any], None], scheme: str
) -> None:
    page = new_page(base_url=server, color_scheme=scheme, viewport={"width": 360, "height": 740})
    opened(page)
    page.keyboard.press("n")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    one, other = (page.locator(".row").first.locator("p").nth(n) for n in (0, 1))
    assert other.bounding_box()["y"] >= one.bounding_box()["y"] + one.bounding_box()["height"]
    axe(page)


def test_without_scripts_the_list_leads_to_the_places(new_page: Callable[..., Any], server: str) -> None:
    page = new_page(base_url=server, java_script_enabled=False)
    page.goto(ADDRESS)
    page.locator(".places > li:visible a").first.click()
    assert "#a" in page.url
    page.get_by_label("Pronoun", exact=True).select_option("she")
    page.get_by_role("button", name="Filter").click()
    assert "pronoun=she" in page.url
