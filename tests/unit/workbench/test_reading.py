"""The reading view: marks, antecedents, reasons, and HTML that nests whatever mentions do."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

import corefbench as cb
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import UnknownName, UsageError
from corefbench.runs import write_run
from corefbench.runs.record import record_bench, record_scores
from corefbench.web.pages import Page
from corefbench.web.rendering import encode_json, script_json
from corefbench.workbench.document_text import Paragraph, join_words
from corefbench.workbench.mentions import CASES
from corefbench.workbench.routes import RENDERER, SERVER_LINKS, build_page
from corefbench.workbench.storage import Workbench
from tests.unit.bench.texts import corpus
from tests.unit.runs.samples import NOON, rich_corpus, run
from tests.unit.runs.test_record import conll
from tests.unit.workbench.samples import connect
from tests.unit.workbench.samples import html as render


@pytest.fixture
def workbench(tmp_path: Path) -> Workbench:
    """One comparison of resolvers, and one run of files of answers."""
    made = Workbench(tmp_path)
    plan = cb.Plan(resolvers=("most-recent", "mitkov"), mode="annotated")
    write_run(record_bench(cb.run_bench(corpus(), plan), created=NOON), tmp_path / "runs/pets.corefrun")
    write_run(run(), tmp_path / "runs/files.corefrun")
    return made


def read(workbench: Workbench, document: int | str, run: str = "pets", **asked: str) -> Page:
    return build_page("reading", workbench, {"run": run, "document": str(document), **asked})


def model(workbench: Workbench, document: int | str, run: str = "pets", **asked: str) -> dict[str, Any]:
    found = read(workbench, document, run, **asked).model
    assert isinstance(found, dict)
    return found


def texts(found: dict[str, Any]) -> list[str]:
    """The mentions as they read."""
    words = " ".join(" ".join(piece[1] for piece in p.pieces) for p in found["paragraphs"]).split()
    m = found["mentions"]
    return [" ".join(words[a:b]) for a, b in zip(m.start, m.end, strict=True)]


def cases(found: dict[str, Any]) -> dict[str, str]:
    names = (CASES[case].name for case in found["mentions"].case)
    return dict(zip(texts(found), names, strict=True))


def scored(key: Corpus, response: Corpus, folder: Path) -> Workbench:
    made = Workbench(folder)
    run = record_scores(key, {"r": response}, created=NOON)
    write_run(run, folder / "runs/x.corefrun")
    return made


def words(name: str, text: str, *chains: list[tuple[int, int]]) -> Corpus:
    build = CorpusBuilder(name)
    build.begin_document("d")
    build.sentence(text.split())
    build.clusters(chains)
    return build.finish()


def test_a_pronoun_is_marked_with_what_was_chosen_and_what_was_expected(workbench: Workbench) -> None:
    found = model(workbench, "second", response="most-recent")
    assert cases(found)["It"] == "wrong-link"
    (mistake,) = [one for one in found["mistakes"] if one["text"] == "It"]
    assert (mistake["chosen"], mistake["expected"], mistake["sentence"]) == ("a cat", "The dog", 2)


def test_a_pronoun_is_marked_as_success_rate_counts_it(workbench: Workbench) -> None:
    found = model(workbench, "first", response="most-recent")
    assert {name: cases(found)[name] for name in ("She", "him", "her")} == {"She": "link", "him": "link", "her": "link"}
    assert found["pronouns"] == {
        "right": 3, "wrong": 0, "missed": 0, "spurious": 0, "uncounted": 0, "alone": 0,
    }  # fmt: skip


def test_mentions_of_files_are_marked_as_the_run_marks_them(workbench: Workbench) -> None:
    from corefbench.runs.matching import mark_mentions

    document = workbench.run("files").document(0)
    for name in document.responses:
        found = model(workbench, 0, "files", response=name)["counts"]
        expected = mark_mentions(document, name)
        for mark in ("right", "wrong", "missed"):
            assert found[mark] == expected.key.count(mark)
        assert found["spurious"] == expected.response.count("spurious")


def test_the_reasons_are_there_with_candidates_before_and_after_the_filter(workbench: Workbench) -> None:
    found = model(workbench, "first", response="most-recent")
    why = found["why"]
    assert why is not None
    she = next(one for one in why["decisions"] if texts(found)[one["mention"]] == "She")
    assert she["rule"] == "most recent"
    assert why["phrases"][she["antecedent"]][0] == "Ann"
    shown = {why["phrases"][phrase][0]: dropped for phrase, dropped, _, _ in she["candidates"]}
    assert shown == {"Ann": "", "Tom": "gender"}


def test_files_of_answers_have_no_reasons_and_the_page_says_so(workbench: Workbench) -> None:
    page = read(workbench, 0, "files")
    assert page.model["why"] is None
    assert '"kind":"score"' in render(page)


def test_entities_are_listed_by_size_with_their_errors(workbench: Workbench) -> None:
    found = model(workbench, "first", response="most-recent")
    assert [(one["name"], one["size"]) for one in found["entities"][:2]] == [("Ann", 3), ("Tom", 2)]
    assert found["all_entities"] == len(found["entities"]) == 3


def test_documents_are_listed_with_the_number_of_their_errors(workbench: Workbench) -> None:
    found = model(workbench, "second", response="most-recent")
    assert [(one["number"], one["label"], one["pronoun_errors"]) for one in found["documents"]] == [
        (0, "first", 0),
        (1, "second", 1),
    ]


def test_a_comparison_is_read_for_its_pronouns_unless_all_is_asked_for(workbench: Workbench) -> None:
    assert model(workbench, 0)["show"] == "pronouns"
    assert model(workbench, 0, show="all")["show"] == "all"
    assert model(workbench, 0, "files")["show"] == "all"


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"run": "nothing", "document": "0"}, UnknownName),
        ({"run": "pets", "document": "7"}, UsageError),
        ({"run": "pets", "document": "-1"}, UnknownName),
        ({"run": "pets", "document": "0", "response": "nobody"}, UnknownName),
        ({"run": "pets", "document": "0", "show": "half"}, UnknownName),
    ],
)
def test_what_is_not_there_is_refused(workbench: Workbench, asked: dict[str, str], error: type[Exception]) -> None:
    with pytest.raises(error):
        build_page("reading", workbench, asked)


def test_the_page_can_be_read_without_scripts(workbench: Workbench) -> None:
    page = read(workbench, "second", response="most-recent")
    html = render(page, path="/runs/pets/read/1")
    assert 'class="m w p">It</span>' in html
    assert "chosen <q>a cat</q>, expected <q>The dog</q>" in html
    for inline in ("<style", " style=", "onclick"):
        assert inline not in html


def test_style_sheets_are_named_before_the_rest_is_made(workbench: Workbench) -> None:
    page = read(workbench, "second", response="most-recent")
    parts = list(RENDERER.stream(page, SERVER_LINKS, path="/here", json_url="/here.json", csrf="secret"))
    assert "reading.css?v=" in parts[0]
    assert 'class="text-block' not in parts[0]
    assert "".join(parts) == render(page)


def test_the_twin_is_the_record(workbench: Workbench) -> None:
    found = msgspec.json.decode(encode_json(read(workbench, "second")))
    assert found["label"] == "second"
    assert len(found["mentions"]["start"]) == len(found["mentions"]["case"])


def test_text_of_strangers_stays_text(tmp_path: Path) -> None:
    evil = words("e", "<script>alert(1)</script> & it", [(0, 1), (2, 3)])
    page = read(scored(evil, evil, tmp_path), 0, "x")
    html = render(page)
    assert "<script>alert" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_embedded_data_cannot_end_its_element() -> None:
    assert "</script" not in script_json({"a": "</script><!--"})


def closed(paragraph: Paragraph) -> str:
    """A paragraph with brackets for mentions; ``~`` begins one that is continued."""
    made = ""
    for opens, text, closes, space in paragraph.pieces:
        made += "".join(f"[{code} " if code >= 0 else f"[~{-1 - code} " for code in opens)
        made += text + "]" * closes + space
    return made


def test_mentions_that_cross_are_continued(tmp_path: Path) -> None:
    key = words("k", "a b c d e", [(0, 3)], [(1, 4)])
    found = model(scored(key, key, tmp_path), 0, "x")
    assert closed(next(iter(found["paragraphs"]))) == "[0 a [1 b c]] [~1 d] e"


def test_mentions_with_gaps_are_continued(tmp_path: Path) -> None:
    key = rich_corpus()
    found = model(scored(key, key, tmp_path), 0, "x")
    joined_text = " ".join(closed(paragraph) for paragraph in found["paragraphs"])
    assert "[~" in joined_text
    assert joined_text.count("[") == joined_text.count("]")


def test_nested_mentions_nest_and_equal_spans_do_too(tmp_path: Path) -> None:
    key = words("k", "the dog of Ann barks", [(0, 4)], [(3, 4)])
    response = words("r", "the dog of Ann barks", [(0, 2)], [(3, 4)])
    found = model(scored(key, response, tmp_path), 0, "x")
    assert closed(next(iter(found["paragraphs"]))) == "[0 [1 the dog] of [2 Ann]] barks"


def test_a_pronoun_that_nobody_links_is_there_too(tmp_path: Path) -> None:
    key = words("k", "It rains on Ann", [(3, 4)])
    found = model(scored(key, key, tmp_path), 0, "x")
    assert cases(found)["It"] == "alone"
    assert found["pronouns"]["alone"] == 1


def test_a_mention_that_only_the_response_has_is_spurious(tmp_path: Path) -> None:
    key = words("k", "Ann met Tom and she left", [(0, 1), (4, 5)])
    response = words("r", "Ann met Tom and she left", [(0, 1), (2, 3), (4, 5)])
    found = model(scored(key, response, tmp_path), 0, "x")
    assert cases(found) == {"Ann": "first", "Tom": "spurious", "she": "wrong-link"}


def test_a_document_that_a_response_lacks_is_missed_throughout(tmp_path: Path) -> None:
    key = conll(a="Ann(1) left and she(1) cried", b="Tom(1) lost his(1) hat")
    made = Workbench(tmp_path)
    response = conll(b="Tom(1) lost his(1) hat")
    write_run(record_scores(key, {"r": response}, created=NOON), tmp_path / "runs/x.corefrun")
    found = model(made, 0, "x")
    assert found["missing"] == "response"
    assert cases(found) == {"Ann": "missed", "she": "missed"}


def test_words_are_joined_as_they_are_printed() -> None:
    text, begin, finish = join_words(["Ann", "'s", "dog", "(", "old", ")", "barked", "."])
    assert text == "Ann's dog (old) barked."
    assert [text[a:b] for a, b in zip(begin, finish, strict=True)][2:4] == ["dog", "("]


def test_speakers_begin_paragraphs(tmp_path: Path) -> None:
    build = CorpusBuilder("k")
    build.begin_document("d")
    for who, said in (("Ann", ["I", "left"]), ("Ann", ["Bye"]), ("Tom", ["Bye"])):
        build.sentence(said, columns={"speaker": [who] * len(said)})
    build.clusters([[(0, 1)]])
    key = build.finish()
    found = model(scored(key, key, tmp_path), 0, "x")
    assert [(one.speaker, one.sentence) for one in found["paragraphs"]] == [("Ann", 1), ("Tom", 3)]


@pytest.mark.parametrize("path", ["/runs/pets/read/1", "/runs/pets/compare/1"])
def test_pages_and_twins_are_served_and_what_is_not_there_is_not(workbench: Workbench, path: str) -> None:
    pytest.importorskip("litestar.testing")

    with connect(workbench) as client:
        page, twin = client.get(path), client.get(f"{path}.json")
        assert (page.status_code, twin.status_code) == (200, 200)
        assert twin.json()["label"] == "second"
        assert "unsafe" not in page.headers["content-security-policy"]
        assert client.get(f"{path}9").status_code == 422
        assert client.get(path.replace("pets", "cats")).status_code == 404
        assert client.get(f"{path}?response=nobody&a=nobody").status_code == 404
