"""A builder told of many things at once makes the corpus it makes of them one by one."""

import numpy as np
import pytest

from corefbench.model.builder import CorpusBuilder
from corefbench.model.growing import GrowingStrings
from corefbench.model.strings import Strings
from tests.unit.formats.roundtrip import contents


def one_by_one(words: bool) -> CorpusBuilder:
    build = CorpusBuilder("x", words=words)
    build.begin_document("a", 3, {"genre": "news"}, text="I am. No")
    build.sentence(["I", "am", "."], offsets=[(0, 1), (2, 4), (4, 5)])
    build.sentence(["No"], offsets=[(6, 8)])
    build.begin_document("b", text="")
    build.begin_document("c", 4, {"genre": "talk"}, text="Ça va")
    build.sentence(["Ça", "va"], offsets=[(0, 2), (3, 5)])
    return build


def at_once(words: bool) -> CorpusBuilder:
    build = CorpusBuilder("x", words=words)
    build.begin_documents(
        ["a", "b", "c"],
        np.array([4, 0, 2]),
        parts=[3, -1, 4],
        columns={"genre": ["news", "", "talk"]},
        texts=["I am. No", "", "Ça va"],
    )
    begin, end = np.array([0, 2, 4, 6, 0, 3]), np.array([1, 4, 5, 8, 2, 5])
    strings = Strings.of(["I", "am", ".", "No", "Ça", "va"])
    build.sentences(strings, np.array([0, 3, 4]), offsets=(begin, end))
    return build


@pytest.mark.parametrize("words", [True, False])
def test_documents_added_at_once_are_those_added_one_by_one(words: bool) -> None:
    one, many = one_by_one(words), at_once(words)
    for build in (one, many):  # and both go on alike
        build.begin_document("d", text="So")
        build.sentence(["So"], offsets=[(0, 2)])
    assert contents(one.finish()) == contents(many.finish())


def test_mentions_added_at_once_are_those_added_one_by_one() -> None:
    one, many = one_by_one(True), at_once(True)
    one.mention("x", [(1, 2)])
    one.mention("y", [(0, 1)], columns={"type": "person"})
    one.mention("x", [(0, 1)])
    one.begin_document("d")
    one.sentence(["So", "it", "is"])
    one.mention("x", [(0, 1), (2, 3)])
    document = np.array([2, 2], np.int32)
    first = many.add_chains(["x", "y"], document)
    many.add_mentions(
        np.array([1, 0, 0]),
        np.array([2, 1, 1]),
        np.array([0, 1, 0]) + first,
        document=np.array([2, 2, 2], np.int32),
        columns={1: {"type": "person"}},
    )
    many.begin_document("d")
    many.sentence(["So", "it", "is"])
    first = many.add_chains(["x"])
    many.add_mentions(np.array([0]), np.array([3]), np.array([first]), split={0: [(0, 1), (2, 3)]})
    assert contents(one.finish()) == contents(many.finish())


def test_columns_of_all_mentions_stand_beside_columns_of_few() -> None:
    one, many = one_by_one(True), at_once(True)
    one.mention("x", [(1, 2)])
    one.mention("x", [(0, 1)], columns={"role": "A", "type": "person"})
    one.mention("x", [(2, 3)], columns={"role": "B"})
    one.mention("x", [(3, 4)])
    many.mention("x", [(1, 2)])
    start, chain = np.array([0, 2]), np.full(2, many.chain("x"))
    columns = {0: {"type": "person"}}
    many.add_mentions(start, start + 1, chain, columns=columns, full={"role": ["A", "B"]})
    many.mention("x", [(3, 4)])
    assert contents(one.finish()) == contents(many.finish())


def test_strings_grow_from_lists_and_columns_in_any_order() -> None:
    words = GrowingStrings()
    assert list(words.joined()) == []
    words.extend(Strings.of(["a", ""]))
    words.extend(["é"])
    words.extend(iter(["b"]))
    words.extend(Strings.of(["c"]))
    assert (len(words), list(words.joined())) == (5, ["a", "", "é", "b", "c"])
    words.extend(["d"])
    assert list(words.joined()) == ["a", "", "é", "b", "c", "d"]
