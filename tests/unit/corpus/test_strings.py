import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.strings import Strings

_TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=6), max_size=10)


@given(_TEXTS)
def test_what_goes_in_comes_out(texts: list[str]) -> None:
    column = Strings.of(texts)
    assert list(column) == texts
    assert len(column) == len(texts)
    assert [column[i] for i in range(len(texts))] == texts


@given(_TEXTS, _TEXTS)
def test_columns_are_joined(one: list[str], other: list[str]) -> None:
    assert list(Strings.concatenate([Strings.of(one), Strings.of(other)])) == one + other


@given(_TEXTS.filter(bool), st.data())
def test_strings_are_taken_in_any_order(texts: list[str], data: st.DataObject) -> None:
    where = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=8))
    taken = Strings.of(texts).take(np.array(where, np.int64))
    assert list(taken) == [texts[i] for i in where]


def test_slices_and_places_from_the_end() -> None:
    column = Strings.of(["a", "", "é"])
    assert column.slice(1, 3) == ["", "é"]
    assert column[-1] == "é"
    with pytest.raises(IndexError):
        column[3]
