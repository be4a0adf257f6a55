"""The places that words fill, overtly and understood."""

from corefbench.preprocess.tree import Tree
from corefbench.resolvers.rules.domains import Domains
from corefbench.resolvers.rules.slots import Places, Slot
from tests.one_line_trees import read


def places(text: str, token: int) -> Places:
    return Domains(Tree(read(text).analysis)).places(token)


def test_a_participle_has_the_subject_of_its_clause() -> None:
    text = "Seeing:see|VBG|4|advcl him|PRP|1|obj ,|,|4|punct left:leave|VBD|0|root Ann|NNP|4|nsubj"
    assert places(text, 4) == {3: Slot.SUBJECT, 0: Slot.SUBJECT}


def test_a_participle_at_a_noun_has_the_noun_as_its_subject() -> None:
    text = "Men|NNS|4|nsubj seeing:see|VBG|1|acl him|PRP|2|obj left:leave|VBD|0|root"
    assert places(text, 0) == {3: Slot.SUBJECT, 1: Slot.SUBJECT}


def test_an_infinitive_at_a_noun_has_no_subject_that_is_known() -> None:
    text = "Plans:plan|NNS|4|nsubj to|TO|3|mark help|VB|1|acl failed:fail|VBD|0|root"
    assert places(text, 0) == {3: Slot.SUBJECT}


def test_a_conjunct_fills_the_place_of_the_first() -> None:
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
