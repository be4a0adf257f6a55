"""Paragraphs in sheets: all of them, in their order, about a screen at a time."""

import pytest

from corefbench.workbench.document_text import Paragraph, group_paragraphs


def paragraphs(*heights: int) -> list[Paragraph]:
    return [
        Paragraph(sentence=number, speaker="", height=height, pieces=()) for number, height in enumerate(heights, 1)
    ]


def test_nothing_is_lost_and_nothing_moves() -> None:
    given = paragraphs(*(3 + 7 * number % 40 for number in range(200)))
    made = list(group_paragraphs(given))
    assert [one for sheet in made for one in sheet.paragraphs] == given
    assert [given[sheet.first] for sheet in made] == [sheet.paragraphs[0] for sheet in made]


def test_a_sheet_is_about_as_tall_as_a_screen() -> None:
    made = list(group_paragraphs(paragraphs(*[30] * 7)))
    assert [len(sheet.paragraphs) for sheet in made] == [2, 2, 2, 1]
    assert [sheet.height for sheet in made] == [6, 6, 6, 3]


@pytest.mark.parametrize(("height", "steps"), [(3, 1), (79, 8), (81, 8), (400, 16)])
def test_a_long_paragraph_is_a_sheet_of_its_own(height: int, steps: int) -> None:
    made = list(group_paragraphs(paragraphs(3, height, 3) if height > 80 else paragraphs(height)))
    assert max(sheet.height for sheet in made) == steps
    assert len(made) == (3 if height > 80 else 1)


def test_of_nothing_there_are_none() -> None:
    assert list(group_paragraphs([])) == []
