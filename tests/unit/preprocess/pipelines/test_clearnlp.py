"""ClearNLP labels become Universal Dependencies: hand-annotated pairs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.preprocess.pipelines.clearnlp import ClearNLPConverter, is_clearnlp

# word/lemma/upos, head and label as spaCy's models have them, then head and label here.
CASES = {
    "a prepositional phrase under a verb": [
        ("He", "he", "PRON", 2, "nsubj", 2, "nsubj"),
        ("sat", "sit", "VERB", 0, "ROOT", 0, "root"),
        ("in", "in", "ADP", 2, "prep", 5, "case"),
        ("the", "the", "DET", 5, "det", 5, "det"),
        ("house", "house", "NOUN", 3, "pobj", 2, "obl"),
        ("of", "of", "ADP", 5, "prep", 7, "case"),
        ("Ann", "Ann", "PROPN", 6, "pobj", 5, "nmod"),
    ],
    "two prepositions": [
        ("run", "run", "VERB", 0, "ROOT", 0, "root"),
        ("out", "out", "ADP", 1, "prep", 4, "case"),
        ("of", "of", "ADP", 2, "prep", 4, "case"),
        ("it", "it", "PRON", 3, "pobj", 1, "obl"),
    ],
    "passive with agent": [
        ("It", "it", "PRON", 3, "nsubjpass", 3, "nsubj:pass"),
        ("was", "be", "AUX", 3, "auxpass", 3, "aux:pass"),
        ("made", "make", "VERB", 0, "ROOT", 0, "root"),
        ("by", "by", "ADP", 3, "agent", 5, "case"),
        ("Ann", "Ann", "PROPN", 4, "pobj", 3, "obl:agent"),
    ],
    "copula": [
        ("Ann", "Ann", "PROPN", 2, "nsubj", 5, "nsubj"),
        ("is", "be", "AUX", 0, "ROOT", 5, "cop"),
        ("not", "not", "PART", 2, "neg", 5, "advmod"),
        ("a", "a", "DET", 5, "det", 5, "det"),
        ("doctor", "doctor", "NOUN", 2, "attr", 0, "root"),
        ("in", "in", "ADP", 2, "prep", 7, "case"),
        ("Rome", "Rome", "PROPN", 6, "pobj", 5, "obl"),
    ],
    "there is": [
        ("There", "there", "PRON", 2, "expl", 2, "expl"),
        ("is", "be", "VERB", 0, "ROOT", 0, "root"),
        ("hope", "hope", "NOUN", 2, "attr", 2, "nsubj"),
    ],
    "coordination": [
        ("cats", "cat", "NOUN", 6, "nsubj", 6, "nsubj"),
        (",", ",", "PUNCT", 1, "punct", 1, "punct"),
        ("dogs", "dog", "NOUN", 1, "conj", 1, "conj"),
        ("and", "and", "CCONJ", 3, "cc", 5, "cc"),
        ("birds", "bird", "NOUN", 3, "conj", 1, "conj"),
        ("sleep", "sleep", "VERB", 0, "ROOT", 0, "root"),
    ],
    "prepositional phrases coordinated": [
        ("go", "go", "VERB", 0, "ROOT", 0, "root"),
        ("to", "to", "ADP", 1, "prep", 3, "case"),
        ("Ann", "Ann", "PROPN", 2, "pobj", 1, "obl"),
        ("or", "or", "CCONJ", 2, "cc", 6, "cc"),
        ("to", "to", "ADP", 2, "conj", 6, "case"),
        ("Bob", "Bob", "PROPN", 5, "pobj", 3, "conj"),
    ],
    "objects, possessor and relative clause": [
        ("give", "give", "VERB", 0, "ROOT", 0, "root"),
        ("him", "he", "PRON", 1, "dative", 1, "iobj"),
        ("Ann", "Ann", "PROPN", 5, "poss", 5, "nmod:poss"),
        ("'s", "'s", "PART", 3, "case", 3, "case"),
        ("book", "book", "NOUN", 1, "dobj", 1, "obj"),
        ("that", "that", "PRON", 8, "dobj", 8, "obj"),
        ("she", "she", "PRON", 8, "nsubj", 8, "nsubj"),
        ("read", "read", "VERB", 5, "relcl", 5, "acl:relcl"),
        ("yesterday", "yesterday", "NOUN", 8, "npadvmod", 8, "obl:unmarked"),
    ],
    "a preposition before a clause": [
        ("left", "leave", "VERB", 0, "ROOT", 0, "root"),
        ("without", "without", "ADP", 1, "prep", 3, "mark"),
        ("eating", "eat", "VERB", 2, "pcomp", 1, "advcl"),
    ],
    "a stranded preposition": [
        ("look", "look", "VERB", 0, "ROOT", 0, "root"),
        ("at", "at", "ADP", 1, "prep", 1, "advmod"),
    ],
}


@pytest.mark.parametrize("name", CASES)
def test_the_tree_becomes_universal(name: str):
    rows = CASES[name]
    heads, relations = ClearNLPConverter(
        [row[1] for row in rows], [row[2] for row in rows], [row[3] - 1 for row in rows], [row[4] for row in rows]
    ).universal()
    found = [(row[0], head + 1, relation) for row, head, relation in zip(rows, heads, relations, strict=True)]
    assert found == [(row[0], row[5], row[6]) for row in rows]


def test_label_schemes_are_recognised():
    assert is_clearnlp(["nsubj", "dobj"])
    assert not is_clearnlp(["nsubj", "obj", "obl"])


@given(st.data())
def test_any_tree_stays_a_tree(data: st.DataObject):
    count = data.draw(st.integers(1, 9))
    heads = [-1] + [data.draw(st.integers(0, n - 1)) for n in range(1, count)]
    labels = st.sampled_from(["prep", "pobj", "pcomp", "conj", "cc", "attr", "dobj", "nsubj", "agent"])
    relations = [data.draw(labels) for _ in heads]
    lemmas = [data.draw(st.sampled_from(["be", "x"])) for _ in heads]
    tags = [data.draw(st.sampled_from(["ADP", "NOUN", "VERB"])) for _ in heads]
    moved, named = ClearNLPConverter(lemmas, tags, heads, relations).universal()
    assert moved.count(-1) == 1
    assert named[moved.index(-1)] == "root"
    for token in range(count):
        seen = set()
        while token >= 0:
            assert token not in seen
            seen.add(token)
            token = moved[token]
