"""The words of a corpus with lemma, tag and governor, numbered over the corpus."""

from collections.abc import Sequence

import numpy as np

from corefbench.model.corpus import Corpus
from corefbench.preprocess import make
from corefbench.preprocess.cache import Cached
from corefbench.preprocess.text import input_of
from corefbench.record import Columns, Longs


class Words(Columns, frozen=True, eq=False):
    """What pre-processing says of every token; governors are numbered over the corpus too."""

    forms: Sequence[str]
    lemmas: Sequence[str]
    """Lower case."""
    tags: Sequence[str]
    """Universal parts of speech."""
    governors: Longs
    """-1 at a root."""
    relations: Sequence[str]
    document: Longs
    sentence: Longs
    """The number of the sentence, over the corpus."""
    sentences: Longs
    """The first token of every sentence, and the number of tokens."""

    def __len__(self) -> int:
        return len(self.forms)


def analysed(corpus: Corpus, pipeline: str = "en", *, cache: bool = True) -> Words:
    """Analyse the documents with their own tokens and sentences."""
    preprocessor = make(pipeline)
    if cache:
        preprocessor = Cached(preprocessor)
    lemmas, tags, relations, governors = list[str](), list[str](), list[str](), list[int]()
    given = [input_of(document) for document in corpus]
    for analysis in preprocessor.analyse(given):
        first = len(lemmas)
        lemmas += [lemma.lower() for lemma in analysis.lemmas]
        tags += analysis.upos
        relations += analysis.relations
        governors += [first + head if head >= 0 else -1 for head in analysis.heads]
    return words_of(corpus, lemmas, tags, governors, relations)


def words_of(
    corpus: Corpus,
    lemmas: Sequence[str],
    tags: Sequence[str],
    governors: Sequence[int],
    relations: Sequence[str],
) -> Words:
    """The words of a corpus, of which the analysis is given."""
    tokens = corpus.tokens
    counts = np.diff(tokens.offsets)
    edges = np.append(tokens.sentences, len(tokens))
    return Words(
        forms=list(tokens.words or ()),
        lemmas=lemmas,
        tags=tags,
        governors=np.asarray(governors, np.int64),
        relations=relations,
        document=np.repeat(np.arange(len(counts)), counts),
        sentence=np.repeat(np.arange(len(edges) - 1), np.diff(edges)),
        sentences=edges.astype(np.int64),
    )
