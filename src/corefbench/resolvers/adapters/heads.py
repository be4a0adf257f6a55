"""From the head of a noun phrase to the phrase, for systems whose mentions are heads."""

from collections.abc import Callable

from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.phrase import Phrase

Span = tuple[int, int]


def phrases_of_heads(discourse: Discourse) -> Callable[[Span], Span]:
    """The longest phrase with this head; of the first and last head, all between their phrases.

    A coordination is asked for by the heads of its conjuncts, so it is no phrase of one head. A
    head that no phrase has stays as it is.
    """
    longest: dict[int, Phrase] = {}
    for phrase in discourse.phrases:
        known = longest.get(phrase.head)
        if not phrase.coordination and (known is None or _length(phrase) > _length(known)):
            longest[phrase.head] = phrase

    def whole(span: Span) -> Span:
        first, last = longest.get(span[0]), longest.get(span[1] - 1)
        return (
            span[0] if first is None else min(first.start, span[0]),
            span[1] if last is None else max(last.end, span[1]),
        )

    return whole


def _length(phrase: Phrase) -> int:
    return phrase.end - phrase.start
