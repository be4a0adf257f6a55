"""Hand-made faults: what models do to a text, and what must be left of its marks."""

import time

import pytest

from corefbench.llm.marked_copy import align_copy, clean_answer

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
def test_text_around_the_copy_is_removed_and_reported(answer, removed) -> None:
    found = clean_answer(answer, SOURCE)
    assert found.text == MARKED
    assert found.removed == removed


@pytest.mark.parametrize(
    "mark",
    ["](1)", "] (#1)", "](# 1)", "]_1", "]^1", "]_{1}", "]^{1}", "]#1", "]<sub>1</sub>",
     "](cluster 1)", "](Entity_1)"],
)  # fmt: skip
def test_other_ways_to_write_a_mark_are_understood_and_counted(mark: str) -> None:
    found = clean_answer(f"[Ann{mark} fed [her{mark} cat.", SOURCE)
    assert found.text == "[Ann](#1) fed [her](#1) cat."
    assert found.variants == 2


def test_our_own_two_ways_are_not_touched() -> None:
    for text in ("[Ann]1 fed [her]{1} cat.", "[Ann](#1) fed [her](#a_b) cat."):
        assert clean_answer(text, SOURCE) == clean_answer(text, SOURCE).__class__(text=text)


def test_a_mark_that_was_left_as_it_was_asked_has_no_number() -> None:
    assert clean_answer("[Ann](#?) fed [her]{?} cat.", SOURCE).text == "[Ann] fed [her] cat."


@pytest.mark.parametrize("piece", ["[", "]", "](# a", "[x](#", "```\n", "<think>", "Ann fed ", "\n\n", "](#a ", "\\"])
def test_an_answer_that_never_ends_is_cut_and_read_in_time(piece: str) -> None:
    found = clean_answer(piece * (2_000_000 // len(piece)), SOURCE)
    assert len(found.text) <= 10 * len(SOURCE) + 10_000
    begun = time.process_time()
    align_copy(found.text, SOURCE.split())
    assert time.process_time() - begun < 5


def test_an_incomplete_answer_is_reported() -> None:
    assert clean_answer("Ann fed her cat. " * 5_000, SOURCE).removed == ("excess",)


TEXT = "Ann did n't feed her old cat . It was hungry , and she was late ."
WORDS = TEXT.split()


@pytest.mark.parametrize(
    ("copy", "mentions"),
    [
        ("[Ann](#1) didn't feed [her](#1) old cat.", [(0, 1, "1"), (4, 5, "1")]),
        ("[ann](#1) did not feed [[her](#1) old cat](#2).", [(0, 1, "1"), (4, 7, "2")]),
        ("[Ann](#1) didn't feed [her cat](#2).", [(0, 1, "1"), (4, 7, "2")]),
        ("[Ann](#1) didn't feed [her very old cat](#2).", [(0, 1, "1"), (4, 7, "2")]),
        ("[Anne](#1) didn't feed her old cat.", [(0, 1, "1")]),
        ("Ann fed it. [It](#3) was hungry and [she](#1) was late.", [(8, 9, "3"), (13, 14, "1")]),
        ("[It]2 was hungry, and [she]{1} was late.", [(8, 9, "2"), (13, 14, "1")]),
    ],
)  # fmt: skip
def test_mentions_find_their_words_again(copy: str, mentions: list) -> None:
    found = align_copy(copy, WORDS).mentions
    assert [one for one in found if one in mentions] == mentions


def test_words_that_are_missing_added_and_changed_are_counted() -> None:
    found = align_copy("[Ann](#1) didn't feed her young cat today. It was hungry,", WORDS)
    assert found.unaligned == 5  # "and she was late ."
    assert found.added == 1  # today
    assert found.changed == 1  # young for old
    assert found.missing_end == 5


@pytest.mark.parametrize(
    ("copy", "dropped"),
    [
        ("[Ann](#1) didn't feed [her old cat. It was", {"never closed": 1}),
        ("Ann](#1) didn't feed her old cat. It was", {"never opened": 1}),
        ("[Ann] didn't feed her old cat. It was", {"without a number": 1}),
        ("[](#1)Ann didn't feed her old cat. It was", {"without words": 1}),
        ("Ann didn't feed her old cat. [Zebras](#4) it was hungry", {"not in the text": 1}),
        ("[[Ann](#1)](#2) didn't feed her old cat.", {"marked twice": 1}),
    ],
)
def test_brackets_that_are_not_mentions_are_dropped_by_reason(copy: str, dropped: dict) -> None:
    assert align_copy(copy, WORDS).dropped == dropped


def test_a_bracket_without_partner_does_no_harm_in_other_paragraphs() -> None:
    copy = "[Ann didn't feed her old cat.\n\n[It](#2) was hungry, and [she](#1) was late.](#9)"
    found = align_copy(copy, WORDS)
    assert found.mentions == ((8, 9, "2"), (13, 14, "1"))
    assert found.dropped == {"never closed": 1, "never opened": 1}


def test_a_chain_none_of_whose_mentions_has_a_place_is_lost() -> None:
    found = align_copy("[Ann](#1) didn't feed her old cat. [Zebras](#4) it was hungry", WORDS)
    assert (found.lost_chains, found.marked) == (1, 2)
