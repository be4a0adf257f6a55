"""Corpora of a training configuration."""

import re
from collections.abc import Iterable
from math import ceil
from pathlib import Path

import numpy as np

from corefbench.corpus.combine import keep_mentions, take_documents
from corefbench.corpus.corpus import Corpus
from corefbench.datasets import CATALOGUE, load_dataset
from corefbench.datasets.bundled import load_bundled
from corefbench.diagnostics import Strictness
from corefbench.formats.load import is_pattern, load
from corefbench.records import Longs
from corefbench.resolvers.training.config import CorpusSource
from corefbench.scoring.signature import ContentHash


def load_corpus(name: str, *, lenient: bool = False) -> Corpus:
    """Load a corpus by path or name, without non-referring mentions."""
    corpus = _read_corpus(name, lenient)
    referring = corpus.mentions.referring
    return corpus if referring is None else keep_mentions(corpus, referring)


def _read_corpus(name: str, lenient: bool) -> Corpus:
    if not Path(name).exists() and not is_pattern(name):
        if name == "bundled":
            return load_bundled()
        if name.partition("/")[0] in CATALOGUE:
            return load_dataset(name, strictness=Strictness(lenient=lenient))
    return load(name, lenient=lenient)


def load_source(source: CorpusSource, share: float = 1.0, seed: int = 0) -> Corpus:
    """Load the selected documents of a source, or a random share of them.

    With the same seed, a smaller share is part of every larger one.
    """
    corpus = load_corpus(source.corpus, lenient=source.lenient)
    wanted = np.array(
        [
            number
            for number, name in enumerate(corpus.documents.names)
            if _is_wanted(source, {name, *re.split("[_-]", name)})
        ],
        np.int64,
    )
    if share < 1:
        order = np.random.default_rng(seed).permutation(len(wanted))
        wanted = np.sort(wanted[order[: ceil(share * len(wanted))]])
    return corpus if len(wanted) == len(corpus) else _take_documents(corpus, wanted)


def _is_wanted(source: CorpusSource, names: set[str]) -> bool:
    listed = not source.only or bool(names & {*source.only})
    return listed and not names & {*source.without}


def _take_documents(corpus: Corpus, wanted: Longs) -> Corpus:
    documents = corpus.documents
    names = [(documents.names[n], int(documents.parts[n])) for n in wanted.tolist()]
    return take_documents(corpus, wanted, names)


def hash_sources(sources: Iterable[CorpusSource]) -> dict[str, str]:
    """Return the content hash of every corpus by name."""
    hashes = {}
    for source in sources:
        for name in (source.corpus, *source.also.values()):
            content = ContentHash()
            content.add(load_corpus(name, lenient=source.lenient))
            hashes[name] = str(content)
    return hashes
