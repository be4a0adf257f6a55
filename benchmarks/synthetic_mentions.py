"""Synthetic mentions with vectors, lemmas and chains.

Chains have Zipfian sizes and Zipfian lemmas. The vector of a chain is similar to that of its lemma,
the vector of a mention to that of its chain. Some mentions are less similar to it than others, and
some have another lemma.
"""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corefbench.records import Longs
    from corefbench.resolvers.cross_document.clustering import Probabilities
    from corefbench.resolvers.cross_document.context import PairContext

DIMENSION = 64
_LARGEST = 500
_LIKE_LEMMA, _LIKE_CHAIN, _LIKE_CHAIN_LESS = 0.08, 0.85, 0.45
"""Shares of the variance of a vector that come from its lemma or chain."""
_LESS, _OTHER_LEMMA = 0.2, 0.1
"""Shares of mentions."""


class SimilarityScorer:
    """Scores pairs by vectors and lemmas alone: σ(15 · (cos − 0.7) + [same lemma])."""

    def score(self, context: "PairContext", left: "Longs", right: "Longs") -> "Probabilities":
        cosine = context.views[0].similarity(left, right)
        same = context.lemma[left] == context.lemma[right]
        return np.asarray(1 / (1 + np.exp(-(15 * (cosine - 0.7) + same))), np.float32)

    def arrays(self) -> dict[str, np.ndarray]:
        return {}


def synthetic(count: int, seed: int = 0, dimension: int = DIMENSION) -> "PairContext":
    """Return a context of ``count`` mentions in random order, with their chains."""
    from corefbench.resolvers.cross_document.vectors import normalize_rows

    random = np.random.default_rng(seed)
    chain = _chains(random, count)
    chains, lemmas = int(chain.max()) + 1, int(20 * count**0.4)
    weight = 1 / (np.arange(lemmas) + 2.7)
    lemma_of_chain = random.choice(lemmas, chains, p=weight / weight.sum())
    lemma = lemma_of_chain[chain]
    moved = random.random(count) < _OTHER_LEMMA
    lemma[moved] = random.integers(0, lemmas, int(moved.sum()))
    shape = (chains, dimension)
    centre = _mixed(
        random.standard_normal((lemmas, dimension), np.float32)[lemma_of_chain],
        random.standard_normal(shape, np.float32),
        np.full(chains, _LIKE_LEMMA),
    )
    like = np.where(random.random(count) < _LESS, _LIKE_CHAIN_LESS, _LIKE_CHAIN)
    vectors = _mixed(centre[chain], random.standard_normal((count, dimension), np.float32), like)
    return build_context(normalize_rows(vectors), lemma.astype(np.int64), chain)


def _chains(random: np.random.Generator, count: int) -> "Longs":
    sizes = np.minimum(random.zipf(2.0, count), _LARGEST)
    chain = np.repeat(np.arange(count), sizes)[:count]
    return random.permutation(chain).astype(np.int64)


def _mixed(own: np.ndarray, noise: np.ndarray, share: np.ndarray) -> np.ndarray:
    own *= np.sqrt(share)[:, None].astype(np.float32)
    noise *= np.sqrt(1 - share)[:, None].astype(np.float32)
    return own + noise


def build_context(vectors: np.ndarray, lemma: "Longs", chain: "Longs") -> "PairContext":
    """Return a context with nothing but vectors, lemmas and chains."""
    from corefbench.resolvers.cross_document.context import PairContext, SimilarityView
    from corefbench.resolvers.cross_document.mentions import AnalysedTokens, MentionTable

    own, none = np.arange(len(chain)), np.zeros(0, np.int64)
    return PairContext(
        tokens=AnalysedTokens(
            forms=(),
            lemmas=(),
            tags=(),
            governors=none,
            relations=(),
            document=none,
            sentence=none,
            sentence_offsets=none,
        ),
        mentions=MentionTable(document=own, sentence=own, start=own, end=own + 1, head=own, chain=chain),
        views=(SimilarityView(name="span vector", rows=vectors, row_of=own),),
        lemma=lemma,
        text=none,
        lemmas=(),
        texts=(),
        head_idf=np.zeros(0),
        document_ranks=np.zeros((0, 0), np.int64),
        vectors=np.zeros((0, 0), np.float32),
    )
