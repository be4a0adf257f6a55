"""Exact matching: a response mention is a key mention if both are the same words."""

from corefbench.matching import zeros
from corefbench.matching.alignment import Twins
from corefbench.matching.identity import identities, last_same
from corefbench.matching.steps import distinct, identical, in_steps
from corefbench.matching.words import word_sets
from corefbench.model.corpus import Corpus


def match(key: Corpus, response: Corpus) -> Twins:
    """Mentions of the same words are twins; zeros are matched by dependency before.

    A span that the key repeats stands for its last mention, as in the reference scorer, which keeps
    the later identifier; every response mention of the span has it as its twin.

    >>> from corefbench.model.builder import CorpusBuilder
    >>> def corpus(*spans):
    ...     build = CorpusBuilder("")
    ...     build.begin_document("d")
    ...     build.sentence(["Ann", "saw", "her", "dog"])
    ...     for span in spans:
    ...         _ = build.mention("1", [span])
    ...     return build.finish()
    >>> match(corpus((0, 1), (2, 4)), corpus((2, 3), (2, 4))).key.tolist()
    [1, -1]
    """
    if not zeros.comparable(key, response):
        return match_linear(key, response)
    words = word_sets(key, response)
    codes = identities(*words)
    left = distinct(words[0], codes[0])
    right = distinct(words[1], codes[1])
    return in_steps(
        left, right, zeros.by_dependency(key, response, left, right), identical(left, right)
    )


def match_linear(key: Corpus, response: Corpus) -> Twins:
    """Mentions of the same words are twins, zeros by their position like any other word."""
    codes = identities(*word_sets(key, response))
    return Twins(key=last_same(*codes))
