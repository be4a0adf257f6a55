"""Most recent, most recent subject and random, and the candidates that they share."""

import pytest

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers.base import Resolution
from corefbench.resolvers.rules.baselines import MostRecent, MostRecentSubject, RandomChoice
from corefbench.resolvers.rules.binding import Binding
from corefbench.resolvers.rules.candidates import candidates_in_window
from tests.trees import discourse, phrase

STORY = """
Carl Carl PROPN NNP 2 nsubj [person]
slept sleep VERB VBD 0 root

Ann Ann PROPN NNP 2 nsubj [person]
sang sing VERB VBD 0 root

Bob Bob PROPN NNP 2 nsubj [person]
met meet VERB VBD 0 root
Jim Jim PROPN NNP 2 obj [person]

Ann Ann PROPN NNP 2 nsubj [person]
saw see VERB VBD 0 root
his his PRON PRP$ 4 nmod:poss
dog dog NOUN NN 2 obj
"""


def chosen(resolution: Resolution) -> list[str | None]:
    of = resolution.discourse
    return [
        None if decision.antecedent is None else of.text_of(of.phrases[decision.antecedent])
        for decision in resolution.decisions
    ]


def shown(of: Discourse, candidates: list) -> list[tuple[str, str]]:
    return [(of.text_of(of.phrases[candidate.phrase]), candidate.dropped) for candidate in candidates]


def test_the_most_recent_that_agrees_is_taken() -> None:
    assert chosen(MostRecent().resolve(discourse(STORY))) == ["Jim"]


def test_the_most_recent_subject_that_agrees_is_taken() -> None:
    assert chosen(MostRecentSubject().resolve(discourse(STORY))) == ["Bob"]


def test_without_a_subject_that_agrees_there_is_no_answer() -> None:
    of = discourse(
        """
        Ann Ann PROPN NNP 2 nsubj [person]
        met meet VERB VBD 0 root
        Bob Bob PROPN NNP 2 obj [person]

        He he PRON PRP 2 nsubj
        left leave VERB VBD 0 root
        """
    )
    resolution = MostRecentSubject().resolve(of)
    assert chosen(resolution) == [None]
    assert resolution.decisions[0].rule == "no candidate"


def test_the_search_goes_back_as_far_as_need_be() -> None:
    ann = "Ann Ann PROPN NNP 2 nsubj [person]\nsang sing VERB VBD 0 root"
    bob = "Bob Bob PROPN NNP 2 nsubj [person]\nleft leave VERB VBD 0 root"
    he = "He he PRON PRP 2 nsubj\nleft leave VERB VBD 0 root"
    of = discourse("\n\n".join([bob, *[ann] * 6, he]))
    assert chosen(MostRecent().resolve(of)) == ["Bob"]
    assert chosen(MostRecent(window=3).resolve(of)) == [None]


SAW = """
Bob Bob PROPN NNP 2 nsubj [person]
left leave VERB VBD 0 root

Jim Jim PROPN NNP 2 nsubj [person]
saw see VERB VBD 0 root
him he PRON PRP 2 obj
"""


def test_binding_excludes_co_arguments_unless_it_is_off() -> None:
    assert chosen(MostRecent().resolve(discourse(SAW))) == ["Bob"]
    assert chosen(MostRecent(binding=False).resolve(discourse(SAW))) == ["Jim"]


def test_the_reference_looks_at_the_sentence_and_two_before() -> None:
    of = discourse(STORY)
    assert shown(of, candidates_in_window(of, phrase(of, "his"))) == [
        ("Ann", "gender"),
        ("Bob", ""),
        ("Jim", ""),
        ("Ann", "gender"),
    ]


def test_agreement_is_noted_before_binding() -> None:
    of = discourse(SAW)
    him = phrase(of, "him")
    assert shown(of, candidates_in_window(of, him)) == [("Bob", ""), ("Jim", "")]
    bound = candidates_in_window(of, him, binding=Binding(of))
    assert shown(of, bound) == [("Bob", ""), ("Jim", "binding")]
    assert all(candidate.agrees for candidate in bound)


def test_a_phrase_that_the_anaphor_is_part_of_is_no_candidate() -> None:
    of = discourse(
        """
        The the DET DT 2 det
        brother brother NOUN NN 6 nsubj
        of of ADP IN 5 case
        his his PRON PRP$ 5 nmod:poss
        wife wife NOUN NN 2 nmod
        left leave VERB VBD 0 root
        """
    )
    his = phrase(of, "his")
    assert shown(of, candidates_in_window(of, his)) == [("The brother of his wife", "binding")]


def test_a_reflexive_is_bound_in_its_sentence() -> None:
    of = discourse(SAW.replace("him he", "himself himself"))
    found = candidates_in_window(of, phrase(of, "himself"), 2, Binding(of))
    assert shown(of, found) == [("Bob", "binding"), ("Jim", "")]


def test_random_draws_only_what_agrees_and_always_the_same() -> None:
    of = discourse(STORY)
    draws = {chosen(RandomChoice(seed=seed).resolve(of))[0] for seed in range(30)}
    assert draws == {"Bob", "Jim"}
    assert chosen(RandomChoice().resolve(of)) == chosen(RandomChoice().resolve(of))
    assert RandomChoice().resolve(of).decisions[0].confidence == 0.5


@pytest.mark.parametrize("kind", [MostRecent, MostRecentSubject, RandomChoice])
def test_a_negative_window_is_refused(kind: type) -> None:
    with pytest.raises(UsageError):
        kind(window=-1)


@pytest.mark.parametrize("kind", [MostRecent, MostRecentSubject, RandomChoice])
@pytest.mark.parametrize("text", ["", "It it PRON PRP 0 root", "Yes yes INTJ UH 0 root"])
def test_odd_documents_pass(text: str, kind: type) -> None:
    assert [one for one in chosen(kind().resolve(discourse(text))) if one] == []
