"""The reading view in a browser: by mouse, by keyboard alone, without scripts, on a telephone."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import corefbench as cb
from corefbench.runs import write_run
from corefbench.runs.record import record_bench
from tests.unit.bench.texts import corpus
from tests.unit.runs.samples import NOON

pytest.importorskip("litestar", reason="the extra ui is not installed")
from corefbench.workbench.bundle import write_bundle
from corefbench.workbench.storage import Workbench

ADDRESS = "/runs/demo/read/12?response=mitkov"
"""The story of the dog: the two children's first pronouns are easy to get wrong."""


def opened(page: Any, address: str = ADDRESS) -> Any:
    page.goto(address)
    page.locator("html[data-ready]").wait_for(state="attached")
    return page


def until(page: Any, holds: str) -> None:
    """Wait for an expression; asked from outside, because the page's policy forbids ``eval``."""
    for _ in range(200):
        if page.evaluate(holds):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it never came true: {holds}")


def focused(page: Any) -> int:
    """The number of the mention that has the focus; -1 for none."""
    name = page.evaluate("document.activeElement.id")
    found = re.fullmatch(r"m(\d+)", name or "")
    return int(found[1]) if found else -1


def said(page: Any) -> str:
    until(page, "document.querySelector('[data-status]').textContent !== ''")
    page.wait_for_timeout(120)
    return str(page.locator("[data-status]").text_content())


def test_the_text_is_marked_by_signs_and_nobody_is_kept_out(page: Any, axe: Callable[[Any], None]) -> None:
    opened(page)
    sign = "getComputedStyle(document.querySelector('.prose .m.%s.p'), '::after').content"
    assert "✓" in page.evaluate(sign % "r")
    assert "✗" in page.evaluate(sign % "w")
    assert page.locator(".prose .k, .prose .q, .links path").count() == 0
    axe(page)


def test_a_click_focuses_a_chain_and_only_that_chain(page: Any, axe: Callable[[Any], None]) -> None:
    opened(page)
    page.locator(".prose .m.w.p").first.click()
    data = page.evaluate("readJSON('reading-data')")
    mention = focused(page)
    chain = data["key"][mention]
    members = [m for m, other in enumerate(data["key"]) if other == chain]
    assert page.locator(".prose .m.k[id]").count() == len(members)
    numbers = page.locator(".prose .m.k[id]").evaluate_all("all => all.map(e => e.dataset.n)")
    assert [number.split("·")[0] for number in numbers] == [str(place) for place in range(1, len(members) + 1)]
    lines = "getComputedStyle(document.querySelector('.prose .m.%s'))%s"
    assert page.evaluate(lines % ("k", ".borderBottomStyle")) == "solid"
    assert "dashed" in page.evaluate(lines % ("q", ".textDecorationStyle"))
    axe(page)


def test_the_panel_shows_both_antecedents_and_the_reasons(page: Any) -> None:
    opened(page)
    page.keyboard.press("n")
    about = page.locator("[data-details]")
    assert about.get_by_text("Chosen", exact=True).is_visible()
    assert about.get_by_text("Expected", exact=True).is_visible()
    assert about.get_by_text("Rule", exact=True).is_visible()
    table = about.get_by_role("table")
    caption = table.locator("caption").text_content()
    found = re.fullmatch(r"(\d+) candidates, (\d+) after the filter", caption)
    assert found is not None
    assert table.locator("tbody tr").count() == int(found[1])
    assert table.locator("tbody tr:not(.dropped)").count() == int(found[2])
    assert table.get_by_text("→ chosen").count() == 1
    expected = about.locator("dt:text-is('Expected') + dd a")
    target = expected.get_attribute("href")
    expected.click()
    assert f"#m{focused(page)}" == target


def test_errors_are_reached_by_keyboard_alone(page: Any) -> None:
    opened(page)
    data = page.evaluate("readJSON('reading-data')")
    errors = [one["mark"] in ("wrong", "missed", "spurious") for one in data["cases"]]
    wrong = [m for m, case in enumerate(data["case"]) if errors[case] and data["pronoun"][m] == 1]
    seen = []
    for _ in range(len(wrong) + 1):
        page.keyboard.press("n")
        seen.append(focused(page))
    assert seen == [*wrong, wrong[0]]
    page.keyboard.press("p")
    assert focused(page) == wrong[-1]
    assert "wrong" in said(page) or "missed" in said(page)


def test_the_chain_is_walked_by_keyboard_and_left_by_escape(page: Any) -> None:
    opened(page)
    page.keyboard.press("n")
    data = page.evaluate("readJSON('reading-data')")
    chain = data["key"][focused(page)]
    members = [m for m, other in enumerate(data["key"]) if other == chain]
    place = members.index(focused(page))
    page.keyboard.press("j")
    assert focused(page) == members[(place + 1) % len(members)]
    page.keyboard.press("k")
    page.keyboard.press("k")
    assert focused(page) == members[place - 1]
    page.keyboard.press("Escape")
    assert page.locator(".prose .k, .prose .q").count() == 0
    assert said(page) == "No chain is focused."


def test_the_whole_way_needs_no_mouse(page: Any) -> None:
    """From the first page over the run to the reasons of a wrong pronoun, by keys alone."""
    opened(page)
    for _ in range(80):
        page.keyboard.press("Tab")
        if focused(page) >= 0:
            break
    assert focused(page) >= 0, "Tab does not reach the text"
    page.keyboard.press("Enter")
    assert page.locator("[data-details] .verdict").is_visible()
    before = focused(page)
    page.keyboard.press("ArrowRight")
    assert focused(page) > before
    page.keyboard.press("Tab")
    assert focused(page) == -1, "the text keeps the focus"
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "entity"
    page.keyboard.type("old man")
    until(page, "document.querySelectorAll('[data-entities] li').length === 1")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator(f"#m{focused(page)}").text_content() == "an old man"
    page.keyboard.press("?")
    assert page.get_by_role("dialog").is_visible()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_single_letters_can_be_switched_off(page: Any) -> None:
    opened(page)
    page.get_by_role("button", name="Keys").click()
    page.get_by_label("Listen to single letters").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("n")
    assert focused(page) == -1
    opened(page)
    page.keyboard.press("n")
    assert focused(page) == -1


def test_a_mention_has_an_address(page: Any) -> None:
    opened(page, f"{ADDRESS}#m12")
    assert focused(page) == 12
    page.keyboard.press("n")
    until(page, f"location.hash === '#m{focused(page)}'")


def test_the_filter_changes_marks_list_and_address(page: Any) -> None:
    opened(page)
    sign = "getComputedStyle(document.querySelector('.prose .m.o:not(.p)'), '::after').content"
    assert page.evaluate(sign) == "none"
    few = page.locator("[data-errors] li").count()
    page.get_by_label("all mentions").check()
    assert "○" in page.evaluate(sign)
    assert page.locator("[data-errors] li").count() > few
    assert "show=all" in page.url
    page.get_by_label("only errors").check()
    right = "getComputedStyle(document.querySelector('.prose .m.r'), '::after').content"
    assert page.evaluate(right) == "none"


def test_hovering_lights_a_chain_and_leaving_puts_it_out(page: Any) -> None:
    opened(page)
    page.locator("#m4").hover()
    until(page, "document.querySelectorAll('.prose .k').length > 1")
    assert page.locator(".prose [data-n], .links path").count() == 0
    page.mouse.move(5, 5)
    until(page, "document.querySelectorAll('.prose .k').length === 0")


def test_the_minimap_leads_to_an_error(page: Any) -> None:
    opened(page)
    page.locator("[data-minimap]").click(position={"x": 8, "y": 300})
    assert focused(page) >= 0
    assert page.locator("[data-details] .verdict .wrong, [data-details] .verdict .missed").count() == 1


def test_arcs_show_the_focused_mention_only(page: Any) -> None:
    opened(page)
    page.keyboard.press("n")
    until(page, "document.querySelectorAll('.links path').length > 0")
    assert page.locator(".links path").count() <= 2
    page.keyboard.press("Escape")
    assert page.locator(".links path").count() == 0


def test_documents_and_systems_are_a_click_away(page: Any) -> None:
    opened(page)
    page.get_by_role("link", name="Next").click()
    assert page.get_by_role("heading", level=1).text_content() == "story-goat"
    page.get_by_role("link", name="most-recent").click()
    assert "response=most-recent" in page.url
    page.get_by_text("Document 14 of 17").click()
    page.get_by_role("link", name="story-dog").click()
    assert page.get_by_role("heading", level=1).text_content() == "story-dog"


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.slow)])
def test_narrow_screens_do_not_scroll_sideways(
    new_page: Callable[..., Any], server: str, axe: Callable[[Any], None], scheme: str
) -> None:
    page = new_page(base_url=server, color_scheme=scheme, viewport={"width": 360, "height": 740}, has_touch=True)
    opened(page)
    page.keyboard.press("n")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("[data-details] .verdict").is_visible()
    axe(page)


def test_without_scripts_the_text_reads_and_lists_its_errors(new_page: Callable[..., Any], server: str) -> None:
    page = new_page(base_url=server, java_script_enabled=False)
    page.goto(ADDRESS)
    assert page.locator(".prose .m.w.p").count() > 0
    link = page.locator("[data-errors] a").first
    link.click()
    assert "#m" in page.url
    assert page.locator("[data-errors] li").first.text_content().count("chosen") == 1


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a small comparison as files."""
    folder = tmp_path_factory.mktemp("bundle")
    workbench = Workbench(folder / "home")
    plan = cb.Plan(resolvers=("most-recent", "mitkov"), mode="annotated")
    run = record_bench(cb.run_bench(corpus(), plan), created=NOON)
    write_run(run, folder / "home/runs/pets.corefrun")
    write_bundle(workbench, "pets", folder / "pages")
    return folder / "pages"


def test_as_a_file_the_text_is_read_by_keyboard_too(new_page: Callable[..., Any], bundle: Path) -> None:
    page = new_page()
    opened(page, (bundle / "reading/1-most-recent.html").as_uri())
    page.keyboard.press("n")
    assert page.locator(f"#m{focused(page)}").text_content() == "It"
    about = page.locator("[data-details]")
    assert about.locator("dt:text-is('Chosen') + dd").text_content() == "a cat"
    assert about.locator("dt:text-is('Expected') + dd").text_content() == "The dog"
    assert about.get_by_text("2 candidates, 2 after the filter").is_visible()


def test_as_files_systems_are_compared_too(new_page: Callable[..., Any], bundle: Path) -> None:
    page = new_page()
    page.goto((bundle / "versus/1-most-recent-mitkov.html").as_uri())
    page.locator("html[data-ready]").wait_for(state="attached")
    page.keyboard.press("n")
    assert page.locator(".rows .m.f").text_content() == "It"
    page.get_by_label("Type of mention", exact=True).select_option("nominal")
    assert page.locator(".places > li:not([hidden])").count() == 2
