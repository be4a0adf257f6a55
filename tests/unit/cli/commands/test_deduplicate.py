"""``corefbench deduplicate``: what it drops, writes, reports and draws."""

import csv
import io
import json
from functools import partial

import pytest

from corefbench.errors import MissingExtra, UsageError
from corefbench.formats.load import load
from tests import cli
from tests.conll import conll


def document(name: str, words: str) -> bytes:
    return conll(*["-"] * len(words.split()), name=name, words=words.split())


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.conll"
    path.write_bytes(
        document("short", "to be or not")
        + document("long", "to be or not to be , that is the question")
        + document("other", "once upon a time")
    )
    return path


run = partial(cli.run, "deduplicate")


def test_the_longer_is_kept_and_the_report_says_why(corpus, tmp_path):
    kept = tmp_path / "kept.conll"
    result = json.loads(run(corpus, "-o", kept, "--format", "json"))
    assert (result["documents"], result["kept"]) == (3, 2)
    assert result["dropped"] == [
        {
            "document": "short_0",
            "duplicate_of": "long_0",
            "ratio": 1.0,
            "shared": 4,
            "words": 4,
            "other_words": 11,
            "index": 0,
            "other_index": 1,
        }
    ]
    assert load(kept).documents.names == ("long", "other")


def test_what_leaked_from_another_corpus_is_dropped(corpus, tmp_path):
    test = tmp_path / "test.conll"
    test.write_bytes(document("t", "once upon a time there was"))
    rows = list(csv.DictReader(io.StringIO(run(corpus, "--between", test, "--format", "csv"))))
    assert [(row["Dropped"], row["Duplicate of"]) for row in rows] == [("other_0", "t_0")]


def test_threshold_bag_and_case_can_be_chosen(corpus):
    text = run(corpus, "--threshold", "0.3", "--bag", "set", "--ignore-case")
    assert "ratio > 0.3; bag: set" in text
    with pytest.raises(UsageError):
        run(corpus, "--threshold", "2")


def test_a_chart_is_drawn(corpus, tmp_path):
    pytest.importorskip("altair")
    chart = tmp_path / "duplicates.svg"
    try:
        run(corpus, "--chart", chart, "--format", "html")
    except MissingExtra:
        pytest.skip("vl-convert is not installed")
    assert "1 of 3 documents dropped" in chart.read_text(encoding="utf-8")
