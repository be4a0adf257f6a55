"""Every format that is read and written gives back real corpora, as far as it can hold them."""

from collections import defaultdict
from functools import cache

import pytest

from corefbench.formats import formats
from corefbench.formats.fit import fit
from corefbench.formats.load import load
from corefbench.model.corpus import Corpus
from tests.data import data
from tests.properties.corpora import there_and_back, two_way

PLACES = {
    "litbank": ("litbank", "conll"),
    "gum": ("gum", "dep"),
    "np4e": ("np4e", ""),
    "ecbplus": ("ecbplus", "ECB+"),
    "preco": ("preco-sample", "preco.jsonl"),
}


@cache
def corpus(name: str) -> Corpus:
    archive, folder = PLACES[name]
    return load(data(archive) / folder)


def chains(corpus: Corpus) -> list[tuple[list[str], list[tuple[tuple[int, int], ...]]]]:
    """The words of every document and its chains as sorted spans, names apart."""
    found: dict[int, dict[int, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    mentions = corpus.mentions
    for document, chain, start, end in zip(
        mentions.document.tolist(),
        mentions.chain.tolist(),
        mentions.start.tolist(),
        mentions.end.tolist(),
        strict=True,
    ):
        found[document][chain].append((start, end))
    return sorted(
        (document.words, sorted(tuple(sorted(spans)) for spans in found[document.index].values()))
        for document in corpus
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PLACES))
@pytest.mark.parametrize("form", two_way())
def test_a_shared_corpus_goes_there_and_back(form: str, name: str) -> None:
    chosen = formats[form]()
    fitted = fit(corpus(name), chosen.card.holds)
    second, files = there_and_back(chosen, fitted)
    assert chains(second) == chains(fitted)
    third, again = there_and_back(chosen, second)
    assert chains(third) == chains(fitted)
    assert again == files
