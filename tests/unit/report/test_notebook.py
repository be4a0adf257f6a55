"""What a notebook shows: everything it is asked to, small, escaped, and without scripts."""

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest

import corefbench as cb
from corefbench.datasets.bundled import load_bundled
from corefbench.errors import UsageError
from corefbench.report.notebook import MAX_WORDS
from corefbench.runs.record import record_scores

HOSTILE = "<img src=x onerror=alert(1)>"
KEY = f"""#begin document ({HOSTILE}); part 000
{HOSTILE}\t0\t0\tAnn\t(0)
{HOSTILE}\t0\t1\t<b>saw</b>\t-
{HOSTILE}\t0\t2\therself\t(0)

#end document
""".encode()


class _Balanced(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        self.tags.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def shown(thing: Any) -> str:
    """What IPython would show."""
    result: str = thing._repr_html_()
    parser = _Balanced()
    parser.feed(result)
    assert not parser.open
    assert not parser.tags & {"script", "img", "iframe", "link", "html", "body"}
    assert result.startswith('<div class="corefbench">')
    return result


def words(html: str) -> str:
    return re.sub(r"<style>.*?</style>|<[^>]+>", "", html, flags=re.DOTALL)


@pytest.fixture(scope="module")
def corpus() -> cb.Corpus:
    return cb.load(KEY, format="conll")


@pytest.fixture(scope="module")
def result() -> cb.Result:
    return cb.score(KEY, KEY)


def test_a_corpus_lists_its_documents(corpus: cb.Corpus) -> None:
    result = shown(corpus)
    assert "&lt;img src=x" in result
    assert "1 documents" in words(result)


def test_a_document_is_its_text_with_numbered_chains(corpus: cb.Corpus) -> None:
    assert "[Ann]1 &lt;b&gt;saw&lt;/b&gt; [herself]1" in words(shown(corpus[0]))


def test_a_document_with_a_text_keeps_it() -> None:
    document = cb.load(b"Ann  slept.\n\nShe <snored>.", format="text")[0]
    assert "Ann  slept." in words(shown(document))
    assert "She &lt;snored&gt;." in words(shown(document))


def test_long_documents_end_with_how_much_is_left() -> None:
    lines = "".join(f"d\t0\t{n}\tword\t-\n" for n in range(MAX_WORDS + 7))
    text = f"#begin document (d); part 000\n{lines}\n#end document\n"
    result = shown(cb.load(text.encode(), format="conll")[0])
    assert "7 more words" in result
    assert len(result) < 40_000


def test_a_result_is_its_table_with_the_signature(result: cb.Result) -> None:
    made = shown(result)
    assert "100.00" in made
    assert "<summary>Signature</summary>" in made


def test_a_comparison_marks_what_differs(result: cb.Result) -> None:
    made = shown(cb.compare({"one": result, "two": result}))
    assert "one" in made
    assert "\ue000" not in made


def test_a_bench_and_its_run_show_the_rates() -> None:
    plan = cb.Plan(resolvers=("most-recent",), mode="annotated")
    assert "most-recent" in shown(cb.run_bench(load_bundled(), plan))


def test_a_run_shows_scores_and_origin() -> None:
    run = record_scores(KEY, {"system": KEY}, "conll-2012", created=datetime(2026, 1, 2, tzinfo=UTC))
    result = words(shown(run))
    assert "The run" in result
    assert "2026-01-02" in result


def test_a_resolution_shows_decisions() -> None:
    answer = cb.resolver("most-recent").resolve(cb.read_text("Ann slept. She snored."))
    result = words(shown(answer))
    assert "[Ann]1 slept. [She]1 snored." in result
    assert "What most-recent decided" in result


def test_styles_stay_within_the_cell(result: cb.Result) -> None:
    styles = re.findall(r"<style>(.*?)</style>", cb.render(result), re.DOTALL)
    selectors = [item for rule in styles[0].split("}") if rule for item in rule.split("{")[0].split(",")]
    assert all(selector.startswith(".corefbench") for selector in selectors)
    assert not re.search(r"(?<![-\w])(?:color|background):#", styles[0])


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(UsageError, match="cannot be drawn"):
        cb.render(42)
