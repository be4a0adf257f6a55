"""``corefbench datasets`` and the loaders by name."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from corefbench.cli.main import app
from corefbench.datasets import CATALOGUE, load_dataset
from corefbench.datasets.load import dataset_files, is_available
from corefbench.errors import DataError, UnknownName
from corefbench.formats import formats
from tests.conll import conll
from tests.data import data

RUN = CliRunner()


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_card_says_where_how_and_under_which_licence(name: str) -> None:
    card = CATALOGUE[name]
    assert re.match(r"https?://\S+$", card.where)
    assert all((card.title, card.what, card.licence, card.reference, card.how))
    assert not card.format or card.format in formats


def test_the_list_and_one_card_are_printed() -> None:
    listed = RUN.invoke(app, ["datasets"]).stdout
    assert all(name in listed for name in CATALOGUE)
    assert "CC BY 4.0" in RUN.invoke(app, ["datasets", "litbank"]).stdout
    report = json.loads(RUN.invoke(app, ["datasets", "gum", "--format", "json"]).stdout)
    assert report["name"] == "gum"


def test_an_unknown_name_gets_a_suggestion() -> None:
    result = RUN.invoke(app, ["datasets", "litbenk"])
    assert isinstance(result.exception, UnknownName)
    assert "litbank" in result.exception.remedy


def test_a_corpus_is_read_from_the_folder_of_the_data(tmp_path: Path) -> None:
    folder = tmp_path / "gum" / "ontogum-conll"
    folder.mkdir(parents=True)
    for name in ("GUM_a", "GUM_b"):
        (folder / f"{name}.conll").write_bytes(conll("(1)", "(1)", name=name))
    (tmp_path / "gum" / "splits.md").write_text("# Splits\n\n## dev\n\n  * GUM_b\n")
    assert load_dataset("ontogum", root=tmp_path).documents.names == ("GUM_a", "GUM_b")
    assert load_dataset("ontogum/dev", root=tmp_path).documents.names == ("GUM_b",)
    with pytest.raises(UnknownName):
        load_dataset("ontogum/nothing", root=tmp_path)


def test_what_is_not_there_is_said_with_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("litbank", "ontonotes"):
        with pytest.raises(DataError) as error:
            load_dataset(name, root=tmp_path)
        assert error.value.code == "CB158"
        assert CATALOGUE[name].where in error.value.remedy
    monkeypatch.delenv("COREFBENCH_DATA", raising=False)
    assert not is_available("litbank")


@pytest.mark.parametrize(("name", "documents"), [("train", 177), ("dev", 30), ("test", 30), ("test2", 26)])
def test_gum_is_divided_as_published(name: str, documents: int) -> None:
    root = data("gum").parent
    for corpus in ("gum", "ontogum", "gum-conll"):
        assert len(dataset_files(f"{corpus}/{name}", root=root)) == documents


def test_litbank_has_its_published_size() -> None:
    corpus = load_dataset("litbank", root=data("litbank").parent)
    assert (len(corpus), len(corpus.tokens)) == (100, 210_532)
    assert (len(corpus.mentions), len(corpus.chains)) == (29_103, 7_927)
    assert len(dataset_files("litbank/0/test", root=data("litbank").parent)) == 10


@pytest.mark.slow
def test_ecbplus_is_divided_by_topic() -> None:
    root = data("ecbplus").parent
    sizes = [len(load_dataset(f"ecbplus/{part}", root=root)) for part in ("dev", "test")]
    assert sizes == [196, 206]
