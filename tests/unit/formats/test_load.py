"""Opening folders: formats that know which files are documents, and folders of any files."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import corefbench as cb
from corefbench.cli.main import app
from corefbench.corpus.builder import CorpusBuilder
from corefbench.diagnostics import Strictness
from corefbench.errors import DataError, FormatError
from corefbench.formats import formats
from corefbench.formats.ecbplus import EcbPlus
from corefbench.formats.load import is_pattern, load, matching_paths
from corefbench.formats.mmax.format import Mmax
from tests.unit.scoring.test_sharding import conll

CONLL = "#begin document ({0}); part 000\n{0} 0 0 Ann (1)\n#end document\n"


@pytest.fixture(autouse=True)
def _folder_formats(monkeypatch):
    monkeypatch.setitem(formats._entries, "ecbplus", EcbPlus)
    monkeypatch.setitem(formats._entries, "mmax", Mmax)


def projects(folder: Path) -> Path:
    build = CorpusBuilder("made")
    for name in ("a", "b"):
        build.begin_document(name)
        build.sentence(["Ann", "left"])
        build.mention("1", [(0, 1)])
    Mmax().write_folder(build.finish(), folder)
    (folder / "README.txt").write_text("not a document", "utf-8")
    return folder


def test_a_folder_of_projects_is_known_without_being_named(tmp_path):
    corpus = load(projects(tmp_path))
    assert (corpus.documents.names, len(corpus.mentions)) == (("a", "b"), 2)
    assert load(tmp_path, format="mmax").documents.names == ("a", "b")
    assert load(tmp_path / "b.mmax").documents.names == ("b",)


def test_a_folder_of_any_files_is_read_file_by_file(tmp_path):
    for name in ("b", "a"):
        (tmp_path / f"{name}.conll").write_text(CONLL.format(name), "utf-8")
    assert load(tmp_path).documents.names == ("a", "b")
    assert load(tmp_path, format="conll").documents.names == ("a", "b")


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(DataError) as caught:
        load(tmp_path)
    assert caught.value.code == "CB102"


def test_a_file_that_is_no_document_is_left_out_of_a_folder_and_that_is_said(tmp_path):
    (tmp_path / "a.conll").write_text(CONLL.format("a"), "utf-8")
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe")
    heard = []
    corpus = load(tmp_path, strictness=Strictness(report=heard.append))
    assert corpus.documents.names == ("a",)
    assert [(finding.code, finding.severity) for finding in heard] == [("CB101", "note")]


def test_a_folder_without_any_document_is_refused(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe")
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(FormatError) as caught:
        load(tmp_path)
    assert caught.value.code == "CB101"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Thirty documents of one each, some of them a folder deeper, and a file that is none."""
    made = tmp_path / "data"
    (made / "deep" / "deeper").mkdir(parents=True)
    for number, document in enumerate(conll(1).split(b"#begin")[1:]):
        place = made if number % 3 else made / "deep" / "deeper"
        (place / f"{number:02d}.conll").write_bytes(b"#begin" + document)
    (made / "README").write_text("not a corpus")
    (made / ".hidden.conll").write_text("not seen")
    return made


def names(where: str) -> list[str]:
    return list(cb.load(where).documents.names)


def test_files_are_read_in_the_order_of_their_names(folder: Path) -> None:
    assert names(f"{folder}/*.conll") == [f"doc{n}" for n in range(30) if n % 3]
    assert names(f"{folder}/**/*.conll") == [f"doc{n}" for n in (*(n for n in range(30) if n % 3), *range(0, 30, 3))]
    assert names(f"{folder}/[01]?.conll") == [f"doc{n}" for n in range(20) if n % 3]


def test_a_folder_that_matches_is_read_once(folder: Path) -> None:
    assert sorted(names(f"{folder}/**")) == sorted(names(str(folder)))
    assert names(f"{folder}/de*") == [f"doc{n}" for n in range(0, 30, 3)]
    assert matching_paths(f"{folder}/**") == [folder]


def test_a_file_that_is_called_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    odd = tmp_path / "a[1].conll"
    odd.write_bytes(conll(1, documents=2))
    (tmp_path / "a1.conll").write_bytes(conll(1, documents=3))
    assert not is_pattern(odd)
    assert len(cb.load(odd)) == 2


@pytest.mark.parametrize("pattern", ["*.nothing", "missing/*.conll"])
def test_where_nothing_matches_it_is_said_what_was_looked_for(folder: Path, pattern: str) -> None:
    with pytest.raises(DataError) as caught:
        cb.load(f"{folder}/{pattern}")
    error = caught.value
    assert error.code == "CB159"
    assert error.place.source == f"{folder}/{pattern}"
    assert error.found.startswith("no folder" if "missing" in pattern else "01.conll, 02.conll")


def run(*words: object) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("how", [[], ["--jobs", "2", "--engine", "serial"]])
def test_commands_take_patterns_for_folders(folder: Path, tmp_path: Path, how: list[str]) -> None:
    pattern = f"{folder}/**/*.conll"
    one = tmp_path / "one.conll"
    one.write_bytes(conll(1))
    described = [json.loads(run("stats", at, "-f", "json", *how)) for at in (pattern, one)]
    assert {**described[0], "corpus": ""} == {**described[1], "corpus": ""}
    assert '"f1": 1.0' in run("score", one, pattern, "-f", "json", *how)
    assert "no problems found" in run("check", pattern, *how)
    run("convert", pattern, tmp_path / "out.jsonl", *how)
    assert len(cb.load(tmp_path / "out.jsonl")) == 30
    run("convert", pattern, f"{tmp_path}/out/", "--output-format", "jsonlines", *how)
    assert (tmp_path / "out" / "deep" / "deeper" / "00.jsonlines").is_file()


def test_a_run_of_a_pattern_knows_its_files(folder: Path, tmp_path: Path) -> None:
    pattern, kept = f"{folder}/*.conll", tmp_path / "x.corefrun"
    run("score", pattern, pattern, "--run", kept)
    before = cb.open_run(kept).header.inputs[0]
    assert before.format == "conll"
    assert before.bytes == sum(path.stat().st_size for path in matching_paths(pattern))
    (folder / "01.conll").rename(folder / "99.conll")
    run("score", pattern, pattern, "--run", kept)
    assert cb.open_run(kept).header.inputs[0].sha256 != before.sha256


def test_numbered_files_go_into_a_folder(tmp_path: Path) -> None:
    (tmp_path / "one.conll").write_bytes(conll(1, documents=3))
    result = CliRunner().invoke(app, ["convert", f"{tmp_path}/one.conll", f"{tmp_path}/out.jsonl", "--shard-size", "2"])
    assert isinstance(result.exception, cb.UsageError)
    assert "folder" in str(result.exception)


def test_what_a_killed_conversion_leaves_is_not_read(tmp_path: Path) -> None:
    from tests.conll import conll as document

    unfinished = tmp_path / ".converting-x1"
    unfinished.mkdir()
    (tmp_path / "a.conll").write_bytes(document("(1)", name="a"))
    (unfinished / "b.conll").write_bytes(document("(1)", name="b"))
    assert load(tmp_path).documents.names == ("a",)


def test_what_a_killed_conversion_leaves_of_several_files_is_not_read(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / ".converting-x1"):
        folder.mkdir(exist_ok=True)
        (folder / "d.txt").write_text("Ann ran.")
        (folder / "d.ann").write_text("T1\tPer 0 3\tAnn\n")
    assert len(load(tmp_path, format="brat")) == 1
    assert len(load(tmp_path)) == 1


def test_an_unreadable_folder_is_not_called_empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    # Tests may run as root, who may read everything.
    monkeypatch.setattr("os.scandir", refuse)
    with pytest.raises(DataError) as error:
        load(tmp_path, format="conll")
    assert (error.value.code, error.value.found) == ("CB006", "Permission denied")
