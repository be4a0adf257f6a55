"""A real corpus through the formats with tags: LitBank has 29,103 mentions, three pairs cross."""

import pytest

from corefbench.corpus.corpus import Corpus
from corefbench.formats.are import ARE
from corefbench.formats.base import Format
from corefbench.formats.load import load
from corefbench.formats.muc import MUC
from corefbench.formats.ontonotes import OntoNotes
from corefbench.formats.workbench import Workbench
from tests.data import data
from tests.unit.formats.roundtrip import read, written


@pytest.fixture(scope="module")
def litbank() -> Corpus:
    return load(data("litbank") / "conll", format="conll")


def partition(corpus: Corpus) -> list[set[frozenset[tuple[int, int]]]]:
    return [{frozenset((m.start, m.end) for m in chain.mentions) for chain in document.chains} for document in corpus]


@pytest.mark.parametrize("form", [MUC(), OntoNotes(), ARE(2)], ids=lambda f: f.card.name)
def test_nested_tags_lose_only_mentions_that_cross(form: Format, litbank: Corpus):
    again = read(form, written(form, litbank))
    assert again.documents.labels() == litbank.documents.labels()
    assert list(again.tokens.words) == list(litbank.tokens.words)
    assert again.tokens.sentences.tolist() == litbank.tokens.sentences.tolist()
    assert (len(litbank.mentions), len(again.mentions)) == (29_103, 29_101)
    same = [a == b for a, b in zip(partition(litbank), partition(again), strict=True)]
    assert same.count(False) == 2  # Howards End and The Magnificent Ambersons


def test_spans_by_node_lose_nothing(litbank: Corpus):
    again = read(ARE(4), written(ARE(4), litbank))
    assert len(again.mentions) == 29_103
    assert partition(again) == partition(litbank)


@pytest.mark.slow
def test_the_workbench_keeps_the_columns_of_words(litbank: Corpus):
    again = read(Workbench(), written(Workbench(), litbank))
    assert list(again.tokens.words) == list(litbank.tokens.words)
    for name, column in litbank.tokens.columns.items():
        if any(column):
            assert list(again.tokens.columns[name]) == list(column)
