"""The file of conflicts: readable, one block a conflict, with a line for the answer."""

from collections.abc import Iterator, Sequence

from corefbench.analysis.annotation.conflicts import Conflict, written
from corefbench.analysis.annotation.gathering import letter
from corefbench.analysis.annotation.marking import marked_sentences, text_of
from corefbench.analysis.annotation.sheets import Spot, in_words
from corefbench.model.corpus import Corpus

HEAD = "# Conflicts between annotations: answer them and give the file back with --decisions."
OF = "# annotations: "
BEGIN = "== conflict "
DECISION = "decision:"

_HOW = (
    "# mention: keep or drop.",
    "# chains: the letter of the annotator who is right, or the pieces of each chain: 1 3 | 2.",
    "# ? leaves it to the rule. Only the lines that begin with decision: are read back.",
)
_MOST_SPANS = 8


def conflict_lines(
    conflicts: Sequence[Conflict], names: Sequence[str], base: Corpus, digest: str
) -> Iterator[str]:
    """The lines of the file."""
    yield HEAD
    yield from _HOW
    for number, name in enumerate(names):
        yield f"# {letter(number)} = {name}"
    yield f"{OF}{digest}"
    for conflict in conflicts:
        yield ""
        yield from (
            _mention(conflict, base) if conflict.kind == "mention" else _chains(conflict, base)
        )
        yield f"  rule: {conflict.rule}"
        yield f"{DECISION} {conflict.decision or '?'}"


def _mention(conflict: Conflict, base: Corpus) -> Iterator[str]:
    (spot,) = conflict.spots[0]
    yield f"{BEGIN}{conflict.number}: mention {in_words(spot[1])} in {conflict.document}"
    yield from _sentences([[spot]], base, numbered=False)
    for number, (chain,) in enumerate(conflict.says):
        if number in conflict.absent:
            yield f"  {letter(number)} does not have the document"
        elif chain is None:
            yield f"  {letter(number)} does not mark it"
        else:
            yield f"  {letter(number)} marks it"


def _chains(conflict: Conflict, base: Corpus) -> Iterator[str]:
    pieces = len(conflict.spots)
    yield f"{BEGIN}{conflict.number}: chains of {pieces} pieces in {conflict.document}"
    yield from _sentences(conflict.spots, base, numbered=True)
    for number, spots in enumerate(conflict.spots, 1):
        yield f"  {number}: {_some_spans(spots, base)}"
    for number, grouping in enumerate(conflict.says):
        if number in conflict.absent:
            yield f"  {letter(number)} does not have the document"
            continue
        open_ones = [str(n) for n, group in enumerate(grouping, 1) if group is None]
        missing = f"; does not mark {' '.join(open_ones)}" if open_ones else ""
        yield f"  {letter(number)} says {written(grouping) or 'nothing'}{missing}"


def _sentences(pieces: Sequence[Sequence[Spot]], base: Corpus, *, numbered: bool) -> Iterator[str]:
    for line in marked_sentences(base, pieces, numbered=numbered):
        yield f"  | {line}"


def _some_spans(spots: Sequence[Spot], base: Corpus) -> str:
    shown = [f"{text_of(base, spot)} ({in_words(spot[1])})" for spot in spots[:_MOST_SPANS]]
    more = len(spots) - len(shown)
    return ", ".join(shown) + (f", … {more} more" if more else "")
