"""Part of a file, read as if it were a file."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.errors import DataError
from corefbench.formats.source import Source
from corefbench.formats.window import Window


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("window") / "letters"
    path.write_bytes(b"abcdefghij")
    return path


@given(
    start=st.integers(0, 10),
    length=st.integers(0, 10),
    before=st.binary(max_size=4),
    size=st.integers(1, 5),
)
def test_its_bytes_are_those_put_before_and_those_of_the_part(
    file: Path, start: int, length: int, before: bytes, size: int
) -> None:
    end = min(start + length, 10)
    expected = before + b"abcdefghij"[start:end]
    with Window(file, start, end, before) as window:
        assert b"".join(iter(lambda: window.read(size), b"")) == expected
        assert window.tell() == len(expected)
        for place in range(len(expected)):
            window.seek(place)
            assert window.read() == expected[place:]


def test_it_is_not_measured_from_its_end(file: Path) -> None:
    with Window(file, 2, 4) as window:
        assert window.readable()
        assert window.seekable()
        with pytest.raises(io.UnsupportedOperation):
            window.seek(0, io.SEEK_END)


def test_a_source_can_be_part_of_a_file(file: Path) -> None:
    source = Source(name="letters", path=file, window=(3, 6), before=b"# ")
    assert source.size == 5
    assert source.head() == b"# def"
    with source.open() as stream:
        assert stream.read() == b"# def"


def test_a_part_of_a_file_that_is_gone_is_a_coded_error(tmp_path: Path) -> None:
    source = Source(name="gone", path=tmp_path / "gone", window=(0, 1))
    with pytest.raises(DataError, match="CB006"):
        source.head()
