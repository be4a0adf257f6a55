import time

import pytest

from corefbench.language_models.alignment import align
from corefbench.language_models.cleaning import cleaned

SOURCE = "Ann fed her cat.\n\nIt was hungry, and she was late for the bus again."
MARKED = "[Ann](#1) fed [her](#1) cat.\n\n[It](#2) was hungry, and [she](#1) was late."


@pytest.mark.parametrize(
    ("answer", "removed"),
    [
        (MARKED, ()),
        (f"```\n{MARKED}\n```", ("fence",)),
        (f"Sure! Here is the text:\n\n```markdown\n{MARKED}\n```\nAnything else?", ("fence",)),
        (f"```text\n{MARKED}", ("fence",)),
        (f"Here is the marked text:\n\n{MARKED}", ("preamble",)),
        (f"{MARKED}\n\nNote: the cat is entity 2, since it occurs twice.", ("afterword",)),
        (f"Output:\n{MARKED}\n\nLet me know!", ("preamble", "afterword")),
        (f"<think>Who is it? The cat.</think>\n{MARKED}", ("thoughts",)),
        (f"  \n{MARKED}\n\n", ()),
    ],
)
def test_what_stands_around_the_text_is_taken_off_and_named(answer, removed) -> None:
    found = cleaned(answer, SOURCE)
    assert found.text == MARKED
    assert found.removed == removed


@pytest.mark.parametrize(
    "mark",
    ["](1)", "] (#1)", "](# 1)", "]_1", "]^1", "]_{1}", "]^{1}", "]#1", "]<sub>1</sub>",
     "](cluster 1)", "](Entity_1)"],
)  # fmt: skip
def test_other_ways_to_write_a_mark_are_understood_and_counted(mark: str) -> None:
    found = cleaned(f"[Ann{mark} fed [her{mark} cat.", SOURCE)
    assert found.text == "[Ann](#1) fed [her](#1) cat."
    assert found.variants == 2


def test_our_own_two_ways_are_not_touched() -> None:
    for text in ("[Ann]1 fed [her]{1} cat.", "[Ann](#1) fed [her](#a_b) cat."):
        assert cleaned(text, SOURCE) == cleaned(text, SOURCE).__class__(text=text)


def test_a_mark_that_was_left_as_it_was_asked_has_no_number() -> None:
    assert cleaned("[Ann](#?) fed [her]{?} cat.", SOURCE).text == "[Ann] fed [her] cat."


@pytest.mark.parametrize(
    "piece", ["[", "]", "](# a", "[x](#", "```\n", "<think>", "Ann fed ", "\n\n", "](#a ", "\\"]
)
def test_an_answer_that_never_ends_is_cut_and_read_in_time(piece: str) -> None:
    found = cleaned(piece * (2_000_000 // len(piece)), SOURCE)
    assert len(found.text) <= 10 * len(SOURCE) + 10_000
    begun = time.process_time()
    align(found.text, SOURCE.split())
    assert time.process_time() - begun < 5


def test_that_an_answer_never_ended_is_told() -> None:
    assert cleaned("Ann fed her cat. " * 5_000, SOURCE).removed == ("excess",)
