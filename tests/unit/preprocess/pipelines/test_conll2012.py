"""CoNLL-2012 parses: trees from bits, and dependencies that treebank guidelines ask for."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.errors import MismatchError
from corefbench.formats.load import load
from corefbench.preprocess import make
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.documents import make_input
from corefbench.preprocess.pipelines.conll2012 import Conll2012, lemmatize, parse_brackets
from corefbench.preprocess.pipelines.head_rules import DependencyConverter
from tests.conll import conll

_LEAF = re.compile(r"\(([^\s()]+) ([^\s()]+)\)")


def bits_of(tree: str) -> tuple[list[str], list[str], list[str]]:
    """A bracketed tree as the columns parse, pos and word."""
    pairs = _LEAF.findall(tree)
    rest = _LEAF.sub("*", tree).replace(" ", "").split("*")
    bits = []
    for place in range(len(pairs)):
        closing = re.match(r"\)*", rest[place])[0]  # type: ignore[index]
        if bits:
            bits[-1] += closing
        bits.append(rest[place][len(closing) :] + "*")
    bits[-1] += rest[-1]
    return bits, [tag for tag, _ in pairs], [word for _, word in pairs]


def dependencies(tree: str) -> list[str]:
    bits, tags, words = bits_of(tree)
    made = parse_brackets(bits, tags, 0)
    assert made is not None
    found = DependencyConverter(words, tags)
    found.walk(made)
    return [
        f"{word} {found.relations[n]} {words[found.heads[n]] if found.heads[n] >= 0 else '-'}"
        for n, word in enumerate(words)
    ]


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (
            "(S (NP (DT The) (NN man)) (VP (VBD saw) (NP (PRP$ his) (NN dog))"
            " (PP (IN in) (NP (DT the) (NN park)))) (. .))",
            "The det man|man nsubj saw|saw root -|his nmod:poss dog|dog obj saw|in case park|"
            "the det park|park obl saw|. punct saw",
        ),
        (
            "(S (NP (NP (NNP John) (POS 's)) (NN dog)) (VP (MD will) (VP (VB be) (VP (VBN fed)"
            " (PP (IN by) (NP (NNP Ann)))))))",
            "John nmod:poss dog|'s case John|dog nsubj:pass fed|will aux fed|be aux:pass fed|"
            "fed root -|by case Ann|Ann obl:agent fed",
        ),
        (
            "(S (NP (EX There)) (VP (VBZ is) (NP (NP (DT a) (NN man)) (PP (IN in) (NP (NN town))))))",
            "There expl is|is root -|a det man|man nsubj is|in case town|town nmod man",
        ),
        (
            "(S (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD left)))))"
            " (VP (VBD said)"
            " (SBAR (IN that) (S (NP (PRP he)) (VP (VBD was) (ADJP (JJ happy)))))))",
            "the det man|man nsubj said|who nsubj left|left acl:relcl man|said root -|"
            "that mark happy|he nsubj happy|was cop happy|happy ccomp said",
        ),
        (
            "(S (SBAR (IN because) (S (NP (PRP he)) (VP (VBD left)))) (, ,) (NP (NNP Ann) (CC and)"
            " (NNP Bob)) (VP (VP (VBD gave) (NP (PRP him)) (NP (DT a) (NN book))) (CC and)"
            " (VP (VBD went) (S (VP (TO to) (VP (VB sleep)))))))",
            "because mark left|he nsubj left|left advcl gave|, punct gave|Ann nsubj gave|"
            "and cc Bob|Bob conj Ann|gave root -|him iobj gave|a det book|book obj gave|"
            "and cc went|went conj gave|to mark sleep|sleep xcomp went",
        ),
        (
            "(S (NP (EX There)) (VP (VBZ is) (NP (NP (NN hope)) (SBAR (WHNP (WDT that)) (S (VP"
            " (VBZ is) (ADJP (JJ real))))))))",
            "There expl is|is root -|hope nsubj is|that nsubj real|is cop real|real acl:relcl hope",
        ),
        (
            "(SQ (VBZ Is) (NP (PRP he)) (NP (DT a) (NN doctor)) (. ?))",
            "Is cop doctor|he nsubj doctor|a det doctor|doctor root -|? punct doctor",
        ),
        (
            "(SBARQ (WHNP (WP What)) (SQ (VBD did) (NP (PRP she)) (VP (VB see) (NP (NN yesterday)))))",
            "What obj see|did aux see|she nsubj see|see root -|yesterday obl:unmarked see",
        ),
        (
            "(S (NP (NP (NNP Ann)) (, ,) (NP (DT a) (NN doctor)) (, ,)) (VP (VBD left)))",
            "Ann nsubj left|, punct Ann|a det doctor|doctor appos Ann|, punct Ann|left root -",
        ),
        (
            "(S (NP (JJ big) (CC and) (JJ red) (NNS dogs)) (VP (VBP bark)))",
            "big amod dogs|and cc dogs|red amod dogs|dogs nsubj bark|bark root -",
        ),
        (
            "(S (NP (PRP She)) (VP (VBD left) (PP (IN without) (S (VP (VBG eating) (NP (PRP it)))))))",
            "She nsubj left|left root -|without mark eating|eating advcl left|it obj eating",
        ),
    ],
)
def test_phrase_structure_becomes_dependencies(tree: str, expected: str):
    assert dependencies(tree) == expected.split("|")


COLUMNS = b"""#begin document (d); part 000
d 0 0 The DT (TOP(S(NP(NP* - - - Ann * (1
d 0 1 printers NNS *) - - - Ann * -
d 0 2 that WDT (SBAR(WHNP*) - - - Ann * -
d 0 3 IBM NNP (S(NP*) - - - Ann (ORG) -
d 0 4 made VBD (VP*)))) make 01 1 Ann * 1)
d 0 5 broke VBD (VP*) break 01 1 Ann * -
d 0 6 . . *)) - - - Ann * -

d 0 0 They PRP (TOP(S(NP*) - - - Ann * (1)
d 0 1 slept VBD (VP*))) sleep 01 1 Ann * -

d 0 0 Hm UH - - - - Ann * -
d 0 1 . . - - - - Ann * -

#end document
"""


def test_columns_become_an_analysis_with_trees():
    parsed = Conll2012().analyse_document(load(COLUMNS)[0])
    assert parsed.lemmas == ("the", "printer", "that", "IBM", "make", "break", ".", "they", "sleep",
                           "hm", ".")  # fmt: skip
    assert parsed.heads == (1, 5, 4, 4, 1, -1, 5, 8, -1, -1, 9)
    assert parsed.relations[:6] == ("det", "nsubj", "obj", "nsubj", "acl:relcl", "root")
    assert [(e.start, e.end, e.type) for e in parsed.entities] == [(3, 4, "organization")]
    assert parsed.trees is not None
    assert [tree.label if tree else None for tree in parsed.trees] == ["TOP", "TOP", None]
    assert parsed.speakers == ("Ann",) * 11
    discourse = build_discourse(parsed)
    assert [discourse.text_of(phrase) for phrase in discourse.phrases] == ["The printers that IBM made", "IBM", "They"]


def test_documents_without_parses_are_refused():
    with pytest.raises(MismatchError, match="no parses"):
        list(make("parse").analyse([make_input(load(conll("(1)"))[0])]))


def test_unbalanced_brackets_are_harmless():
    assert parse_brackets(["*", "-"], ["NN", "NN"], 0) is None
    made = parse_brackets(["(S(NP*", "*)))", "(VP*"], ["DT", "NN", "VB"], 0)
    assert made is not None
    assert (made.label, made.start, made.end) == ("TOP", 0, 3)


def test_extreme_depth_is_harmless():
    made = parse_brackets(["(X" * 5000 + "*" + ")" * 5000, "*"], ["NN", "NN"], 0)
    assert made is not None
    DependencyConverter(["a", "b"], ["NN", "NN"]).walk(made)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "(NP", "(S(VP", "(PP", "(SBAR(WHNP", "(SQ", "(UCP"]),
            st.sampled_from(["", ")", "))", ")))))"]),
            st.sampled_from(["NN", "VBZ", "IN", "CC", ",", "PRP", "TO", "WP", "POS", "EX", "."]),
        ),
        min_size=1,
        max_size=12,
    )
)
def test_any_bits_give_every_word_a_governor(rows: list[tuple[str, str, str]]):
    tags = [tag for _, _, tag in rows]
    made = parse_brackets([a + "*" + b for a, b, _ in rows], tags, 0)
    if made is None:
        return
    found = DependencyConverter(["is"] * len(rows), tags)
    found.walk(made)
    assert sorted(found.heads) == list(range(len(rows)))
    assert list(found.heads.values()).count(-1) == 1


@pytest.mark.parametrize(
    ("word", "tag", "lemma"),
    [
        ("Cats", "NNS", "cat"), ("churches", "NNS", "church"), ("houses", "NNS", "house"),
        ("parties", "NNS", "party"), ("men", "NNS", "man"), ("was", "VBD", "be"),
        ("stopped", "VBD", "stop"), ("liked", "VBD", "like"), ("tried", "VBD", "try"),
        ("making", "VBG", "make"), ("looking", "VBG", "look"), ("goes", "VBZ", "go"),
        ("IBM", "NNP", "IBM"), ("glass", "NN", "glass"), ("n't", "RB", "not"),
    ],
)  # fmt: skip
def test_lemmas_by_rule(word: str, tag: str, lemma: str):
    assert lemmatize(word, tag) == lemma
