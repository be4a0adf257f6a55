"""The corpora of a configuration, read, chosen from and hashed."""

import re
from collections.abc import Iterable, Mapping
from math import ceil
from pathlib import Path

import numpy as np

from corefbench.bundled import bundled
from corefbench.datasets import CATALOGUE, load_dataset
from corefbench.findings import Strictness
from corefbench.formats.load import load
from corefbench.formats.patterns import is_pattern
from corefbench.model.assemble import keep_mentions, take_documents
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document
from corefbench.preprocess.text import Columns
from corefbench.record import Longs
from corefbench.resolvers.learned.analysed import clusters_of
from corefbench.resolvers.neural.example import Example, chains_of
from corefbench.scoring.signature import ContentHash
from corefbench.training.config import Source


def corpus_of(name: str, *, lenient: bool = False) -> Corpus:
    """A corpus by path or by name, without mentions that refer to nothing."""
    corpus = _read(name, lenient)
    referring = corpus.mentions.referring
    return corpus if referring is None else keep_mentions(corpus, referring)


def _read(name: str, lenient: bool) -> Corpus:
    if not Path(name).exists() and not is_pattern(name):
        if name == "bundled":
            return bundled()
        if name.partition("/")[0] in CATALOGUE:
            return load_dataset(name, strictness=Strictness(lenient=lenient))
    return load(name, lenient=lenient)


def chosen(source: Source, share: float = 1.0, seed: int = 0) -> Corpus:
    """The documents of a source that are not left out, or a share of them.

    Of one seed, a smaller share is part of every larger one.
    """
    corpus = corpus_of(source.corpus, lenient=source.lenient)
    wanted = np.array(
        [
            number
            for number, name in enumerate(corpus.documents.names)
            if _wanted(source, {name, *re.split("[_-]", name)})
        ],
        np.int64,
    )
    if share < 1:
        order = np.random.default_rng(seed).permutation(len(wanted))
        wanted = np.sort(wanted[order[: ceil(share * len(wanted))]])
    return corpus if len(wanted) == len(corpus) else _taken(corpus, wanted)


def _wanted(source: Source, known_as: set[str]) -> bool:
    listed = not source.only or bool(known_as & {*source.only})
    return listed and not known_as & {*source.without}


def _taken(corpus: Corpus, wanted: Longs) -> Corpus:
    documents = corpus.documents
    names = [(documents.names[n], int(documents.parts[n])) for n in wanted.tolist()]
    return take_documents(corpus, wanted, names)


def hashes(sources: Iterable[Source]) -> dict[str, str]:
    """Name and content hash of every corpus."""
    made = {}
    for source in sources:
        for name in (source.corpus, *source.also.values()):
            content = ContentHash()
            content.add(corpus_of(name, lenient=source.lenient))
            made[name] = str(content)
    return made


def examples(source: Source, share: float = 1.0, seed: int = 0) -> list[Example]:
    """The documents of a source with the chains of all its schemes.

    Where ``also`` has the scheme of the source itself, it replaces the chains of the corpus, which
    then gives the words and sentences only; documents that it does not have are left out.
    """
    further = {
        scheme: {d.name: d for d in corpus_of(name, lenient=source.lenient)}
        for scheme, name in source.also.items()
    }
    made = []
    for document in chosen(source, share, seed):
        words = Columns(document).words
        chains = {} if source.scheme in further else {source.scheme: clusters_of(document)}
        for scheme, found in further.items():
            other = found.get(document.name)
            if other is not None and len(Columns(other).words) == len(words):
                chains[scheme] = clusters_of(other)
        if source.scheme in chains:
            made.append(_example(document, chains))
    return made


def _example(document: Document, chains: Mapping[str, list[list[tuple[int, int]]]]) -> Example:
    """Words, sentences and chains, all without empty nodes."""
    columns = Columns(document)
    return Example(
        name=document.name,
        words=columns.words,
        sentences=tuple(start for start, _ in columns.sentences()),
        chains={scheme: chains_of(clusters) for scheme, clusters in chains.items()},
    )
