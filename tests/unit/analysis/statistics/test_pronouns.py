"""Pronouns, antecedents, distances, candidates and decisions, by hand and against the definition."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefbench.analysis.statistics import compute_figures, count_corpus
from corefbench.analysis.statistics.pronouns import pronoun_decisions
from corefbench.corpus.builder import CorpusBuilder
from corefbench.preprocess.english.pronouns import THIRD_PERSON, classify_her
from tests.conll import conll
from tests.unit.analysis.statistics.corpora import ann_and_the_dog, corpus


@pytest.fixture
def values():
    return compute_figures(count_corpus(ann_and_the_dog()))


def test_pronouns_are_counted_by_type(values):
    # personal It, her, She; possessive His; reflexive herself
    types = ("pronouns", "pronouns_personal", "pronouns_possessive", "pronouns_reflexive")
    assert [values[key] for key in types] == [5, 3, 1, 1]


def test_anaphoric_and_intrasentential_pronouns(values):
    # only herself has its antecedent, She, in its own sentence
    assert values["pronouns_anaphoric"] == 5
    assert values["pronouns_intrasentential"] == 1
    assert values["pronouns_cataphoric"] == 0


def test_the_sentence_distance_has_two_readings(values):
    # It ← dog 1, her ← Ann 1, She ← her 1, herself ← She 0, His ← Bob 3
    assert values["sentence_distance"] == (1 + 1 + 1 + 0 + 3) / 5
    assert values["sentence_distance_intersentential"] == (1 + 1 + 1 + 3) / 4


def test_the_noun_phrase_distance_counts_mentions_that_begin_between(values):
    # It 0; her: the dog of Bob, Bob, It; She 0; herself 0; His: It, her, She, herself
    assert values["noun_phrase_distance"] == (0 + 3 + 0 + 0 + 4) / 5


def test_candidates_are_mentions_before_in_this_and_two_sentences(values):
    # It: Ann, dog, Bob; her: + It; She: + her; herself: + She; His: It, her, She, herself
    assert values["candidates"] == (3 + 4 + 5 + 6 + 4) / 5
    assert values["several_candidates_rate"] == 1


def test_a_pronoun_that_no_mention_marks_is_counted_and_not_anaphoric():
    values = compute_figures(count_corpus(corpus("It rains .")))
    assert (values["pronouns"], values["pronouns_anaphoric"]) == (1, 0)
    assert values["sentence_distance"] is None


def test_first_and_second_person_and_demonstratives_are_not_counted():
    assert compute_figures(count_corpus(corpus("I gave you this , myself .")))["pronouns"] == 0


def test_a_pronoun_that_begins_its_chain_is_cataphoric():
    values = compute_figures(count_corpus(corpus("When he came , Bob sat", mentions=[("b", 1, 2), ("b", 4, 5)])))
    assert (values["pronouns_anaphoric"], values["pronouns_cataphoric"]) == (0, 1)


def test_a_mention_that_begins_with_the_pronoun_is_not_its_antecedent():
    values = compute_figures(count_corpus(corpus("he who laughs", mentions=[("b", 0, 3), ("b", 0, 1)])))
    assert values["pronouns_anaphoric"] == 0


def test_a_mention_around_the_pronoun_is_not_a_candidate():
    # Bob is; the friend of his is not, although it begins before
    mentions = [("b", 0, 1), ("f", 2, 6), ("b", 5, 6)]
    values = compute_figures(count_corpus(corpus("Bob saw the friend of his", mentions=mentions)))
    assert values["candidates"] == 1
    assert values["several_candidates_rate"] == 0
    assert values["noun_phrase_distance"] == 1


def test_windows_end_at_the_border_of_the_document():
    build = CorpusBuilder("made")
    for name in ("a", "b"):
        build.begin_document(name)
        build.sentence(["Ann", "likes", "her", "."])
        build.mention("ann", [(0, 1)])
        build.mention("ann", [(2, 3)])
    assert count_corpus(build.finish()).pronouns.candidates == {1: 2}


def test_her_is_possessive_by_its_tag():
    build = CorpusBuilder("made")
    build.begin_document("d")
    build.sentence(["I", "gave", "her", "flowers"], columns={"xpos": ["PRP", "VBD", "PRP", "NNS"]})
    values = compute_figures(count_corpus(build.finish()))
    assert (values["pronouns_personal"], values["pronouns_possessive"]) == (1, 0)


@pytest.mark.parametrize(
    ("following", "kind"),
    [("dog", "possessive"), ("old", "possessive"), (None, "personal"), (",", "personal"),
     ("and", "personal"), ("To", "personal")],
)  # fmt: skip
def test_without_a_tag_the_next_word_decides_the_kind_of_her(following, kind):
    assert classify_her(following) == kind


def test_the_table_has_every_third_person_form_of_the_grammar():
    forms = "he him his himself she her hers herself it its itself they them their theirs"
    assert {*forms.split(), "themselves", "themself"} <= THIRD_PERSON.keys()


WORDS = st.lists(st.sampled_from(["Ann", "he", "it", "."]), min_size=1, max_size=5)


@given(
    st.lists(WORDS, min_size=1, max_size=6),
    st.lists(st.tuples(st.integers(0, 29), st.integers(1, 3), st.integers(0, 2)), max_size=14),
)
def test_vectors_agree_with_the_definition(sentences, marks):
    words = [word for sentence in sentences for word in sentence]
    sentence = [number for number, some in enumerate(sentences) for _ in some]
    spans = sorted({(a, a + n, c) for a, n, c in marks if a + n <= len(words)})
    spans = [s for i, s in enumerate(spans) if not i or s[:2] != spans[i - 1][:2]]
    distances, between, candidates = Counter(), Counter(), Counter()
    for a, b, chain in spans:
        earlier = [(c, d) for c, d, its in spans if its == chain and c < a]
        if b - a > 1 or words[a] not in ("he", "it") or not earlier:
            continue
        c, d = max(earlier)
        distances[sentence[a] - sentence[c]] += 1
        between[sum(d <= x < a for x, _, _ in spans)] += 1
        candidates[sum(y <= a and sentence[x] >= sentence[a] - 2 for x, y, _ in spans)] += 1
    made = corpus(*(" ".join(some) for some in sentences), mentions=[(str(c), a, b) for a, b, c in spans])
    found = count_corpus(made).pronouns
    assert found.sentence_distances == distances
    assert found.noun_phrase_distances == between
    assert found.candidates == candidates


WORDS = ["Ann", "met", "Eve", "before", "she", "left", "her", "house"]
KEY = conll("(1)", "-", "(2)", "-", "(1)", "-", "(1)|(3", "3)", words=WORDS)


def decided(*cells: str) -> dict[int, bool]:
    found = pronoun_decisions(KEY, {"system": conll(*cells, words=WORDS)})["system"]
    return {token: right for (_, token), right in found.items()}


def test_the_key_resolves_every_anaphoric_pronoun_correctly() -> None:
    assert pronoun_decisions(KEY, {"key": KEY}) == {"key": {("d_0", 4): True, ("d_0", 6): True}}


def test_an_antecedent_of_another_chain_is_wrong() -> None:
    assert decided("(1)", "-", "(2)", "-", "(2)", "-", "(1)", "-") == {4: False, 6: True}


def test_the_antecedent_is_the_nearest_earlier_mention() -> None:
    # she and her in Eve's chain: she goes back to Eve, wrong; her goes back to she, right.
    assert decided("-", "-", "(2)", "-", "(2)", "-", "(2)", "-") == {4: False, 6: True}


def test_a_pronoun_that_is_missing_or_begins_its_chain_is_wrong() -> None:
    assert decided("(1)", "-", "-", "-", "-", "-", "(4)", "-") == {4: False, 6: False}


def test_an_antecedent_that_the_key_does_not_have_is_wrong() -> None:
    assert decided("-", "(1)", "-", "-", "(1)", "-", "-", "-") == {4: False, 6: False}


def test_a_response_without_mentions_is_wrong_throughout() -> None:
    assert decided(*["-"] * 8) == {4: False, 6: False}


def test_a_document_that_the_response_lacks_counts_as_wrong() -> None:
    other = conll("(1)", "(1)", name="e", words=["Bob", "he"])
    found = pronoun_decisions(KEY + other, {"system": KEY})["system"]
    assert found == {("d_0", 4): True, ("d_0", 6): True, ("e_0", 1): False}


@pytest.mark.parametrize("words", [["Ann", "und", "Eva"], ["It", "rained", "there"]])
def test_without_anaphoric_pronouns_there_are_no_decisions(words: list[str]) -> None:
    key = conll("(1)", "-", "(1)", words=words)
    assert pronoun_decisions(key, {"system": key}) == {"system": {}}
