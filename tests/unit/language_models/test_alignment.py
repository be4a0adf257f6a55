"""Hand-made faults: what models do to a text, and what must be left of its marks."""

import pytest

from corefbench.language_models.alignment import align

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
    found = align(copy, WORDS).mentions
    assert [one for one in found if one in mentions] == mentions


def test_words_that_are_missing_added_and_changed_are_counted() -> None:
    found = align("[Ann](#1) didn't feed her young cat today. It was hungry,", WORDS)
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
def test_brackets_that_are_no_mention_are_dropped_by_reason(copy: str, dropped: dict) -> None:
    assert align(copy, WORDS).dropped == dropped


def test_a_bracket_without_partner_does_no_harm_in_other_paragraphs() -> None:
    copy = "[Ann didn't feed her old cat.\n\n[It](#2) was hungry, and [she](#1) was late.](#9)"
    found = align(copy, WORDS)
    assert found.mentions == ((8, 9, "2"), (13, 14, "1"))
    assert found.dropped == {"never closed": 1, "never opened": 1}


def test_a_chain_none_of_whose_mentions_has_a_place_is_lost() -> None:
    found = align("[Ann](#1) didn't feed her old cat. [Zebras](#4) it was hungry", WORDS)
    assert (found.lost_chains, found.marked) == (1, 2)
