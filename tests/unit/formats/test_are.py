"""ARE: inputs and answers of the four tasks, companions, faults and round trips."""

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import FormatError, UsageError
from corefbench.formats.are import ARE, ARE1, ARE3, HOLDS, PRONOUNS
from corefbench.formats.base import Reading
from corefbench.formats.common.xml import parse
from corefbench.formats.source import Source
from tests.unit.formats.nested_corpora import corpora, told
from tests.unit.formats.roundtrip import assert_stable, read, read_leniently, written

FORM = ARE()

# The forms that Orăsan et al. (2008) print, on other words.
TASK1 = """<p>
<entity id="2">The harbour board</entity>
has told
<entity id="3">a fisherman</entity>
that
<entity id="4">it</entity>
will not hear
<entity id="5">him</entity>
.
</p>
<anaphoric_pronouns>
<pronoun id="4" value="it"/>
<pronoun id="5" value="him"/>
</anaphoric_pronouns>
"""
TASK2 = """<p>
In <entity id="18">a letter to <entity id="19">the board</entity></entity>
, even_though <entity id="24">they</entity> had read
<entity id="229"><entity id="26">the board</entity> 's answer</entity> .
</p>"""
TASK4 = """<p>
<node id="26"/>
Lund
<node id="27"/>
and
<node id="28"/>
Malmö
<node id="29"/>
said
<node id="30"/>
they
<node id="31"/>
agree
</p>"""


def chains(corpus: Corpus) -> list[list[str]]:
    return [[m.text for m in chain.mentions] for document in corpus for chain in document.chains]


def column(corpus: Corpus, name: str) -> list[str]:
    return list(corpus.mentions.columns[name])


def test_the_input_of_task_1_has_entities_and_pronouns_to_resolve():
    corpus = read(FORM, TASK1)
    assert column(corpus, "id") == ["2", "3", "4", "5"]
    assert column(corpus, "anaphoric") == ["", "", "yes", "yes"]
    assert chains(corpus) == [["The harbour board"], ["a fisherman"], ["it"], ["him"]]


def test_answers_to_task_1_link_pronouns_to_antecedents():
    answers = '<answers><pronoun id="4" antecedent="2"/><pronoun id="5"/></answers>'
    corpus = read(FORM, f"<are>{TASK1}{answers}</are>")
    assert chains(corpus) == [["The harbour board", "it"], ["a fisherman"], ["him"]]
    assert column(corpus, "antecedent") == ["", "", "2", ""]


def test_answers_find_their_words_in_the_input():
    text = read(FORM, f'<are><document id="d">{TASK1}</document></are>')
    answers = '<are><document id="d"><pronoun id="5" antecedent="3"/></document></are>'
    corpus = read(ARE(input=text), answers)
    assert corpus[0].words == text[0].words
    assert chains(corpus) == [["The harbour board"], ["a fisherman", "him"], ["it"]]
    with pytest.raises(FormatError) as caught:
        read(ARE(input=text), answers.replace('"d"', '"e"'))
    assert caught.value.code == "CB128"


def test_the_input_may_be_named_as_a_file(tmp_path):
    path = tmp_path / "d.xml"
    path.write_text(TASK1, encoding="utf-8")
    answers = '<are><document id="d"><pronoun id="5" antecedent="3"/></document></are>'
    form = ARE("1", input=str(path))
    assert form.card.name == "are-1"
    assert ["a fisherman", "him"] in chains(read(form, answers))


def test_entities_nest_and_ids_have_no_order():
    corpus = read(FORM, TASK2)
    assert column(corpus, "id") == ["18", "19", "24", "229", "26"]
    assert corpus[0].mentions[3].text == "the board 's answer"
    assert "even_though" in corpus[0].words


def test_answers_to_task_2_are_chains_of_ids_and_the_rest_are_singletons():
    answers = '<chain id="b"><entity id="19"/><entity id="26"/></chain>'
    corpus = read(FORM, f"<are>{TASK2}{answers}</are>")
    assert sorted(map(len, chains(corpus))) == [1, 1, 1, 2]
    assert [c.label for c in corpus[0].chains if len(c) == 2] == ["b"]
    assert_stable(ARE(2), corpus)


def test_a_span_runs_from_the_node_of_its_first_word_to_that_of_its_last():
    answers = '<chain><entity start="26" end="28"/><entity start="30" end="30"/></chain>'
    corpus = read(FORM, f"<are>{TASK4}{answers}</are>")
    assert chains(corpus) == [["Lund and Malmö", "they"]]
    assert list(corpus.tokens.columns["node"]) == ["26", "27", "28", "29", "30", "31"]
    task3 = '<pronoun node="30"><entity start="26" end="28"/></pronoun>'
    corpus = read(FORM, f"<are>{TASK4}{task3}</are>")
    assert chains(corpus) == [["Lund and Malmö", "they"]]
    assert column(corpus, "antecedent") == ["", "26..28"]


def test_answers_without_an_input_are_documents_of_entities_only():
    corpus = read(FORM, '<chain><entity id="10"/><entity id="9"/></chain>')
    assert corpus[0].words == ["9", "10"]
    assert chains(corpus) == [["9", "10"]]
    corpus = read(FORM, '<chain><entity start="3" end="5"/><entity start="8" end="8"/></chain>')
    assert corpus[0].words == ["3", "4", "5", "6", "7", "8"]
    assert chains(corpus) == [["3 4 5", "8"]]
    corpus = read(FORM, '<pronoun id="2" antecedent="1"/>')
    assert chains(corpus) == [["1", "2"]]


@pytest.mark.parametrize("task", [1, 2, 3, 4])
def test_input_and_answers_written_apart_are_read_together(task):
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["Ann", "said", "that", "she", "saw", "her", "."])
    for span in [(0, 1), (3, 4), (5, 6)]:
        build.mention("a", [span])
    whole = build.finish()
    text = read(FORM, written(ARE(task, "input"), whole))
    assert b"antecedent" not in written(ARE(task, "input"), whole)
    answers = written(ARE(task, "answers"), whole)
    assert b"<p>" not in answers
    assert chains(read(ARE(input=text), answers)) == [["Ann", "she", "her"]]


FAULTS = {
    "an entity without id": ("CB125", "<p>\n<entity>a</entity></p>", 2),
    "an id twice": ("CB126", '<p><entity id="1">a</entity>\n<entity id="1">b</entity></p>', 2),
    "an entity without words": ("CB129", '<p><entity id="1"/> a</p>', 1),
    "a chain of unknown ids": ("CB115", '<are><p>a</p>\n<chain><entity id="1"/></chain></are>', 2),
    "unknown nodes": ("CB115", f'<are>{TASK4}<chain><entity start="1" end="2"/></chain></are>', 14),
    "a span turned round": ("CB112", f'<are>{TASK4}<chain><entity start="28" end="26"/></chain></are>', 14),
    "an entity that names nothing": ("CB125", "<are>\n<chain><entity/></chain></are>", 2),
    "a pronoun that names nothing": ("CB125", '<are><pronoun antecedent="1"/></are>', 1),
    "an unknown antecedent": (
        "CB115",
        '<are><p><entity id="1">a</entity></p><pronoun id="1" antecedent="2"/></are>',
        1,
    ),
    "an unknown pronoun": ("CB115", '<are><p>a</p><pronoun id="1" antecedent="2"/></are>', 1),
    "an entity in two chains": (
        "CB113",
        '<are><chain><entity id="1"/></chain><chain><entity id="1"/></chain></are>',
        1,
    ),
    "a chain twice": (
        "CB126",
        '<are><chain id="c"><entity id="1"/></chain><chain id="c"><entity id="2"/></chain></are>',
        1,
    ),
    "a part that is no number": ("CB125", '<are><document id="d" part="x"><p>a</p></document></are>', 1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault):
    code, text, line = FAULTS[fault]
    with pytest.raises(FormatError) as caught:
        read(FORM, text)
    assert (caught.value.code, caught.value.place.line) == (code, line)
    corpus, heard = read_leniently(FORM, text)
    assert code in [finding.code for finding in heard]
    assert chains(read(FORM, written(FORM, corpus))) == chains(corpus)


REFUSED = {
    "nothing": ("CB102", b""),
    "not well-formed": ("CB121", b"<are><p>a</are>"),
    "a bare ampersand": ("CB121", b"<p>R & D</p>"),
    "a document type": ("CB119", b'<!DOCTYPE are [<!ENTITY a "b">]><are>&a;</are>'),
    "an entity": ("CB119", b"<are><p>&amp; &unknown;</p></are>"),
    "too deep": ("CB122", b"<are>" + b"<p>" * 210 + b"</p>" * 210 + b"</are>"),
    "UTF-16": ("CB103", "<are/>".encode("utf-16")),
    "not UTF-8": ("CB103", b"<are><p>caf\xe9</p></are>"),
    "nodes too far apart": (
        "CB112",
        b'<chain><entity start="1" end="2"/><entity start="999999999" end="999999999"/></chain>',
    ),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_what_cannot_be_read_is_refused(fault):
    code, content = REFUSED[fault]
    with pytest.raises(FormatError) as caught:
        read_leniently(FORM, content)
    assert caught.value.code == code


def test_latin_1_is_read_where_it_is_declared():
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><p>café</p>'
    assert read(FORM, text.encode("latin-1"))[0].words == ["café"]


def test_the_format_recognises_itself_and_no_task_is_guessed():
    assert [FORM.recognises(t.encode()) for t in (TASK1, TASK2, TASK4)] == [0.95, 0.7, 0.7]
    assert FORM.recognises(b'<?xml version="1.0"?><are task="2">') == 0.95
    assert ARE1().recognises(TASK1.encode()) == 0
    assert FORM.recognises(b'<COREF ID="1">a</COREF>') == 0
    assert FORM.recognises(b"#begin document (a); part 000\n") == 0
    assert (ARE1().card.name, FORM.card.name) == ("are-1", "are")


def test_there_are_four_tasks():
    for wrong in ({"task": 5}, {"kind": "key"}):
        with pytest.raises(UsageError):
            ARE(**wrong)
    with pytest.raises(UsageError):
        written(FORM, read(FORM, TASK1, words=False))


@given(corpora(HOLDS[2], same_span=True))
def test_task_2_gives_back_what_it_holds(corpus):
    check(ARE(2), corpus)


@given(corpora(HOLDS[4], same_span=True))
def test_task_4_gives_back_what_it_holds(corpus):
    check(ARE(4), corpus)


def check(form: ARE, corpus: Corpus) -> None:
    text = written(form, corpus)
    parse(text, "written")
    if not len(corpus):
        return
    again = read(form, text)
    assert told(again, form.card.holds) == told(corpus, form.card.holds)
    if "chain labels" in form.card.holds:
        assert [sorted(c.label for c in d.chains) for d in again] == [sorted(c.label for c in d.chains) for d in corpus]
    assert written(form, again) == text


@st.composite
def pronoun_corpora(draw: st.DrawFn, singletons: bool) -> Corpus:
    """Chains of one noun and its pronouns: all that tasks 1 and 3 speak of."""
    build = CorpusBuilder("made")
    build.begin_document("d")
    nouns = draw(st.integers(1, 3))
    owners = draw(st.lists(st.integers(0, nouns - 1), min_size=1, max_size=6))
    words = st.sampled_from(sorted(PRONOUNS))
    build.sentence([*(f"noun{n}" for n in range(nouns)), *(draw(words) for _ in owners)])
    for n in range(nouns):
        if singletons or n in owners:
            build.mention(str(n), [(n, n + 1)])
    for at, owner in enumerate(owners, nouns):
        build.mention(str(owner), [(at, at + 1)])
    return build.finish()


@given(pronoun_corpora(singletons=True))
def test_task_1_gives_back_the_links_of_pronouns(corpus):
    check(ARE1(), corpus)


@given(pronoun_corpora(singletons=False))
def test_task_3_gives_back_the_links_of_pronouns(corpus):
    check(ARE3(), corpus)


@given(st.text('<>entityidp /="1 ', max_size=50))
def test_no_text_makes_it_stumble(text):
    with suppress(FormatError):
        list(FORM.read(Source.of(b"<are>" + text.encode() + b"</are>"), Reading()))


@given(st.text("ab \t\n\u00a0\u2003\u0085\u00e9", max_size=20))
def test_words_are_divided_by_the_white_space_of_xml_and_no_other(text):
    corpus = read(FORM, f"<are><p>x {text}<entity id='1'>y</entity>&#13;{text}</p></are>")
    blanks = re.compile("[ \t\r\n]+")
    words = [word for word in blanks.split(f"x {text}") if word]
    start = len(words)
    assert list(corpus.tokens.words) == [*words, "y", *filter(None, blanks.split(text))]
    assert corpus.mentions.start.tolist() == [start]
