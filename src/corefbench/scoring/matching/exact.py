"""Exact matching: a response mention is a key mention if both are the same words."""

from corefbench.corpus.corpus import Corpus
from corefbench.scoring.matching import zeros
from corefbench.scoring.matching.alignment import Twins
from corefbench.scoring.matching.steps import distinct_mentions, match_identical, match_in_steps
from corefbench.scoring.matching.word_sets import identity_codes, last_same, word_sets


def match(key: Corpus, response: Corpus) -> Twins:
    """Mentions of the same words are twins; zeros are matched by dependency before.

    A span that the key repeats stands for its last mention, as in the reference scorer, which keeps
    the later identifier; every response mention of the span has it as its twin.

    >>> from corefbench.corpus.builder import CorpusBuilder
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
    if not zeros.has_dependencies(key, response):
        return match_linear(key, response)
    words = word_sets(key, response)
    codes = identity_codes(*words)
    left = distinct_mentions(words[0], codes[0])
    right = distinct_mentions(words[1], codes[1])
    return match_in_steps(
        left, right, zeros.match_by_dependency(key, response, left, right), match_identical(left, right)
    )


def match_linear(key: Corpus, response: Corpus) -> Twins:
    """Mentions of the same words are twins, zeros by their position like any other word."""
    codes = identity_codes(*word_sets(key, response))
    return Twins(key=last_same(*codes))
