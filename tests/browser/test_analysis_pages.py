"""Errors, singletons, statistics and merges, as somebody goes through them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"
ANNOTATIONS = [str(EXAMPLES / f"{name}.response.conll") for name in ("cautious", "eager", "steady")]


def test_a_class_of_errors_is_listed_and_left_again(page: Any, axe: Callable[[Any], None]) -> None:
    page.goto("/runs/demo/errors?response=mitkov")
    page.get_by_role("link", name="divided-entity").click()
    page.wait_for_url("**class=divided-entity**")
    heading = page.locator("#examples-head").inner_text()
    assert heading.endswith("errors: divided-entity")
    assert set(page.locator(".cards .kind").all_inner_texts()) == {"divided-entity"}
    page.get_by_role("link", name="Next →").click()
    page.wait_for_url("**page=2**")
    axe(page)
    page.get_by_role("link", name="All classes").click()
    page.wait_for_url("**/errors?response=mitkov**")
    assert page.locator("#examples-head").inner_text() == "Examples"


def test_errors_are_broken_down_by_pronoun(page: Any) -> None:
    page.goto("/runs/demo/errors?response=mitkov")
    strata = page.get_by_role("navigation", name="Break down by")
    strata.get_by_role("link", name="Pronoun", exact=True).click()
    page.wait_for_url("**by=pronoun**")
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="it", exact=True))
    row.get_by_role("link").click()
    page.wait_for_url("**value=it**")
    assert all(
        text.endswith(" it") or text.endswith(" It") for text in page.locator(".passage > mark.at").all_inner_texts()
    )


def test_missed_pronouns_alone(page: Any) -> None:
    page.goto("/runs/demo/errors?response=mitkov")
    page.get_by_role("navigation", name="Kind of error").get_by_role("link", name="missed").click()
    page.wait_for_url("**class=missed**")
    marks = page.locator("table.pronouns tbody th").all_inner_texts()
    assert marks
    assert all("missed" in mark for mark in marks)


def test_singletons_by_another_profile(page: Any) -> None:
    page.goto("/runs/demo/singletons?response=mitkov")
    page.get_by_label("Profiles, separated by commas").fill("conll-2012")
    page.get_by_label("Tables show").select_option("1")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**details=1**")
    assert page.get_by_role("columnheader", name="MUC R").first.is_visible()


def test_a_corpus_is_described_from_the_form(page: Any) -> None:
    page.goto("/statistics")
    assert page.get_by_role("heading", name="Begin here").is_visible()
    page.get_by_label("or a file or folder of this machine").fill(str(EXAMPLES / "key.conll"))
    page.get_by_role("button", name="Describe").click()
    page.wait_for_url("**path=**")
    assert page.get_by_role("rowheader", name="Tokens", exact=True).is_visible()
    assert page.get_by_role("img").first.get_attribute("alt").startswith("Chains by size")


def test_a_path_that_is_not_there_is_said_with_a_code(
    page: Any, complaints: list[str], axe: Callable[[Any], None]
) -> None:
    assert page.goto("/statistics?corpus=/no/such/file.conll").status == 422
    assert "CB006" in page.get_by_role("alert").inner_text()
    axe(page)
    complaints.clear()


def test_annotations_are_merged_read_and_taken_away(page: Any, axe: Callable[[Any], None], tmp_path: Path) -> None:
    page.goto("/merge")
    page.get_by_label("Files, one for each annotator").set_input_files(ANNOTATIONS)
    page.get_by_role("button", name="Compare and merge").click()
    page.wait_for_url("**/merge/*")
    axe(page)
    assert page.locator(".cards > li").count() > 0
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download").click()
    assert waiting.value.suggested_filename == "merged.conll"
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Disagreements to answer").click()
    waiting.value.save_as(tmp_path / "conflicts.txt")
    answers = (tmp_path / "conflicts.txt").read_text().replace("decision: ?", "decision: drop", 1)
    (tmp_path / "answered.txt").write_text(answers)
    page.get_by_label("The file of disagreements, answered").set_input_files(str(tmp_path / "answered.txt"))
    before = page.url
    page.get_by_role("button", name="Merge with these decisions").click()
    page.wait_for_url(lambda url: "/merge/" in url and url != before)
    assert "with a person's decisions" in page.locator(".lead").inner_text()


def test_files_that_do_not_belong_together_are_said_in_the_form(
    page: Any, complaints: list[str], tmp_path: Path
) -> None:
    (tmp_path / "other.conll").write_text("#begin document (a); part 000\na 0 0 Ann (1)\n#end document\n")
    page.goto("/merge")
    page.get_by_label("Files, one for each annotator").set_input_files([ANNOTATIONS[0], str(tmp_path / "other.conll")])
    page.get_by_role("button", name="Compare and merge").click()
    alert = page.get_by_role("alert")
    alert.wait_for()
    assert "CB20" in alert.inner_text()
    complaints.clear()
