"""Conversion: files and folders, the account, and nothing by halves."""

import gzip
import tracemalloc
from pathlib import Path

import pytest

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import DataError, UsageError, VerificationFailed
from corefbench.formats import formats
from corefbench.formats.convert import convert
from corefbench.formats.load import load
from corefbench.testing.corpora import round_trip_formats
from tests.conll import conll

TEXT = conll("(1)", "(2)", "(1)", name="a")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.conll"
    path.write_bytes(TEXT)
    return path


def test_the_format_is_known_by_the_extension(source: Path, tmp_path: Path) -> None:
    account = convert(source, tmp_path / "out.jsonlines")
    assert account.output_format == "jsonlines"
    assert account.lost == {"chain labels": 2}
    assert len(load(tmp_path / "out.jsonlines").mentions) == 3


def test_what_can_be_held_is_not_lost(source: Path, tmp_path: Path) -> None:
    account = convert(source, tmp_path / "out.conll", fail_on_loss=True)
    assert account.is_lossless
    assert account.read == account.written


def test_a_shared_extension_needs_the_format(source: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as error:
        convert(source, tmp_path / "out.xml")
    assert "--output-format" in error.value.remedy


def test_with_fail_on_loss_nothing_is_left_behind(source: Path, tmp_path: Path) -> None:
    with pytest.raises(VerificationFailed) as error:
        convert(source, tmp_path / "new" / "out.jsonlines", fail_on_loss=True)
    assert error.value.code == "CB150"
    assert "chain labels: 2" in error.value.found
    assert not list((tmp_path / "new").iterdir())


def test_a_broken_input_leaves_the_old_output(tmp_path: Path) -> None:
    (tmp_path / "in.conll").write_bytes(conll("(1)", "1)", "2)"))
    (tmp_path / "out.conll").write_bytes(b"old")
    with pytest.raises(DataError):
        convert(tmp_path / "in.conll", tmp_path / "out.conll")
    assert (tmp_path / "out.conll").read_bytes() == b"old"
    assert {path.name for path in tmp_path.iterdir()} == {"in.conll", "out.conll"}


def test_a_folder_becomes_a_folder_with_the_same_names(tmp_path: Path) -> None:
    for name in ("x/a.conll", "b.conll"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(conll("(1)", name=Path(name).stem))
    account = convert(tmp_path / "in", f"{tmp_path}/out/", output_format="jsonlines")
    assert account.files == ("b.jsonlines", "x/a.jsonlines")
    assert load(tmp_path / "out").documents.names == ("b", "a")


def test_a_folder_becomes_one_file(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name in ("a", "b"):
        (tmp_path / "in" / f"{name}.conll").write_bytes(conll("(1)", name=name))
    convert(tmp_path / "in", tmp_path / "out.jsonlines")
    assert load(tmp_path / "out.jsonlines").documents.names == ("a", "b")


def test_a_file_becomes_a_folder_with_a_file_for_each_document(tmp_path: Path) -> None:
    source = conll("(1)", name="bn/a") + conll("(1)", name="bn/a") + conll("(1)", name="../c")
    account = convert(source, f"{tmp_path}/out/", output_format="jsonlines")
    assert account.files == ("_c_0.jsonlines", "bn_a_0-2.jsonlines", "bn_a_0.jsonlines")


def test_a_packed_output_is_the_same_every_time(source: Path, tmp_path: Path) -> None:
    convert(source, tmp_path / "one.jsonlines.gz")
    convert(source, tmp_path / "two.jsonlines.gz")
    packed = (tmp_path / "one.jsonlines.gz").read_bytes()
    assert packed == (tmp_path / "two.jsonlines.gz").read_bytes()
    assert gzip.decompress(packed).startswith(b'{"doc_key":"a_0"')


def test_mentions_that_cannot_be_said_are_left_out_and_counted(tmp_path: Path) -> None:
    line = b'{"doc_key": "a", "sentences": [["a", "b", "c"]], "clusters": [[[0, 1], [1, 2]]]}'
    account = convert(line, tmp_path / "out.conll")
    assert account.lost == {"crossing mentions of one chain": 1}
    assert (account.read.mentions, account.written.mentions) == (2, 1)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """Blocks are read and written in turn: four times the file, the same peak."""
    peaks = []
    for factor in (1, 4):
        path = tmp_path / f"{factor}.conll"
        with open(path, "wb") as stream:
            for number in range(300 * factor):
                stream.write(conll(*["(1)", "-", "(2)", "-"] * 250, name=f"d{number}"))
        tracemalloc.start()
        convert(path, tmp_path / f"{factor}.jsonlines")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.3 * peaks[0]


WHITE_SPACE = ("New York", "x\ny", "x\ry", "x\ty", " x", "x\fy", "x\u2028y", "")


def with_word_and_name(word: str, name: str) -> Corpus:
    build = CorpusBuilder("odd")
    build.begin_document(name)
    build.sentence(["Ann", word, "left"])
    build.mention("1", [(0, 1)])
    build.begin_document("second")
    build.sentence(["Bob", "ran"])
    build.mention("1", [(0, 1)])
    return build.finish()


@pytest.mark.parametrize("word", [*WHITE_SPACE, "a\0b"])
@pytest.mark.parametrize("target", round_trip_formats())
def test_words_that_change_are_lost(word: str, target: str, tmp_path: Path) -> None:
    corpus = with_word_and_name(word, "first")
    account = convert(corpus, tmp_path / "out", output_format=target)
    written = load(tmp_path / "out", format=target)
    is_same = sorted(written.tokens.words or ()) == sorted(corpus.tokens.words or ())
    assert account.lost.get("words", 0) == (0 if is_same else 1)
    assert len(written) == 2


@pytest.mark.parametrize("name", ["New York", "x\ny", "x\ry", " x", "a\nx 0 0 Eve (1)", "(x)"])
@pytest.mark.parametrize("target", round_trip_formats())
def test_document_names_that_change_are_lost(name: str, target: str, tmp_path: Path) -> None:
    account = convert(with_word_and_name("saw", name), tmp_path / "out", output_format=target)
    written = load(tmp_path / "out", format=target)
    holds = "document names" in formats[target]().card.holds
    assert (account.lost.get("document names", 0) > 0) == (name not in written.documents.names or not holds)
    assert (len(written), len(written.tokens)) == (2, 5)


def test_fail_on_loss_refuses_words_that_change(tmp_path: Path) -> None:
    with pytest.raises(VerificationFailed) as error:
        convert(with_word_and_name("New York", "a"), tmp_path / "out.conll", fail_on_loss=True)
    assert error.value.found == "conll cannot hold words: 1"
    assert not (tmp_path / "out.conll").exists()


def test_speakers_and_attributes_that_change_are_lost(tmp_path: Path) -> None:
    build = CorpusBuilder("odd")
    build.begin_document("a")
    build.sentence(["Hi", "!"], columns={"speaker": ["Ann Lee", "Ann Lee"], "lemma": ["hi", "! !"]})
    account = convert(build.finish(), tmp_path / "out.conll")
    assert account.lost == {"speakers": 2, "token attributes": 1}
