"""Scoring shared out among workers gives, bit for bit, what one worker gives."""

from pathlib import Path
from random import Random

import pytest

import corefbench as cb
from corefbench.errors import FormatError
from corefbench.formats import make
from corefbench.scoring import sharding
from corefbench.scoring.api import score
from corefbench.scoring.profiles import profiles
from corefbench.scoring.sharding import plan_shards, score_sharded

ENGINES = [("serial", 2), ("processes", 2), ("processes", 4), ("dask", 2)]


@pytest.fixture(autouse=True)
def small_shards(monkeypatch):
    monkeypatch.setattr(sharding, "SHARD_BYTES", 2000)


def conll(seed: int, documents: int = 30) -> bytes:
    """Documents of forty words whose mentions are drawn at random."""
    random, lines = Random(seed), []
    for number in range(documents):
        lines.append(f"#begin document (doc{number}); part {number % 3:03d}")
        for word in range(40):
            chain = random.choice("-----123")
            cell = "-" if chain == "-" else f"({chain})"
            lines.append(f"doc{number}\t{number % 3}\t{word}\tword{word}\t{cell}")
        lines += ["", "#end document", ""]
    return "\n".join(lines).encode()


@pytest.fixture
def files(tmp_path) -> tuple[Path, Path]:
    key, response = tmp_path / "key.conll", tmp_path / "response.conll"
    key.write_bytes(conll(1))
    response.write_bytes(conll(2))
    return key, response


def written(path: Path, name: str) -> Path:
    """The corpus of a file in another format, beside it."""
    made = path.with_name(f"{path.stem}-written.{name}")
    with made.open("wb") as stream:
        make(name).write(cb.load(path), stream)
    return made


def same(one, other) -> bool:
    return (
        str(one.signature) == str(other.signature)
        and one.documents == other.documents
        and one.findings == other.findings
        and one.scores == other.scores
    )


@pytest.mark.parametrize(("engine", "jobs"), ENGINES)
def test_every_engine_and_number_of_workers_gives_the_same(files, engine, jobs):
    assert len(plan_shards(*files, size=2000)) > 5
    shared = score_sharded(*files, profiles["conll-2012"], engine=engine, jobs=jobs)
    assert shared is not None, "it was not shared out"
    assert same(shared, score(*files))
    assert same(score(*files, engine=engine, jobs=jobs), shared)


@pytest.mark.parametrize("name", ["conll", "semeval", "corefud", "jsonlines", "preco"])
def test_files_of_these_formats_are_cut(files, name):
    key, response = (written(path, name) for path in files)
    shared = score_sharded(key, response, profiles["conll-2012"], engine="serial", jobs=2)
    assert shared is not None
    assert same(shared, score(key, response))


def test_what_a_corefud_file_declares_once_holds_for_every_shard(files):
    key = written(files[0], "corefud")
    once, *documents = key.read_text().split("# global.Entity")
    declaration = documents[0].split("\n")[0]
    rest = [document.removeprefix(declaration + "\n") for document in documents]
    key.write_text(once + "# global.Entity" + documents[0] + "".join(rest[1:]))
    assert key.read_text().count("global.Entity") == 1
    shared = score_sharded(key, key, profiles["conll-2012"], engine="serial", jobs=2)
    assert shared is not None
    assert same(shared, score(key, key))


def test_folders_are_shared_out_by_file(files, tmp_path):
    folders = []
    for path in files:
        folder = tmp_path / path.stem
        folder.mkdir()
        for number, document in enumerate(path.read_bytes().split(b"#begin")[1:]):
            (folder / f"{number:02d}.conll").write_bytes(b"#begin" + document)
        folders.append(folder)
    assert len(plan_shards(*folders, size=2000)) > 5
    shared = score_sharded(*folders, profiles["conll-2012"], engine="serial", jobs=2)
    assert shared is not None, "it was not shared out"
    assert same(shared, score(*folders))


def reversed_documents(content: bytes) -> bytes:
    return b"".join(b"#begin" + piece for piece in reversed(content.split(b"#begin")[1:]))


@pytest.mark.parametrize(
    "change",
    [
        reversed_documents,
        lambda content: content.replace(b"doc7", b"other"),
        lambda content: b"#begin" + content.split(b"#begin", 2)[2],
    ],
    ids=["another order", "another name", "one less"],
)
def test_documents_that_do_not_go_together_are_scored_in_one_piece(files, change):
    key, response = files
    response.write_bytes(change(response.read_bytes()))
    assert score_sharded(*files, profiles["conll-2012"], engine="serial", jobs=2) is None
    assert same(score(key, response, engine="serial", jobs=2), score(key, response))


def test_an_error_has_the_line_of_the_whole_file(files):
    key, response = files
    lines = response.read_text().split("\n")
    lines[1000] = lines[1000].rsplit("\t", 1)[0] + "\t(1"
    response.write_text("\n".join(lines))
    with pytest.raises(FormatError) as alone:
        score(key, response)
    with pytest.raises(FormatError) as together:
        score(key, response, engine="serial", jobs=2)
    assert str(together.value) == str(alone.value)


def test_repeats_are_said_of_the_same_places(files):
    key, response = files
    response.write_text(response.read_text().replace("(3)", "(3)|(2)"))
    assert same(score(key, response, engine="serial", jobs=2), score(key, response))


def test_measures_that_reach_across_documents_are_not_shared_out(files):
    assert same(score(*files, scope="corpus", engine="serial", jobs=2), score(*files, scope="corpus"))
