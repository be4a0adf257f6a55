"""The phrases near an anaphor: those of its sentence and of some before it.

However long a sentence is, at most ``BEFORE`` phrases before an anaphor and ``AFTER`` after it are
near, so that time grows with the length of a document alone. Six sentences have some fifty phrases.
"""

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase

BEFORE = 120
AFTER = 40


def near(discourse: Discourse, anaphor: Phrase, back: int = 0) -> list[Phrase]:
    """The other phrases of a sentence and of ``back`` before it, in text order."""
    phrases, index = discourse.phrases, anaphor.index
    first = index
    earliest = max(0, index - BEFORE)
    oldest = anaphor.sentence - back
    while first > earliest and phrases[first - 1].sentence >= oldest:
        first -= 1
    last = index + 1
    latest = min(len(phrases), last + AFTER)
    while last < latest and phrases[last].sentence <= anaphor.sentence:
        last += 1
    return [*phrases[first:index], *phrases[index + 1 : last]]
