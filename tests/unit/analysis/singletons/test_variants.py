"""AllS, NoS, PronS and AttP on texts short enough to see what must come out."""

import pytest

from corefbench.analysis.singletons.variants import is_singleton, vary
from corefbench.formats.load import load
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus
from tests.conll import conll

#        Ann   met   the   dog   of    Bob     .    It    bit   her   .   She    ran
CELLS = ("(1)", "-", "(2", "-", "-", "(3)|2)", "-", "(4)", "-", "(1)", "-", "(5)", "-")
WORDS = ["Ann", "met", "the", "dog", "of", "Bob", ".", "It", "bit", "her", ".", "She", "ran"]


def response() -> Corpus:
    return load(conll(*CELLS, words=WORDS))


def chains(corpus: Corpus) -> list[list[str]]:
    return [[m.text for m in chain.mentions] for chain in corpus[0].chains if len(chain)]


def test_all_singletons_stay() -> None:
    assert chains(vary(response(), "AllS")) == [
        ["Ann", "her"],
        ["the dog of Bob"],
        ["Bob"],
        ["It"],
        ["She"],
    ]


def test_all_singletons_go() -> None:
    assert chains(vary(response(), "NoS")) == [["Ann", "her"]]


def test_pronouns_stay_where_other_singletons_go() -> None:
    assert chains(vary(response(), "PronS")) == [["Ann", "her"], ["It"], ["She"]]


def test_a_lone_pronoun_joins_the_mention_that_ends_last_before_it_and_of_two_the_shorter() -> None:
    # Bob and the dog of Bob end together; She follows her, which is in a chain already.
    assert chains(vary(response(), "AttP")) == [["Ann", "her", "She"], ["Bob", "It"]]


def test_a_mention_around_the_pronoun_does_not_precede_it_and_a_first_pronoun_stays_alone() -> None:
    corpus = load(conll("(2|(1)", "2)", "-", words=["His", "dog", "barked"]))
    assert chains(vary(corpus, "AttP")) == [["His"]]


def test_pronouns_in_a_row_end_in_one_chain() -> None:
    corpus = load(conll("(1)", "-", "(2)", "-", "(3)", words=["Ann", "saw", "it", "saw", "that"]))
    assert chains(vary(corpus, "AttP")) == [["Ann", "it", "that"]]


def test_the_last_mention_of_the_document_before_is_no_antecedent() -> None:
    text = conll("-", "(1)", name="a", words=["met", "Ann"])
    corpus = load(text + conll("(1)", "-", name="b", words=["She", "ran"]))
    attached = vary(corpus, "AttP")
    assert [[m.text for m in document.mentions] for document in attached] == [[], ["She"]]


@pytest.mark.parametrize(
    ("word", "counts"),
    [
        *[(word, True) for word in ("she", "Their", "itself", "I", "yours", "this", "those")],
        *[(word, False) for word in ("who", "whose", "which", "someone", "nothing", "Ann")],
    ],
)
def test_personal_possessive_reflexive_and_demonstrative_pronouns_count(
    word: str, counts: bool
) -> None:
    corpus = load(conll("(1)", "-", words=[word, "ran"]))
    assert len(vary(corpus, "PronS").mentions) == counts


@pytest.mark.parametrize(("word", "tag", "counts"), [("ella", "PRON", 1), ("casa", "NOUN", 0)])
def test_pronouns_of_other_languages_are_known_by_their_tag(
    word: str, tag: str, counts: int
) -> None:
    build = CorpusBuilder("es")
    build.begin_document("d")
    build.sentence([word], columns={"upos": [tag]})
    build.mention("1", [(0, 1)])
    assert len(vary(build.finish(), "PronS").mentions) == counts


def test_markables_that_do_not_refer_are_neither_kept_nor_antecedents() -> None:
    build = CorpusBuilder("c")
    build.begin_document("d")
    build.sentence(["Ann", "fact", "it"])
    build.mention("1", [(0, 1)])
    build.mention("2", [(1, 2)], referring=False)
    build.mention("3", [(2, 3)])
    assert chains(vary(build.finish(), "AttP")) == [["Ann", "it"]]


def test_a_mention_is_a_singleton_within_its_scope() -> None:
    text = b"".join(conll(cell, name=f"{n}_1ecb") for n, cell in ((1, "(1)"), (2, "(1)")))
    corpus = load(text)
    assert is_singleton(corpus, "document").tolist() == [True, True]
    assert is_singleton(corpus, "topic").tolist() == [True, True]
    assert is_singleton(corpus, "corpus").tolist() == [False, False]
