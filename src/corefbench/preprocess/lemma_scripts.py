"""Lemmas as short instructions: how much to cut off a word, what to put there, in which case.

A classifier can learn the instruction (``3|y|l`` for *flies*) where it could not learn the lemma.
"""

from collections.abc import Callable

_CASES: dict[str, Callable[[str], str]] = {"l": str.lower, "k": str, "t": str.capitalize}
"""Small letters, as it is, or only the first one large; the first that fits best is taken."""


def script_of(word: str, lemma: str) -> str:
    """The shortest instruction that makes the lemma of the word.

    >>> script_of("Flies", "fly"), script_of("was", "be"), script_of("London", "London")
    ('3|y|l', '3|be|l', '0||k')
    """
    best, cost = "", 1 << 30
    for name, spell in _CASES.items():
        spelt = spell(word)
        same = _shared(spelt, lemma)
        price = len(spelt) - same + len(lemma) - same
        if price < cost and len(spelt) == len(word):
            best, cost = f"{len(spelt) - same}|{lemma[same:]}|{name}", price
    return best or f"{len(word)}|{lemma}|k"


def lemma_by(script: str, word: str) -> str:
    """What an instruction makes of a word; the word in small letters where it does not fit.

    >>> lemma_by("3|y|l", "Tries"), lemma_by("3|be|l", "is")
    ('try', 'is')
    """
    cut, _, rest = script.partition("|")
    ending, _, case = rest.rpartition("|")
    kept = len(word) - int(cut)
    if kept < 0:
        return word.lower()
    return (_CASES[case](word)[:kept] + ending) or word.lower()


def _shared(a: str, b: str) -> int:
    """How many characters two words begin with alike."""
    pairs = zip(a, b, strict=False)
    return next((i for i, (x, y) in enumerate(pairs) if x != y), min(len(a), len(b)))
