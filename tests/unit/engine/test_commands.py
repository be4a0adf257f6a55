"""Commands give the same, byte for byte, with one worker and with several."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corefbench.cli.main import app
from corefbench.formats import sharding
from corefbench.formats.sharding import ShardRunner
from tests.unit.scoring.test_sharding import conll


@pytest.fixture
def corpus(tmp_path, monkeypatch) -> Path:
    """A file that is cut into many shards."""
    monkeypatch.setattr(sharding, "SHARD_BYTES", 2000)
    path = tmp_path / "corpus.conll"
    path.write_bytes(conll(3))
    return path


@pytest.fixture
def folder(corpus) -> Path:
    made = corpus.parent / "folder"
    made.mkdir()
    for number, document in enumerate(corpus.read_bytes().split(b"#begin")[1:]):
        (made / f"{number:02d}.conll").write_bytes(b"#begin" + document)
    return made


def printed(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code in (0, 1), result.output
    return result.stdout


@pytest.fixture(autouse=True)
def attempts(monkeypatch) -> list[bool]:
    """Whether each attempt to share work out came to its end: a silent one would compare one
    worker with itself."""
    ended = []
    each = ShardRunner.map

    def watched(self, work, where):
        ended.append(False)
        yield from each(self, work, where)
        ended[-1] = True

    monkeypatch.setattr(ShardRunner, "map", watched)
    return ended


SHARED = [["--jobs", "2"], ["--jobs", "2", "--engine", "serial"]]


@pytest.mark.parametrize("how", SHARED)
def test_statistics_of_a_file_and_of_a_folder(corpus, folder, how, attempts):
    for where in (corpus, folder):
        asked = ["stats", where, "--train", corpus, "--by", "document", "--format", "json"]
        alone = printed(*asked)
        attempts.clear()
        assert printed(*asked, *how) == alone
        assert attempts == [True, True]


@pytest.mark.parametrize("how", SHARED)
@pytest.mark.parametrize("name", ["corefud", "conll", "jsonlines"])
def test_conversion(corpus, tmp_path, how, name, attempts):
    alone, together = tmp_path / "alone", tmp_path / "together"
    said = [
        json.loads(printed("convert", corpus, out, "--output-format", name, "-f", "json", *more))
        for out, more in ((alone, ()), (together, how))
    ]
    assert together.read_bytes() == alone.read_bytes()
    assert attempts == ([] if name == "corefud" else [True])
    assert {**said[0], "files": []} == {**said[1], "files": []}


@pytest.mark.parametrize("how", SHARED)
def test_checking_a_folder(folder, how):
    (folder / "05.conll").write_text((folder / "05.conll").read_text().replace("(1)", "(1"))
    found = printed("check", folder, "--limit", "3", *how)
    assert "CB105" in found
    assert found == printed("check", folder, "--limit", "3")


@pytest.mark.parametrize("how", SHARED)
def test_checking_names_that_two_files_share(folder, how):
    (folder / "31.conll").write_bytes((folder / "00.conll").read_bytes())
    found = printed("check", folder, *how)
    assert "CB109" in found
    assert found == printed("check", folder)


@pytest.mark.parametrize("how", SHARED)
def test_dropping_duplicates(corpus, how, attempts):
    alone = printed("deduplicate", corpus, "-f", "json")
    attempts.clear()
    assert printed("deduplicate", corpus, "-f", "json", *how) == alone
    assert attempts == [True]


@pytest.mark.parametrize("how", SHARED)
def test_resolving(folder, how):
    asked = ["resolve", folder, "-r", "same-head", "--preprocess", "en-words", "--to", "conll"]
    assert printed(*asked, "--given", "mentions", *how) == printed(*asked, "--given", "mentions")


@pytest.mark.parametrize("how", SHARED)
def test_comparing(corpus, tmp_path, how):
    for seed in (4, 5):
        (tmp_path / f"{seed}.conll").write_bytes(conll(seed))
    asked = ["compare", corpus, tmp_path / "4.conll", tmp_path / "5.conll", "--samples", "50"]
    assert printed(*asked, "-f", "json", *how) == printed(*asked, "-f", "json")
