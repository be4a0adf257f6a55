"""Where files are cut: before documents only, and before the same ones in two files."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.formats.sharding import find_cuts, find_matching_cuts, is_splittable, shard_file, shard_file_pair

HEADERS = {
    "conll": "#begin document ({}); part 000\n",
    "semeval": "#begin document {}\n",
    "corefud": "# newdoc id = {}\n",
    "jsonlines": '{{"doc_key": "{}", "sentences": "',
    "preco": '{{"id": "{}", "sentences": "',
}
ENDS = {"jsonlines": '"}\n', "preco": '"}\n'}


def file_of(path: Path, format: str, lengths: list[int], names: list[str] | None = None) -> list[int]:
    """A file whose documents have so many bytes of text; where each begins."""
    named = names or [f"d{number}" for number in range(len(lengths))]
    places, text = [], ""
    for name, length in zip(named, lengths, strict=True):
        places.append(len(text))
        inside = "x" * length if format in ENDS else ("x" * 30 + "\n") * (length // 31 + 1)
        text += HEADERS[format].format(name) + inside + ENDS.get(format, "\n")
    path.write_text(text)
    return places


@pytest.mark.parametrize("format", HEADERS)
@given(lengths=st.lists(st.integers(0, 3000), min_size=1, max_size=30), size=st.integers(1, 20_000))
def test_pieces_are_as_large_as_asked_and_begin_with_a_document(
    tmp_path_factory: pytest.TempPathFactory, format: str, lengths: list[int], size: int
) -> None:
    path = tmp_path_factory.mktemp("cut") / "a"
    places = file_of(path, format, lengths)
    found = [one.offset for one in find_cuts(path, format, size)]
    expected, last = [], 0
    for place in places[1:]:
        if place - last >= size:
            expected.append(place)
            last = place
    assert found == expected


@pytest.mark.parametrize("format", HEADERS)
@given(
    lengths=st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 3000)), min_size=1, max_size=30),
    size=st.integers(1, 20_000),
)
def test_two_files_are_cut_before_the_same_documents(
    tmp_path_factory: pytest.TempPathFactory, format: str, lengths: list[tuple[int, int]], size: int
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    keys = file_of(folder / "key", format, [one for one, _ in lengths])
    responses = file_of(folder / "response", format, [other for _, other in lengths])
    pairs = shard_file_pair((folder / "key", format), (folder / "response", format), size)
    numbers = [(keys.index(one.start), responses.index(other.start)) for one, other in pairs]
    assert all(one == other for one, other in numbers)
    ends = [(one.end, other.end) for one, other in pairs]
    assert ends[:-1] == [(one.start, other.start) for one, other in pairs[1:]]


def test_a_document_that_is_missing_in_the_response_means_no_cut(tmp_path: Path) -> None:
    file_of(tmp_path / "key", "conll", [500] * 10)
    file_of(tmp_path / "response", "conll", [500] * 10, [f"e{number}" for number in range(10)])
    found = find_cuts(tmp_path / "key", "conll", 100)
    assert len(found) == 9
    assert find_matching_cuts(tmp_path / "response", "conll", tmp_path / "key", found) is None
    assert shard_file_pair((tmp_path / "key", "conll"), (tmp_path / "response", "conll"), 100) == []


def test_what_stands_before_the_first_document_goes_with_it(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    places = file_of(path, "corefud", [10, 10])
    preamble = "# global.Entity = eid-etype-head\n" + "# note\n" * 100
    path.write_text(preamble + path.read_text())
    first, second = shard_file(path, "corefud", 1)
    assert (first.start, first.end) == (0, len(preamble) + places[1])
    assert first.declared == b""
    assert second.declared == b"# global.Entity = eid-etype-head\n"


def test_packed_and_empty_files_are_not_cut(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "packed").write_bytes(b"\x1f\x8b\x08\x00")
    assert not is_splittable(tmp_path / "empty", "conll")
    assert not is_splittable(tmp_path / "packed", "conll")
    assert not is_splittable(tmp_path, "conll")
    assert shard_file(tmp_path / "packed", "conll") == []
