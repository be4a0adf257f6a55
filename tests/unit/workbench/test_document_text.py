"""Paragraphs in blocks: all of them, in their order, about a screen at a time."""

import pytest

from corefbench.workbench.document_text import Paragraph, group_paragraphs


def paragraphs(*heights: int) -> list[Paragraph]:
    return [
        Paragraph(sentence=number, speaker="", height=height, pieces=()) for number, height in enumerate(heights, 1)
    ]


def test_nothing_is_lost_and_nothing_moves() -> None:
    source = paragraphs(*(3 + 7 * number % 40 for number in range(200)))
    blocks = list(group_paragraphs(source))
    assert [paragraph for block in blocks for paragraph in block.paragraphs] == source
    assert [source[block.first] for block in blocks] == [block.paragraphs[0] for block in blocks]


def test_a_block_is_about_as_tall_as_a_screen() -> None:
    blocks = list(group_paragraphs(paragraphs(*[30] * 7)))
    assert [len(block.paragraphs) for block in blocks] == [2, 2, 2, 1]
    assert [block.height for block in blocks] == [6, 6, 6, 3]


@pytest.mark.parametrize(("height", "steps"), [(3, 1), (79, 8), (81, 8), (400, 16)])
def test_a_long_paragraph_is_a_block_of_its_own(height: int, steps: int) -> None:
    blocks = list(group_paragraphs(paragraphs(3, height, 3) if height > 80 else paragraphs(height)))
    assert max(block.height for block in blocks) == steps
    assert len(blocks) == (3 if height > 80 else 1)


def test_of_nothing_there_are_none() -> None:
    assert list(group_paragraphs([])) == []
