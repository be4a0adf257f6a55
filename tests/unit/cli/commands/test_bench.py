"""``corefbench bench``: what it prints, writes, keeps and refuses."""

import csv
import io
import json
from functools import partial
from html.parser import HTMLParser

import pytest

from corefbench.errors import UnknownName, UsageError
from corefbench.runs import open_run
from tests import cli
from tests.unit.bench.texts import CONLLU

RESOLVERS = ("--resolvers", "kb,most-recent,cogniac")
ANNOTATED = ("--mode", "annotated", *RESOLVERS)


run = partial(cli.run, "bench")


@pytest.fixture
def corpus(tmp_path):
    path = tmp_path / "corpus.conllu"
    path.write_bytes(CONLLU)
    return path


class Page(HTMLParser):
    """Reads a page and remembers whether its elements were closed in order."""

    VOID = frozenset({"meta", "br", "img", "link"})

    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.cells = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(tag)

    def handle_data(self, data):
        if self.open and self.open[-1] == "td":
            self.cells.append(data)


def test_json_has_the_keys_that_programs_rely_on(corpus):
    result = json.loads(run(corpus, *ANNOTATED, "--format", "json"))
    assert (result["documents"], result["words"], result["mode"]) == (2, 19, "annotated")
    assert result["preprocessing"] == "conllu"
    assert [*result["resolvers"]] == ["kennedy-boguraev", "most-recent", "cogniac"]
    recent = result["resolvers"]["most-recent"]
    # she, him and her are right, it is the dog and not the cat
    assert recent["success_rate"] == recent["precision"] == recent["recall"] == 0.75
    assert recent["anaphors"] == 4
    names = ("critical_success_rate", "critical_success_rate_shared", "non_trivial_success_rate")
    names += ("recall_identified", "etiquette", "resolution_rate", "anchor_recall", "conll")
    assert all(0 <= recent[name] <= 1 for name in names)
    assert recent["scores"]["muc"].keys() == {"recall", "precision", "f1"}
    assert recent["signature"].startswith("most-recent|mode:annotated|")


def test_the_table_has_a_row_a_resolver_and_the_tables_of_the_papers(corpus):
    output = run(corpus, *ANNOTATED)
    assert "annotated mode, gold mentions, pre-processing conllu" in output
    for caption in (
        "Barbu & Mitkov 2001, Table 1",
        "Barbu & Mitkov 2001, Table 2",
        "by place and form",
        "Byron 2001",
        "McNemar's exact test",
    ):
        assert caption in output
    for pair in ("kennedy-boguraev : most-recent", "most-recent : cogniac"):
        assert pair in output


def test_brief_is_the_comparison_alone(corpus):
    output = run(corpus, *ANNOTATED, "--brief", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(output)))
    assert [row["Resolver"] for row in rows] == ["kennedy-boguraev", "most-recent", "cogniac"]
    assert rows[1]["Success"] == "75.00"


@pytest.mark.parametrize("name", ["markdown", "latex", "csv", "html"])
def test_other_formats_have_the_resolvers_too(corpus, name):
    output = run(corpus, *ANNOTATED, "--format", name)
    assert "kennedy-boguraev" in output
    assert "75.00" in output


def test_the_report_is_a_page_with_every_pronoun_and_answer(corpus, tmp_path):
    path = tmp_path / "made" / "report.html"
    run(corpus, *ANNOTATED, "--report", path)
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert page.faults == []
    assert page.open == []
    assert "✓ right, ✗ wrong, ○ left alone, + not anaphoric" in text
    assert "The dog saw a cat . [It] barked ." in text
    assert "✓ Ann" in page.cells
    assert "✗ a cat" in page.cells
    assert not {"script", "link", "img"} & {tag for tag in ("script", "link", "img") if tag in text}


def test_what_a_text_says_is_escaped_in_the_report(tmp_path):
    path = tmp_path / "evil.conllu"
    path.write_bytes(CONLLU.replace(b"\tTom\t", b"\t<script>\t"))
    text = run(path, *ANNOTATED, "--format", "html")
    assert "<script>" not in text
    assert "&lt;script&gt;" in text
    assert Page(text).faults == []


def test_a_pronoun_that_is_not_anaphoric_is_marked_when_it_is_answered(tmp_path):
    path = tmp_path / "x.conllu"
    path.write_bytes(CONLLU.replace(b"Entity=(e1-animal-1-)", b"_"))
    text = run(path, *RESOLVERS, "--mode", "annotated", "--mentions", "predicted", "-f", "html")
    assert "+ a cat" in Page(text).cells


def test_the_run_file_holds_what_was_printed(corpus, tmp_path):
    path = tmp_path / "x.corefrun"
    output = json.loads(run(corpus, *ANNOTATED, "--format", "json", "--run", path))
    opened = open_run(path)
    bench = opened.bench
    key = opened.header.inputs[0]
    assert (key.name, key.format, key.bytes) == ("corpus.conllu", "corefud", len(CONLLU))
    assert [*opened.results] == [*output["resolvers"]]
    assert [p.resolver for p in bench.performances] == [*output["resolvers"]]
    assert bench["most-recent"].rates.success_rate.value == 0.75
    assert bench.corpus == output["corpus"]


def test_two_processes_print_what_one_does(corpus):
    item, two = (json.loads(run(corpus, *ANNOTATED, "--format", "json", "--jobs", jobs)) for jobs in (1, 2))
    for result in (item, two):
        del result["preprocessing_words_per_second"]
        for values in result["resolvers"].values():
            del values["words_per_second"]
    assert item == two


def test_an_unknown_resolver_is_answered_with_the_nearest(corpus):
    with pytest.raises(UnknownName, match="did you mean most-recent"):
        run(corpus, "--resolvers", "most-resent")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--mode", "manual"),
        ("--match", "loose"),
        ("--mentions", "silver"),
        ("--format", "pdf"),
        ("--resolvers", "random(sed=1)"),
        ("--profile", "no-such-profile"),
    ],
)
def test_nonsense_is_refused(corpus, arguments):
    with pytest.raises((UsageError, UnknownName)):
        run(corpus, "--mode", "annotated", *arguments)


def test_exit_codes_tell_usage_from_data(corpus, tmp_path, monkeypatch, capsys):
    code = partial(cli.exit_code, monkeypatch, "bench")
    empty = tmp_path / "empty.conll"
    empty.write_bytes(b"")
    assert code(corpus, *ANNOTATED, "--brief") == 0
    assert code(corpus, "--resolvers", "nobody") == 2
    assert code(tmp_path / "none.conll") == 3
    assert code(empty) == 3
    assert "CB102" in capsys.readouterr().err


def test_the_bundled_corpus_is_compared_on_raw_text():
    pytest.importorskip("onnxruntime")
    result = json.loads(run("bundled", "--resolvers", "kb,random", "--format", "json"))
    assert result["documents"] == 17
    assert result["mode"] == "automatic"
    kb, random = (values["success_rate"] for values in result["resolvers"].values())
    assert kb > random
