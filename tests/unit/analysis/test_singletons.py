"""The study against the printed tables of Kübler & Zhekova 2011 and against counts by hand."""

from pathlib import Path

import pytest

import corefbench as cb
from corefbench.analysis.singletons import Side, is_singleton, make_variant, rank_changes
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import UnknownName
from corefbench.formats.load import load
from corefbench.papers.kuebler_zhekova_2011 import WITNESS_CHAIN_SIZES
from corefbench.papers.printed import PrintedRow, read_printed
from corefbench.papers.reproduction import chains_from_sizes
from corefbench.scoring.clusters import corpora_from_clusters, corpus_from_clusters
from tests.clusters import clusters, percent
from tests.conll import conll
from tests.golden.test_cattan_2021 import chains as example_chains

#        Ann   met   the   dog   of    Bob     .    It    bit   her   .   She    ran
CELLS = ("(1)", "-", "(2", "-", "-", "(3)|2)", "-", "(4)", "-", "(1)", "-", "(5)", "-")
WORDS = ["Ann", "met", "the", "dog", "of", "Bob", ".", "It", "bit", "her", ".", "She", "ran"]


def response() -> Corpus:
    return load(conll(*CELLS, words=WORDS))


def chains(corpus: Corpus) -> list[list[str]]:
    return [[m.text for m in chain.mentions] for chain in corpus[0].chains if len(chain)]


def test_all_singletons_stay() -> None:
    assert chains(make_variant(response(), "AllS")) == [["Ann", "her"], ["the dog of Bob"], ["Bob"], ["It"], ["She"]]


def test_all_singletons_go() -> None:
    assert chains(make_variant(response(), "NoS")) == [["Ann", "her"]]


def test_pronouns_stay_where_other_singletons_go() -> None:
    assert chains(make_variant(response(), "PronS")) == [["Ann", "her"], ["It"], ["She"]]


def test_a_lone_pronoun_joins_the_mention_that_ends_last_before_it_and_of_two_the_shorter() -> None:
    # Bob and the dog of Bob end together; She follows her, which is in a chain already.
    assert chains(make_variant(response(), "AttP")) == [["Ann", "her", "She"], ["Bob", "It"]]


def test_a_mention_around_the_pronoun_does_not_precede_it_and_a_first_pronoun_stays_alone() -> None:
    corpus = load(conll("(2|(1)", "2)", "-", words=["His", "dog", "barked"]))
    assert chains(make_variant(corpus, "AttP")) == [["His"]]


def test_pronouns_in_a_row_end_in_one_chain() -> None:
    corpus = load(conll("(1)", "-", "(2)", "-", "(3)", words=["Ann", "saw", "it", "saw", "that"]))
    assert chains(make_variant(corpus, "AttP")) == [["Ann", "it", "that"]]


def test_mentions_of_the_previous_document_are_not_antecedents() -> None:
    text = conll("-", "(1)", name="a", words=["met", "Ann"])
    corpus = load(text + conll("(1)", "-", name="b", words=["She", "ran"]))
    attached = make_variant(corpus, "AttP")
    assert [[m.text for m in document.mentions] for document in attached] == [[], ["She"]]


@pytest.mark.parametrize(
    ("word", "counts"),
    [
        *[(word, True) for word in ("she", "Their", "itself", "I", "yours", "this", "those")],
        *[(word, False) for word in ("who", "whose", "which", "someone", "nothing", "Ann")],
    ],
)
def test_personal_possessive_reflexive_and_demonstrative_pronouns_count(word: str, counts: bool) -> None:
    corpus = load(conll("(1)", "-", words=[word, "ran"]))
    assert len(make_variant(corpus, "PronS").mentions) == counts


@pytest.mark.parametrize(("word", "tag", "counts"), [("ella", "PRON", 1), ("casa", "NOUN", 0)])
def test_pronouns_of_other_languages_are_known_by_their_tag(word: str, tag: str, counts: int) -> None:
    build = CorpusBuilder("es")
    build.begin_document("d")
    build.sentence([word], columns={"upos": [tag]})
    build.mention("1", [(0, 1)])
    assert len(make_variant(build.finish(), "PronS").mentions) == counts


def test_markables_that_do_not_refer_are_neither_kept_nor_antecedents() -> None:
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(["Ann", "fact", "it"])
    build.mention("1", [(0, 1)])
    build.mention("2", [(1, 2)], referring=False)
    build.mention("3", [(2, 3)])
    assert chains(make_variant(build.finish(), "AttP")) == [["Ann", "it"]]


def test_a_mention_is_a_singleton_within_its_scope() -> None:
    text = b"".join(conll(cell, name=f"{n}_1ecb") for n, cell in ((1, "(1)"), (2, "(1)")))
    corpus = load(text)
    assert is_singleton(corpus, "document").tolist() == [True, True]
    assert is_singleton(corpus, "topic").tolist() == [True, True]
    assert is_singleton(corpus, "corpus").tolist() == [False, False]


PRINTED = read_printed("kuebler-zhekova-2011")
MEASURES = ("mentions", "muc", "b_cubed", "ceaf_e", "blanc")
ROWS = {"ABC, DE": "G-S/S-S", "ABC, DE, Y": "G-S/S+S", "ABC, DE, X": "G+S/S-S"}
"""The rows of Table 2 are settings of one pair: X is a singleton of the key, Y of the response."""
ERRATA = {
    # Printed 100: the key has six spans, of which the response has five.
    ("CONLL: ABC, DE, X", "IM R"): 83.3,
    ("CONLL: ABC, DE, X", "IM F1"): 90.9,
    # 2/3, printed 66.6 here and 66.7 everywhere else.
    ("SEMEVAL: ABC, DE, X", "B³ F1"): 66.7,
}


@pytest.fixture(scope="module")
def artificial() -> cb.SingletonStudy:
    return cb.singletons(*corpora_from_clusters(clusters("ABC DE X"), clusters("BC ADE Y")))


@pytest.mark.parametrize("row", PRINTED["2"].rows, ids=lambda row: row.name)
def test_table_2_is_three_settings_of_the_artificial_example(artificial: cb.SingletonStudy, row: PrintedRow) -> None:
    result = artificial[row.given["profile"]][ROWS[row.name.partition(": ")[2]]]
    found = [value for name in MEASURES for value in percent(result[name])]
    expected = [ERRATA.get((row.name, c), value.value) for c, value in row.values.items()]
    assert found == expected
    assert len(found) == 15


def test_table_1_is_the_baselines() -> None:
    key = corpus_from_clusters([chains_from_sizes(sizes) for sizes in WITNESS_CHAIN_SIZES], "key", several=True)
    study = cb.singletons(key, key, ["semeval-2010"])
    for row in PRINTED["1"].rows:
        result = study["semeval-2010"][row.name.lower()]
        measures = ("ceaf_m", "muc", "b_cubed", "blanc")
        found = [value for measure in measures for value in percent(result[measure])]
        assert found == [value.value for value in row.values.values()]


KEY = conll("(1)", "(1)", "(2)", "(3)", "-", words=["Ann", "she", "dogs", "Bob", "it"])
RESPONSE = conll("(1)", "(2)", "(1)", "-", "(4)", words=["Ann", "she", "dogs", "Bob", "it"])
WITHOUT_KEY = conll("(1)", "(1)", "-", "-", "-", words=["Ann", "she", "dogs", "Bob", "it"])
WITHOUT_RESPONSE = conll("(1)", "-", "(1)", "-", "-", words=["Ann", "she", "dogs", "Bob", "it"])
"""The same files with their singletons taken out by hand."""


@pytest.mark.parametrize(
    ("setting", "key", "response"),
    [
        ("G+S/S+S", KEY, RESPONSE),
        ("G+S/S-S", KEY, WITHOUT_RESPONSE),
        ("G-S/S+S", WITHOUT_KEY, RESPONSE),
        ("G-S/S-S", WITHOUT_KEY, WITHOUT_RESPONSE),
        ("AllS", WITHOUT_KEY, RESPONSE),
        ("NoS", WITHOUT_KEY, WITHOUT_RESPONSE),
        ("PronS", WITHOUT_KEY, RESPONSE),
    ],
)
@pytest.mark.parametrize("profile", ["semeval-2010", "conll-2011", "conll-2012", "coval-remove"])
def test_a_setting_is_what_comes_of_files_without_their_singletons(
    setting: str, key: bytes, response: bytes, profile: str
) -> None:
    study = cb.singletons(KEY, RESPONSE, [profile])
    expected = cb.score(key, response, profile, singletons="keep")
    assert study[profile][setting].scores == expected.scores


def test_variants_can_be_scored_against_the_whole_key() -> None:
    study = cb.singletons(KEY, RESPONSE, ["conll-2012"], key_singletons="keep")
    assert study["conll-2012"]["NoS"].scores == cb.score(KEY, WITHOUT_RESPONSE).scores


def test_every_result_carries_the_signature_that_remakes_it() -> None:
    from corefbench.scoring.api import verify

    for settings in cb.singletons(KEY, RESPONSE, ["conll-2011", "cattan-2021"]).results.values():
        for setting in ("G+S/S+S", "G+S/S-S", "G-S/S+S", "G-S/S-S"):
            verify(settings[setting].signature, KEY, RESPONSE)


def test_mentions_are_counted_by_twin_and_by_chain() -> None:
    counts = cb.singletons(KEY, RESPONSE).breakdown["conll-2012"]
    # Key: dogs, a singleton, is found; Bob, a singleton, is not; Ann and she are found.
    assert counts.key == Side(
        mentions=4, singletons=2, matched_singletons=1, matched_chained=2, twinless_singletons=1, twinless_chained=0
    )
    # Response: she, a singleton, is in the key; it, a singleton, is not.
    assert (counts.response.matched, counts.response.twinless) == (3, 1)
    assert (counts.response.matched_singletons, counts.response.twinless_singletons) == (1, 1)
    assert (counts.only_key_singletons, counts.only_response_singletons) == (1, 1)


def test_without_words_there_are_no_variants_of_pronouns(artificial: cb.SingletonStudy) -> None:
    assert artificial.variants == ("AllS", "NoS")
    assert "PronS" not in artificial["conll-2012"]


def test_the_largest_movement_comes_first_and_small_ones_last(artificial: cb.SingletonStudy) -> None:
    points = [abs(movement.points) for movement in artificial.movements()]
    assert points == sorted(points, reverse=True)
    assert all(movement.measure != "MUC" for movement in artificial.movements())


def test_the_explanation_agrees_with_the_paper_on_its_example(artificial: cb.SingletonStudy) -> None:
    said = artificial.explanation(most=100)
    assert said[0] == (
        "The key has 6 mentions and 1 singleton (16.7 %); the response has 6 mentions and 1 singleton (16.7 %)."
    )
    assert said[1] == (
        "Without a twin under semeval-2010, conll-2011 and conll-2012: 1 mention of the key "
        "(a singleton) and 1 mention of the response (a singleton)."
    )
    assert said[-1] == ("Under semeval-2010, conll-2011 and conll-2012, MUC is the same in all four settings.")
    # 2 (4 + …) / 6 …: B³ 61.11 with both singletons, 73.33 with neither.
    assert (
        "Under semeval-2010 and conll-2012, removing singletons from both sides "
        "(G+S/S+S → G-S/S-S) raised B³ F1 by 12.22 points, from 61.11 to 73.33: recall rose from "
        "61.11 to 73.33, and precision rose from 61.11 to 73.33." in said
    )


def test_the_order_of_two_responses_may_turn_over() -> None:
    """S1 and S2 of Cattan et al. 2021: one finds singletons, the other links better."""
    gold = corpus_from_clusters(example_chains("G"), "gold")
    studies = {
        name: cb.singletons(gold, corpus_from_clusters(example_chains(name), name), ["coval-keep"])
        for name in ("S1", "S2")
    }
    said = [sentence for sentence in rank_changes(studies) if sentence.startswith("By LEA")]
    (sentence,) = said
    assert "S1 leads in G+S/S+S (69.04)" in sentence
    assert sentence.endswith("G-S/S-S (80.00).")
    assert rank_changes({"S1": studies["S1"]}) == ()


def test_a_profile_that_was_not_asked_for_is_named(artificial: cb.SingletonStudy) -> None:
    with pytest.raises(UnknownName, match="profile of this study"):
        artificial["conll-2021"]


def test_chains_across_documents_are_not_singletons_in_a_wider_scope() -> None:
    text = conll("(1)", name="1_1ecb") + conll("(1)", name="1_2ecb")
    corpus: Corpus = cb.load(text)
    counts = cb.singletons(corpus, corpus, ["conll-2012"], scope="topic").breakdown["conll-2012"]
    assert counts.key.singletons == 0


EXAMPLES = Path(__file__).parents[3] / "examples"
CHAINS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc")


@pytest.mark.parametrize(
    "response",
    [*(f"{name}.response.conll" for name in ("cautious", "eager", "steady")), "singletons/overgenerating.conll"],
)
def test_the_conll_scorer_does_not_see_singletons_of_the_response(response: str) -> None:
    """Section 2 of the paper, and its Table 6: NoS and PronS differ in mention detection only."""
    study = cb.singletons(EXAMPLES / "key.conll", EXAMPLES / response, ["conll-2011"])
    made = study["conll-2011"]
    for one, other in (("G+S/S+S", "G+S/S-S"), ("G-S/S+S", "G-S/S-S"), ("NoS", "PronS")):
        for measure in CHAINS:
            assert made[one][measure].f1 == pytest.approx(made[other][measure].f1)
