"""Opening folders: formats that know which files are documents, and folders of any files."""

from pathlib import Path

import pytest

from corefbench.errors import DataError, FormatError
from corefbench.findings import Strictness
from corefbench.formats import formats
from corefbench.formats.ecbplus import EcbPlus
from corefbench.formats.load import load
from corefbench.formats.mmax import Mmax
from corefbench.model.builder import CorpusBuilder

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
