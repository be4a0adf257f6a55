"""The parts in which CorefUD's mentions are written: brackets of one chain must nest."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from corefbench.errors import FormatError, Place
from corefbench.model.builder import Span
from corefbench.model.corpus import Corpus, Mentions


def parts_of(mentions: Mentions, mention: int) -> list[Span]:
    """The parts of a mention as the corpus has them."""
    if mentions.parts is not None:
        return mentions.parts.of(mention)
    return [(int(mentions.start[mention]), int(mentions.end[mention]))]


def written_parts(corpus: Corpus, numbers: Iterable[int]) -> Iterator[tuple[int, list[Span]]]:
    """The parts to write: where two mentions of one chain cross, the later is written in adjoining
    parts, which readers put together again."""
    open_spans: dict[int, list[Span]] = {}
    broken: dict[tuple[int, int], list[Span]] = {}
    for mention in numbers:
        parts, chain = parts_of(corpus.mentions, mention), int(corpus.mentions.chain[mention])
        before = [span for span in open_spans.get(chain, ()) if span[1] > parts[0][0]]
        cuts = {end for start, end in before for a, b in parts if start < a < end < b}
        open_spans[chain] = before + parts
        written = _cut(parts, cuts) if cuts else parts
        if len(written) > 1:
            last = broken.get((chain, len(written)), [])
            # Parts go to the mention that waits longest: all of one come before the other's.
            if any(a[1] > b[0] for a, b in zip(last, written, strict=False)):
                message = "two broken mentions of one chain cannot be told apart in CorefUD"
                raise unwritable(corpus, "CB116", message, mention)
            broken[chain, len(written)] = written
        yield mention, written


def unwritable(corpus: Corpus, code: str, message: str, mention: int) -> FormatError:
    """The error for a mention that CorefUD cannot say."""
    return FormatError(
        message,
        code=code,
        place=Place(document=corpus[int(corpus.mentions.document[mention])].label),
        found=f"the mention at tokens {parts_of(corpus.mentions, mention)}",
        remedy="write another format, such as jsonlines",
    )


def _cut(spans: list[Span], cuts: set[int]) -> list[Span]:
    """The spans, cut at the given places.

    >>> _cut([(0, 5)], {2})
    [(0, 2), (2, 5)]
    """
    pieces = []
    for start, end in spans:
        edges = [start, *sorted(cut for cut in cuts if start < cut < end), end]
        pieces += list(pairwise(edges))
    return pieces
