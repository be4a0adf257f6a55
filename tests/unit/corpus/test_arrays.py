"""Places in a column are counts of smaller numbers, and finding them copies nothing."""

import tracemalloc

import numpy as np
import pytest

from corefbench.corpus.arrays import search_sorted
from corefbench.records import Ints, Longs

NUMBERS = [1, 1, 4, 6, 6, 6, 9]


@pytest.mark.parametrize("column", [np.array(NUMBERS, np.int32), np.array(NUMBERS, np.int64)])
def test_a_place_is_the_count_of_smaller_numbers(column: Ints | Longs) -> None:
    for value in range(11):
        assert search_sorted(column, value) == [sum(n < value for n in NUMBERS)]


def test_a_long_column_is_not_copied_for_each_document() -> None:
    column = np.arange(1_000_000, dtype=np.int32)
    tracemalloc.start()
    try:
        assert search_sorted(column, 7, 8) == [7, 8]
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()
