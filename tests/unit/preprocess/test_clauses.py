"""Clauses: what heads one, where it lies, whether it is finite."""

from tests.trees import discourse, phrase

TEXT = """
Ann Ann PROPN NNP 2 nsubj
said say VERB VBD 0 root
that that SCONJ IN 5 mark
he he PRON PRP 5 nsubj
wants want VERB VBZ 2 ccomp VerbForm=Fin
to to PART TO 7 mark
leave leave VERB VB 5 xcomp
the the DET DT 9 det
town town NOUN NN 7 obj
where where ADV WRB 12 advmod
she she PRON PRP 12 nsubj
lives live VERB VBZ 9 acl:relcl
and and CCONJ CC 14 cc
slept sleep VERB VBD 2 conj
seeing see VERB VBG 14 advcl
nobody nobody PRON NN 15 obj
. . PUNCT . 2 punct
"""


def test_clauses_are_found_in_the_order_of_their_heads():
    made = discourse(TEXT)
    words = made.analysis.words
    assert [words[clause.head] for clause in made.clauses] == [
        "said",
        "wants",
        "lives",
        "slept",
        "seeing",
    ]
    assert [clause.relation for clause in made.clauses] == [
        "root",
        "ccomp",
        "acl:relcl",
        "conj",
        "advcl",
    ]
    assert [clause.finite for clause in made.clauses] == [True, True, True, True, False]
    assert [clause.parent for clause in made.clauses] == [-1, 0, 1, 0, 3]


def test_phrases_know_the_innermost_clause():
    made = discourse(TEXT)
    heads = {
        made.text_of(p): made.analysis.words[made.clauses[p.clause].head] for p in made.phrases
    }
    assert heads["Ann"] == "said"
    assert heads["he"] == "wants"
    assert heads["the town where she lives"] == "wants"
    assert heads["she"] == "lives"
    assert heads["nobody"] == "seeing"


def test_a_clause_covers_its_words():
    made = discourse(TEXT)
    wants = made.clauses[1]
    assert made.analysis.words[wants.start : wants.end] == made.analysis.words[2:12]


def test_an_open_complement_with_a_subject_is_a_clause_and_without_one_is_not():
    made = discourse("""
    She she PRON PRP 2 nsubj
    made make VERB VBD 0 root
    him he PRON PRP 4 nsubj
    go go VERB VB 2 xcomp
    """)
    assert [clause.relation for clause in made.clauses] == ["root", "xcomp"]
    assert phrase(made, "him").clause == 1


def test_coordinated_nouns_are_no_clauses():
    made = discourse("""
    cats cat NOUN NNS 0 root
    and and CCONJ CC 3 cc
    dogs dog NOUN NNS 1 conj
    """)
    assert len(made.clauses) == 1
    assert not made.clauses[0].finite
