"""MATE: words in the same file and beside it, links, round trips and faults."""

import pytest
from hypothesis import given

from corefbench.errors import FormatError
from corefbench.formats.base import Reading
from corefbench.formats.mate import Mate
from corefbench.formats.source import Source
from tests.unit.formats.annotated_corpora import corpora, facts
from tests.unit.formats.roundtrip import read, read_leniently, written

FORM = Mate()
WORDS = """<s><w ID="w9">The</w><w ID="w2">small</w><w ID="w3">dog</w></s>
<s><w ID="w4">It</w><w ID="w5">bit</w><w ID="w6">Ann</w></s>
"""
ENTITIES = """<coref:de ID="de_2" href="{0}#id(w4)"/>
<coref:de ID="de_1" href="{0}#id(w9)..id(w3)"/>
<coref:de ID="de_3" href="{0}#id(w9),{0}#id(w6)"/>
"""
LINK = '<coref:link href="#id({0})" type="{2}"><coref:anchor href="#id({1})"/></coref:link>\n'


def text(
    words: str = WORDS, entities: str = ENTITIES.format(""), links: str = LINK.format("de_2", "de_1", "ident")
) -> str:
    return f"<text>\n{words}{entities}{links}</text>\n"


def test_ranges_follow_the_order_of_the_words_and_links_make_chains():
    corpus = read(FORM, text())
    assert corpus[0].words == ["The", "small", "dog", "It", "bit", "Ann"]
    assert corpus[0].sentences == [(0, 3), (3, 6)]
    assert [[m.parts for m in c.mentions] for c in corpus[0].chains] == [[[(0, 1), (5, 6)]], [[(0, 3)], [(3, 4)]]]


def test_links_of_other_types_are_bridging():
    relations = read(FORM, text(links=LINK.format("de_2", "de_1", "part"))).relations
    assert (relations.bridging_anaphor.tolist(), relations.bridging_label) == ([2], ("part",))
    assert relations.bridging_mention.tolist() == [1]


def test_words_stand_in_a_file_beside(tmp_path):
    (tmp_path / "words.xml").write_text(f"<words>{WORDS}</words>", "utf-8")
    path = tmp_path / "coref.xml"
    path.write_text(text(words="", entities=ENTITIES.format("words.xml")), "utf-8")
    [corpus] = FORM.read(Source.of(path), Reading())
    assert (corpus.documents.names, len(corpus.tokens)) == (("coref",), 6)
    assert len(corpus.chains) == 2


@pytest.mark.parametrize(("file", "code"), [("none.xml", "CB130"), ("../words.xml", "CB131"), ("/etc/passwd", "CB131")])
def test_a_words_file_that_is_not_there_or_not_here_is_refused(tmp_path, file, code):
    (tmp_path / "words.xml").write_text(f"<words>{WORDS}</words>", "utf-8")
    (tmp_path / "a").mkdir()
    path = tmp_path / "a" / "coref.xml"
    path.write_text(text(words="", entities=ENTITIES.format(file)), "utf-8")
    with pytest.raises(FormatError) as caught:
        list(FORM.read(Source.of(path), Reading()))
    assert caught.value.code == code


def test_a_file_with_the_namespace_declared_is_read_too():
    declared = text().replace("<text>", '<text xmlns:coref="http://mate.example/coref">')
    assert facts(read(FORM, declared)) == facts(read(FORM, text()))


def test_it_recognises_itself():
    assert FORM.recognises(text().encode()) == 0.95
    assert FORM.recognises(written(FORM, read(FORM, text()))) == 0.95
    assert FORM.recognises(b'<DOC><COREF ID="1">Ann</COREF></DOC>') == 0
    assert FORM.recognises(b"<mmax_project>") == 0


REFUSED = {
    "a word twice": ("CB126", text(words=WORDS + '<w ID="w2">x</w>')),
    "a word without an id": ("CB125", text(words=WORDS + "<w>x</w>")),
    "words in another file, in memory": ("CB130", text(entities=ENTITIES.format("words.xml"))),
    "unclosed": ("CB121", text()[:-9]),
    "an entity": ("CB119", '<!DOCTYPE a [<!ENTITY e "x">]>' + text(words="&e;")),
    "nothing": ("CB102", ""),
    "UTF-16": ("CB103", text().encode("utf-16")),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_broken_file_is_refused(fault):
    code, content = REFUSED[fault]
    with pytest.raises(FormatError) as caught:
        read_leniently(FORM, content)
    assert caught.value.code == code


def with_entity(attributes: str) -> str:
    return text(entities=f"{ENTITIES.format('')}<coref:de {attributes}/>")


REPAIRED = {
    "an entity on no word": ("CB112", with_entity('ID="x" href="#id(w77)"')),
    "a range turned round": ("CB112", with_entity('ID="x" href="#id(w6)..id(w9)"')),
    "an href of another shape": ("CB112", with_entity('ID="x" href="w1 w2"')),
    "an entity without an id": ("CB125", with_entity('href="#id(w6)"')),
    "an entity without words": ("CB125", with_entity('ID="x"')),
    "an entity twice": ("CB126", with_entity('ID="de_1" href="#id(w6)"')),
    "a link from nothing": ("CB115", text(links=LINK.format("x", "de_1", "ident"))),
    "a link to nothing": ("CB115", text(links=LINK.format("de_1", "x", "ident"))),
}


@pytest.mark.parametrize("fault", REPAIRED)
def test_a_fault_is_raised_with_its_line_or_repaired_and_reported(fault):
    code, content = REPAIRED[fault]
    with pytest.raises(FormatError) as caught:
        read(FORM, content)
    assert caught.value.code == code
    assert caught.value.place.line
    corpus, heard = read_leniently(FORM, content)
    assert [(f.code, f.severity) for f in heard] == [(code, "repair")]
    assert len(corpus.mentions) == 3


@given(corpora(FORM.card.holds))
def test_what_is_written_is_read_again(corpus):
    content = written(FORM, corpus)
    again = read(FORM, content)
    assert facts(again) == facts(corpus)
    assert written(FORM, again) == content
