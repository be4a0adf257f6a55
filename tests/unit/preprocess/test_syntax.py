"""Functions, EMBED and ADJUNCT, as the figures that Kennedy & Boguraev print require."""

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
    assert [words[clause.head] for clause in made.clauses] == ["said", "wants", "lives", "slept", "seeing"]
    assert [clause.relation for clause in made.clauses] == ["root", "ccomp", "acl:relcl", "conj", "advcl"]
    assert [clause.finite for clause in made.clauses] == [True, True, True, True, False]
    assert [clause.parent for clause in made.clauses] == [-1, 0, 1, 0, 3]


def test_phrases_know_the_innermost_clause():
    made = discourse(TEXT)
    heads = {made.text_of(p): made.analysis.words[made.clauses[p.clause].head] for p in made.phrases}
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


FLOOR = """
While while SCONJ IN 7 mark
Apple Apple PROPN NNP 7 nsubj [organization]
and and CCONJ CC 6 cc
its its PRON PRP$ 6 nmod:poss
PowerPC PowerPC PROPN NNP 6 compound
partners partner NOUN NNS 2 conj
claimed claim VERB VBD 20 advcl
some some DET DT 11 det
prime prime ADJ JJ 11 amod
real real ADJ JJ 11 amod
estate estate NOUN NN 7 obj
on on ADP IN 15 case
the the DET DT 15 det
show show NOUN NN 15 compound
floor floor NOUN NN 7 obl
, , PUNCT , 7 punct
Apple Apple PROPN NNP 19 nmod:poss [organization]
's 's PART POS 17 case
offerings offering NOUN NNS 20 nsubj
debuted debut VERB VBD 0 root
behind behind ADP IN 23 case
the the DET DT 23 det
scenes scene NOUN NNS 20 obl
. . PUNCT . 20 punct

Gone go VERB VBN 0 root
was be AUX VBD 1 aux
the the DET DT 4 det
booth booth NOUN NN 1 nsubj
that that PRON WDT 7 obl PronType=Rel
Apple Apple PROPN NNP 7 nsubj
shoehorned shoehorn VERB VBD 4 acl:relcl
its its PRON PRP$ 9 nmod:poss
products product NOUN NNS 7 obj
into into ADP IN 5 case
last last ADJ JJ 12 amod
year year NOUN NN 7 obl:unmarked

For for ADP IN 2 case
1995 1995 NUM CD 5 obl
the the DET DT 4 det
company company NOUN NN 5 nsubj
set set VERB VBD 0 root
up up ADP RP 5 compound:prt
its its PRON PRP$ 8 nmod:poss
headquarters headquarters NOUN NN 5 obj
"""


def test_in_the_while_clause_everything_keeps_head_and_argument():
    made = discourse(FLOOR)
    for text, function in (
        ("Apple", "subject"),
        ("some prime real estate", "object"),
        ("the show floor", "oblique"),
        ("Apple's", "possessive"),
    ):
        one = phrase(made, text)
        assert (one.function, one.embedded, one.adjunct) == (function, False, False), text


def test_in_a_relative_clause_everything_is_embedded():
    made = discourse(FLOOR)
    assert phrase(made, "Apple", 1).embedded
    assert phrase(made, "its", 1).embedded
    assert not phrase(made, "Apple", 1).adjunct
    assert phrase(made, "its", 1).function == "possessive"


def test_a_phrase_that_opens_the_sentence_is_adjunct():
    made = discourse(FLOOR)
    assert phrase(made, "1995").adjunct
    assert not phrase(made, "the company").adjunct


def test_there_makes_a_notional_subject():
    made = discourse("""
    There there PRON EX 2 expl
    is be VERB VBZ 0 root
    a a DET DT 4 det
    man man NOUN NN 2 nsubj
    with with ADP IN 7 case
    a a DET DT 7 det
    dog dog NOUN NN 4 nmod
    , , PUNCT , 11 punct
    by by ADP IN 11 case
    the the DET DT 11 det
    gate gate NOUN NN 2 obl
    """)
    assert phrase(made, "a man with a dog").function == "existential"
    assert phrase(made, "a dog").embedded
    assert phrase(made, "the gate").adjunct
    assert phrase(made, "the gate").prepositional
    assert not phrase(made, "a man with a dog").prepositional


def test_conjuncts_inherit_function_and_preposition():
    made = discourse("""
    I I PRON PRP 2 nsubj
    spoke speak VERB VBD 0 root
    to to ADP IN 4 case
    Ann Ann PROPN NNP 2 obl
    and and CCONJ CC 6 cc
    Bob Bob PROPN NNP 4 conj
    """)
    assert phrase(made, "Bob").function == "oblique"
    assert phrase(made, "Bob").prepositional


def test_a_passive_subject_is_subject_and_its_agent_oblique():
    made = discourse("""
    It it PRON PRP 3 nsubj:pass
    was be AUX VBD 3 aux:pass
    built build VERB VBN 0 root
    , , PUNCT , 6 punct
    by by ADP IN 6 case
    Ann Ann PROPN NNP 3 obl:agent
    """)
    assert phrase(made, "It").function == "subject"
    ann = phrase(made, "Ann")
    assert (ann.function, ann.adjunct) == ("oblique", False)


def test_indirect_objects_and_definiteness():
    made = discourse("""
    She she PRON PRP 2 nsubj
    gave give VERB VBD 0 root
    this this DET DT 4 det
    man man NOUN NN 2 iobj
    a a DET DT 6 det
    book book NOUN NN 2 obj
    and and CCONJ CC 8 cc
    money money NOUN NN 6 conj
    . . PUNCT . 2 punct
    """)
    assert phrase(made, "this man").function == "indirect"
    assert phrase(made, "this man").definiteness == "definite"
    assert phrase(made, "a book").definiteness == "indefinite"
    assert phrase(made, "money").definiteness == "indefinite"
    assert phrase(made, "She").definiteness == "neither"


def test_reciprocals_are_one_pronoun_whichever_word_is_the_head():
    for rows in (
        "each each DET DT 4 det\nother other ADJ JJ 2 obj",
        "each each PRON DT 2 obj\nother other ADJ JJ 3 fixed",
    ):
        made = discourse(f"They they PRON PRP 2 nsubj\nsaw see VERB VBD 0 root\n{rows}")
        (found,) = [one for one in made.phrases if one.pronoun and one.pronoun.kind == "reciprocal"]
        assert made.text_of(found) == "each other"
        assert found.anaphoric
