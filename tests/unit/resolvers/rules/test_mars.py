"""MARS: its window, its three filters, its indicators, and frequent candidates in two passes."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from corefbench import load
from corefbench.bench.judge import compute_rates, judge_pronouns
from corefbench.bench.key import make_key
from corefbench.errors import UsageError
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.documents import make_input
from corefbench.preprocess.pipelines.annotated import Conllu
from corefbench.resolvers import make
from corefbench.resolvers.base import Candidate, Decision
from corefbench.resolvers.rules.indicators import IndicatorText
from corefbench.resolvers.rules.mars import Mars
from tests.data import data
from tests.one_line_trees import read
from tests.trees import phrase

IT_IS_OLD = "It|PRP|3|nsubj is:be|AUX|3|cop old|JJ|0|root"
ANN_SLEPT = "Ann|NNP|2|nsubj|person slept:sleep|VBD|0|root"


def fell(name: str) -> str:
    return f"The|DT|2|det {name}|NN|3|nsubj fell:fall|VBD|0|root"


def last(of: Discourse, **settings: Any) -> Decision:
    return Mars(**settings).resolve(of).decisions[-1]


def answer(of: Discourse, **settings: Any) -> str:
    chosen = last(of, **settings).antecedent
    return "" if chosen is None else of.text_of(of.phrases[chosen])


def listed(of: Discourse, **settings: Any) -> list[str]:
    return [of.text_of(of.phrases[candidate.phrase]) for candidate in last(of, **settings).candidates]


def candidate(of: Discourse, text: str, **settings: Any) -> Candidate:
    index = phrase(of, text).index
    return next(candidate for candidate in last(of, **settings).candidates if candidate.phrase == index)


def factor(of: Discourse, text: str, name: str, **settings: Any) -> float:
    return dict(candidate(of, text, **settings).factors).get(name, 0.0)


def headed(of: Discourse, *headings: int) -> Discourse:
    marks = tuple(n in headings for n in range(len(of.analysis.sentences)))
    return replace(of, analysis=replace(of.analysis, headings=marks))


class TestWindow:
    def test_it_is_the_sentence_and_two_before(self) -> None:
        of = read("\n".join((fell("desk"), fell("lamp"), fell("key"), IT_IS_OLD)))
        assert listed(of) == ["The lamp", "The key"]
        assert listed(of, window=3) == ["The desk", "The lamp", "The key"]

    def test_it_ends_with_the_paragraph(self) -> None:
        of = read("\n".join((fell("lamp"), "==", fell("key"), IT_IS_OLD)))
        assert listed(of) == ["The key"]
        assert listed(of, paragraph="any") == ["The lamp", "The key"]

    def test_the_first_pronoun_of_a_paragraph_has_no_candidate_unless_others_may_help(self) -> None:
        of = read("\n".join((fell("lamp"), "==", IT_IS_OLD)))
        alone = {"paragraph": "only"}
        assert (answer(of, **alone), last(of, **alone).rule) == ("", "no candidate")
        assert answer(of) == answer(of, paragraph="first") == "The lamp"

    def test_others_help_only_where_the_paragraph_has_nobody(self) -> None:
        of = read("\n".join((fell("lamp"), "==", fell("key"), IT_IS_OLD)))
        assert listed(of, paragraph="first") == ["The key"]

    def test_the_heading_of_the_section_has_candidates_however_far(self) -> None:
        lines = ("Lamp|NN|0|root", "==", *[ANN_SLEPT] * 4, IT_IS_OLD)
        of = headed(read("\n".join(lines)), 0)
        assert answer(of) == "Lamp"
        assert factor(of, "Lamp", "referential distance") == -1
        assert answer(of, headings="none") == ""

    @pytest.mark.parametrize("paragraph", ["only", "first", "any"])
    def test_a_heading_nearby_is_listed_once(self, paragraph: str) -> None:
        of = headed(read("\n".join(("Lamp|NN|0|root", IT_IS_OLD))), 0)
        assert listed(of, paragraph=paragraph) == ["Lamp"]

    def test_an_earlier_section_does_not_count(self) -> None:
        lines = ("Lamp|NN|0|root", "==", "Key|NN|0|root", "==", *[ANN_SLEPT] * 2, IT_IS_OLD)
        of = headed(read("\n".join(lines)), 0, 1)
        assert listed(of) == ["Key", "Ann", "Ann"]


class TestFilters:
    def test_a_co_argument_is_dropped(self) -> None:
        of = read(fell("lamp") + "\nThe|DT|2|det key|NN|3|nsubj hit|VBD|0|root it|PRP|3|obj")
        assert candidate(of, "The key").dropped == "binding"
        assert answer(of) == "The lamp"

    def test_what_contains_the_pronoun_is_dropped(self) -> None:
        of = read(
            fell("lamp") + "\nThe|DT|2|det key|NN|6|nsubj in|IN|5|case its|PRP$|5|nmod:poss box|NN|2|nmod "
            "broke|VBD|0|root"
        )
        assert candidate(of, "The key in its box").dropped == "binding"
        assert answer(of) == "The lamp"

    def test_what_the_pronoun_commands_and_precedes_is_no_candidate(self) -> None:
        of = read(
            fell("lamp") + "\nIt|PRP|2|nsubj broke|VBD|0|root when|WRB|6|advmod the|DT|5|det key|NN|6|nsubj "
            "fell|VBD|2|advcl"
        )
        assert listed(of) == ["The lamp"]

    def test_agreement_drops_before_syntax(self) -> None:
        of = read(fell("lamp") + "\nAnn|NNP|2|nsubj|person hit|VBD|0|root it|PRP|2|obj")
        assert candidate(of, "Ann").dropped == "animacy"

    def test_a_reflexive_is_bound_in_its_clause(self) -> None:
        of = read(fell("lamp") + "\nThe|DT|2|det key|NN|3|nsubj hid|VBD|0|root itself|PRP|3|obj")
        assert answer(of) == "The key"

    def test_an_it_that_refers_to_nothing_is_left_alone(self) -> None:
        of = read(fell("lamp") + "\nIt|PRP|2|expl rained:rain|VBD|0|root")
        assert Mars().resolve(of).decisions == ()


class TestIndicators:
    def test_there_are_fourteen(self) -> None:
        text = IndicatorText(read(IT_IS_OLD))
        assert set(Mars().indicators(text, [])) == {
            "obliqueness",
            "indicating verbs",
            "lexical reiteration",
            "section heading",
            "collocation",
            "immediate reference",
            "sequential instructions",
            "term preference",
            "definiteness",
            "prepositional noun phrase",
            "referential distance",
            "syntactic parallelism",
            "boost pronoun",
            "frequent candidates",
        }

    def test_the_theme_is_scored_by_obliqueness_or_by_the_first_phrase(self) -> None:
        of = read("The|DT|2|det lamp|NN|3|nsubj hit|VBD|0|root the|DT|5|det key|NN|3|obj\n" + IT_IS_OLD)
        assert factor(of, "The lamp", "obliqueness") == 2
        assert factor(of, "the key", "obliqueness") == 1
        assert factor(of, "The lamp", "first noun phrase", theme="first") == 1
        assert factor(of, "the key", "first noun phrase", theme="first") == 0

    def test_the_scores_of_a_simple_example_add_up(self) -> None:
        """Object 1, immediate reference 2, distance 2, parallelism 1; said once, so no term."""
        of = read(
            "Ann|NNP|2|nsubj|person took:take|VBD|0|root the|DT|4|det lamp|NN|2|obj and|CC|6|cc "
            "broke:break|VBD|2|conj it|PRP|6|obj"
        )
        assert candidate(of, "the lamp").score == 6
        assert candidate(of, "the lamp", least=1).score == 8  # term 1, frequent 1

    def test_two_sentences_back_cost_a_point_or_nothing(self) -> None:
        of = read("\n".join((fell("lamp"), ANN_SLEPT, IT_IS_OLD)))
        assert factor(of, "The lamp", "referential distance") == -1
        assert factor(of, "The lamp", "referential distance", two_back=0) == 0

    @pytest.mark.parametrize(
        ("name", "settings"),
        [
            ("syntactic parallelism", {"parallelism": False}),
            ("boost pronoun", {"boost_pronoun": False}),
            ("frequent candidates", {"frequent": 0}),
            ("term preference", {"top_terms": 0}),
            ("term preference", {"pronouns": "bare"}),
        ],
    )
    def test_what_is_inferred_can_be_switched_off(self, name: str, settings: dict[str, Any]) -> None:
        of = read(f"{fell('lamp')}\nIt|PRP|2|nsubj broke|VBD|0|root\n{IT_IS_OLD}")
        assert factor(of, "It", name, least=1) == 1
        assert factor(of, "It", name, least=1, **settings) == 0

    def test_ties_go_to_the_most_recent(self) -> None:
        of = read(f"{fell('lamp')} {'and|CC|7|cc the|DT|6|det key|NN|7|nsubj broke|VBD|3|conj'}\n" + IT_IS_OLD)
        assert (answer(of), last(of).rule) == ("the key", "tie: most recent")


class TestFrequentCandidates:
    def test_candidates_of_later_pronouns_count_for_the_first(self) -> None:
        """The lamp competes three times, the key once: only two passes can tell at once."""
        both = "The|DT|2|det lamp|NN|3|nsubj hit|VBD|0|root the|DT|5|det key|NN|3|obj"
        of = read("\n".join((both, IT_IS_OLD, "==", fell("lamp"), IT_IS_OLD, IT_IS_OLD)))
        first = Mars(frequent=1).resolve(of).decisions[0]
        scores = {of.text_of(of.phrases[candidate.phrase]): dict(candidate.factors) for candidate in first.candidates}
        assert scores["The lamp"]["frequent candidates"] == 1
        assert "frequent candidates" not in scores["the key"]

    def test_what_was_dropped_does_not_compete(self) -> None:
        lines = (fell("lamp"), "Keys:key|NNS|2|nsubj fell:fall|VBD|0|root", IT_IS_OLD)
        of = read("\n".join(lines))
        assert factor(of, "The lamp", "frequent candidates", frequent=1, least=1) == 1

    def test_what_is_said_once_is_neither_frequent_nor_a_term(self) -> None:
        of = read("\n".join((fell("lamp"), fell("key"), fell("key"), IT_IS_OLD)))
        for name in ("frequent candidates", "term preference"):
            assert factor(of, "The lamp", name, window=3) == 0
            assert factor(of, "The key", name, window=3) == 1


class TestNames:
    """*Mary Pine … Mary* are one, *Tom Pine* is another."""

    TEXT = """
        Mary|NNP|3|nsubj|person Pine|NNP|1|flat|person met:meet|VBD|0|root Tom|NNP|3|obj|person \
Pine|NNP|4|flat|person
        Mary|NNP|2|nsubj|person slept:sleep|VBD|0|root
        She|PRP|2|nsubj slept:sleep|VBD|0|root
    """

    def test_the_names_of_one_bearer_repeat_each_other(self) -> None:
        of = read(self.TEXT)
        assert factor(of, "Mary", "lexical reiteration") == 1
        assert factor(of, "Mary", "lexical reiteration", bearers=False) == 0

    def test_a_shared_last_name_does_not(self) -> None:
        of = read(self.TEXT.replace("Mary|NNP|2|nsubj|person slept", "Rain|NN|2|nsubj fell"))
        assert factor(of, "Mary Pine", "lexical reiteration") == 0
        assert factor(of, "Mary Pine", "lexical reiteration", bearers=False) == 1


@pytest.mark.parametrize("text", ["", "Rain|NN|0|root"])
def test_texts_without_pronouns_need_no_decision(text: str) -> None:
    assert Mars().resolve(read(text)).decisions == ()


def test_a_text_of_pronouns_alone_links_them() -> None:
    of = read(f"{IT_IS_OLD}\n{IT_IS_OLD}")
    first, second = Mars().resolve(of).decisions
    assert (first.antecedent, second.antecedent) == (None, 0)


@pytest.mark.parametrize("settings", [{"window": -1}, {"paragraph": "all"}, {"two_back": 1}, {"boost_pronoun": 1}])
def test_invalid_parameters_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Mars(**settings)


def test_it_is_made_by_name_and_signed_with_its_parameters() -> None:
    resolution = make("mars(paragraph=any,parallelism=false)").resolve(read(IT_IS_OLD))
    assert resolution.resolver == "mars(paragraph=any,parallelism=false)"
    for parameter in Mars.card.parameters:
        assert getattr(Mars(), parameter.name) == parameter.default


@pytest.mark.slow
def test_it_beats_the_simple_baselines_on_gum() -> None:
    names = ("mars", "most-recent", "most-recent-subject")
    hits = dict.fromkeys(names, 0)
    for file in _development(data("gum")):
        document = load(file)[0]
        given = make_input(document)
        of = build_discourse(Conllu().analyse_document(document))
        key = make_key(document, given.offsets or (), of)
        for name in names:
            hits[name] += compute_rates(judge_pronouns(file.stem, key, make(name).resolve(of))).success_rate.hits
    assert hits["mars"] > hits["most-recent-subject"] > hits["most-recent"] > 0


def _development(folder: Path) -> list[Path]:
    """The trees of GUM's development set."""
    text = (folder / "splits.md").read_text(encoding="utf-8")
    part = text.partition("## dev")[2].partition("## ")[0]
    files = (folder / "dep" / f"{line.strip('* -')}.conllu" for line in part.splitlines())
    return [file for file in files if file.is_file()]
