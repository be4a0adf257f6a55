"""The type of a name is what most of its uses have."""

from corefbench.preprocess.name_types import agreed_types
from tests.one_line_trees import read
from tests.trees import phrase

SLEPT = "slept:sleep|VBD|0|root"


def slept(name: str, kind: str = "") -> str:
    return f"{name}|NNP|2|nsubj{'|' + kind if kind else ''} {SLEPT}"


def types(*lines: str) -> list[str]:
    of = read("\n".join(lines))
    return [one.entity for one in of.phrases]


def test_the_majority_decides_and_fills_gaps() -> None:
    lines = slept("Turner", "person"), slept("Turner", "place"), slept("Turner", "person")
    assert types(*lines, slept("Turner")) == ["person"] * 4


def test_a_tie_leaves_types_as_they_are_and_makes_the_untyped_a_person() -> None:
    lines = slept("Turner", "place"), slept("Turner", "person"), slept("Turner")
    assert types(*lines) == ["place", "person", "person"]


def test_a_full_name_votes_for_its_last_word() -> None:
    full = "Ann|NNP|3|nsubj|person Turner|NNP|1|flat|person slept:sleep|VBD|0|root"
    assert types(full, full, slept("Turner", "place")) == ["person"] * 3


def test_other_names_and_nouns_have_no_say() -> None:
    of = read("\n".join((slept("Leeds", "place"), f"turner|NN|2|nsubj {SLEPT}")))
    assert agreed_types(of.analysis, {0: "place"}) == {0: "place"}
    assert phrase(of, "turner").entity == ""
