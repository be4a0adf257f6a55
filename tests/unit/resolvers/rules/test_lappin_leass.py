"""The displays of RAP's output that Lappin & Leass (1994, §3) print."""

from typing import Any

import pytest

from corefbench.errors import UsageError
from corefbench.resolvers import make
from corefbench.resolvers.base import Decision, Resolution
from corefbench.resolvers.rules.lappin_leass import LappinLeass
from tests.one_line_trees import read
from tests.trees import phrase

EMACS = """
At|IN|3|case this|DT|3|det point|NN|7|obl ,|,|7|punct emacs|NNP|7|nsubj is:be|AUX|7|aux \
waiting:wait|VBG|0|root for|IN|10|case a|DT|10|det command|NN|7|obl
It|PRP|3|nsubj is:be|AUX|3|aux prepared:prepare|VBN|0|root to|TO|5|mark see|VB|3|xcomp \
if|IN|11|mark the|DT|9|det variable|JJ|9|amod keys:key|NNS|11|nsubj are:be|AUX|11|cop \
true|JJ|5|ccomp ,|,|14|punct and|CC|14|cc executes:execute|VBZ|3|conj some|DT|16|det \
lines:line|NNS|14|obj if|IN|19|mark they|PRP|19|nsubj are:be|VBP|14|advcl
"""

PRINTER = """
You|PRP|4|nsubj have|AUX|4|aux not|RB|4|advmod waited:wait|VBN|0|root for|IN|9|mark the|DT|7|det \
file|NN|9|nsubj to|TO|9|mark close|VB|4|advcl
You|PRP|4|nsubj may|MD|4|aux have|AUX|4|aux asked:ask|VBN|0|root to|TO|6|mark print|VB|4|xcomp \
on|IN|10|case the|DT|10|det virtual|JJ|10|amod printer|NN|6|obl ,|,|15|punct but|CC|15|cc \
it|PRP|15|nsubj cannot|MD|15|aux print|VB|4|conj until|IN|21|mark the|DT|19|det \
output|NN|19|compound file|NN|21|nsubj:pass is:be|AUX|21|aux:pass closed:close|VBN|15|advcl
"""

PARTNUM = """
The|DT|3|det PARTNUM|NNP|3|compound tag|NN|4|nsubj prints:print|VBZ|0|root a|DT|7|det \
part|NN|7|compound number|NN|4|obj on|IN|10|case the|DT|10|det document|NN|4|obl
Name|NNP|4|nmod:poss|organization 's|POS|1|case initial|JJ|4|amod setting|NN|5|nsubj \
places:place|VBZ|0|root it|PRP|5|obj on|IN|10|case the|DT|10|det back|JJ|10|amod cover|NN|5|obl
"""

MICRO_EMACS = (
    "Because|IN|3|case of|IN|1|fixed this|DT|7|obl ,|,|7|punct MicroEMACS|NNP|7|nsubj "
    "cannot|MD|7|aux process|VB|0|root an|DT|10|det incoming|JJ|10|amod ESC|NNP|7|obj "
    "until|IN|13|mark it|PRP|13|nsubj knows:know|VBZ|7|advcl what|DT|15|det character|NN|16|nsubj "
    "follows:follow|VBZ|13|ccomp it|PRP|16|obj"
)

KEYWORD = (
    "Most|JJ|6|nsubj:pass of|IN|4|case the|DT|4|det notices:notice|NNS|1|nmod "
    "are:be|AUX|6|aux:pass embedded:embed|VBN|0|root in|IN|9|case the|DT|9|det EXEC|NNP|6|obl "
    ",|,|14|punct but|CC|14|cc this|DT|13|det keyword|NN|14|nsubj makes:make|VBZ|6|conj "
    "it|PRP|14|expl possible|JJ|14|xcomp for|IN|22|mark a|DT|20|det user-supplied|JJ|20|amod "
    "function|NN|22|nsubj to|TO|22|mark have|VB|14|ccomp its|PRP$|26|nmod:poss own|JJ|26|amod "
    "copyright|NN|26|compound notice|NN|22|obj"
)


def resolve(text: str, **parameters: Any) -> Resolution:
    return LappinLeass(**parameters).resolve(read(text))


def decision(resolution: Resolution, pronoun: str, nth: int = 0) -> Decision:
    anaphor = phrase(resolution.discourse, pronoun, nth).index
    return next(decision for decision in resolution.decisions if decision.anaphor == anaphor)


def antecedent(resolution: Resolution, pronoun: str, nth: int = 0) -> str | None:
    chosen = decision(resolution, pronoun, nth).antecedent
    document = resolution.discourse
    return None if chosen is None else document.text_of(document.phrases[chosen])


def scores(resolution: Resolution, pronoun: str, nth: int = 0) -> dict[str, float]:
    document = resolution.discourse
    return {
        document.text_of(document.phrases[candidate.phrase]): candidate.score
        for candidate in decision(resolution, pronoun, nth).candidates
        if candidate.score is not None
    }


def dropped(resolution: Resolution, pronoun: str, nth: int = 0) -> dict[str, str]:
    document = resolution.discourse
    return {
        document.text_of(document.phrases[candidate.phrase]): candidate.dropped
        for candidate in decision(resolution, pronoun, nth).candidates
        if candidate.dropped
    }


def test_the_links_of_section_3_4() -> None:
    resolution = resolve(EMACS)
    assert antecedent(resolution, "It") == "emacs"
    assert antecedent(resolution, "they") == "the variable keys"


def test_the_discourse_referents_of_section_3_5() -> None:
    # A third sentence would show them halved, so its pronouns look at them from there.
    after = EMACS.strip() + "\nIt|PRP|2|nsubj runs:run|VBZ|0|root them|PRP|2|obj"
    resolution = resolve(after, parallelism=0)
    found = {**scores(resolution, "It", 1), **scores(resolution, "them")}
    assert {name: 2 * score for name, score in found.items()} == {
        "It": 465,
        "they": 310,
        "some lines": 280,
        "a command": 135,
        "this point": 90,
    }


def test_the_weight_of_emacs_is_added_up_over_sentences() -> None:
    after = EMACS.strip() + "\nIt|PRP|2|nsubj runs:run|VBZ|0|root"
    found = decision(resolve(after, parallelism=0), "It", 1)
    best = next(candidate for candidate in found.candidates if candidate.phrase == found.antecedent)
    assert best.score == (155 + 310) / 2
    assert dict(best.factors)["subject"] == (40 + 80) / 2


def test_the_salience_values_of_section_3_6() -> None:
    resolution = resolve(PRINTER)
    found = scores(resolution, "it")
    assert found == {"the file": 190, "the virtual printer": 270}
    assert antecedent(resolution, "it") == "the virtual printer"
    candidate = next(c for c in decision(resolution, "it").candidates if c.score == 190)
    assert dict(candidate.factors) == {
        "sentence recency": 50,
        "non-adverbial": 25,
        "subject": 40,
        "head noun": 40,
        "parallelism": 35,
    }
    # The printed pairs: it.13 output.19, it.13 file.20.
    assert dropped(resolution, "it")["the output file"] == "binding"


def test_the_second_salience_values_of_section_3_6() -> None:
    resolution = resolve(PARTNUM)
    assert scores(resolution, "it") == {
        "The PARTNUM tag": 155,
        "PARTNUM": 75,
        "a part number": 175,
        "the document": 135,
        "Name's": 150,
    }
    assert antecedent(resolution, "it") == "a part number"
    assert dropped(resolution, "it") == {"Name's initial setting": "binding", "the back cover": "binding"}


def test_the_links_of_section_3_3() -> None:
    resolution = resolve(MICRO_EMACS)
    assert antecedent(resolution, "it") == "MicroEMACS"
    assert antecedent(resolution, "it", 1) == "an incoming ESC"
    found = scores(resolution, "it", 1)
    assert (found["it"], found["an incoming ESC"]) == (310, 280 + 35)


def test_without_parallelism_the_subject_of_section_3_3_wins_twice() -> None:
    assert antecedent(resolve(MICRO_EMACS, parallelism=0), "it", 1) == "it"


def test_of_two_subjects_in_section_3_2_the_closer_is_taken() -> None:
    resolution = resolve(KEYWORD)
    found = scores(resolution, "its")
    assert found["this keyword"] == found["a user-supplied function"] == 310
    assert found["the EXEC"] == 270
    assert antecedent(resolution, "its") == "a user-supplied function"
    assert decision(resolution, "its").rule == "tie: closest candidate"


def test_the_lexical_anaphors_of_section_3_1() -> None:
    computer = (
        "the|DT|2|det copy|NN|4|nsubj:pass was:be|AUX|4|aux:pass started:start|VBN|0|root "
        "for|IN|9|mark the|DT|7|det computer|NN|9|nsubj to|TO|9|mark configure|VB|4|advcl "
        "itself|PRP|9|obj"
    )
    assert antecedent(resolve(computer), "itself") == "the computer"
    john = (
        "John|NNP|2|nsubj|person talked:talk|VBD|0|root to|IN|4|case Bill|NNP|2|obl|person "
        "about|IN|6|case himself|PRP|2|obl"
    )
    resolution = resolve(john)
    assert scores(resolution, "himself") == {"John": 310, "Bill": 270}
    assert antecedent(resolution, "himself") == "John"


def test_the_error_that_section_4_1_reports_is_made() -> None:
    text = """
This|DT|3|det green|JJ|3|amod indicator|NN|5|nsubj:pass is:be|AUX|5|aux:pass lit:light|VBN|0|root \
when|RB|10|advmod the|DT|8|det controller|NN|10|nsubj is:be|AUX|10|cop on|JJ|5|advcl
It|PRP|2|nsubj shows:show|VBZ|0|root levels:level|NNS|2|obj
"""
    assert antecedent(resolve(text), "It") == "the controller"


def test_an_embedded_noun_scores_lower_than_one_of_the_sentence_before() -> None:
    text = """
The|DT|2|det users:user|NNS|3|nsubj|person slept:sleep|VBD|0|root
We|PRP|2|nsubj check|VBP|0|root for|IN|5|case the|DT|5|det existence|NN|2|obl of|IN|8|case \
these|DT|8|det objects:object|NNS|5|nmod and|CC|10|cc create|VBP|2|conj them|PRP|10|obj
"""
    assert scores(resolve(text), "them") == {"The users": 155, "these objects": 150}


def test_cataphora_costs_175() -> None:
    text = "In|IN|3|case his|PRP$|3|nmod:poss house|NN|6|obl ,|,|6|punct John|NNP|6|nsubj|person slept:sleep|VBD|0|root"
    assert scores(resolve(text), "his") == {"John": 310 - 175}
    assert scores(resolve(text, cataphora=0), "his") == {"John": 310}


def test_what_corefers_with_an_excluded_phrase_is_excluded() -> None:
    text = """
John|NNP|2|nsubj|person came:come|VBD|0|root
He|PRP|2|nsubj saw:see|VBD|0|root him|PRP|2|obj
"""
    resolution = resolve(text)
    assert antecedent(resolution, "He") == "John"
    assert antecedent(resolution, "him") is None


def test_four_sentences_are_remembered() -> None:
    lines = [
        "Ann|NNP|2|nsubj|person came:come|VBD|0|root",
        *["Rain|NN|2|nsubj fell:fall|VBD|0|root"] * 4,
        "She|PRP|2|nsubj left:leave|VBD|0|root",
    ]
    assert antecedent(resolve("\n".join(lines)), "She") is None
    assert antecedent(resolve("\n".join([lines[0], *lines[2:]])), "She") == "Ann"
    assert antecedent(resolve("\n".join(lines), sentences=5), "She") == "Ann"


def test_candidates_under_the_threshold_are_not_considered() -> None:
    text = "Ann|NNP|2|nsubj|person came:come|VBD|0|root\nShe|PRP|2|nsubj left:leave|VBD|0|root"
    assert scores(resolve(text), "She") == {"Ann": 155 + 35}
    assert dropped(resolve(text, min_salience=200), "She") == {"Ann": "other"}


def test_only_the_most_recent_member_of_a_class_is_a_candidate() -> None:
    text = "\n".join(
        [
            "Ann|NNP|2|nsubj|person came:come|VBD|0|root",
            "She|PRP|2|nsubj left:leave|VBD|0|root",
            "She|PRP|2|nsubj slept:sleep|VBD|0|root",
        ]
    )
    assert list(scores(resolve(text), "She", 1)) == ["She"]


def test_names_are_linked_unless_asked_not_to() -> None:
    text = "Ann|NNP|2|nsubj|person came:come|VBD|0|root\nAnn|NNP|2|nsubj|person left:leave|VBD|0|root"
    assert resolve(text).links == ((0, 1),)
    assert resolve(text, link_names=False).links == ()


def test_a_reflexive_that_nothing_binds_is_resolved_as_a_pronoun() -> None:
    text = """
John|NNP|2|nsubj|person came:come|VBD|0|root
Ann|NNP|2|nsubj|person saw:see|VBD|0|root himself|PRP|2|obj
"""
    assert antecedent(resolve(text), "himself") == "John"
    assert antecedent(resolve(text, unbound="none"), "himself") is None


@pytest.mark.parametrize("text", ["", "Yes|UH|0|root", "He|PRP|0|root"])
def test_small_documents_have_no_antecedents(text: str) -> None:
    assert all(decision.antecedent is None for decision in resolve(text).decisions)


def test_the_resolution_is_signed() -> None:
    assert make("rap(sentences=2)").resolve(read("")).resolver == "lappin-leass(sentences=2)"


@pytest.mark.parametrize("parameters", [{"sentences": -1}, {"sentences": 1.5}, {"unbound": "?"}])
def test_invalid_parameters_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        LappinLeass(**parameters)
