"""What the exercise keeps of a corpus: sure links of four relations, between noun phrases."""

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from corefbench.are.filters import KEPT, Dropped, filtered
from corefbench.formats.load import load
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

WORDS = ["Ann", "left", "and", "Tom", "saw", "the", "doctor", "."]


def corpus(said: dict[str, Sequence[str]], upos: Sequence[str] | None = None) -> Corpus:
    """Four mentions of one chain: Ann, Tom, the doctor, and left; ``said`` are their attributes."""
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(WORDS, columns={"upos": upos} if upos else None)
    for number, span in enumerate([(0, 1), (1, 2), (3, 4), (5, 7)]):
        values = {name: some[number] for name, some in said.items() if some[number]}
        build.mention("x", [span], columns=values, head=6 if span == (5, 7) else -1)
    return build.finish()


def chains(made: Corpus) -> list[list[str]]:
    return [[m.text for m in chain.mentions] for chain in made[0].chains]


WHOLE = [["Ann", "left", "Tom", "the doctor"]]
WITHOUT_TOM = [["Ann", "left", "the doctor"], ["Tom"]]


@pytest.mark.parametrize("relation", [*KEPT, "IDENT", "identity", "generalization"])
def test_links_of_the_four_relations_are_kept(relation):
    made, dropped = filtered(corpus({"relation": ["", relation, relation, relation]}))
    assert (chains(made), dropped) == (WHOLE, Dropped())


@pytest.mark.parametrize(
    ("name", "others", "value"),
    [
        ("tag", "coref", "ucoref"),
        ("status", "", "OPT"),
        ("type", "NP", "COPULAR"),
        ("type", "NP", "apposition"),
        ("type", "NP", "BRACKETED_TEXT"),
        ("type", "NP", "Speech Pronoun"),
        ("type", "NP", "OTHER"),
        ("relation", "IDENTITY", "indirect"),
    ],
)
def test_a_mention_whose_link_is_dropped_leaves_its_chain(name, others, value):
    made, dropped = filtered(corpus({name: ["", others, value, others]}))
    assert chains(made) == WITHOUT_TOM
    assert dropped == Dropped(links=1)


def test_a_first_mention_has_no_link_to_drop():
    made, dropped = filtered(corpus({"tag": ["ucoref", "coref", "coref", "coref"]}))
    assert (chains(made), dropped.links) == (WHOLE, 0)


def test_an_attribute_with_other_values_says_nothing_of_links():
    for values in (["person", "other", "other", "ucoref"], ["other"] * 4, [""] * 4):
        assert chains(filtered(corpus({"etype": values}))[0]) == WHOLE


def test_one_attribute_may_name_the_relation_and_another_the_kind_of_link():
    said = {"rel": ["", *["IDENTITY"] * 3], "link": ["", "NP", "NP", "COPULAR"]}
    assert chains(filtered(corpus(said))[0]) == [["Ann", "left", "Tom"], ["the doctor"]]


def test_verbs_are_no_noun_phrases():
    tags = ["PROPN", "VERB", "CCONJ", "PROPN", "VERB", "DET", "NOUN", "PUNCT"]
    made, dropped = filtered(corpus({}, tags))
    assert chains(made) == [["Ann", "Tom", "the doctor"]]
    assert dropped == Dropped(mentions=1)


def test_mentions_that_do_not_refer_are_left_out():
    whole = corpus({})
    silent = replace(
        whole, mentions=replace(whole.mentions, referring=np.array([True, True, False, True]))
    )
    made, dropped = filtered(silent)
    assert (chains(made), dropped.mentions) == ([["Ann", "left", "the doctor"]], 1)


def test_optional_links_of_muc_are_uncertain_ones():
    text = (
        b'<DOC><COREF ID="1">Ann</COREF> is <COREF ID="2" TYPE="IDENT" REF="1" STATUS="OPT">'
        b'a doctor</COREF> and <COREF ID="3" TYPE="IDENT" REF="1">she</COREF> left .</DOC>'
    )
    made, dropped = filtered(load(text, format="muc"))
    assert (chains(made), dropped.links) == ([["Ann", "she"], ["a doctor"]], 1)


def test_chains_stay_with_their_documents():
    build = CorpusBuilder("made")
    for name in ("a", "b"):
        build.begin_document(name)
        build.sentence(["Ann", "saw", "her"])
        build.mention("x", [(0, 1)], columns={"tag": "coref"})
        build.mention("x", [(2, 3)], columns={"tag": "ucoref" if name == "a" else "coref"})
    made, _ = filtered(build.finish())
    assert [[len(chain) for chain in document.chains] for document in made] == [[1, 1], [2]]
