"""Synthetic mentions in any number: vectors, head lemmas, and the chains they were made from.

Chains have Zipfian sizes and Zipfian lemmas; a lemma has a vector, a chain one that is like that of
its lemma, a mention one that is like that of its chain. Some mentions are less like it than others,
and some have another lemma.
"""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corefbench.record import Longs
    from corefbench.resolvers.across.context import Context
    from corefbench.resolvers.across.scorer import Chances

DIMENSION = 64
_LARGEST = 500
_LIKE_LEMMA, _LIKE_CHAIN, _LIKE_CHAIN_LESS = 0.08, 0.85, 0.45
"""Shares of the variance of a vector that it has from that of its lemma or chain."""
_LESS, _OTHER_LEMMA = 0.2, 0.1
"""Shares of mentions."""


class Similarity:
    """Scores pairs by vectors and lemmas alone: σ(15 · (cos − 0.7) + [same lemma])."""

    def score(self, context: "Context", one: "Longs", other: "Longs") -> "Chances":
        cosine = context.views[0].similarity(one, other)
        same = context.lemma[one] == context.lemma[other]
        return np.asarray(1 / (1 + np.exp(-(15 * (cosine - 0.7) + same))), np.float32)

    def arrays(self) -> dict[str, np.ndarray]:
        return {}


def synthetic(count: int, seed: int = 0, dimension: int = DIMENSION) -> "Context":
    """So many mentions, in an order of chance; their chains are in the table."""
    from corefbench.resolvers.across.vectors import unit

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
    return context_of(unit(vectors), lemma.astype(np.int64), chain)


def _chains(random: np.random.Generator, count: int) -> "Longs":
    sizes = np.minimum(random.zipf(2.0, count), _LARGEST)
    made = np.repeat(np.arange(count), sizes)[:count]
    return random.permutation(made).astype(np.int64)


def _mixed(own: np.ndarray, noise: np.ndarray, share: np.ndarray) -> np.ndarray:
    own *= np.sqrt(share)[:, None].astype(np.float32)
    noise *= np.sqrt(1 - share)[:, None].astype(np.float32)
    return own + noise


def context_of(vectors: np.ndarray, lemma: "Longs", chain: "Longs") -> "Context":
    """What a scorer sees of a corpus, as far as such mentions have it."""
    from corefbench.resolvers.across.context import Context
    from corefbench.resolvers.across.table import Table
    from corefbench.resolvers.across.views import View
    from corefbench.resolvers.across.words import Words

    own, none = np.arange(len(chain)), np.zeros(0, np.int64)
    return Context(
        words=Words(
            forms=(),
            lemmas=(),
            tags=(),
            governors=none,
            relations=(),
            document=none,
            sentence=none,
            sentences=none,
        ),
        table=Table(document=own, sentence=own, start=own, end=own + 1, head=own, chain=chain),
        views=(View(name="span vector", rows=vectors, of=own),),
        lemma=lemma,
        text=none,
        lemmas=(),
        texts=(),
        rarity=np.zeros(0),
        near=np.zeros((0, 0), np.int64),
        vectors=np.zeros((0, 0), np.float32),
    )
