"""Which mentions and words are pronouns, each form looked up once."""

from collections.abc import Iterator, Sequence

import numpy as np

from corefbench.language.pronouns import THIRD_PERSON, lookup
from corefbench.record import Longs

_LONGEST = 2
"""Words of a pronoun: *each other*."""


def third_person(words: Sequence[str]) -> Longs:
    """The places of the third-person pronouns.

    >>> third_person(["She", "saw", "it"]).tolist()
    [0, 2]
    """
    forms = {word for word in set(words) if word.lower() in THIRD_PERSON}
    return np.array([token for token, word in enumerate(words) if word in forms], np.int64)


def pronouns(words: Sequence[str], starts: Sequence[int], ends: Sequence[int]) -> Iterator[int]:
    """For each span 0 for no pronoun, 1 for a third-person pronoun, 2 for another.

    >>> list(pronouns(["They", "met", "each", "other"], [0, 1, 2], [1, 4, 4]))
    [1, 0, 2]
    """
    known: dict[str, int] = {}
    for start, end in zip(starts, ends, strict=True):
        if end - start > _LONGEST or not words:
            yield 0
            continue
        form = words[start] if end - start == 1 else " ".join(words[start:end])
        if form not in known:
            known[form] = _kind(form, end - start)
        yield known[form]


def _kind(form: str, size: int) -> int:
    if size == 1 and form.lower() in THIRD_PERSON:
        return 1
    return 2 if lookup(form) is not None else 0
