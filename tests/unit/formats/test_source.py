"""Where bytes come from."""

import gzip
import io
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefbench as cb
from corefbench.errors import DataError
from corefbench.formats.source import RATIO_EXEMPT_BYTES, FileSlice, Source
from tests.conll import conll

TEXT = conll("(1)", "(1)")


def test_bytes_can_be_opened_many_times() -> None:
    source = Source.of(TEXT)
    for _ in range(2):
        with source.open() as stream:
            assert stream.read() == TEXT
    assert (source.stem, source.size) == ("memory", len(TEXT))


@pytest.mark.parametrize(
    ("name", "stem"), [("a/b/gold.conll", "gold"), ("gold.conll.gz", "gold"), ("gold", "gold"), ("x.y.z", "x.y")]
)
def test_the_stem_is_the_name_without_folders_and_extensions(name: str, stem: str) -> None:
    assert Source.of(name).stem == stem


def test_compressed_bytes_are_unpacked_whatever_they_are_called(tmp_path: Path) -> None:
    for name in ("a.conll.gz", "a.conll"):
        (tmp_path / name).write_bytes(gzip.compress(TEXT))
        assert len(cb.load(tmp_path / name).mentions) == 2


def test_a_file_that_is_not_there_is_a_coded_error(tmp_path: Path) -> None:
    with pytest.raises(cb.DataError) as error:
        cb.load(tmp_path / "nowhere.conll")
    assert error.value.code == "CB006"
    assert "nowhere.conll" in str(error.value)


@pytest.mark.parametrize("cut", [12, 20, 60])
def test_a_broken_archive_is_a_coded_error(tmp_path: Path, cut: int) -> None:
    packed = gzip.compress(conll(*(["(1)", "-", "(2)"] * 200)))
    (tmp_path / "a.conll.gz").write_bytes(packed[:cut])
    with pytest.raises(cb.DataError) as error:
        cb.load(tmp_path / "a.conll.gz")
    assert error.value.code == "CB118"


def test_a_damaged_archive_is_a_coded_error(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(conll(*(["(1)", "-", "(2)"] * 200))))
    packed[len(packed) // 2] ^= 0xFF
    (tmp_path / "a.conll.gz").write_bytes(bytes(packed))
    with pytest.raises(cb.DataError) as error:
        cb.load(tmp_path / "a.conll.gz")
    assert error.value.code in ("CB118", "CB006")


def test_an_empty_folder_is_said_to_be_empty(tmp_path: Path) -> None:
    with pytest.raises(cb.DataError) as error:
        cb.load(tmp_path)
    assert error.value.code == "CB102"


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    for name in ("b", "a", "c"):
        (tmp_path / f"{name}.conll").write_bytes(conll("(1)", name=name))
    (tmp_path / ".hidden").write_bytes(b"nothing")
    assert cb.load(tmp_path).documents.names == ("a", "b", "c")


def unpacked_size(source: Source, step: int) -> int:
    with source.open() as stream:
        return sum(map(len, iter(lambda: stream.read(step), b"")))


@pytest.mark.parametrize("step", [-1, 1 << 22])
def test_a_small_file_that_unpacks_to_much_is_refused(step: int) -> None:
    bomb = Source.of(gzip.compress(bytes(RATIO_EXEMPT_BYTES + (1 << 20))))
    with pytest.raises(cb.DataError) as error:
        unpacked_size(bomb, step)
    assert error.value.code == "CB118"
    assert "unpack" in error.value.remedy


def test_what_unpacks_to_little_may_have_any_ratio() -> None:
    with Source.of(gzip.compress(bytes(RATIO_EXEMPT_BYTES >> 2))).open() as stream:
        assert len(stream.read()) == RATIO_EXEMPT_BYTES >> 2


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("window") / "letters"
    path.write_bytes(b"abcdefghij")
    return path


@given(start=st.integers(0, 10), length=st.integers(0, 10), before=st.binary(max_size=4), size=st.integers(1, 5))
def test_its_bytes_are_those_put_before_and_those_of_the_part(
    file: Path, start: int, length: int, before: bytes, size: int
) -> None:
    end = min(start + length, 10)
    expected = before + b"abcdefghij"[start:end]
    with FileSlice(file, start, end, before) as window:
        assert b"".join(iter(lambda: window.read(size), b"")) == expected
        assert window.tell() == len(expected)
        for place in range(len(expected)):
            window.seek(place)
            assert window.read() == expected[place:]


def test_it_is_not_measured_from_its_end(file: Path) -> None:
    with FileSlice(file, 2, 4) as window:
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


def test_a_named_pipe_is_read_like_standard_input(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.conll"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(conll("(1)", "(1)")))
    writer.start()
    assert len(cb.load(pipe).mentions) == 2
    writer.join()


@pytest.mark.parametrize("ends", [b"\r", b"\r\n"])
def test_lines_may_end_in_carriage_returns(ends: bytes) -> None:
    text = conll("(1)", "-", "", "(1)", name="a") + conll("(1)", name="b")
    corpus = cb.load(text.replace(b"\n", ends))
    assert corpus.documents.names == ("a", "b")
    assert (len(corpus.tokens), len(corpus.mentions), corpus.tokens.sentences.tolist()) == (4, 3, [0, 2, 3])


@pytest.mark.parametrize("separator", ["\t", "   "])
def test_a_nul_does_not_cut_a_word(separator: str) -> None:
    text = conll("(1)", "-", "(1)", words=["A\0nn", "saw", "h\x01er\0"]).replace(b"\t", separator.encode())
    corpus = cb.load(text)
    assert list(corpus.tokens.words or ()) == ["A\0nn", "saw", "h\x01er\0"]
    assert len(corpus.mentions) == 2
