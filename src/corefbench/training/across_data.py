"""What cross-document models are trained on and tested on, by name."""

import hashlib

import numpy as np

from corefbench.datasets import load_dataset
from corefbench.datasets.load import files_of
from corefbench.formats.base import Reading
from corefbench.formats.ecbplus import EcbPlus
from corefbench.formats.source import Source
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus
from corefbench.record import Columns
from corefbench.resolvers.across.sentences import annotated_sentences
from corefbench.training.data import corpus_of


class Material(Columns, frozen=True, eq=False):
    """A corpus, and the same documents whole where it has only some of their sentences."""

    corpus: Corpus
    background: Corpus | None = None
    curated: Corpus | None = None
    """Those of its sentences that are as in test data, where it has others too."""

    def as_tested(self) -> "Material":
        """The same documents with such sentences as test data have."""
        if self.curated is None:
            return self
        return Material(corpus=self.curated, background=self.background)


def joined(one: Material, other: Material) -> Material:
    """The documents of both."""
    sides = [material.background or material.corpus for material in (one, other)]
    known = one.background is not None or other.background is not None
    return Material(
        corpus=concatenate(f"{one.corpus.name}+{other.corpus.name}", [one.corpus, other.corpus]),
        background=concatenate("background", sides) if known else None,
    )


def load_material(name: str, sentences: str = "curated") -> Material:
    """A corpus by path or by name; of ECB+ the curated or all the ``annotated`` sentences."""
    if name.partition("/")[0] != "ecbplus":
        return Material(corpus=corpus_of(name))
    reader = EcbPlus(curated=False)
    pieces = [piece for path in files_of(name) for piece in reader.read(Source.of(path), Reading())]
    whole = concatenate(name, pieces)
    curated = load_dataset(name)
    if sentences != "annotated":
        return Material(corpus=curated, background=whole)
    return Material(corpus=annotated_sentences(whole), background=whole, curated=curated)


def data_hash(corpus: Corpus) -> str:
    """A hash of the words, the mentions and the chains."""
    words = corpus.tokens.words
    digest = hashlib.sha256(words.blob if words is not None else b"")
    mentions = corpus.mentions
    for column in (corpus.tokens.offsets, mentions.start, mentions.end, mentions.chain):
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()[:16]
