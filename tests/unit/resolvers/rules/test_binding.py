"""The conditions of Lappin & Leass (1994), each with the sentences of their Figures 1 and 3."""

import pytest

from corefbench.preprocess.analysis import Tree
from corefbench.preprocess.discourse import Phrase
from corefbench.resolvers.rules.binding import Binding, Domains, Slot, Slots, find_reflexive_antecedent, is_bound
from corefbench.resolvers.rules.candidates import iter_preceding
from tests.one_line_trees import read
from tests.trees import discourse, phrase


def condition(text: str, pronoun: str, other: str, nth: int = 0) -> str:
    document = read(text)
    return Binding(document).condition(phrase(document, pronoun, nth), phrase(document, other))


def binders(text: str, anaphor: str) -> list[str]:
    document = read(text)
    bound = phrase(document, anaphor)
    assert is_bound(bound)
    return [document.text_of(binder) for binder in Binding(document).binders(bound)]


def test_condition_2_a_pronoun_is_not_its_co_argument() -> None:
    assert condition("She|PRP|2|nsubj likes|VBZ|0|root her|PRP|2|obj", "her", "She") == ("argument domain")


def test_condition_2_reaches_through_understood_subjects() -> None:
    text = (
        "John|NNP|2|nsubj|person seems|VBZ|0|root to|TO|4|mark want|VB|2|xcomp to|TO|6|mark "
        "see|VB|4|xcomp him|PRP|6|obj"
    )
    assert condition(text, "him", "John") == "argument domain"


def test_the_object_of_a_verb_is_the_understood_subject_of_its_infinitive() -> None:
    text = (
        "John|NNP|2|nsubj|person asked:ask|VBD|0|root Bill|NNP|2|obj|person to|TO|5|mark help|VB|2|xcomp him|PRP|5|obj"
    )
    assert condition(text, "him", "Bill") == "argument domain"
    assert condition(text, "him", "John") == ""


def test_promise_is_controlled_by_its_subject() -> None:
    text = (
        "John|NNP|2|nsubj|person promised:promise|VBD|0|root Bill|NNP|2|obj|person to|TO|5|mark "
        "help|VB|2|xcomp him|PRP|5|obj"
    )
    assert condition(text, "him", "John") == "argument domain"
    assert condition(text, "him", "Bill") == ""


def test_conjoined_verbs_share_their_subject() -> None:
    text = "John|NNP|2|nsubj|person came:come|VBD|0|root and|CC|4|cc saw:see|VBD|2|conj him|PRP|4|obj"
    assert condition(text, "him", "John") == "argument domain"


def test_a_relative_pronoun_stands_for_its_noun() -> None:
    text = (
        "Ann|NNP|2|nsubj|person met:meet|VBD|0|root the|DT|4|det man|NN|2|obj|person "
        "who|WP|6|nsubj saw:see|VBD|4|acl:relcl him|PRP|6|obj"
    )
    assert condition(text, "him", "the man who saw him") == "argument domain"


def test_a_possessive_in_a_relative_clause_may_be_its_noun() -> None:
    text = (
        "Ann|NNP|2|nsubj|person met:meet|VBD|0|root the|DT|4|det man|NN|2|obj|person "
        "who|WP|6|nsubj lost:lose|VBD|4|acl:relcl his|PRP$|8|nmod:poss key|NN|6|obj"
    )
    assert condition(text, "his", "the man who lost his key") == ""


def test_a_subject_is_not_its_predicate() -> None:
    text = "He|PRP|4|nsubj is:be|AUX|4|cop the|DT|4|det president|NN|0|root|person"
    assert condition(text, "He", "the president") == "argument domain"


def test_condition_3_a_pronoun_in_an_adjunct_is_not_an_argument_of_its_verb() -> None:
    text = "She|PRP|2|nsubj sat:sit|VBD|0|root near|IN|4|case her|PRP|2|obl"
    assert condition(text, "her", "She") == "adjunct domain"


@pytest.mark.parametrize(
    ("text", "pronoun", "other"),
    [
        (
            "He|PRP|2|nsubj believes|VBZ|0|root that|IN|7|mark the|DT|5|det man|NN|7|nsubj|person "
            "is:be|AUX|7|cop amusing|JJ|2|ccomp",
            "He",
            "the man",
        ),
        (
            "This|DT|4|nsubj is:be|AUX|4|cop the|DT|4|det man|NN|0|root|person he|PRP|6|nsubj "
            "said:say|VBD|4|acl:relcl John|NNP|8|nsubj|person wrote:write|VBD|6|ccomp "
            "about|RB|8|advmod",
            "he",
            "John",
        ),
    ],
)
def test_condition_4_a_pronoun_is_not_a_noun_that_its_head_contains(text: str, pronoun: str, other: str) -> None:
    assert condition(text, pronoun, other) == "containment"


def test_condition_4_lets_nouns_through_that_precede() -> None:
    fronted = (
        "After|IN|3|mark John|NNP|3|nsubj|person left:leave|VBD|6|advcl ,|,|6|punct he|PRP|6|nsubj "
        "slept:sleep|VBD|0|root"
    )
    assert condition(fronted, "he", "John") == ""
    subject = "The|DT|2|det mother|NN|5|nsubj|person of|IN|4|case John|NNP|2|nmod|person loves|VBZ|0|root him|PRP|5|obj"
    assert condition(subject, "him", "John") == ""


def test_condition_4_does_not_reach_into_a_clause_that_is_conjoined() -> None:
    text = "He|PRP|2|nsubj came:come|VBD|0|root and|CC|5|cc John|NNP|5|nsubj|person left:leave|VBD|2|conj"
    assert condition(text, "He", "John") == ""


def test_condition_5_a_pronoun_is_not_the_possessor_of_its_noun() -> None:
    text = (
        "John|NNP|3|nmod:poss|person 's|POS|1|case portrait|NN|7|nsubj of|IN|5|case "
        "him|PRP|3|nmod is:be|AUX|7|cop interesting|JJ|0|root"
    )
    assert condition(text, "him", "John's") == "noun phrase domain"


@pytest.mark.parametrize(
    "text",
    [
        "His|PRP$|2|nmod:poss portrait|NN|6|nsubj of|IN|4|case John|NNP|2|nmod|person "
        "is:be|AUX|6|cop interesting|JJ|0|root",
        "His|PRP$|2|nmod:poss description|NN|9|nsubj of|IN|5|case the|DT|5|det "
        "portrait|NN|2|nmod by|IN|7|case John|NNP|5|nmod|person is:be|AUX|9|cop "
        "interesting|JJ|0|root",
    ],
)
def test_condition_6_a_possessive_is_not_a_noun_that_its_noun_contains(text: str) -> None:
    assert condition(text, "His", "John") == "determiner"


def test_a_pronoun_is_not_the_phrase_that_it_is_part_of() -> None:
    text = "John|NNP|2|nsubj|person saw:see|VBD|0|root his|PRP$|4|nmod:poss wife|NN|2|obj|person"
    assert condition(text, "his", "his wife") == "i within i"
    assert condition(text, "his", "John") == ""


def test_conjuncts_of_one_coordination_are_disjoint() -> None:
    text = "John|NNP|4|nsubj|person and|CC|3|cc he|PRP|1|conj left:leave|VBD|0|root"
    assert condition(text, "he", "John") == "coordination"
    assert condition(text, "he", "John and he") == "i within i"
    possessive = "John|NNP|5|nsubj|person and|CC|4|cc his|PRP$|4|nmod:poss wife|NN|1|conj|person left:leave|VBD|0|root"
    assert condition(possessive, "his", "John") == ""


@pytest.mark.parametrize(
    "text",
    [
        "John|NNP|4|nsubj|person is:be|AUX|4|cop his|PRP$|4|nmod:poss friend|NN|0|root|person",
        "His|PRP$|2|nmod:poss friend|NN|4|nsubj|person is:be|AUX|4|cop John|NNP|0|root|person",
    ],
)
def test_a_possessive_is_not_what_its_noun_is_predicated_of(text: str) -> None:
    pronoun = "his" if " his|" in text else "His"
    assert condition(text, pronoun, "John") == "predication"


def test_a_pronoun_and_a_pronoun_are_disjoint_whichever_is_asked() -> None:
    text = "She|PRP|2|nsubj sat:sit|VBD|0|root near|IN|4|case her|PRP|2|obl"
    assert condition(text, "She", "her") == "adjunct domain"


def test_phrases_of_two_sentences_are_not_disjoint() -> None:
    text = """
John|NNP|2|nsubj|person came:come|VBD|0|root
Ann|NNP|2|nsubj|person saw:see|VBD|0|root him|PRP|2|obj
"""
    document = read(text)
    assert not Binding(document).disjoint(phrase(document, "him"), phrase(document, "John"))


def test_a_reflexive_is_no_reason_to_exclude() -> None:
    text = "She|PRP|2|nsubj likes|VBZ|0|root herself|PRP|2|obj"
    document = read(text)
    she, herself = phrase(document, "She"), phrase(document, "herself")
    assert not Binding(document).disjoint(she, herself)


def test_binding_1_by_a_higher_argument() -> None:
    text = "They|PRP|2|nsubj wanted:want|VBD|0|root to|TO|4|mark see|VB|2|xcomp themselves|PRP|4|obj"
    assert binders(text, "themselves") == ["They"]


def test_binding_1_by_the_noun_of_a_relative_clause() -> None:
    text = (
        "Mary|NNP|2|nsubj|person knows|VBZ|0|root the|DT|4|det people|NNS|2|obj|person "
        "who|WP|7|obj John|NNP|7|nsubj|person introduced:introduce|VBD|4|acl:relcl to|IN|9|case "
        "themselves|PRP|7|obl"
    )
    whole = "the people who John introduced to themselves"
    document = read(text)
    names = [
        document.text_of(binder)
        for binder in Binding(document).binders(phrase(document, "themselves"))
        if binder.agreement.number & 2
    ]
    assert names == [whole]


def test_binding_1_not_by_a_lower_argument() -> None:
    text = "Himself|PRP|2|nsubj saw:see|VBD|0|root John|NNP|2|obj|person"
    assert binders(text, "Himself") == []


def test_binding_2_from_an_adjunct() -> None:
    text = "He|PRP|2|nsubj worked:work|VBD|0|root by|IN|4|case himself|PRP|2|obl"
    assert binders(text, "himself") == ["He"]


def test_binding_2_both_of_two_that_a_verb_has() -> None:
    text = (
        "John|NNP|2|nsubj|person talked:talk|VBD|0|root to|IN|4|case Bill|NNP|2|obl|person "
        "about|IN|6|case himself|PRP|2|obl"
    )
    assert binders(text, "himself") == ["John", "Bill"]


def test_binding_3_by_a_possessor() -> None:
    text = (
        "John|NNP|2|nsubj|person likes|VBZ|0|root Bill|NNP|5|nmod:poss|person 's|POS|3|case "
        "portrait|NN|2|obj of|IN|7|case himself|PRP|5|nmod"
    )
    assert binders(text, "himself") == ["Bill's"]


def test_binding_4_into_a_noun_without_possessor() -> None:
    text = "They|PRP|2|nsubj told:tell|VBD|0|root stories:story|NNS|2|obj about|IN|5|case themselves|PRP|3|nmod"
    assert binders(text, "themselves") == ["They"]


def test_binding_5_of_a_reciprocal_that_possesses() -> None:
    text = (
        "John|NNP|4|nsubj|person and|CC|3|cc Mary|NNP|1|conj|person like|VBP|0|root "
        "each|DT|6|det other|JJ|8|nmod:poss 's|POS|6|case portraits:portrait|NNS|4|obj"
    )
    document = read(text)
    reciprocals = [phrase for phrase in document.phrases if is_bound(phrase)]
    names = [document.text_of(binder) for binder in Binding(document).binders(reciprocals[0])]
    assert names == ["John and Mary", "John", "Mary"]


def test_an_emphatic_reflexive_is_bound_by_what_it_follows() -> None:
    text = "The|DT|2|det president|NN|4|nsubj|person himself|PRP|2|nmod:unmarked came:come|VBD|0|root"
    document = read(text)
    himself = phrase(document, "himself")
    heads = {binder.head for binder in Binding(document).binders(himself)}
    assert heads == {1}


def test_an_empty_document_has_nothing_to_bind() -> None:
    document = read("")
    assert document.phrases == ()
    Binding(document)


def test_a_cycle_in_the_tree_is_harmless() -> None:
    document = read("He|PRP|2|conj saw:see|VBD|1|conj him|PRP|2|obj")
    one, other = (phrase(document, text) for text in ("He", "him"))
    assert isinstance(one, Phrase)
    Binding(document).disjoint(one, other)


def test_a_possessive_within_what_a_possessive_modifies_may_be_the_same() -> None:
    text = (
        "His|PRP$|2|nmod:poss poems:poem|NNS|6|nsubj about|IN|5|case his|PRP$|5|nmod:poss "
        "friends:friend|NNS|2|nmod failed:fail|VBD|0|root"
    )
    assert condition(text, "his", "His") == ""
    picture = "His|PRP$|2|nmod:poss picture|NN|5|nsubj of|IN|4|case him|PRP|2|nmod failed:fail|VBD|0|root"
    assert condition(picture, "him", "His") == "noun phrase domain"


def test_an_apposition_is_not_kept_apart_from_what_it_renames() -> None:
    text = "It|PRP|2|nsubj prompted:prompt|VBD|0|root him|PRP|2|obj ,|,|6|punct an|DT|6|det islander|NN|3|appos|person"
    assert condition(text, "him", "an islander") == ""


def test_the_subject_of_a_clause_about_a_clause_is_no_co_argument() -> None:
    text = "The|DT|2|det problem|NN|5|nsubj:outer is:be|AUX|5|cop it|PRP|5|nsubj failed:fail|VBD|0|root"
    assert condition(text, "it", "The problem") == ""


def places(text: str, token: int) -> Slots:
    return Domains(Tree(read(text).analysis)).slots(token)


def test_a_participle_has_the_subject_of_its_clause() -> None:
    text = "Seeing:see|VBG|4|advcl him|PRP|1|obj ,|,|4|punct left:leave|VBD|0|root Ann|NNP|4|nsubj"
    assert places(text, 4) == {3: Slot.SUBJECT, 0: Slot.SUBJECT}


def test_a_participle_at_a_noun_has_the_noun_as_its_subject() -> None:
    text = "Men|NNS|4|nsubj seeing:see|VBG|1|acl him|PRP|2|obj left:leave|VBD|0|root"
    assert places(text, 0) == {3: Slot.SUBJECT, 1: Slot.SUBJECT}


def test_an_infinitive_at_a_noun_has_no_subject_that_is_known() -> None:
    text = "Plans:plan|NNS|4|nsubj to|TO|3|mark help|VB|1|acl failed:fail|VBD|0|root"
    assert places(text, 0) == {3: Slot.SUBJECT}


def test_a_conjunct_fills_the_slot_of_the_first() -> None:
    text = "Ann|NNP|4|nsubj and|CC|3|cc Eve|NNP|1|conj slept:sleep|VBD|0|root"
    assert places(text, 2) == places(text, 0) == {3: Slot.SUBJECT}


def test_slots_are_ranked_as_in_the_paper() -> None:
    subject, agent, obj = Slot.SUBJECT, Slot.AGENT, Slot.OBJECT
    assert subject.outranks(agent)
    assert agent.outranks(obj)
    assert obj.outranks(Slot.INDIRECT)
    assert obj.outranks(Slot.PREPOSITIONAL)
    assert not Slot.INDIRECT.outranks(Slot.PREPOSITIONAL)


def test_what_is_conjoined_is_not_within() -> None:
    text = "Ann|NNP|2|nsubj came:come|VBD|0|root and|CC|5|cc Eve|NNP|5|nsubj left:leave|VBD|2|conj"
    domains = Domains(Tree(read(text).analysis))
    assert domains.is_within(0, 1)
    assert not domains.is_within(3, 1)
    assert domains.is_within(3, 4)


def bound(text: str, reflexive: str = "himself", *, subjects: bool = True) -> str | None:
    of = discourse(text)
    anaphor = phrase(of, reflexive)
    near = [one for one in iter_preceding(of, anaphor, 0) if not anaphor.agreement.clash(one.agreement)]
    found = find_reflexive_antecedent(of, Binding(of), anaphor, near, subjects=subjects)
    return None if found is None else of.text_of(found)


SHOWED = """
Bob Bob PROPN NNP 2 nsubj [person]
showed show VERB VBD 0 root
Jim Jim PROPN NNP 2 obj [person]
to to ADP IN 5 case
himself himself PRON PRP 2 obl
"""


def test_a_subject_comes_before_a_nearer_object() -> None:
    assert bound(SHOWED) == "Bob"
    assert bound(SHOWED, subjects=False) == "Jim"


def test_what_is_stressed_comes_first() -> None:
    stressed = """
        Bob Bob PROPN NNP 2 nsubj [person]
        saw see VERB VBD 0 root
        the the DET DT 4 det
        king king NOUN NN 2 obj
        himself himself PRON PRP 4 nmod:npmod
    """
    assert bound(stressed).startswith("the king")


def test_the_subject_of_another_clause_does_not_bind() -> None:
    said = """
        Bob Bob PROPN NNP 2 nsubj [person]
        said say VERB VBD 0 root
        Jim Jim PROPN NNP 4 nsubj [person]
        hurt hurt VERB VBD 2 ccomp
        himself himself PRON PRP 4 obj
    """
    assert bound(said) == "Jim"


def test_without_a_binder_the_nearest_that_agrees_is_taken() -> None:
    about = """
        Bob Bob PROPN NNP 2 nsubj [person]
        knew know VERB VBD 0 root
        people people NOUN NNS 5 nsubj
        like like ADP IN 5 case
        himself himself PRON PRP 2 ccomp
    """
    assert bound(about) == "Bob"


def test_nothing_that_agrees_is_no_answer() -> None:
    assert bound("himself himself PRON PRP 0 root") is None
