"""Parquet: all of a corpus in rows, other programs' files, shards, and files made to do harm."""

import io
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import corefbench as cb
from corefbench.errors import DataError, FormatError, MissingExtra
from corefbench.formats import make
from corefbench.formats import sharding as file_sharding
from corefbench.formats.base import Reading
from corefbench.formats.convert import convert
from corefbench.formats.load import stream
from corefbench.formats.parquet import format as parquet_format
from corefbench.formats.parquet import reader
from corefbench.formats.parquet.format import Parquet
from corefbench.formats.sharding import shard_file
from corefbench.scoring import sharding as scoring_sharding
from corefbench.scoring.profiles import profiles
from corefbench.scoring.sharding import plan_shards, score_sharded
from tests.unit.formats.roundtrip import assert_stable, contents
from tests.unit.formats.test_matrix import rich
from tests.unit.scoring.test_sharding import conll, same

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ROW: dict[str, Any] = {
    "name": ["d"],
    "words": [["Ann", "said", "she", "left", "."]],
    "mention_start": [[2, 0]],
    "mention_end": [[3, 1]],
    "mention_chain": [["e1", "e1"]],
}
"""What another program has to write, and no more: mentions in no order, ends past the last word."""

ATTRIBUTES = pa.map_(pa.string(), pa.list_(pa.string()))


def file_of(columns: dict[str, Any], **options: Any) -> bytes:
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream, **options)
    return stream.getvalue()


def test_all_that_a_corpus_can_have_is_kept() -> None:
    assert_stable(Parquet(), rich())


def test_the_bundled_corpus_with_its_words_and_attributes_is_kept() -> None:
    from corefbench.datasets.bundled import load_bundled

    corpus = load_bundled()
    said = {name: column for name, column in corpus.mentions.columns.items() if any(column)}
    assert_stable(Parquet(), replace(corpus, mentions=replace(corpus.mentions, columns=said)))


def test_the_least_that_another_program_has_to_write_is_read() -> None:
    document = cb.load(file_of(ROW))[0]
    assert document.clusters() == [[(0, 1), (2, 3)]]
    assert document.sentences == [(0, 5)]
    assert (document.name, document.label) == ("d", "d")


def test_words_that_are_not_asked_for_are_not_kept_but_digested() -> None:
    whole, *others = (cb.load(file_of(ROW), words=words) for words in (True, False))
    assert others[0].tokens.words is None
    assert others[0].tokens.digests.tolist() == whole.tokens.digests.tolist()


def test_large_lists_and_texts_as_other_libraries_write_them_are_read() -> None:
    wide = pa.large_list(pa.large_string())
    columns = {**ROW, "words": pa.array(ROW["words"], wide), "unknown": [1]}
    assert cb.load(file_of(columns))[0].words == ROW["words"][0]


def written(corpus: cb.Corpus, path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The corpus in many row groups."""
    monkeypatch.setattr(parquet_format, "GROUP_BYTES", 1000)
    with path.open("wb") as out:
        Parquet().write(corpus, out)
    assert pq.ParquetFile(path).num_row_groups > 5
    return path


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    key, response = (cb.load(conll(seed)) for seed in (1, 2))
    return (
        written(key, tmp_path / "key.parquet", monkeypatch),
        written(response, tmp_path / "response.parquet", monkeypatch),
    )


def test_row_groups_are_read_one_at_a_time(files: tuple[Path, Path]) -> None:
    pieces = list(stream(files[0]))
    assert max(map(len, pieces)) <= 5
    assert [n for piece in pieces for n in piece.documents.names] == [f"doc{n}" for n in range(30)]


@pytest.mark.parametrize(("first", "last"), [(0, 30), (0, 1), (7, 8), (3, 17), (29, 30)])
def test_any_rows_are_read_without_the_others(files: tuple[Path, Path], first: int, last: int) -> None:
    source = parquet_format.Source.of(files[0])
    pieces = Parquet().read_rows(source, Reading(), first, last)
    found = [name for piece in pieces for name in piece.documents.names]
    assert found == [f"doc{n}" for n in range(first, last)]


def test_shards_have_every_document_once(files: tuple[Path, Path]) -> None:
    found = shard_file(files[0], "parquet", 500)
    assert len(found) > 3
    read = [name for s in found for piece in s.read(Reading()) for name in piece.documents.names]
    assert read == [f"doc{n}" for n in range(30)]
    assert sum(shard.size for shard in found) == files[0].stat().st_size


@pytest.mark.parametrize(("engine", "jobs"), [("serial", 2), ("processes", 2)])
def test_workers_score_shards_as_one_worker_does(
    files: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str, jobs: int
) -> None:
    monkeypatch.setattr(scoring_sharding, "SHARD_BYTES", 500)
    assert len(plan_shards(*files, size=500)) > 3
    shared = score_sharded(*files, profiles["conll-2012"], engine=engine, jobs=jobs)
    assert shared is not None, "it was not shared out"
    assert same(shared, cb.score(*files))
    (tmp_path / "key.conll").write_bytes(conll(1))
    (tmp_path / "response.conll").write_bytes(conll(2))
    text = cb.score(tmp_path / "key.conll", tmp_path / "response.conll")
    assert shared.scores == text.scores
    assert shared.signature.key == text.signature.key


def test_numbered_files_hold_all_documents_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.conll").write_bytes(conll(1))
    for name in ("jsonlines", "parquet"):
        account = convert(tmp_path / "one.conll", f"{tmp_path}/{name}/", output_format=name, shard_size=7)
        assert account.files == tuple(f"one-{n:05d}.{name}" for n in range(5))
        made = list(stream(f"{tmp_path}/{name}/*.{name}"))
        assert [n for piece in made for n in piece.documents.names] == [f"doc{n}" for n in range(30)]
    monkeypatch.setattr(file_sharding, "SHARD_BYTES", 500)
    monkeypatch.setattr(scoring_sharding, "SHARD_BYTES", 500)
    sides = f"{tmp_path}/jsonlines/*", f"{tmp_path}/parquet/*"
    shared = score_sharded(*sides, profiles["conll-2012"], engine="serial", jobs=2)
    assert shared is not None, "it was not shared out"
    assert shared.conll.f1 == 1


def test_conversion_holds_no_more_than_a_row_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_format, "GROUP_BYTES", 1000)
    (tmp_path / "one.conll").write_bytes(conll(1))
    held: list[int] = []
    groups = parquet_format._groups

    def watched(pieces: Any) -> Any:
        for group in groups(pieces):
            held.append(len(group))
            yield group

    monkeypatch.setattr(parquet_format, "_groups", watched)
    many = convert(f"{tmp_path}/one.conll", f"{tmp_path}/many/", output_format="conll")
    assert len(many.files) == 30
    convert(tmp_path / "many", tmp_path / "one.parquet")
    assert max(held) <= 5
    assert contents(cb.load(tmp_path / "one.parquet")) == contents(cb.load(tmp_path / "many"))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"words": [1]}, "CB160"),
        ({"words": [[1]]}, "CB160"),
        ({"words": None}, "CB160"),
        ({"mention_end": [[3]]}, "CB160"),
        ({"mention_end": [[9, 1]]}, "CB112"),
        ({"mention_start": [[-2, 0]]}, "CB112"),
        ({"mention_start": [[3, 0]]}, "CB112"),
        ({"mention_chain": [["e1"]]}, "CB160"),
        ({"mention_head": [[0]]}, "CB160"),
        ({"sentences": [[0, 9]]}, "CB160"),
        ({"sentences": [[2, 0]]}, "CB160"),
        ({"mention_parts": [[[2], [0, 1]]]}, "CB160"),
        ({"mention_parts": [[[2, 3], [0, 4]]]}, "CB160"),
        ({"mention_minimum": [[[3, 2], []]]}, "CB160"),
        ({"bridging_anaphor": [[7]], "bridging_label": [["set"]]}, "CB115"),
        ({"split_plural": [["e1"]], "split_element": [["e1", "e2"]]}, "CB160"),
        ({"token_attributes": pa.array([[("pos", ["N"])]], ATTRIBUTES)}, "CB160"),
    ],
)
def test_what_contradicts_itself_is_refused(change: dict[str, Any], code: str) -> None:
    columns = {name: value for name, value in {**ROW, **change}.items() if value is not None}
    with pytest.raises(FormatError) as caught:
        cb.load(file_of(columns))
    assert caught.value.code == code


@pytest.mark.parametrize("keep", [4, 8, 100, -1, -8, -20])
def test_a_file_that_is_cut_off_is_refused(keep: int) -> None:
    with pytest.raises(DataError):
        cb.load(file_of(ROW)[:keep])


def test_every_changed_byte_is_read_or_refused() -> None:
    whole = file_of(ROW)
    for place in range(4, len(whole), 7):
        harmed = bytearray(whole)
        harmed[place] ^= 0xFF
        with suppress(DataError):
            cb.load(bytes(harmed))


def test_a_few_bytes_that_stand_for_gigabytes_are_refused() -> None:
    bomb = file_of({**ROW, "words": [["x" * 100_000] * 4000]}, compression="zstd")
    assert len(bomb) < 100_000
    with pytest.raises(FormatError) as caught:
        cb.load(bomb)
    assert caught.value.code == "CB120"


def test_row_groups_beyond_the_budget_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_FILE_BYTES", 4)
    with pytest.raises(FormatError) as caught:
        cb.load(file_of(ROW))
    assert caught.value.code == "CB120"


def test_without_pyarrow_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    content = file_of(ROW)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'corefbench\[parquet\]'"):
        cb.load(content)
    with pytest.raises(MissingExtra, match=r"pip install 'corefbench\[parquet\]'"):
        make("parquet").write(cb.load(conll(1)), io.BytesIO())
