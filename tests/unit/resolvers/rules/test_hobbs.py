"""The sentences of Walker (1989) and Tetreault (2001), and what Penn trees leave open."""

import pytest

from corefbench.errors import DataError, UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers.rules.hobbs import Hobbs, propose_nodes
from tests.brackets import constituents, with_trees
from tests.trees import discourse

LYN = """
Lyn Lyn PROPN NNP 3 nmod:poss [person]
's 's PART POS 1 case
mom mom NOUN NN 6 nsubj
is be AUX VBZ 6 cop
a a DET DT 6 det
gardener gardener NOUN NN 0 root
. . PUNCT . 6 punct

Craige Craige PROPN NNP 2 nsubj [person]
likes like VERB VBZ 0 root
her she PRON PRP 2 obj
. . PUNCT . 2 punct
"""
LYN_TREES = (
    "(S (NP (NP (NNP Lyn) (POS 's)) (NN mom)) (VP (VBZ is) (NP (DT a) (NN gardener))) (. .))",
    "(S (NP (NNP Craige)) (VP (VBZ likes) (NP (PRP her))) (. .))",
)

CRAIGE = """
Craige Craige PROPN NNP 3 nmod:poss [person]
's 's PART POS 1 case
mom mom NOUN NN 4 nsubj
likes like VERB VBZ 0 root
her she PRON PRP 4 obj
"""
CRAIGE_TREES = ("(S (NP (NP (NNP Craige) (POS 's)) (NN mom)) (VP (VBZ likes) (NP (PRP her))))",)

CASTLE = """
The the DET DT 2 det
castle castle NOUN NN 5 nsubj
in in ADP IN 4 case
Camelot Camelot PROPN NNP 2 nmod [place]
remained remain VERB VBD 0 root
the the DET DT 7 det
residence residence NOUN NN 5 xcomp
of of ADP IN 10 case
the the DET DT 10 det
king king NOUN NN 7 nmod
until until ADP IN 12 case
536 536 NUM CD 5 obl [time]
when when ADV WRB 15 advmod
he he PRON PRP 15 nsubj
moved move VERB VBD 12 acl:relcl
it it PRON PRP 15 obj
to to ADP IN 18 case
London London PROPN NNP 15 obl [place]
"""
CASTLE_TREES = (
    "(S (NP (NP (DT The) (NN castle)) (PP (IN in) (NP (NNP Camelot))))"
    " (VP (VBD remained) (NP (NP (DT the) (NN residence)) (PP (IN of) (NP (DT the) (NN king))))"
    " (PP (IN until) (NP (NP (CD 536)) (SBAR (WHADVP (WRB when)) (S (NP (PRP he))"
    " (VP (VBD moved) (NP (PRP it)) (PP (TO to) (NP (NNP London))))))))))",
)

BOTH = pytest.mark.parametrize("trees", ["constituents", "dependencies"])


def answers(of: Discourse, **settings: object) -> dict[str, tuple[str | None, str]]:
    """For every pronoun its antecedent and the step that found it."""
    resolution = Hobbs(**settings).resolve(of)  # type: ignore[arg-type]
    found = {}
    for decision in resolution.decisions:
        chosen = decision.antecedent
        text = None if chosen is None else of.text_of(of.phrases[chosen])
        found[of.text_of(of.phrases[decision.anaphor])] = text, decision.rule
    return found


def proposed(tree: str, words: str, pronoun: int) -> list[str]:
    split = words.split()
    return [
        f"{step}: {' '.join(split[node.start : node.end])}"
        for step, node in propose_nodes(constituents(tree), pronoun, split)
    ]


def test_a_pronoun_finds_the_subject_of_the_previous_sentence() -> None:
    of = with_trees(discourse(LYN), *LYN_TREES)
    assert answers(of)["her"] == ("Lyn's mom", "step 4")


@BOTH
def test_both_variants_agree_on_the_previous_sentence(trees: str) -> None:
    of = with_trees(discourse(LYN), *LYN_TREES)
    assert answers(of, trees=trees)["her"][0] == "Lyn's mom"


def test_a_possessor_inside_the_subject_is_found_in_step_3() -> None:
    of = with_trees(discourse(CRAIGE), *CRAIGE_TREES)
    text, step = answers(of)["her"]
    assert (text, step) == ("Craige's", "step 3")


def test_the_dependency_variant_finds_the_possessor_too() -> None:
    assert answers(discourse(CRAIGE))["her"][0] == "Craige's"


def test_the_castle_sentence_proposes_in_the_published_order() -> None:
    words = "The castle in Camelot remained the residence of the king until 536 when he moved it to London"
    assert proposed(CASTLE_TREES[0], words, 15) == [
        "6: 536 when he moved it to London",
        "7: The castle in Camelot",
        "7: the residence of the king",
        "7: Camelot",
        "7: the king",
    ]


@BOTH
def test_he_is_the_king(trees: str) -> None:
    found = answers(with_trees(discourse(CASTLE), *CASTLE_TREES), trees=trees)
    assert found["he"][0] == "the king"


def test_it_is_what_agrees_first_since_there_are_no_selectional_constraints() -> None:
    found = answers(with_trees(discourse(CASTLE), *CASTLE_TREES))
    assert found["it"] == ("536 when he moved it to London", "step 6")


def test_the_dependency_variant_keeps_arguments_of_a_relative_clause_from_its_noun() -> None:
    assert answers(discourse(CASTLE))["it"][0] == "The castle in Camelot"


def test_co_arguments_are_not_proposed() -> None:
    tree = "(S (NP (NNP Ann)) (VP (VBD saw) (NP (PRP her))))"
    assert proposed(tree, "Ann saw her", 2) == []


def test_an_embedded_clause_opens_the_subject_above_it() -> None:
    tree = "(S (NP (NNP Ann)) (VP (VBD said) (SBAR (S (NP (PRP she)) (VP (VBD won))))))"
    assert proposed(tree, "Ann said she won", 2) == ["7: Ann"]


class TestDetails:
    def test_h1_a_fragment_counts_as_a_clause_only_at_the_top(self) -> None:
        inner = "(FRAG (NP (NP (NNP Ann) (POS 's)) (NN idea)) (PP (IN for) (NP (PRP her))))"
        words = "Ann 's idea for her"
        assert proposed(f"(TOP {inner})", words, 4) == ["3: Ann 's"]
        assert proposed(f"(X (Y {inner}))", words, 4) == []

    def test_h1_the_question_word_is_no_noun_phrase(self) -> None:
        tree = "(SBARQ (WHNP (WP Who)) (SQ (VBD said) (SBAR (S (NP (PRP he)) (VP (VBD won))))))"
        assert proposed(tree, "Who said he won", 2) == []

    def test_h2_the_inner_noun_phrase_is_one_candidate_with_the_outer(self) -> None:
        tree = "(S (NP (NP (DT the) (NN man)) (PP (IN in) (NP (DT the) (NN park)))) (VP (VBD saw) (NP (PRP him))))"
        assert proposed(tree, "the man in the park saw him", 6) == ["3: the park"]

    def test_h2_a_noun_phrase_is_proposed_for_a_pronoun_in_its_relative_clause(self) -> None:
        tree = (
            "(S (NP (NP (DT the) (NN man)) (SBAR (WHNP (WP who)) (S (VP (VBD said) (SBAR"
            " (S (NP (PRP he)) (VP (VBD won)))))))) (VP (VBD left)))"
        )
        assert proposed(tree, "the man who said he won left", 4) == ["6: the man who said he won"]

    def test_h2_a_complement_of_the_noun_is_in_its_n_bar(self) -> None:
        tree = "(S (NP (NP (DT the) (NN brother)) (PP (IN of) (NP (PRP$ his) (NN wife)))) (VP (VBD left)))"
        assert proposed(tree, "the brother of his wife left", 3) == []

    def test_h2_a_noun_phrase_is_never_the_possessor_in_it(self) -> None:
        tree = "(S (NP (PRP$ his) (NN mother)) (VP (VBD left)))"
        assert proposed(tree, "his mother left", 0) == []

    def test_h2_a_possessor_does_not_bind_into_its_noun_phrase(self) -> None:
        tree = "(S (NP (NP (NP (NNP Bill) (POS 's)) (NN portrait)) (PP (IN of) (NP (PRP him)))) (VP (VBD hung)))"
        assert proposed(tree, "Bill 's portrait of him hung", 4) == []

    def test_h3_a_possessive_pronoun_is_in_a_noun_phrase_of_its_own(self) -> None:
        tree = "(S (NP (NNP John)) (VP (VBD saw) (NP (PRP$ his) (NN mother))))"
        assert proposed(tree, "John saw his mother", 2) == ["7: John"]

    def test_h6_the_coordination_is_proposed_before_its_conjuncts(self) -> None:
        tree = (
            "(S (NP (NP (NNP Ann)) (CC and) (NP (NNP Bob))) (VP (VBD said) (SBAR (S (NP (PRP they)) (VP (VBD won))))))"
        )
        assert proposed(tree, "Ann and Bob said they won", 4) == ["7: Ann and Bob", "7: Ann", "7: Bob"]

    def test_step_8_looks_to_the_right_without_going_below_a_noun_phrase(self) -> None:
        tree = (
            "(S (SBAR (IN after) (S (NP (PRP he)) (VP (VBD left))))"
            " (NP (NP (NNP Bob) (POS 's)) (NN son)) (VP (VBD slept)))"
        )
        assert proposed(tree, "after he left Bob 's son slept", 1) == ["8: Bob 's son"]

    def test_equal_subtrees_are_distinguished(self) -> None:
        tree = "(S (S (NP (PRP he)) (VP (VBD left))) (CC and) (S (NP (PRP he)) (VP (VBD left))))"
        assert proposed(tree, "he left and he left", 3) == ["7: he"]


WINDOW = """
Ann Ann PROPN NNP 2 nsubj [person]
slept sleep VERB VBD 0 root

It it PRON PRP 2 nsubj
fell fall VERB VBD 0 root

She she PRON PRP 2 nsubj
woke wake VERB VBD 0 root
"""


def test_h4_the_search_goes_back_without_limit_unless_there_is_a_window() -> None:
    of = discourse(WINDOW)
    assert answers(of)["She"][0] == "Ann"
    assert answers(of, window=1)["She"] == (None, "no candidate")


def test_h5_reflexives_have_a_rule_of_their_own() -> None:
    of = discourse(
        """
        Ann Ann PROPN NNP 2 nsubj [person]
        hurt hurt VERB VBD 0 root
        herself herself PRON PRP 2 obj
        """
    )
    assert answers(of)["herself"] == ("Ann", "reflexive")


def test_sentences_without_a_tree_are_searched_by_dependencies() -> None:
    of = with_trees(discourse(LYN), "", LYN_TREES[1])
    assert answers(of)["her"][0] == "Lyn's mom"
    of = with_trees(discourse(LYN), LYN_TREES[0], "")
    assert answers(of)["her"][0] == "Lyn's mom"


def test_constituents_are_refused_where_there_are_none() -> None:
    with pytest.raises(DataError, match="phrase-structure"):
        Hobbs(trees="constituents").resolve(discourse(LYN))


@pytest.mark.parametrize("settings", [{"trees": "cherry"}, {"window": -1}])
def test_invalid_parameters_are_refused(settings: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        Hobbs(**settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "It it PRON PRP 0 root", "Yes yes INTJ UH 0 root"])
def test_odd_documents_pass(text: str) -> None:
    resolution = Hobbs().resolve(discourse(text))
    assert all(decision.antecedent is None for decision in resolution.decisions)
