"""How many words of a text a training corpus does not have: Chen et al. 2018, section 3.4.

For a training set with the vocabulary V and a text with the tokens t₁ … tₙ, tokens with
non-alphabetic characters ignored,

    OOV rate = |{i : tᵢ ∉ V}| / n

and the rate of low-frequency words is the same with V reduced to the words that are not of low
frequency, that is, that occur at least 10 times in the training set (their footnote 3). Words are
compared as they are written, upper and lower case apart; n counts the tokens that are not ignored.
"""

from collections import Counter
from collections.abc import Iterable

import msgspec
import numpy as np

from corefbench.model.corpus import Corpus
from corefbench.stats.additive import Additive, Histogram, histogram

LOW_FREQUENCY = 10
"""A word is of low frequency if it occurs less often than this."""


class Training(Additive, frozen=True):
    """What is kept of a training corpus: how often each word occurs, and the size of its chains."""

    documents: int = 0
    tokens: int = 0
    words: Counter[str] = msgspec.field(default_factory=Counter)
    chain_sizes: Histogram = msgspec.field(default_factory=Counter)


class Coverage(Additive, frozen=True):
    """How many alphabetic tokens a text has, and how many of them training lacks."""

    alphabetic: int = 0
    unknown: int = 0
    low_frequency: int = 0


def learn(blocks: Iterable[Corpus]) -> Training:
    """The vocabulary of a training corpus, block after block."""
    words: Counter[str] = Counter()
    total = Training()
    for block in blocks:
        written = written_words(block)
        words.update(word for word in written if word.isalpha())
        sizes = block.chain_sizes()
        total += Training(
            documents=len(block), tokens=len(written), chain_sizes=histogram(sizes[sizes > 0])
        )
    return msgspec.structs.replace(total, words=words)


def coverage(corpus: Corpus, known: Counter[str], low_frequency: int = LOW_FREQUENCY) -> Coverage:
    """Count the alphabetic tokens of a text and those unknown, or nearly so, to training."""
    words = Counter(word for word in written_words(corpus) if word.isalpha())
    return Coverage(
        alphabetic=words.total(),
        unknown=sum(count for word, count in words.items() if word not in known),
        low_frequency=sum(count for word, count in words.items() if known[word] < low_frequency),
    )


def written_words(corpus: Corpus) -> list[str]:
    """The words of the corpus, empty nodes left out."""
    tokens = corpus.tokens
    if tokens.words is None:
        return []
    if tokens.empty is None:
        return list(tokens.words)
    return list(tokens.words.take(np.flatnonzero(~tokens.empty)))
