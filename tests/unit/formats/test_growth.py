"""Readers and writers of shapes that once took the square of their mentions do so no more.

Eight times the mentions would cost sixty-four times as much, and cost about eight times as much;
the bound lies far from both, so that a busy machine cannot cross it. Processor time, the least of
some runs.
"""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.growth import least_time
from benchmarks.shapes import RELATED, SHAPES, Files
from corefbench.formats.common.mention_heads import FirstOutside
from corefbench.formats.corefud.mentions import UNKNOWN, TreeHeads

NAMED = {shape.name: shape for shape in (*SHAPES, RELATED)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "name", "shape", "times"),
    [
        ("writing", "workbench", "sentence", 8),
        ("reading", "semeval", "deep", 8),
        ("reading", "corefud", "deep", 8),
        ("reading", "ecbplus", "document", 32),
    ],
)
def test_many_times_the_mentions_cost_far_less_than_the_square(
    kind: str, name: str, shape: str, times: int, tmp_path: Path
) -> None:
    files = Files(name, NAMED[shape], tmp_path)
    few, many = (least_time(getattr(files, kind)(size)) for size in (1_000, times * 1_000))
    assert many < 2.5 * times * few


def test_outliers_are_those_that_a_look_at_every_number_finds() -> None:
    random = np.random.default_rng(13)
    for size in (1, 2, 3, 17, 64, 200):
        numbers, start = random.integers(0, 40, size), random.integers(0, size, 100)
        end = start + random.integers(0, size + 1 - start)
        low, high = random.integers(0, 4, 100), random.integers(30, 42, 100)
        expected = [
            next((n for n in range(a, b) if not x <= numbers[n] <= y), -1)
            for a, b, x, y in zip(start, end, low, high, strict=True)
        ]
        assert FirstOutside(numbers).first(start, end, low, high).tolist() == expected


def test_heads_are_those_that_a_look_at_every_word_finds() -> None:
    random = np.random.default_rng(31)
    for size in (1, 2, 5, 40, 150):
        governors, start = random.integers(UNKNOWN, size, size), random.integers(0, size, 100)
        governors[random.random(size) < 0.8] = size - 1  # what is governed from afar is found late
        end = start + 1 + random.integers(0, size - start)
        expected = [
            next(
                (
                    word
                    for word in range(a, b)
                    if governors[word] != UNKNOWN and (b == a + 1 or not a <= governors[word] < b)
                ),
                -1,
            )
            for a, b in zip(start, end, strict=True)
        ]
        assert TreeHeads(governors).of(start, end).tolist() == expected


def test_where_no_governor_is_known_there_are_no_heads() -> None:
    start, end = np.array([0, 0, 1]), np.array([9, 1, 2])
    assert TreeHeads(np.full(9, UNKNOWN)).of(start, end).tolist() == [-1, -1, -1]
