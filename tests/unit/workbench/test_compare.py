"""Responses side by side: who is right where, and what places can be filtered by."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

import corefbench as cb
from corefbench.errors import UnknownName, UsageError
from corefbench.runs import write_run
from corefbench.runs.record import record_bench, record_scores
from corefbench.web.pages import Page
from corefbench.web.rendering import encode_json
from corefbench.workbench.routes import build_page
from corefbench.workbench.storage import Workbench
from tests.unit.bench.texts import corpus
from tests.unit.runs.samples import KEY, NOON, RESPONSES, run
from tests.unit.runs.test_record import conll
from tests.unit.workbench.samples import html as render

_KEY = conll(d="Ann(1) met Tom(2) . She(1) left . He(2) stayed .")
_GOOD = conll(d="Ann(1) met Tom(2) . She(1) left . He(2) stayed .")
_SWAPPED = conll(d="Ann(1) met Tom(2) . She(2) left . He(2) stayed .")
_SHORT = conll(d="Ann(1) met Tom . She(1) left . He stayed(3) .")


@pytest.fixture
def workbench(tmp_path: Path) -> Workbench:
    """Three answers to one text."""
    made = Workbench(tmp_path)
    answers = {"good": _GOOD, "swapped": _SWAPPED, "short": _SHORT}
    write_run(record_scores(_KEY, answers, created=NOON), tmp_path / "runs/three.corefrun")
    write_run(record_scores(_KEY, {"good": _GOOD}, created=NOON), tmp_path / "runs/one.corefrun")
    write_run(run(), tmp_path / "runs/files.corefrun")
    return made


def page(workbench: Workbench, run: str = "three", **asked: str) -> Page:
    return build_page("compare", workbench, {"run": run, "document": "0", **asked})


def model(workbench: Workbench, **asked: str) -> dict[str, Any]:
    found = page(workbench, **asked).model
    assert isinstance(found, dict)
    return found


def listed(found: dict[str, Any]) -> dict[str, list[str]]:
    """The texts of the places that are shown, by group."""
    return {group["title"]: [place.text for place in group["places"] if place.shown] for group in found["groups"]}


def test_where_the_first_is_right_and_the_second_wrong_comes_first(workbench: Workbench) -> None:
    found = model(workbench, a="good", b="swapped")
    assert listed(found) == {
        # "She" is linked to Tom; and "He", whose link is then to "She", is not right either.
        "good right, swapped wrong": ["She", "He"],
        "good wrong, swapped right": [],
        "both wrong": [],
        "both right": ["Ann", "Tom"],
    }
    assert [group["total"] for group in found["groups"]] == [2, 0, 0, 2]


def test_the_order_of_the_systems_is_that_of_the_address(workbench: Workbench) -> None:
    found = model(workbench, a="swapped", b="good")
    assert [pane["name"] for pane in found["panes"]] == ["swapped", "good"]
    assert listed(found)["swapped wrong, good right"] == ["She", "He"]


def test_what_only_one_response_has_is_wrong_there_and_right_elsewhere(workbench: Workbench) -> None:
    found = model(workbench, a="good", b="short")
    assert listed(found)["good right, short wrong"] == ["Tom", "He", "stayed"]
    place = next(p for p in found["groups"][0]["places"] if p.text == "stayed")
    assert [stand.mention for stand in place.stands] == [-1, place.stands[1].mention]
    assert place.stands[1].kind == "spurious"


def test_three_systems_stand_side_by_side(workbench: Workbench) -> None:
    found = model(workbench, a="good", b="swapped", c="short")
    assert [pane["letter"] for pane in found["panes"]] == ["a", "b", "c"]
    assert listed(found)["good right, another wrong"] == ["Tom", "She", "He", "stayed"]
    assert listed(found)["all right"] == ["Ann"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"class": "wrong-link"}, ["She", "He"]),
        ({"class": "missed"}, []),
        ({"type": "pronoun"}, ["She", "He"]),
        ({"type": "name"}, []),
        ({"pronoun": "she"}, ["She"]),
        ({"distance": "0"}, ["She", "He"]),
        ({"distance": "first"}, []),
        ({"type": "pronoun", "pronoun": "he"}, ["He"]),
    ],
)
def test_places_are_filtered_by_error_class_mention_type_pronoun_and_distance(
    workbench: Workbench, asked: dict[str, str], expected: list[str]
) -> None:
    found = model(workbench, a="good", b="swapped", **asked)
    assert listed(found)["good right, swapped wrong"] == expected


def test_hidden_places_are_in_the_page_so_that_a_script_can_show_them(workbench: Workbench) -> None:
    asked = page(workbench, a="good", b="swapped", pronoun="she")
    assert asked.model["complete"]
    html = render(asked)
    assert html.count('data-pronoun="he" data-distance="0" hidden') == 1


def test_a_comparison_of_resolvers_lists_pronouns_unless_all_is_asked_for(tmp_path: Path) -> None:
    made = Workbench(tmp_path)
    plan = cb.Plan(resolvers=("most-recent", "mitkov"), mode="annotated")
    write_run(record_bench(cb.run_bench(corpus(), plan), created=NOON), tmp_path / "runs/b.corefrun")
    found = model(made, run="b")
    shown = {place.text for group in found["groups"] for place in group["places"] if place.shown}
    assert shown == {"She", "him", "her"}
    more = model(made, run="b", type="any")
    assert sum(group["total"] for group in more["groups"]) > 3


def test_two_responses_are_taken_where_none_is_named(workbench: Workbench) -> None:
    assert [pane["name"] for pane in model(workbench)["panes"]] == ["good", "swapped"]
    assert [pane["name"] for pane in model(workbench, a="short")["panes"]] == ["short", "good"]


def test_one_response_cannot_be_compared(workbench: Workbench) -> None:
    with pytest.raises(UsageError, match="nothing to compare"):
        page(workbench, run="one")


def test_a_response_that_is_not_there_is_refused(workbench: Workbench) -> None:
    with pytest.raises(UnknownName):
        page(workbench, a="nobody")


def test_every_place_of_the_examples_is_in_one_group(workbench: Workbench) -> None:
    found = model(workbench, run="files", a="cautious", b="eager")
    places = [place.span for group in found["groups"] for place in group["places"]]
    assert len(places) == len(set(places)) == sum(group["total"] for group in found["groups"])
    key = cb.load(KEY)[0]
    assert {(m.start, m.end) for m in key.mentions} <= set(places)
    assert len(RESPONSES) == len(found["responses"])


def test_the_page_and_its_twin_are_made(workbench: Workbench) -> None:
    made = page(workbench, a="good", b="swapped")
    html = render(made)
    assert html.index("good right, swapped wrong") < html.index("both wrong")
    assert " style=" not in html
    assert msgspec.json.decode(encode_json(made))["panes"][1]["name"] == "swapped"
