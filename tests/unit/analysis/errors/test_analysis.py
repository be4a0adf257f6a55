"""``ErrorAnalysis``: filter, categorise, examples, strata, and sums that add up."""

import pytest

import corefbench as cb
from corefbench.analysis.errors import error_analysis, parse_class, parse_taxonomy
from corefbench.analysis.errors.strata import STRATA
from corefbench.analysis.errors.taxonomy import parse_filters, select_taxonomies
from corefbench.errors import UnknownName, UsageError
from tests.unit.analysis.errors.texts import analyse, corpus

KEY = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [2 him ] . / [1 Her ] dog bit [2 the man ] ."
RESPONSE = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [1 him ] . / [1 Her ] dog bit [3 the man ] ."


@pytest.fixture(scope="module")
def analysis():
    # Decisions: him → She is a wrong link; Her → him, closest in its response chain, too;
    # the man is false-new. She alone is linked rightly.
    return analyse(KEY, RESPONSE)


def test_counts_have_every_class(analysis):
    assert analysis.counts == {
        "decisions": {"false-new": 1, "false-link": 0, "wrong-link": 2},
        "operations": {
            "span-error": 0,
            "conflated-entities": 1,  # him leaves Ann's chain
            "extra-mention": 0,
            "extra-entity": 0,
            "divided-entity": 2,  # him and the man join Bob
            "missing-mention": 0,
            "missing-entity": 0,
        },
        "links": {"recall-error": 2, "precision-error": 1},
    }


def test_filter_takes_classes_strata_several_values_and_functions(analysis):
    assert [e.text for e in analysis.filter(kind="wrong-link").errors] == ["him", "Her"]
    assert len(analysis.filter(taxonomy="decisions", type="pronoun")) == 2
    assert len(analysis.filter(taxonomy="decisions", type=("pronoun", "nominal"))) == 3
    assert len(analysis.filter(lambda e: e.text == "him", taxonomy="decisions")) == 1
    assert len(analysis.filter(kind="wrong-link", antecedent="name")) == 1
    with pytest.raises(UnknownName, match="attribute of errors"):
        analysis.filter(colour="red")


def test_categorize_divides_all_errors(analysis):
    by_type = analysis.filter(taxonomy="decisions").categorize("type")
    assert {name: len(some) for name, some in by_type.items()} == {"pronoun": 2, "nominal": 1}
    by_length = analysis.categorize(lambda error: "long" if len(error.text) > 3 else "short")
    assert sum(map(len, by_length.values())) == len(analysis)


@pytest.mark.parametrize("stratum", [*STRATA, "kind", "taxonomy", "antecedent"])
def test_every_stratum_divides_all_errors(analysis, stratum):
    assert sum(map(len, analysis.categorize(stratum).values())) == len(analysis)


@pytest.mark.parametrize("stratum", STRATA)
def test_scores_by_stratum_add_up_to_all(analysis, stratum):
    scores, whole = analysis.scores(stratum).values(), analysis.overall
    for field in ("anaphoric", "found", "linked", "right"):
        assert sum(getattr(score, field) for score in scores) == getattr(whole, field)


def test_scores_by_type_are_those_counted_by_hand(analysis):
    # Anaphors of the key: She, him, Her (pronouns), the man. Found: She.
    # Links of the response: She, him, Her. Right: She.
    scores = analysis.scores("type")
    assert (scores["pronoun"].found, scores["pronoun"].anaphoric) == (1, 3)
    assert (scores["pronoun"].right, scores["pronoun"].linked) == (1, 3)
    assert (scores["nominal"].found, scores["nominal"].anaphoric) == (0, 1)


def test_bias_is_feminine_over_masculine_f1():
    key = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [2 him ] . / [1 Her ] dog bit [2 him ] ."
    response = "[1 Ann ] met [2 Bob ] . / [1 She ] saw [2 him ] . / [3 Her ] dog bit [2 him ] ."
    # Masculine: both of two found, F1 1. Feminine: R ½, P 1, F1 ⅔.
    assert analyse(key, response).bias == pytest.approx(2 / 3)
    assert analyse("[1 Ann ] left", "[1 Ann ] left").bias is None


def test_distances_count_sentences_and_mentions_in_between(analysis):
    # Her: its antecedent She is one sentence and one mention (him) back.
    error = analysis.filter(lambda e: e.text == "Her", kind="wrong-link").errors[0]
    assert (error.stratum("sentences"), error.stratum("mentions")) == ("1", "1–2")
    assert (error.stratum("size"), error.stratum("gender")) == ("3–5", "feminine")


def test_low_frequency_looks_at_all_related_mentions():
    # Training has "him" ten times and "Ann" nine: the false-new "man" has rare words itself, the
    # wrong link of him has the rare antecedent Bob.
    train = corpus(" ".join(["him"] * 10 + ["Ann"] * 9 + ["Bob", "She", "the"] * 10 + ["Her"] * 10))
    analysis = error_analysis(corpus(KEY), corpus(RESPONSE), train=train)
    flags = {e.text: e.low_frequency for e in analysis.filter(taxonomy="decisions").errors}
    assert flags == {"him": False, "Her": False, "the man": True}
    fewer = error_analysis(corpus(KEY), corpus(RESPONSE), train=train, low_frequency=11)
    assert all(e.low_frequency for e in fewer.errors)


def test_examples_are_spread_over_the_errors_of_each_class(analysis):
    assert [e.kind for e in analysis.examples(1)] == [
        "false-new", "wrong-link", "conflated-entities", "divided-entity", "recall-error",
        "precision-error",
    ]  # fmt: skip
    assert analysis.examples(0) == []
    assert analysis.examples(1, width=1)[0].mention.before == "bit"


def test_examples_stay_within_their_document():
    key = corpus("[1 Ann ] left", "[1 She ] saw [1 Ann ]")
    response = corpus("[1 Ann ] left", "[1 She ] saw Ann")
    (example,) = error_analysis(key, response).filter(taxonomy="decisions").examples(1)
    assert (example.mention.document, example.mention.before) == ("d1", "She saw")


def test_the_sum_of_classes_is_the_number_of_errors(analysis):
    total, whole = analysis.counts, analysis.overall
    assert sum(n for kinds in total.values() for n in kinds.values()) == len(analysis)
    decisions = total["decisions"]
    assert decisions["false-new"] + decisions["wrong-link"] == whole.anaphoric - whole.found
    assert decisions["false-link"] + decisions["wrong-link"] == whole.linked - whole.right


def test_scope_joins_documents_before_anything_is_counted():
    key = corpus("[1 Ann ] left", "[1 She ] sat")
    response = corpus("[1 Ann ] left", "[2 She ] sat")
    apart = error_analysis(key, response)
    joined = error_analysis(key, response, scope="corpus")
    assert (len(apart), joined.counts["decisions"]["false-new"]) == (0, 1)
    assert joined.if_fixed()[-1].alone["conll"] == 1.0


def test_the_choices_of_the_profile_hold():
    key, response = "[1 Ann ] met [2 Bob ]", "[1 Ann ] met Bob"
    assert analyse(key, response).counts["operations"]["missing-entity"] == 1
    assert len(analyse(key, response, singletons="strip")) == 0


def test_documents_that_the_response_lacks_are_reported_and_count():
    key = corpus("[1 Ann ] saw [1 her ]", "[1 She ] saw [1 Ann ]")
    response = corpus("[1 Ann ] saw [1 her ]")
    analysis = error_analysis(key, response)
    assert [finding.code for finding in analysis.findings] == ["CB202"]
    assert analysis.counts["operations"]["missing-entity"] == 1


def test_it_is_public():
    assert cb.error_analysis is error_analysis


def test_names_of_taxonomies_and_classes():
    assert parse_taxonomy("preco") == parse_taxonomy("decisions") == ("decisions",)
    assert parse_taxonomy("kummerfeld") == ("operations",)
    assert parse_taxonomy("cort") == ("links",)
    assert len(parse_taxonomy("all")) == 3
    assert parse_class("Missing Mention") == "missing-mention"
    assert select_taxonomies("all", "wrong-link") == ("decisions",)
    with pytest.raises(UsageError, match="not a class of the taxonomy"):
        select_taxonomies("links", "wrong-link")
    with pytest.raises(UnknownName, match="did you mean wrong-link"):
        parse_class("wrong-lnk")


def test_selections_are_written_as_in_stats():
    assert parse_filters("false new", ["type=name"], None) == {
        "kind": "false-new", "type": ("name", "name"),
    }  # fmt: skip
    assert "3–5" in parse_filters(None, ["distance=3-5"], None)["distance"]
    with pytest.raises(UsageError, match="cannot select"):
        parse_filters(None, ["pronoun"], None)
