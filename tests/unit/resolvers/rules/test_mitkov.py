"""Mitkov's worked example, the rules for ties, and the decisions F1 to F11."""

from typing import Any

import pytest
from msgspec.structs import replace

from corefbench.errors import UsageError
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import make
from corefbench.resolvers.base import Candidate, Decision
from corefbench.resolvers.rules.candidates import candidates_in_window
from corefbench.resolvers.rules.indicators import Indicator, IndicatorText
from corefbench.resolvers.rules.mitkov import TIE_BREAKERS, IndicatorRanking, Mitkov
from tests.one_line_trees import read
from tests.trees import phrase

DRAWER = (
    "Identify|VB|0|root the|DT|3|det drawer|NN|1|obj by|IN|9|case the|DT|9|det lit|JJ|9|amod "
    "paper|NN|9|compound port|NN|9|compound LED|NN|1|obl and|CC|11|cc add|VB|1|conj "
    "paper|NN|11|obj to|IN|14|case it|PRP|11|obl .|.|1|punct"
)
IT_IS_OLD = "It|PRP|3|nsubj is:be|AUX|3|cop old|JJ|0|root"
THE_LAMP_FELL = "The|DT|2|det lamp|NN|3|nsubj fell:fall|VBD|0|root"


def last(of: Discourse, **settings: Any) -> Decision:
    return Mitkov(**settings).resolve(of).decisions[-1]


def answer(of: Discourse, **settings: Any) -> str:
    chosen = last(of, **settings).antecedent
    return "" if chosen is None else of.text_of(of.phrases[chosen])


def candidate(of: Discourse, text: str, **settings: Any) -> Candidate:
    index = phrase(of, text).index
    return next(candidate for candidate in last(of, **settings).candidates if candidate.phrase == index)


def factor(of: Discourse, text: str, name: str, **settings: Any) -> float:
    return dict(candidate(of, text, **settings).factors).get(name, 0.0)


def favour(favoured: int, points: int = 1) -> Indicator:
    """An indicator that gives points to one phrase."""
    return lambda candidate, anaphor: points if candidate.index == favoured else 0


class TestWorkedExample:
    def test_the_drawer_scores_six_by_the_indicators_of_the_paper(self) -> None:
        found = candidate(read(DRAWER), "the drawer")
        assert found.score == 6
        assert dict(found.factors) == {
            "term preference": 1,
            "indicating verbs": 1,
            "referential distance": 2,
            "immediate reference": 2,
        }

    def test_the_led_scores_three_but_for_its_preposition(self) -> None:
        """The paper gives 3 and overlooks *by*; the rule as it is stated takes a point."""
        found = candidate(read(DRAWER), "the lit paper port LED")
        assert dict(found.factors) == {"term preference": 1, "referential distance": 2, "prepositional noun phrase": -1}
        assert found.score == 2

    def test_with_the_base_of_the_example_they_score_seven_and_four(self) -> None:
        of = read(DRAWER)
        assert candidate(of, "the drawer", definiteness_base=1).score == 7
        led = candidate(of, "the lit paper port LED", definiteness_base=1)
        assert led.score == 4 + dict(led.factors)["prepositional noun phrase"]

    @pytest.mark.parametrize("base", [0, 1])
    def test_the_drawer_is_the_antecedent(self, base: int) -> None:
        of = read(DRAWER)
        assert answer(of, definiteness_base=base) == "the drawer"
        assert last(of).rule == "highest score"


class TestCandidates:
    def test_they_come_from_the_sentence_and_two_before(self) -> None:
        names = ("desk", "lamp", "key")
        lines = [f"The|DT|2|det {name}|NN|3|nsubj fell|VBD|0|root" for name in names]
        of = read("\n".join((*lines, IT_IS_OLD)))
        listed = [of.text_of(of.phrases[candidate.phrase]) for candidate in last(of).candidates]
        assert listed == ["The lamp", "The key"]

    def test_those_that_disagree_are_dropped_with_the_reason(self) -> None:
        of = read("Ann|NNP|2|nsubj|person dropped:drop|VBD|0|root the|DT|4|det lamps:lamp|NNS|2|obj\n" + IT_IS_OLD)
        assert candidate(of, "Ann").dropped == "animacy"
        assert candidate(of, "the lamps").dropped == "number"
        assert (last(of).antecedent, last(of).rule) == (None, "no candidate")

    def test_a_collective_may_be_they(self) -> None:
        of = read("The|DT|2|det team|NN|3|nsubj won:win|VBD|0|root\nThey|PRP|2|nsubj slept|VBD|0|root")
        assert answer(of) == "The team"

    def test_a_phrase_that_the_pronoun_is_part_of_is_dropped(self) -> None:
        of = read("The|DT|2|det lamp|NN|6|nsubj on|IN|5|case its|PRP$|5|nmod:poss box|NN|2|nmod fell|VBD|0|root")
        assert candidate(of, "The lamp on its box").dropped == "binding"

    def test_no_text_and_no_pronoun_need_no_decision(self) -> None:
        assert Mitkov().resolve(read("")).decisions == ()
        assert Mitkov().resolve(read("Rain|NN|0|root")).decisions == ()

    def test_the_first_pronoun_of_a_text_has_no_candidate(self) -> None:
        decision = last(read(IT_IS_OLD))
        assert decision.antecedent is None
        assert decision.candidates == ()

    def test_an_it_that_refers_to_nothing_is_left_alone(self) -> None:
        of = read(THE_LAMP_FELL + "\nIt|PRP|2|expl rained:rain|VBD|0|root")
        assert Mitkov().resolve(of).decisions == ()


class TestTies:
    @pytest.mark.parametrize("place", range(3))
    def test_indicators_break_ties_in_the_order_of_the_paper(self, place: int) -> None:
        """Two candidates with equal sums: the first has it from what breaks ties earlier."""
        of = read("The|DT|2|det lamp|NN|3|nsubj hit|VBD|0|root the|DT|5|det key|NN|3|obj\n" + IT_IS_OLD)
        assert TIE_BREAKERS == ("immediate reference", "collocation", "indicating verbs")
        lamp, key = phrase(of, "The lamp").index, phrase(of, "the key").index
        indicators = {TIE_BREAKERS[place]: favour(lamp)}
        indicators |= {name: favour(key) for name in TIE_BREAKERS[place + 1 :]}
        indicators["balance"] = favour(lamp, 1 - place)
        ranking = IndicatorRanking(IndicatorText(of), indicators, TIE_BREAKERS)
        decision = ranking.decide(of.anaphors[-1], candidates_in_window(of, of.anaphors[-1], 2))
        assert len({candidate.score for candidate in decision.candidates}) == 1
        assert (decision.antecedent, decision.rule) == (lamp, f"tie: {TIE_BREAKERS[place]}")

    def test_of_equals_the_most_recent_is_taken(self) -> None:
        of = read(
            "The|DT|2|det lamp|NN|6|nsubj and|CC|5|cc the|DT|5|det key|NN|2|conj fell|VBD|0|root "
            "when|WRB|9|advmod it|PRP|9|nsubj broke|VBD|6|advcl"
        )
        assert answer(of, top_terms=0) == "the key"
        assert last(of, top_terms=0).rule == "tie: most recent"

    def test_the_only_candidate_is_certain(self) -> None:
        of = read(THE_LAMP_FELL + "\n" + IT_IS_OLD)
        assert (last(of).rule, last(of).confidence) == ("only candidate", 1.0)


class TestDecisions:
    def test_f1_the_base_of_definiteness_changes_no_ranking(self) -> None:
        of = read("A|DT|2|det cable|NN|3|nsubj hit|VBD|0|root the|DT|5|det box|NN|3|obj\n" + IT_IS_OLD)
        for text in ("A cable", "the box"):
            low, high = (candidate(of, text, definiteness_base=base).score for base in (0, 1))
            assert low is not None
            assert high == low + 1
        assert answer(of) == answer(of, definiteness_base=1)

    def test_f2_a_wider_window_has_candidates_three_back(self) -> None:
        lines = ["Ann|NNP|2|nsubj|person slept|VBD|0|root"] * 2
        of = read("\n".join((THE_LAMP_FELL, *lines, IT_IS_OLD)))
        assert answer(of) == ""
        assert answer(of, window=3) == "The lamp"
        assert factor(of, "The lamp", "referential distance", window=3) == -1

    def test_f3_a_simple_sentence_scores_two_or_as_set(self) -> None:
        of = read(DRAWER)
        assert factor(of, "the drawer", "referential distance") == 2
        assert factor(of, "the drawer", "referential distance", same_sentence=0) == 0

    def test_f4_the_own_clause_scores_two_or_as_set(self) -> None:
        of = read(
            "Ann|NNP|2|nsubj|person slept|VBD|0|root and|CC|6|cc the|DT|5|det lamp|NN|6|nsubj "
            "hurt|VBD|2|conj its|PRP$|8|nmod:poss box|NN|6|obj"
        )
        assert factor(of, "the lamp", "referential distance") == 2
        assert factor(of, "the lamp", "referential distance", same_clause=1) == 1

    def test_f5_definiteness_and_givenness_have_a_scope(self) -> None:
        of = read(
            "A|DT|2|det cable|NN|3|nsubj hit|VBD|0|root the|DT|5|det box|NN|3|obj and|CC|8|cc "
            "it|PRP|8|nsubj fell|VBD|3|conj"
        )
        assert factor(of, "A cable", "definiteness") == -1
        assert factor(of, "A cable", "definiteness", definiteness_scope="previous") == 0
        assert factor(of, "A cable", "givenness") == 0
        assert factor(of, "A cable", "givenness", givenness_scope="all") == 1

    def test_f6_names_are_neutral_or_indefinite(self) -> None:
        of = read(f"Linux|NNP|2|nsubj ran|VBD|0|root\n{THE_LAMP_FELL}\n{IT_IS_OLD}")
        assert factor(of, "Linux", "definiteness") == 0
        assert factor(of, "Linux", "definiteness", names="indefinite") == -1

    def test_f7_imperatives_are_found_behind_please_unless_strict(self) -> None:
        of = read("Please|UH|2|discourse take|VB|0|root the|DT|4|det lamp|NN|2|obj\nTie|VB|0|root it|PRP|1|obj")
        assert factor(of, "the lamp", "givenness") == 0
        assert factor(of, "the lamp", "givenness", imperatives="strict") == 1

    def test_f8_terms_are_listed_or_the_most_frequent(self) -> None:
        of = read(DRAWER)
        assert factor(of, "paper", "term preference") == 1
        assert factor(of, "paper", "term preference", terms="drawer;LED") == 0
        assert factor(of, "the drawer", "term preference", terms="drawer;LED") == 1
        assert factor(of, "the drawer", "term preference", top_terms=0) == 0

    def test_f9_headings_count_as_marked_or_not_at_all(self) -> None:
        of = read(f"Lamps:lamp|NNS|0|root\n{THE_LAMP_FELL}\n{IT_IS_OLD}")
        assert factor(of, "The lamp", "section heading") == 0
        of = replace(of, analysis=replace(of.analysis, headings=(True, False, False)))
        assert factor(of, "The lamp", "section heading") == 1
        assert factor(of, "The lamp", "section heading", headings="none") == 0

    def test_f10_synonyms_repeat_if_they_are_given(self) -> None:
        of = read(f"The|DT|2|det light|NN|3|nsubj broke|VBD|0|root\n{THE_LAMP_FELL}\n{IT_IS_OLD}")
        assert factor(of, "The lamp", "lexical reiteration") == 0
        assert factor(of, "The lamp", "lexical reiteration", synonyms="lamp/light") == 1

    def test_f11_repeats_are_the_others_or_all(self) -> None:
        of = read(f"{THE_LAMP_FELL}\n{IT_IS_OLD}")
        assert factor(of, "The lamp", "lexical reiteration") == 0
        assert factor(of, "The lamp", "lexical reiteration", repeats="all") == 1

    def test_a_pronoun_has_the_lexical_scores_of_its_antecedent_unless_bare(self) -> None:
        of = read(f"{THE_LAMP_FELL}\nIt|PRP|2|nsubj broke|VBD|0|root\n{IT_IS_OLD}")
        assert factor(of, "It", "term preference") == 1
        assert factor(of, "It", "term preference", pronouns="bare") == 0

    def test_every_decision_is_a_parameter_of_the_card(self) -> None:
        decided = {parameter.decision for parameter in Mitkov.card.parameters}
        assert decided >= {f"F{number}" for number in range(1, 12)}
        for parameter in Mitkov.card.parameters:
            assert getattr(Mitkov(), parameter.name) == parameter.default


@pytest.mark.parametrize(
    "settings", [{"window": -1}, {"names": "any"}, {"definiteness_base": 2}, {"terms": 3}, {"headings": ""}]
)
def test_invalid_parameters_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Mitkov(**settings)


def test_it_is_made_by_name_and_signed_with_its_parameters() -> None:
    resolution = make("mitkov(window=3,terms=drawer;LED)").resolve(read(DRAWER))
    assert resolution.resolver == "mitkov(window=3,terms=drawer;LED)"
