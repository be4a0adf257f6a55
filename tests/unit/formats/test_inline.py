"""Inline brackets: worked samples, alignment with a source, round trips, faults."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Finding, Strictness
from corefbench.errors import FormatError
from corefbench.formats.base import Reading
from corefbench.formats.inline import Inline
from corefbench.formats.source import Source
from corefbench.formats.winobias import WinoBias
from tests.unit.formats.roundtrip import assert_stable, contents, read, read_leniently, written
from tests.unit.formats.text_corpora import corpora, kept

FORM = Inline()


def chains(corpus: Corpus, document: int = 0) -> dict[str, list[str]]:
    return {c.label: [m.text for m in c.mentions] for c in corpus[document].chains}


def test_brackets_nest_and_carry_labels() -> None:
    corpus = read(FORM, "[John]1 said [[his]1 mother]2 left.")
    assert chains(corpus) == {"1": ["John", "his"], "2": ["his mother"]}
    assert corpus[0].text == "John said his mother left."


@pytest.mark.parametrize(
    ("text", "label"), [("[Ann]1", "1"), ("[Ann]e_1", "e_1"), ("[Ann]{Ann Lee}", "Ann Lee"), ("[Ann](#7)", "7")]
)
def test_a_label_is_bare_or_in_braces_or_a_link(text: str, label: str) -> None:
    assert chains(read(FORM, text)) == {label: ["Ann"]}


def test_a_backslash_makes_a_bracket_text() -> None:
    corpus = read(FORM, r"A \[sic\] and a \\ and [a \]]1")
    assert corpus[0].text == r"A [sic] and a \ and a ]"
    assert chains(corpus) == {"1": ["a ]"]}


def test_headers_name_documents_and_parts() -> None:
    text = "# document a b\n\n[I]1 am.\n\nYou are.\n\n# document c; part 3\n\n\\# document x\n"
    corpus = read(FORM, text)
    assert corpus.documents.names == ("a b", "c")
    assert corpus.documents.parts.tolist() == [-1, 3]
    assert [document.text for document in corpus] == ["I am.\n\nYou are.", "# document x"]
    assert_stable(FORM, corpus)


def test_a_label_before_a_letter_stands_in_braces() -> None:
    corpus = read(FORM, "[un]{1}done")
    assert corpus[0].words == ["un", "done"]
    assert b"[un]{1}done" in written(FORM, corpus)


def test_a_mention_that_crosses_an_earlier_one_is_left_out() -> None:
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["a", "b", "c", "d"])
    for label, span in (("1", (0, 3)), ("2", (2, 4)), ("3", (1, 2))):
        build.mention(label, [span])
    assert written(FORM, build.finish()) == b"# document d\n\n[a [b]3 c]1 d\n\n\n"


SOURCE = "Ann Lee met her old friend Bob. He didn't smile, and she left him there."


def aligned(text: str, source: object = SOURCE) -> tuple[Corpus, list[Finding]]:
    heard: list[Finding] = []
    form = Inline(source_text=source)  # type: ignore[arg-type]
    return read(form, text, strictness=Strictness(report=heard.append)), heard


def test_a_faithful_copy_is_read_as_it_stands() -> None:
    corpus, heard = aligned(
        "[Ann Lee]1 met [[her]1 old friend Bob]2. [He]2 didn't smile, and [she]1 left [him]2 there."
    )
    assert not heard
    assert chains(corpus) == {"1": ["Ann Lee", "her", "she"], "2": ["her old friend Bob", "He", "him"]}
    assert corpus[0].text == SOURCE


def test_dropped_added_and_changed_words_do_not_move_mentions() -> None:
    corpus, heard = aligned("Well, [Ann  Lee]1 met [[her]1 best friend Bob]2! [He]2 did n't grin; [she]1 left [him]2.")
    assert chains(corpus) == {"1": ["Ann Lee", "her", "she"], "2": ["her old friend Bob", "He", "him"]}
    assert [(f.code, f.severity) for f in heard] == [("CB146", "warning")]
    assert "Well" in heard[0].found


def test_a_mention_without_a_place_is_reported_and_left_out() -> None:
    corpus, heard = aligned("[Ann Lee]1 met [her]1 old friend Bob. [Zyxw]3 [zyxw]3 [qqq]3 He")
    assert chains(corpus) == {"1": ["Ann Lee", "her"]}
    assert [f.found for f in heard][:3] == ["Zyxw", "zyxw", "qqq"]
    assert all(f.code == "CB146" and f.place.line == 1 for f in heard)


def test_the_source_may_be_texts_by_name_or_a_corpus() -> None:
    text = "# document d\n\n[Ann]1 met [her]1 friend\n"
    by_name, _ = aligned(text, {"d": SOURCE})
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["Ann", "Lee", "met", "her"])
    build.sentence(["friend"])
    by_corpus, _ = aligned(text, build.finish())
    assert chains(by_name) == chains(by_corpus) == {"1": ["Ann", "her"]}
    assert by_corpus[0].sentences == [(0, 4), (4, 5)]
    assert by_corpus[0].text is None
    for source in ({"e": SOURCE}, read(FORM, "x")):
        with pytest.raises(FormatError) as caught:
            aligned(text, source)
        assert caught.value.code == "CB140"


def test_the_source_may_lie_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text(SOURCE)
    (tmp_path / "d.inline").write_text("[Ann Lee]1 met [her]1 friend")
    corpus = next(FORM.read(Source.of(tmp_path / "d.inline"), Reading()))
    assert corpus[0].text == SOURCE
    assert chains(corpus) == {"1": ["Ann Lee", "her"]}


@given(st.lists(st.booleans(), min_size=16, max_size=16))
def test_whatever_is_dropped_the_other_mentions_find_their_words(keep: list[bool]) -> None:
    words = [f"w{n}" for n in range(16)]
    copy = " ".join(f"[{w}]{n}" for n, (w, k) in enumerate(zip(words, keep, strict=True)) if k)
    if copy:
        corpus, heard = aligned(copy, " ".join(words))
        assert not heard
        assert chains(corpus) == {str(n): [w] for n, w in enumerate(words) if keep[n]}


def test_the_format_recognises_itself_and_no_other() -> None:
    assert FORM.recognises(b"# document d\n\n[Ann]1 left.\n") == 0.9
    assert FORM.recognises(b"[Ann]1 left.\n") == 0.6
    assert FORM.recognises(b"1 [The cook] saw [her].\n") == 0
    assert FORM.recognises(b"# newdoc id = d\n1\tx\n") == 0
    assert FORM.recognises(b'{"sentences": [["a]1"]]}') == 0
    assert FORM.recognises(b"") == 0


REPAIRED = {
    "a bracket that is not closed": ("CB105", "Well [Ann left.", {"1": ["Ann"]}),
    "a bracket that is not opened": ("CB104", "Well Ann]2 left.", {"1": ["Ann"]}),
    "no label": ("CB147", "Well [Bob] left.", {"1": ["Ann"]}),
    "empty braces": ("CB147", "Well [Bob]{} left.", {"1": ["Ann"]}),
    "open braces": ("CB147", "Well [Bob]{2 left.", {"1": ["Ann"]}),
    "an empty link": ("CB147", "Well [Bob](#) left.", {"1": ["Ann"]}),
    "no text": ("CB112", "Well []2 left.", {"1": ["Ann"]}),
    "blanks for text": ("CB112", "Well [ ]2 left.", {"1": ["Ann"]}),
    "an empty mention in another": ("CB112", "Well [[]3 Bob]2.", {"1": ["Ann"], "2": ["Bob"]}),
    "a label before a blank": ("CB147", "Well [Bob] 2 left.", {"1": ["Ann"]}),
    "a bare bracket": ("CB104", "Well ] left.", {"1": ["Ann"]}),
    "an open bracket at the end": ("CB105", "Well left [", {"1": ["Ann"]}),
    "a backslash before a closing": ("CB105", r"Well [Bob\]2", {"1": ["Ann"]}),
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault: str) -> None:
    code, line, left = REPAIRED[fault]
    text = f"# document d\n\n[Ann]1 ran.\n{line}\n"
    with pytest.raises(FormatError) as caught:
        read(FORM, text)
    assert (caught.value.code, caught.value.place.line) == (code, 4)
    corpus, heard = read_leniently(FORM, text)
    assert [(f.code, f.severity, f.place.line) for f in heard] == [(code, "repair", 4)]
    assert chains(corpus) == left
    assert_stable(FORM, corpus)


@pytest.mark.parametrize(
    ("code", "content"), [("CB102", b""), ("CB103", b"[A\xff]1"), ("CB103", "[A]1".encode("utf-16"))]
)
def test_what_cannot_be_read_is_refused(code: str, content: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        read(FORM, content)
    assert caught.value.code == code


def test_a_long_document_is_parsed_in_a_moment() -> None:
    corpus = read(FORM, "[Ann]1 saw [[her]1 dog]2. " * 20_000)
    assert len(corpus.mentions) == 60_000


@given(corpora(crossing=False))
def test_what_is_written_is_read_again(corpus: Corpus) -> None:
    again = read(FORM, written(FORM, corpus))
    assert kept(again, labels=True) == kept(corpus, labels=True)
    assert_stable(FORM, again)


@given(corpora())
def test_what_crosses_goes_and_the_rest_is_read_again(corpus: Corpus) -> None:
    again = read(FORM, written(FORM, corpus))
    assert len(again.mentions) <= len(corpus.mentions)
    assert contents(again)["tokens.words"] == contents(corpus)["tokens.words"]
    assert_stable(FORM, again)


@given(st.text(st.sampled_from("ab .,[]\\#\n\r{}1é"), max_size=40))
def test_any_text_survives_its_brackets(text: str) -> None:
    build = CorpusBuilder("made")
    build.begin_document("d", text=text)
    from corefbench.formats.common.tokenize import segment

    for tokens in segment(text):
        build.sentence([text[a:b] for a, b in tokens], offsets=tokens)
    if build.position:
        build.mention("1", [(0, 1)])
        build.mention("a}b", [(build.position - 1, build.position)])
    corpus = build.finish()
    again = read(FORM, written(FORM, corpus))
    assert kept(again, labels=True) == kept(corpus, labels=True)
    assert again[0].text == (text if build.position else again[0].text)


def test_winobias_can_be_shown_inline() -> None:
    corpus = read(WinoBias(), "1 [The cook] met the guard because [she] ran.\n")
    assert b"[The cook]1 met the guard because [she]1 ran." in written(FORM, corpus)
