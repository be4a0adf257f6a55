"""``corefbench stats``: what it prints, writes, draws and refuses."""

import csv
import io
import json
import struct
from functools import partial
from importlib.util import find_spec

import pytest

from corefbench.errors import MissingExtra, UsageError
from tests import cli
from tests.conll import conll

WORDS = ["Ann", "left", "her", "dog"]


@pytest.fixture
def corpus(tmp_path):
    """Two documents of two genres: chains of 2 and 1 mentions, and of 1."""
    path = tmp_path / "test.conll"
    first = conll("(1)", "-", "(1)|(2", "2)", name="bn/a", words=WORDS)
    path.write_bytes(first + conll("(1)", "-", name="nw/b", words=["Bob", "ran"]))
    return path


run = partial(cli.run, "stats")


def test_json_has_the_keys_that_programs_rely_on(corpus):
    result = json.loads(run(corpus, "--format", "json"))
    names = ("documents", "sentences", "tokens", "mentions", "chains", "singletons")
    assert [result[name] for name in names] == [2, 2, 6, 4, 3, 2]
    assert (result["coreferent_chains"], result["singleton_rate"]) == (1, 0.5)
    assert result["distributions"]["chain_size"] == {"1": 2, "2": 1}
    assert result["oov_rate"] is None


def test_training_gives_the_rates(corpus, tmp_path):
    train = tmp_path / "train.conll"
    train.write_bytes(conll("-", "-", "-", words=["Ann", "left", "home"]))
    result = json.loads(run(corpus, "--train", train, "--low-frequency", 1, "--format", "json"))
    # her, dog, Bob, ran are unknown of Ann left her dog Bob ran
    assert result["oov_rate"] == result["low_frequency_rate"] == 4 / 6
    assert (result["training_documents"], result["training_tokens"]) == (1, 3)


def test_by_genre_there_is_a_row_a_genre_and_one_of_all(corpus):
    rows = list(csv.DictReader(io.StringIO(run(corpus, "--by", "genre", "--format", "csv"))))
    assert [(row["Genre"], row["Mentions"]) for row in rows] == [("bn", "3"), ("nw", "1"), ("all", "4")]


def test_groups_stand_in_the_json_too(corpus):
    result = json.loads(run(corpus, "--by", "genre", "--format", "json"))
    assert result["by"] == "genre"
    assert {name: group["mentions"] for name, group in result["groups"].items()} == {"bn": 3, "nw": 1}


def test_scope_and_selection_are_taken_from_the_options(corpus):
    result = json.loads(run(corpus, "--scope", "corpus", "--format", "json"))
    assert (result["scope"], result["chains"], result["singletons"]) == ("corpus", 2, 1)
    result = json.loads(run(corpus, "--only", "genre=nw", "--format", "json"))
    assert (result["documents"], result["mentions"]) == (1, 1)


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("table", "Singleton rate (%)"),
        ("markdown", "| Singleton rate (%) | 50.00 |"),
        ("latex", r"Singleton rate (\%) & 50.00 \\"),
        ("csv", "Singleton rate (%),50.00"),
    ],
)
def test_every_format_has_the_rate(corpus, format, line):
    assert line in run(corpus, "--format", format)


def test_output_goes_to_a_file(corpus, tmp_path):
    path = tmp_path / "new" / "stats.json"
    assert run(corpus, "--format", "json", "--output", path) == ""
    assert json.loads(path.read_text(encoding="utf-8"))["mentions"] == 4


@pytest.mark.parametrize(
    "arguments",
    [("--format", "pdf"), ("--scope", "planet"), ("--only", "genre"), ("--by", "author"), ("--chart", "sizes.pdf")],
)
def test_nonsense_is_refused(corpus, arguments):
    with pytest.raises(UsageError):
        run(corpus, *arguments)


def test_a_chart_without_its_packages_names_the_extra(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr("corefbench.report.charts.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"corefbench\[charts\]"):
        run(corpus, "--chart", tmp_path / "sizes.svg")


needs_charts = pytest.mark.skipif(
    find_spec("altair") is None or find_spec("vl_convert") is None, reason="the extra charts is not installed"
)


@needs_charts
@pytest.mark.parametrize("options", [(), ("--by", "genre"), ("--train", "-")])
def test_charts_are_drawn(corpus, tmp_path, options):
    options = [str(corpus) if option == "-" else option for option in options]
    run(corpus, *options, "--chart", tmp_path / "sizes.svg")
    run(corpus, *options, "--chart", tmp_path / "sizes.png")
    drawn = (tmp_path / "sizes.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert "Chain size (mentions)" in drawn
    head = (tmp_path / "sizes.png").read_bytes()[:24]
    width, height = struct.unpack(">II", head[16:])
    assert head.startswith(b"\x89PNG")
    assert width > 400 < height
