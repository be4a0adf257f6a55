"""Errors whose words training hardly has: Chen et al. 2018, section 4.2.

An error is of low frequency if one of its related mentions has a word that occurs fewer than ten
times in training. Related are the mention itself, its nearest antecedent in the key (false-new and
wrong-link) and the antecedent that the response gave it (false-link and wrong-link).
"""

from collections import Counter

from msgspec.structs import replace

from corefbench.analysis.errors.error import Error
from corefbench.analysis.errors.pair import Pair, Where
from corefbench.analysis.errors.side import Side
from corefbench.formats import Reading
from corefbench.formats.load import stream
from corefbench.model.corpus import Corpus
from corefbench.stats.vocabulary import learn


def vocabulary(train: Where, format: str | None = None) -> Counter[str]:
    """How often each word occurs in a training corpus."""
    blocks = (
        iter([train])
        if isinstance(train, Corpus)
        else stream(train, format=format, reading=Reading(words=True))
    )
    return learn(blocks).words


def with_frequency(
    errors: list[Error], pair: Pair, known: Counter[str], border: int
) -> list[Error]:
    """The errors, each told whether it is of low frequency."""
    rare = {
        "key": _rare_mentions(pair.key, known, border),
        "response": _rare_mentions(pair.response, known, border),
    }
    return [
        replace(error, low_frequency=any(rare[side][m] for side, m in error.related()))
        for error in errors
    ]


def _rare_mentions(side: Side, known: Counter[str], border: int) -> list[bool]:
    """Which mentions have a word of low frequency; words that are not alphabetic are ignored."""
    rare = [word.isalpha() and known[word] < border for word in side.words]
    return [any(rare[slice(*side.place(mention))]) for mention in range(len(side))]
