"""One type for one name: what a text calls a person once, it calls a person throughout.

Pipelines take *Turner* for a person here and for a firm there. The uses of a name, by its last
word, vote; where they are even, the use at hand keeps its own type, or is a person.
"""

from collections import Counter
from collections.abc import Iterator

from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.entity_labels import entity_type

_PERSON = "person"


def agreed_types(analysis: Analysis, types: dict[int, str]) -> dict[int, str]:
    """The type of each token that has one, those of names as most of their uses have it."""
    runs = list(_names(analysis))
    votes: dict[str, Counter[str]] = {}
    for start, end in runs:
        label = _label(types, start, end)
        if label:
            votes.setdefault(_key(analysis, end), Counter())[label] += 1
    agreed = dict(types)
    for start, end in runs:
        counts = votes.get(_key(analysis, end))
        if counts:
            agreed.update(dict.fromkeys(range(start, end), _winner(counts, types, start, end)))
    return agreed


def _winner(counts: Counter[str], types: dict[int, str], start: int, end: int) -> str:
    most = max(counts.values())
    tied = [label for label, count in counts.items() if count == most]
    own = _label(types, start, end)
    for preferred in (own, _PERSON):
        if preferred in tied:
            return preferred
    return tied[0]


def _label(types: dict[int, str], start: int, end: int) -> str:
    """The type of a name: of its last word, else of its first."""
    return entity_type(types.get(end - 1, "") or types.get(start, ""))


def _key(analysis: Analysis, end: int) -> str:
    return analysis.words[end - 1].lower()


def _names(analysis: Analysis) -> Iterator[tuple[int, int]]:
    """The unbroken runs of proper nouns."""
    for first, past in analysis.sentences:
        start = -1
        for token in range(first, past + 1):
            is_name = token < past and analysis.upos[token] == "PROPN"
            if is_name and start < 0:
                start = token
            elif not is_name and start >= 0:
                yield start, token
                start = -1
