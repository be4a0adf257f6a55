"""Every format that is read and written gives back real corpora, as far as it can hold them."""

from collections import defaultdict
from functools import cache

import pytest

from corefbench.corpus.corpus import Corpus
from corefbench.formats import formats
from corefbench.formats.capabilities import fit_to_format
from corefbench.formats.load import load
from corefbench.testing.corpora import round_trip_formats
from corefbench.testing.formats import round_trip
from tests.data import data

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
        mentions.document.tolist(), mentions.chain.tolist(), mentions.start.tolist(), mentions.end.tolist(), strict=True
    ):
        found[document][chain].append((start, end))
    return sorted(
        (document.words, sorted(tuple(sorted(spans)) for spans in found[document.index].values()))
        for document in corpus
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PLACES))
@pytest.mark.parametrize("form", round_trip_formats())
def test_a_shared_corpus_goes_there_and_back(form: str, name: str) -> None:
    chosen = formats[form]()
    fitted = fit_to_format(corpus(name), chosen.card.holds)
    second, files = round_trip(chosen, fitted)
    assert chains(second) == chains(fitted)
    third, again = round_trip(chosen, second)
    assert chains(third) == chains(fitted)
    assert again == files
