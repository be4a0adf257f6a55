"""Every indicator alone: an example that it gives points to, and one that it does not."""

import pytest
from msgspec.structs import replace

from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers.rules.indicators import (
    INDICATING_VERBS,
    Indicator,
    IndicatorText,
    boost_pronoun,
    collocation,
    definiteness,
    find_imperatives,
    frequent_candidates,
    givenness,
    immediate_reference,
    indicating_verbs,
    lexical_reiteration,
    non_prepositional,
    obliqueness,
    referential_distance,
    section_heading,
    sequential_instructions,
    syntactic_parallelism,
    term_preference,
)
from tests.one_line_trees import read
from tests.trees import phrase

THE_CABLE_BROKE = "The|DT|2|det cable|NN|3|nsubj broke:break|VBD|0|root"
A_CABLE_BROKE = "A|DT|2|det cable|NN|3|nsubj broke:break|VBD|0|root"
IT_IS_OLD = "It|PRP|3|nsubj is:be|AUX|3|cop old|JJ|0|root"
TIE_IT = "Tie|VB|0|root it|PRP|1|obj"


def points(indicator: Indicator, of: Discourse, text: str, nth: int = 0) -> int:
    """What a phrase gets as candidate for the last pronoun."""
    return indicator(phrase(of, text, nth), of.anaphors[-1])


def headed(of: Discourse) -> Discourse:
    """The discourse with its first sentence as a heading."""
    marks = (True, *of.analysis.headings[1:])
    return replace(of, analysis=replace(of.analysis, headings=marks))


class TestDefiniteness:
    def test_an_indefinite_phrase_loses_a_point_and_a_definite_one_does_not(self) -> None:
        of = read("A|DT|2|det cable|NN|3|nsubj hit|VBD|0|root the|DT|5|det box|NN|3|obj\n" + IT_IS_OLD)
        assert points(definiteness(IndicatorText(of)), of, "A cable") == -1
        assert points(definiteness(IndicatorText(of)), of, "the box") == 0

    def test_a_possessor_makes_a_phrase_definite(self) -> None:
        of = read("Ann|NNP|3|nmod:poss|person 's|POS|1|case box|NN|4|nsubj broke|VBD|0|root\n" + IT_IS_OLD)
        assert points(definiteness(IndicatorText(of)), of, "Ann's box") == 0

    def test_it_is_silent_where_the_paragraph_has_no_article_at_all(self) -> None:
        bare = "Insert|VB|0|root cassette|NN|1|obj\n"
        of = read(bare + TIE_IT)
        assert points(definiteness(IndicatorText(of)), of, "cassette") == 0
        of = read(bare + THE_CABLE_BROKE + "\n" + TIE_IT)
        assert points(definiteness(IndicatorText(of)), of, "cassette") == -1
        of = read(THE_CABLE_BROKE + "\n==\n" + bare + TIE_IT)
        assert points(definiteness(IndicatorText(of)), of, "cassette") == 0

    def test_names_are_not_penalised_unless_asked(self) -> None:
        of = read("Linux|NNP|2|nsubj ran|VBD|0|root\n" + THE_CABLE_BROKE + "\n" + IT_IS_OLD)
        assert points(definiteness(IndicatorText(of)), of, "Linux") == 0
        assert points(definiteness(IndicatorText(of), neutral_names=False), of, "Linux") == -1

    def test_the_scope_may_leave_out_the_sentence_of_the_pronoun(self) -> None:
        of = read(
            "The|DT|2|det box|NN|3|nsubj hit|VBD|0|root a|DT|5|det wall|NN|3|obj "
            "and|CC|7|cc crushed:crush|VBD|3|conj it|PRP|7|obj"
        )
        assert points(definiteness(IndicatorText(of)), of, "a wall") == -1
        assert points(definiteness(IndicatorText(of), everywhere=False), of, "a wall") == 0


class TestGivenness:
    def test_the_first_phrase_of_a_previous_sentence_gets_a_point(self) -> None:
        of = read("The|DT|2|det cable|NN|3|nsubj hit|VBD|0|root the|DT|5|det box|NN|3|obj\n" + IT_IS_OLD)
        assert points(givenness(IndicatorText(of)), of, "The cable") == 1
        assert points(givenness(IndicatorText(of)), of, "the box") == 0

    def test_imperatives_have_no_given_phrase(self) -> None:
        of = read("Take|VB|0|root the|DT|3|det cable|NN|1|obj\n" + TIE_IT)
        assert points(givenness(IndicatorText(of)), of, "the cable") == 0

    def test_the_sentence_of_the_pronoun_counts_only_if_asked(self) -> None:
        of = read("The|DT|2|det cable|NN|3|nsubj broke|VBD|0|root and|CC|6|cc it|PRP|6|nsubj fell|VBD|3|conj")
        assert points(givenness(IndicatorText(of)), of, "The cable") == 0
        assert points(givenness(IndicatorText(of), everywhere=True), of, "The cable") == 1

    @pytest.mark.parametrize(
        ("sentence", "lenient", "strict"),
        [
            ("Press|VB|0|root the|DT|3|det key|NN|1|obj", True, True),
            ("Please|UH|2|discourse press|VB|0|root the|DT|4|det key|NN|2|obj", True, False),
            ("Then|RB|2|advmod press|VB|0|root the|DT|4|det key|NN|2|obj", True, False),
            (
                "To|TO|2|mark stop|VB|5|advcl it|PRP|2|obj ,|,|2|punct press|VB|0|root the|DT|7|det key|NN|5|obj",
                True,
                False,
            ),
            ("You|PRP|2|nsubj press|VBP|0|root the|DT|4|det key|NN|2|obj", False, False),
            ("Do|VB|3|aux not|RB|3|advmod press|VB|0|root it|PRP|3|obj", True, True),
            ("Help|NN|2|nsubj came:come|VBD|0|root", False, False),
        ],
    )
    def test_imperatives_begin_with_a_bare_verb(self, sentence: str, lenient: bool, strict: bool) -> None:
        text = IndicatorText(read(sentence))
        assert find_imperatives(text) == [lenient]
        assert find_imperatives(text, lenient=False) == [strict]


class TestObliqueness:
    def test_points_fall_from_subject_to_the_rest(self) -> None:
        of = read(
            "Ann|NNP|2|nsubj|person gave:give|VBD|0|root Bob|NNP|2|iobj|person "
            "the|DT|5|det box|NN|2|obj in|IN|7|case Rome|NNP|2|obl|place\n" + IT_IS_OLD
        )
        rank = [points(obliqueness, of, text) for text in ("Ann", "the box", "Bob", "Rome")]
        assert rank == [2, 1, 0, -1]


class TestIndicatingVerbs:
    def test_there_are_24_verbs(self) -> None:
        assert len(INDICATING_VERBS) == 24

    @pytest.mark.parametrize(("verb", "score"), [("describe", 1), ("analyze", 1), ("analyse", 1), ("sell", 0)])
    def test_the_first_phrase_after_such_a_verb_gets_a_point(self, verb: str, score: int) -> None:
        of = read(
            f"We|PRP|2|nsubj {verb}|VBP|0|root a|DT|4|det tool|NN|2|obj for|IN|7|case "
            f"the|DT|7|det web|NN|4|nmod\n{IT_IS_OLD}"
        )
        assert points(indicating_verbs(IndicatorText(of)), of, "a tool for the web") == score
        assert points(indicating_verbs(IndicatorText(of)), of, "the web") == 0

    def test_a_noun_of_the_same_form_does_not_count(self) -> None:
        of = read("The|DT|2|det review|NN|3|nsubj praised:praise|VBD|0|root the|DT|5|det tool|NN|3|obj\n" + IT_IS_OLD)
        assert points(indicating_verbs(IndicatorText(of)), of, "the tool") == 0


class TestLexicalReiteration:
    def test_the_same_head_counts_up_to_two_others(self) -> None:
        once = "A|DT|3|det toner|NN|3|compound bottle|NN|4|nsubj fell|VBD|0|root"
        again = (
            "The|DT|2|det bottle|NN|5|nsubj of|IN|4|case toner|NN|2|nmod broke|VBD|0|root",
            "This|DT|2|det bottle|NN|3|nsubj leaked|VBD|0|root",
            "That|DT|2|det bottle|NN|3|nsubj leaked|VBD|0|root",
        )
        for count, score in enumerate((0, 1, 2, 2)):
            of = read("\n".join((once, *again[:count], IT_IS_OLD)))
            assert points(lexical_reiteration(IndicatorText(of)), of, "A toner bottle") == score

    def test_another_paragraph_does_not_count(self) -> None:
        of = read("\n".join((A_CABLE_BROKE, "==", THE_CABLE_BROKE, IT_IS_OLD)))
        assert points(lexical_reiteration(IndicatorText(of)), of, "The cable") == 0

    def test_synonyms_count_if_a_thesaurus_is_given(self) -> None:
        wire = "The|DT|2|det wire|NN|3|nsubj burned:burn|VBD|0|root"
        of = read("\n".join((wire, THE_CABLE_BROKE, IT_IS_OLD)))
        assert points(lexical_reiteration(IndicatorText(of)), of, "The wire") == 0
        assert points(lexical_reiteration(IndicatorText(of), synonyms="cable/wire"), of, "The wire") == 1

    def test_the_candidate_may_count_itself(self) -> None:
        of = read("\n".join((THE_CABLE_BROKE, IT_IS_OLD)))
        assert points(lexical_reiteration(IndicatorText(of)), of, "The cable") == 0
        assert points(lexical_reiteration(IndicatorText(of), count_itself=True), of, "The cable") == 1

    def test_a_pronoun_repeats_what_it_stands_for(self) -> None:
        of = read("\n".join((THE_CABLE_BROKE, IT_IS_OLD, A_CABLE_BROKE, IT_IS_OLD)))
        text = IndicatorText(of)
        indicator = lexical_reiteration(text)
        assert points(indicator, of, "It") == 0
        text.note(phrase(of, "It"), phrase(of, "The cable"))
        assert points(indicator, of, "It") == 1

    def test_the_last_part_of_a_name_is_what_is_repeated(self) -> None:
        of = read(
            "Ann|NNP|3|nsubj|person Lee|NNP|1|flat slept|VBD|0|root\n"
            "Lee|NNP|2|nsubj|person woke|VBD|0|root\n"
            "She|PRP|2|nsubj smiled|VBD|0|root"
        )
        assert points(lexical_reiteration(IndicatorText(of)), of, "Ann Lee") == 1


class TestSectionHeading:
    TEXT = "Cable|NN|2|compound types:type|NNS|0|root\nThe|DT|2|det type|NN|3|nsubj fits|VBZ|0|root\n"

    def test_a_noun_of_the_heading_gets_a_point(self) -> None:
        of = headed(read(self.TEXT + THE_CABLE_BROKE + "\n" + IT_IS_OLD))
        assert points(section_heading(IndicatorText(of)), of, "The type") == 1
        assert points(section_heading(IndicatorText(of)), of, "The cable") == 0

    def test_without_headings_nobody_gets_a_point(self) -> None:
        of = read(self.TEXT + IT_IS_OLD)
        assert points(section_heading(IndicatorText(of)), of, "The type") == 0

    def test_only_the_heading_of_the_own_section_counts(self) -> None:
        of = read(self.TEXT + "Wires:wire|NNS|0|root\n" + IT_IS_OLD)
        marks = (True, False, True, False)
        of = replace(of, analysis=replace(of.analysis, headings=marks))
        assert points(section_heading(IndicatorText(of)), of, "The type") == 0


class TestNonPrepositional:
    def test_a_phrase_after_a_preposition_loses_a_point(self) -> None:
        of = read(
            "The|DT|2|det cable|NN|3|nsubj lay:lie|VBD|0|root in|IN|6|case the|DT|6|det box|NN|3|obl\n" + IT_IS_OLD
        )
        assert points(non_prepositional, of, "the box") == -1
        assert points(non_prepositional, of, "The cable") == 0


class TestCollocation:
    PRESS = "Press|VB|0|root the|DT|3|det key|NN|1|obj near|IN|6|case the|DT|6|det lamp|NN|1|obl\n"

    def test_the_same_side_of_the_same_verb_gets_two_points(self) -> None:
        of = read(self.PRESS + "Press|VB|0|root it|PRP|1|obj again|RB|1|advmod")
        assert points(collocation(IndicatorText(of)), of, "the key") == 2
        assert points(collocation(IndicatorText(of)), of, "the lamp") == 0

    def test_another_verb_or_the_other_side_gets_none(self) -> None:
        of = read(self.PRESS + TIE_IT)
        assert points(collocation(IndicatorText(of)), of, "the key") == 0
        of = read(self.PRESS + "It|PRP|2|nsubj presses:press|VBZ|0|root")
        assert points(collocation(IndicatorText(of)), of, "the key") == 0


class TestImmediateReference:
    def sentence(self, subject: str = "", second: str = "") -> Discourse:
        """[subject] print the file and [subject] save it."""
        if subject:
            return read(
                f"{subject}|PRP|2|nsubj print|VBP|0|root the|DT|4|det file|NN|2|obj "
                f"and|CC|6|cc save|VBP|2|conj it|PRP|6|obj"
            )
        if second:
            return read(
                f"Print|VB|0|root the|DT|3|det file|NN|1|obj before|IN|6|mark {second}|PRP|6|nsubj "
                "save|VBP|1|advcl it|PRP|6|obj"
            )
        return read("Print|VB|0|root the|DT|3|det file|NN|1|obj and|CC|5|cc save|VB|1|conj it|PRP|5|obj")

    def test_what_follows_the_first_verb_is_what_the_second_is_done_to(self) -> None:
        of = self.sentence()
        assert points(immediate_reference(IndicatorText(of)), of, "the file") == 2

    def test_you_may_be_the_subject_but_nobody_else(self) -> None:
        of = self.sentence("You")
        assert points(immediate_reference(IndicatorText(of)), of, "the file") == 2
        of = self.sentence("They")
        assert points(immediate_reference(IndicatorText(of)), of, "the file") == 0
        assert points(immediate_reference(IndicatorText(of), any_subject=True), of, "the file") == 2

    def test_before_joins_as_and_does(self) -> None:
        of = self.sentence(second="you")
        assert points(immediate_reference(IndicatorText(of)), of, "the file") == 2
        of = self.sentence(second="they")
        assert points(immediate_reference(IndicatorText(of)), of, "the file") == 0

    def test_the_pattern_goes_on_through_further_pronouns(self) -> None:
        of = read(
            "Unwrap|VB|0|root the|DT|3|det paper|NN|1|obj ,|,|5|punct form|VB|1|conj it|PRP|5|obj "
            "and|CC|8|cc align|VB|1|conj it|PRP|8|obj"
        )
        assert points(immediate_reference(IndicatorText(of)), of, "the paper") == 2

    def test_a_nearer_object_is_meant_before_a_farther_one(self) -> None:
        of = read(
            "Take|VB|0|root the|DT|3|det box|NN|1|obj ,|,|5|punct cut|VB|1|conj the|DT|7|det "
            "tape|NN|5|obj and|CC|9|cc burn|VB|1|conj it|PRP|9|obj"
        )
        assert points(immediate_reference(IndicatorText(of)), of, "the tape") == 2
        assert points(immediate_reference(IndicatorText(of)), of, "the box") == 0

    def test_another_sentence_is_not_immediate(self) -> None:
        of = read("Print|VB|0|root the|DT|3|det file|NN|1|obj\nSave|VB|0|root it|PRP|1|obj")
        assert points(immediate_reference(IndicatorText(of)), of, "the file") == 0


class TestSequentialInstructions:
    FIRST = "To|TO|2|mark play|VB|5|advcl a|DT|4|det tape|NN|2|obj press|VB|0|root the|DT|7|det key|NN|5|obj\n"

    def test_the_object_of_one_purpose_is_that_of_the_next(self) -> None:
        of = read(self.FIRST + "To|TO|2|mark stop|VB|4|advcl it|PRP|2|obj press|VB|0|root F1|NNP|4|obj")
        assert points(sequential_instructions(IndicatorText(of)), of, "a tape") == 2
        assert points(sequential_instructions(IndicatorText(of)), of, "the key") == 0

    def test_both_sentences_must_open_with_a_purpose(self) -> None:
        of = read(self.FIRST + "Stop|VB|0|root it|PRP|1|obj")
        assert points(sequential_instructions(IndicatorText(of)), of, "a tape") == 0


class TestReferentialDistance:
    def test_points_fall_with_every_sentence(self) -> None:
        names = ("desk", "lamp", "key", "box")
        lines = [f"The|DT|2|det {name}|NN|3|nsubj fell|VBD|0|root" for name in names]
        hit = "The|DT|2|det cup|NN|3|nsubj hit|VBD|0|root it|PRP|3|obj"
        of = read("\n".join((*lines, hit)))
        texts = ["The cup", *(f"The {name}" for name in reversed(names))]
        assert [points(referential_distance(IndicatorText(of)), of, text) for text in texts] == [2, 1, 0, -1, -1]
        bulgarian = referential_distance(IndicatorText(of), two_back=-1)
        assert [points(bulgarian, of, text) for text in texts] == [2, 1, -1, -1, -1]

    def test_a_simple_sentence_and_the_own_clause_may_score_less(self) -> None:
        simple = read("The|DT|2|det cup|NN|3|nsubj hit|VBD|0|root it|PRP|3|obj")
        assert points(referential_distance(IndicatorText(simple), same_sentence=0), simple, "The cup") == 0
        assert points(referential_distance(IndicatorText(simple), same_clause=0), simple, "The cup") == 2
        both = read(
            "The|DT|2|det lamp|NN|3|nsubj fell|VBD|0|root and|CC|7|cc the|DT|6|det cup|NN|7|nsubj "
            "hit|VBD|3|conj it|PRP|7|obj"
        )
        indicator = referential_distance(IndicatorText(both), same_clause=1, same_sentence=0)
        assert points(indicator, both, "The lamp") == 2
        assert points(indicator, both, "the cup") == 1


class TestTermPreference:
    def test_terms_may_be_listed_with_several_words(self) -> None:
        of = read(
            "The|DT|3|det toner|NN|3|compound bottle|NN|4|nsubj hit|VBD|0|root the|DT|6|det "
            "bottle|NN|4|obj\n" + IT_IS_OLD
        )
        indicator = term_preference(IndicatorText(of), terms="drawer; Toner Bottle")
        assert points(indicator, of, "The toner bottle") == 1
        assert points(indicator, of, "the bottle") == 0

    def test_else_the_most_frequent_common_nouns_are_terms(self) -> None:
        linux = "Linux|NNP|2|nsubj ran|VBD|0|root"
        wire = "The|DT|2|det wire|NN|3|nsubj burned|VBD|0|root"
        of = read("\n".join((linux, linux, linux, THE_CABLE_BROKE, A_CABLE_BROKE, wire, IT_IS_OLD)))
        indicator = term_preference(IndicatorText(of), top=1)
        assert points(indicator, of, "The cable") == 1
        assert points(indicator, of, "The wire") == 0
        assert points(indicator, of, "Linux") == 0


class TestMars:
    def test_the_function_of_the_pronoun_gets_a_point(self) -> None:
        of = read("The|DT|2|det cable|NN|3|nsubj hit|VBD|0|root the|DT|5|det box|NN|3|obj\n" + IT_IS_OLD)
        assert points(syntactic_parallelism, of, "The cable") == 1
        assert points(syntactic_parallelism, of, "the box") == 0

    def test_a_pronoun_gets_a_point_if_it_refers_back(self) -> None:
        of = read("It|PRP|2|nsubj broke|VBD|0|root\nThat|DT|2|nsubj hurt|VBD|0|root Ann|NNP|2|obj|person\n" + IT_IS_OLD)
        assert points(boost_pronoun, of, "It") == 1
        assert points(boost_pronoun, of, "Ann") == 0

    def test_the_nouns_that_compete_most_often_get_a_point(self) -> None:
        wire = "The|DT|2|det wire|NN|3|nsubj burned|VBD|0|root"
        of = read("\n".join((THE_CABLE_BROKE, A_CABLE_BROKE, wire, IT_IS_OLD)))
        competing = [phrase(of, "The cable"), phrase(of, "A cable"), phrase(of, "The wire")]
        indicator = frequent_candidates(IndicatorText(of), competing, top=1)
        assert points(indicator, of, "The cable") == 1
        assert points(indicator, of, "The wire") == 0
