"""The figures that Kennedy & Boguraev (1996, §3) print, and every decision the paper left open."""

from typing import Any

import pytest

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import make
from corefbench.resolvers.base import Candidate, Decision, Resolution
from corefbench.resolvers.rules.kennedy_boguraev import KennedyBoguraev, Precedence
from tests.one_line_trees import read
from tests.trees import phrase

# "… into last year" hangs on the main verb, as the paper's patterns saw it: its figure of 310 has
# OBLQ-S and HEAD-S.
APPLE = """
while|IN|6|mark Apple|NNP|6|nsubj|organization and|CC|5|cc its|PRP$|5|nmod:poss \
partners:partner|NNS|2|conj claimed:claim|VBD|19|advcl some|DT|10|det prime|JJ|10|amod \
real|JJ|10|amod estate|NN|6|obj on|IN|14|case the|DT|14|det show|NN|14|compound floor|NN|6|obl \
,|,|19|punct Apple|NNP|18|nmod:poss|organization 's|POS|16|case offerings:offering|NNS|19|nsubj \
debuted:debut|VBD|0|root behind|IN|22|case the|DT|22|det scenes:scene|NNS|19|obl
Gone:go|VBN|0|root was:be|AUX|1|aux the|DT|6|det narrow|JJ|6|amod corner|NN|6|compound \
booth|NN|1|nsubj that|IN|9|mark Apple|NNP|9|nsubj|organization shoehorned|VBD|6|acl:relcl \
its|PRP$|11|nmod:poss products:product|NNS|9|obj into|IN|14|case last|JJ|14|amod year|NN|1|obl
For|IN|2|case 1995|CD|5|obl the|DT|4|det company|NN|5|nsubj set|VBD|0|root up|RP|5|compound:prt \
its|PRP$|8|nmod:poss headquarters|NNS|5|obj
"""

SUN = """
Sun|NNP|6|nmod:poss|organization 's|POS|1|case prototype|NN|6|compound Internet|NN|6|compound \
access|NN|6|compound device|NN|7|nsubj uses:use|VBZ|0|root a|DT|11|det 110-Mhz|NN|11|compound \
MicroSPARC|NNP|11|compound processor|NN|7|obj ,|,|15|punct and|CC|15|cc is:be|AUX|15|cop \
diskless|JJ|7|conj
Its|PRP$|2|nmod:poss dimensions:dimension|NNS|4|nsubj are:be|AUX|4|cop inches:inch|NNS|0|root
"""


def resolve(text: str | Discourse, **parameters: Any) -> Resolution:
    found = read(text) if isinstance(text, str) else text
    return KennedyBoguraev(**parameters).resolve(found)


def decision(resolution: Resolution, pronoun: str, nth: int = 0) -> Decision:
    anaphor = phrase(resolution.discourse, pronoun, nth).index
    return next(decision for decision in resolution.decisions if decision.anaphor == anaphor)


def antecedent(resolution: Resolution, pronoun: str, nth: int = 0) -> str | None:
    chosen = decision(resolution, pronoun, nth).antecedent
    document = resolution.discourse
    return None if chosen is None else document.text_of(document.phrases[chosen])


def scores(resolution: Resolution, pronoun: str, nth: int = 0) -> list[tuple[str, float]]:
    """The candidates that were not dropped, in text order."""
    document = resolution.discourse
    return [
        (document.text_of(document.phrases[candidate.phrase]), candidate.score)
        for candidate in decision(resolution, pronoun, nth).candidates
        if candidate.score is not None
    ]


def candidate(resolution: Resolution, pronoun: str, text: str) -> Candidate:
    wanted = phrase(resolution.discourse, text).index
    return next(c for c in decision(resolution, pronoun).candidates if c.phrase == wanted)


def test_the_first_pronoun_of_the_printed_example_is_resolved_to_apple() -> None:
    assert antecedent(resolve(APPLE), "its") == "Apple"


def test_the_printed_candidates_of_its_133() -> None:
    found = scores(resolve(APPLE), "its", 1)
    assert found[:-1] == [
        ("Apple", 352.5),
        ("its", 352.5),
        ("some prime real estate", 165),
        ("the show floor", 155),
        ("Apple's", 352.5),
        ("Apple", 432.5),
    ]
    assert found[-1] == ("last year", pytest.approx(310 / 3))


def test_the_class_of_apple_stood_at_425_before_the_sentence_and_at_212_5_in_it() -> None:
    # Without the mention of Apple in the second sentence nothing is set anew.
    text = "\n".join(APPLE.strip().splitlines()[:1])
    text += "\nIts|PRP$|2|nmod:poss booth|NN|3|nsubj went:go|VBD|0|root"
    assert dict(scores(resolve(text), "Its"))["Apple"] == 212.5


def test_the_boost_of_its_133_is_the_full_weight_of_head() -> None:
    found = decision(resolve(APPLE), "its", 1)
    best = next(candidate for candidate in found.candidates if candidate.phrase == found.antecedent)
    assert dict(best.factors) == {
        "SENT-S": 100,
        "CNTX-S": 50,
        "SUBJ-S": 80,
        "HEAD-S": 40,
        "ARG-S": 50,
        "POSS-S": 32.5,
        "locality HEAD-S": 80,
    }
    assert found.rule == "highest salience"
    assert found.confidence == pytest.approx(432.5 / (432.5 + 165))


def test_the_printed_candidates_of_its_145() -> None:
    resolution = resolve(APPLE)
    found = dict(scores(resolution, "its", 2))
    assert (found["the company"], found["Apple"], found["its"]) == (360, 192.5, 192.5)
    assert antecedent(resolution, "its", 2) == "the company"


def test_names_that_are_the_same_are_linked_and_chained() -> None:
    resolution = resolve(APPLE)
    chains = [
        [resolution.discourse.text_of(resolution.discourse.phrases[one]) for one in chain]
        for chain in resolution.chains()
    ]
    assert chains == [["Apple", "its", "Apple's", "Apple", "its"], ["the company", "its"]]


def test_the_printed_candidates_of_the_second_text() -> None:
    resolution = resolve(SUN)
    assert scores(resolution, "Its") == [
        ("Sun's prototype Internet access device", 180),
        ("Sun's", 140),
        ("a 110-Mhz MicroSPARC processor", 165),
    ]
    assert antecedent(resolution, "Its") == "Sun's prototype Internet access device"


def test_what_a_pronoun_modifies_is_dropped_for_number_before_binding() -> None:
    assert candidate(resolve(SUN), "Its", "Its dimensions").dropped == "number"


def test_genitive_nouns_have_poss_only_if_asked() -> None:
    assert dict(scores(resolve(SUN, genitive="all"), "Its"))["Sun's"] == 172.5


def test_nouns_that_modify_are_referents_only_if_asked() -> None:
    assert "MicroSPARC" in dict(scores(resolve(SUN, modifiers=True), "Its"))


FADING = "\n".join(
    [
        "Ann|NNP|2|nsubj|person came:come|VBD|0|root",
        *["Rain|NN|2|nsubj fell:fall|VBD|0|root"] * 5,
        "She|PRP|2|nsubj left:leave|VBD|0|root",
    ]
)


def test_d1_a_subject_is_forgotten_after_five_sentences() -> None:
    assert antecedent(resolve(FADING), "She") is None
    assert antecedent(resolve(FADING, min_salience=5), "She") == "Ann"
    shorter = "\n".join(line for n, line in enumerate(FADING.splitlines()) if n != 1)
    found = scores(resolve(shorter), "She")
    assert found == [("Ann", 11.25)]


def test_d1_without_threshold_nothing_is_forgotten() -> None:
    assert antecedent(resolve(FADING, min_salience=0), "She") == "Ann"


PARALLEL = (
    "Ann|NNP|2|nsubj|person told:tell|VBD|0|root Eve|NNP|2|obj|person that|IN|6|mark "
    "she|PRP|6|nsubj knew:know|VBD|2|ccomp that|IN|9|mark she|PRP|9|nsubj slept:sleep|VBD|6|ccomp"
)


def test_d2_a_pair_of_functions_that_was_seen_is_rewarded() -> None:
    found = scores(resolve(PARALLEL), "she", 1)
    assert found == [("Ann", 395), ("Eve", 330), ("she", 395)]
    assert scores(resolve(PARALLEL, parallelism=0), "she", 1) == [("Ann", 360), ("Eve", 330), ("she", 360)]


def test_d2_pairs_are_forgotten_with_the_sentence() -> None:
    text = f"""{PARALLEL}
Eve|NNP|2|nsubj|person said:say|VBD|0|root she|PRP|4|nsubj slept:sleep|VBD|2|ccomp
"""
    # 360 as subject, and half of the ACC-S that Eve had in the sentence before.
    assert scores(resolve(text), "she", 2)[-1] == ("Eve", 385)
    assert scores(resolve(text, memory="document"), "she", 2)[-1] == ("Eve", 420)


def test_d3_a_pronoun_is_disjoint_from_co_arguments_before_it() -> None:
    text = "John|NNP|2|nsubj|person saw:see|VBD|0|root him|PRP|2|obj"
    assert antecedent(resolve(text), "him") is None
    assert antecedent(resolve(text, co_arguments="literal"), "him") == "John"


def test_d3_a_subject_between_opens_the_next_clause() -> None:
    text = "John|NNP|2|nsubj|person said:say|VBD|0|root Ann|NNP|4|nsubj|person saw:see|VBD|2|ccomp him|PRP|4|obj"
    assert antecedent(resolve(text), "him") == "John"


PARAGRAPHS = """
Ann|NNP|2|nsubj|person came:come|VBD|0|root
==
She|PRP|2|nsubj left:leave|VBD|0|root
"""


def test_d4_the_context_ends_with_the_paragraph() -> None:
    assert scores(resolve(PARAGRAPHS), "She") == [("Ann", 155)]
    assert scores(resolve(PARAGRAPHS, segment="document"), "She") == [("Ann", 180)]


UNBOUND = """
John|NNP|2|nsubj|person came:come|VBD|0|root
Ann|NNP|2|nsubj|person saw:see|VBD|0|root himself|PRP|2|obj
"""


def test_d5_a_reflexive_that_nothing_binds_is_resolved_as_a_pronoun() -> None:
    assert antecedent(resolve(UNBOUND), "himself") == "John"
    assert antecedent(resolve(UNBOUND, unbound="none"), "himself") is None


EXISTENTIAL = """
There|EX|2|expl was:be|VBD|0|root a|DT|4|det king|NN|2|nsubj|person
He|PRP|2|nsubj slept:sleep|VBD|0|root
"""


def test_d6_the_subject_of_there_is_has_exst_only() -> None:
    assert scores(resolve(EXISTENTIAL), "He") == [("a king", 175)]
    assert scores(resolve(EXISTENTIAL, existential="subject"), "He") == [("a king", 215)]


def test_d7_names_stay_apart_if_asked() -> None:
    resolution = resolve(APPLE, link_names=False)
    assert resolution.links == ()
    assert ("Apple", 360) in scores(resolution, "its", 0)
    assert dict(scores(resolution, "its", 1))["Apple's"] == 140


APART = (
    "Pictures:picture|NNS|9|nsubj of|IN|3|case John|NNP|1|nmod|person that|WDT|5|nsubj "
    "amused:amuse|VBD|1|acl:relcl his|PRP$|7|nmod:poss boss|NN|5|obj|person are:be|AUX|9|cop "
    "here|RB|0|root"
)


def test_d8_contexts_by_flags_are_wider_than_those_of_the_tree() -> None:
    assert ("John", 100 + 50 + 30 + 50 + 80) in scores(resolve(APART), "his")
    assert ("John", 100 + 50 + 30 + 50) in scores(resolve(APART, context="tree"), "his")


def test_d8_the_same_relative_clause_is_one_context_either_way() -> None:
    for context in ("flags", "tree"):
        assert ("Apple", 432.5) in scores(resolve(APPLE, context=context), "its", 1)


def test_d9_without_candidates_there_is_no_answer_unless_asked() -> None:
    text = "John|NNP|2|nsubj|person saw:see|VBD|0|root him|PRP|2|obj"
    left = decision(resolve(text), "him")
    assert (left.antecedent, left.rule) == (None, "no candidate")
    taken = decision(resolve(text, empty="recent"), "him")
    assert (taken.antecedent, taken.rule) == (0, "most recent")


def test_a_pronoun_that_was_left_alone_is_a_candidate_for_the_next() -> None:
    text = "He|PRP|2|nsubj came:come|VBD|0|root\nHe|PRP|2|nsubj left:leave|VBD|0|root"
    resolution = resolve(text)
    assert antecedent(resolution, "He", 0) is None
    assert decision(resolution, "He", 1).antecedent == 0


CATAPHORA = (
    "When|RB|3|advmod he|PRP|3|nsubj came:come|VBD|6|advcl ,|,|6|punct John|NNP|6|nsubj|person slept:sleep|VBD|0|root"
)


def test_a_noun_after_a_free_pronoun_is_disjoint() -> None:
    assert candidate(resolve(CATAPHORA), "he", "John").dropped == "binding"


def test_a_noun_after_a_pronoun_in_an_adjunct_is_a_candidate_at_a_third() -> None:
    text = "In|IN|3|case his|PRP$|3|nmod:poss house|NN|6|obl ,|,|6|punct John|NNP|6|nsubj|person slept:sleep|VBD|0|root"
    assert dict(scores(resolve(text), "his"))["John"] == 120
    assert dict(scores(resolve(text, cataphora=2), "his"))["John"] == 180


def test_what_corefers_with_a_co_argument_is_disjoint_too() -> None:
    text = """
John|NNP|2|nsubj|person came:come|VBD|0|root
John|NNP|2|nsubj|person saw:see|VBD|0|root him|PRP|2|obj
"""
    assert antecedent(resolve(text), "him") is None
    assert decision(resolve(text, propagate=False), "him").antecedent == 0


def test_a_reflexive_object_is_bound_by_the_closest_subject() -> None:
    text = "John|NNP|2|nsubj|person said:say|VBD|0|root Bill|NNP|4|nsubj|person saw:see|VBD|2|ccomp himself|PRP|4|obj"
    assert antecedent(resolve(text), "himself") == "Bill"


def test_an_oblique_reflexive_takes_the_more_salient_of_subject_and_object() -> None:
    text = "John|NNP|2|nsubj|person told:tell|VBD|0|root Bill|NNP|2|obj|person about|IN|5|case himself|PRP|2|obl"
    resolution = resolve(text)
    assert scores(resolution, "himself") == [("John", 360), ("Bill", 330)]
    assert antecedent(resolution, "himself") == "John"


def test_a_reflexive_and_the_pronoun_that_binds_it_join_one_class() -> None:
    text = """
Ann|NNP|2|nsubj|person came:come|VBD|0|root
She|PRP|2|nsubj saw:see|VBD|0|root herself|PRP|2|obj
"""
    resolution = resolve(text)
    assert resolution.chains() == [[0, 1, 2]]
    assert [decision.anaphor for decision in resolution.decisions] == [1, 2]


def test_a_reflexive_in_a_relative_clause_is_bound_by_its_noun() -> None:
    text = (
        "Ann|NNP|2|nsubj|person met:meet|VBD|0|root a|DT|4|det man|NN|2|obj|person who|WP|6|nsubj "
        "hurt|VBD|4|acl:relcl himself|PRP|6|obj"
    )
    assert antecedent(resolve(text), "himself") == "a man who hurt himself"


def test_coordinated_subjects_bind_together() -> None:
    text = "John|NNP|4|nsubj|person and|CC|3|cc Mary|NNP|1|conj|person saw:see|VBD|0|root themselves|PRP|4|obj"
    assert antecedent(resolve(text), "themselves") == "John and Mary"


def test_of_equal_candidates_the_closest_that_precedes_is_taken() -> None:
    text = """
Ann|NNP|2|nsubj|person came:come|VBD|0|root and|CC|5|cc Eve|NNP|5|nsubj|person left:leave|VBD|2|conj
She|PRP|2|nsubj slept:sleep|VBD|0|root
"""
    found = decision(resolve(text), "She")
    assert (found.rule, antecedent(resolve(text), "She")) == ("tie: closest candidate", "Eve")
    assert found.confidence == 0.5


@pytest.mark.parametrize("text", ["", "Yes|UH|0|root", "He|PRP|0|root"])
def test_small_documents_have_no_antecedents(text: str) -> None:
    assert all(decision.antecedent is None for decision in resolve(text).decisions)


def test_only_pronouns_refer_to_each_other() -> None:
    text = """
She|PRP|2|nsubj saw:see|VBD|0|root it|PRP|2|obj
She|PRP|2|nsubj ate:eat|VBD|0|root it|PRP|2|obj
"""
    resolution = resolve(text)
    assert resolution.chains() == [[0, 2], [1, 3]]


def test_the_card_numbers_the_decisions() -> None:
    decisions = {parameter.decision for parameter in KennedyBoguraev.card.parameters} - {""}
    assert decisions == {f"D{number}" for number in range(1, 10)}


def test_the_resolution_is_signed_with_what_is_not_default() -> None:
    resolution = make("kb(min_salience=20,link_names=false)").resolve(read(""))
    assert resolution.resolver == "kennedy-boguraev(min_salience=20,link_names=false)"


@pytest.mark.parametrize(
    "parameters",
    [
        {"min_salience": -1},
        {"min_salience": "high"},
        {"cataphora": 0.5},
        {"memory": "page"},
        {"link_names": "yes"},
        {"parallelism": float("nan")},
        {"parallelism": True},
    ],
)
def test_invalid_parameters_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        KennedyBoguraev(**parameters)


GENDER = """
Kim|NNP|2|nsubj|person came:come|VBD|0|root
He|PRP|2|nsubj sat:sit|VBD|0|root
She|PRP|2|nsubj left:leave|VBD|0|root
"""


def test_a_name_that_he_took_up_is_not_she() -> None:
    assert antecedent(resolve(GENDER), "She") is None
    assert antecedent(resolve(GENDER, class_gender=False), "She") == "Kim"
    assert candidate(resolve(GENDER), "She", "Kim").dropped == "gender"


def test_of_equal_candidates_a_coordination_is_as_close_as_its_last_conjunct() -> None:
    text = """
Men|NNS|4|nsubj|person and|CC|3|cc women:woman|NNS|1|conj|person came:come|VBD|0|root
They|PRP|2|nsubj left:leave|VBD|0|root
"""
    assert antecedent(resolve(text), "They") == "Men and women"


def test_the_antecedent_is_the_nearest_of_the_class_unless_it_is_to_be_the_most_salient() -> None:
    """In the second sentence (subject, subject) is remembered: the far *He* is rewarded for it,
    and *him*, of the same class, is nearer."""
    text = """
        Tom|NNP|2|nsubj|person slept:sleep|VBD|0|root
        He|PRP|2|nsubj said:say|VBD|0|root that|IN|5|mark he|PRP|5|nsubj hoped:hope|VBD|2|ccomp \
that|IN|10|mark rain|NN|10|nsubj would|MD|10|aux wake|VB|5|ccomp him|PRP|9|obj when|WRB|13|advmod \
he|PRP|13|nsubj dreamed:dream|VBD|9|advcl
    """
    of = read(text)
    near, far = resolve(of), resolve(of, member="salient")
    assert antecedent(near, "he", 1) == "him"
    assert antecedent(far, "he", 1) in ("He", "he")
    assert near.chains() == far.chains()


def condition(text: str, pronoun: str, other: str, *, literal: bool = False) -> str:
    document = read(text)
    order = Precedence(document, literal=literal)
    return order.condition(phrase(document, pronoun), phrase(document, other))


SAW = "John|NNP|2|nsubj|person saw:see|VBD|0|root him|PRP|2|obj near|IN|5|case Bill|NNP|2|obl|person"


def test_condition_1_objects_that_follow_are_co_arguments() -> None:
    assert condition(SAW, "him", "Bill") == "co-arguments"


def test_condition_1_holds_backwards_unless_it_is_read_to_the_letter() -> None:
    assert condition(SAW, "him", "John") == "co-arguments"
    assert condition(SAW, "him", "John", literal=True) == ""


def test_condition_1_ends_at_the_next_subject() -> None:
    text = "He|PRP|2|nsubj said:say|VBD|0|root he|PRP|4|nsubj saw:see|VBD|2|ccomp them|PRP|4|obj"
    assert condition(text, "them", "He") == ""
    assert condition(text, "them", "he") == "co-arguments"


def test_condition_1_reaches_over_verbs_without_subject() -> None:
    # The limit of the method that "He took his coat and draped it" runs into.
    text = "We|PRP|2|nsubj took:take|VBD|0|root coats:coat|NNS|2|obj and|CC|5|cc draped:drape|VBD|2|conj them|PRP|5|obj"
    assert condition(text, "them", "coats") == "co-arguments"


def test_condition_1_is_not_for_reflexives() -> None:
    text = "John|NNP|2|nsubj|person saw:see|VBD|0|root himself|PRP|2|obj"
    assert condition(text, "himself", "John") == ""


def test_condition_2_a_free_pronoun_commands_the_nouns_after_it() -> None:
    text = "His|PRP$|2|nmod:poss wife|NN|3|nsubj|person saw:see|VBD|0|root John|NNP|3|obj|person"
    assert condition(text, "His", "John") == "command"


def test_condition_2_is_not_for_pronouns_in_adjuncts() -> None:
    text = "In|IN|3|case his|PRP$|3|nmod:poss house|NN|6|obl ,|,|6|punct John|NNP|6|nsubj|person slept:sleep|VBD|0|root"
    assert condition(text, "his", "John") == ""


def test_condition_3_a_free_referent_contains_what_is_embedded_after_it() -> None:
    text = (
        "The|DT|2|det booth|NN|7|nsubj that|WDT|5|obj Ann|NNP|5|nsubj|person "
        "filled:fill|VBD|2|acl:relcl it|PRP|5|obj fell:fall|VBD|0|root"
    )
    assert condition(text, "it", "The booth that Ann filled it") == "containment"
    assert condition(text, "it", "Ann") == "co-arguments"


def test_condition_3_ends_at_the_next_free_referent() -> None:
    text = (
        "Ann|NNP|2|nsubj|person gave:give|VBD|0|root Eve|NNP|2|iobj|person a|DT|5|det "
        "book|NN|2|obj that|WDT|8|nsubj quite|RB|8|advmod pleased:please|VBD|5|acl:relcl "
        "her|PRP|8|obj"
    )
    assert condition(text, "her", "Ann") == ""
    assert condition(text, "her", "Eve") == ""


def test_condition_3_a_possessive_is_not_what_it_modifies() -> None:
    text = "His|PRP$|2|nmod:poss wife|NN|3|nsubj|person slept:sleep|VBD|0|root"
    assert condition(text, "His", "His wife") == "containment"


@pytest.mark.parametrize("tree", [False, True])
def test_two_phrases_of_one_relative_clause_share_their_embedding(tree: bool) -> None:
    text = (
        "The|DT|2|det booth|NN|8|nsubj that|IN|5|mark Ann|NNP|5|nsubj|person "
        "sold:sell|VBD|2|acl:relcl her|PRP$|7|nmod:poss lamps:lamp|NNS|5|obj fell:fall|VBD|0|root"
    )
    document = read(text)
    order = Precedence(document, tree=tree)
    ann, her = phrase(document, "Ann"), phrase(document, "her")
    assert order.share_embedding(ann, her)
    assert not order.share_adjunct(ann, her)


@pytest.mark.parametrize("tree", [False, True])
def test_two_phrases_of_one_adverbial_share_their_adjunct(tree: bool) -> None:
    text = (
        "Seeing:see|VBG|7|advcl Ann|NNP|1|obj|person in|IN|5|case her|PRP$|5|nmod:poss "
        "car|NN|1|obl ,|,|7|punct left:leave|VBD|0|root Bill|NNP|7|nsubj|person"
    )
    document = read(text)
    order = Precedence(document, tree=tree)
    assert order.share_adjunct(phrase(document, "Ann"), phrase(document, "her"))
    assert not order.share_adjunct(phrase(document, "Ann"), phrase(document, "Bill"))
