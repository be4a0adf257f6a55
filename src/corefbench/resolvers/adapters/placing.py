"""Mentions of another program on our tokens: exactly where they fit, and counted where not.

A mention becomes the tokens that share a character with it. What is lost, widened, repeated or
claimed by two chains is said in a finding for each kind, never passed over.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from corefbench.errors import Place
from corefbench.findings import Finding, Severity
from corefbench.preprocess.alignment import TokenAlignment
from corefbench.preprocess.analysis import Analysis
from corefbench.record import Record

Span = tuple[int, int]

_KINDS: dict[str, tuple[str, Severity, str]] = {
    "lost": ("CB264", "warning", "mentions of the answer lie on no token and are left out"),
    "widened": ("CB264", "note", "mentions of the answer begin or end inside a token, now whole"),
    "repeated": ("CB113", "repair", "mentions of the answer occur twice in a chain, now once"),
    "shared": ("CB157", "repair", "mentions of the answer are in two chains, the first keeps them"),
}


class Placed(Record, frozen=True):
    """Chains over our tokens, and what became of the mentions that did not fit."""

    chains: tuple[tuple[Span, ...], ...]
    where: dict[Span, Span]
    """For every span of the answer that has a place, its tokens."""
    findings: tuple[Finding, ...]


def placed(
    chains: Iterable[Sequence[Span]],
    analysis: Analysis,
    *,
    characters: bool,
    whole: Callable[[Span], Span] = lambda span: span,
    lost: Mapping[str, int] | None = None,
) -> Placed:
    """The chains of an answer, whose spans count tokens of ours or characters of the text.

    ``whole`` makes a phrase of what may be a head; ``lost`` is what the program lost itself.
    """
    given = [list(chain) for chain in chains]
    found = _tokens({span for chain in given for span in chain}, analysis, characters)
    count: Counter[str] = Counter()
    owner: dict[Span, int] = {}
    result: list[tuple[Span, ...]] = []
    for number, chain in enumerate(given):
        kept = []
        for span in chain:
            place, kind = found[span]
            place = place and whole(place)
            if place is not None and place in owner:
                kind = "repeated" if owner[place] == number else "shared"
            elif place is not None:
                owner[place] = number
                kept.append(place)
            count[kind] += 1
        if kept:
            result.append(tuple(kept))
    return Placed(
        chains=tuple(result),
        where={span: whole(place) for span, (place, _) in found.items() if place is not None},
        findings=_findings(count, analysis.name, lost or {}),
    )


def _tokens(
    spans: Iterable[Span], analysis: Analysis, characters: bool
) -> dict[Span, tuple[Span | None, str]]:
    """For every span its tokens, and whether it is fit, widened or lost."""
    size = len(analysis.text) if characters else len(analysis.words)
    inside = [span for span in spans if 0 <= span[0] < span[1] <= size]
    found: dict[Span, tuple[Span | None, str]] = dict.fromkeys(spans, (None, "lost"))
    if not characters:
        return {**found, **{span: (span, "fit") for span in inside}}
    offsets, text = analysis.offsets, analysis.text
    alignment = TokenAlignment(inside, offsets)
    for number, (begin, finish) in enumerate(inside):
        tokens = alignment.span((number, number + 1))
        if tokens is not None:
            covered = text[offsets[tokens[0]][0] : offsets[tokens[1] - 1][1]]
            fits = covered == text[begin:finish].strip()
            found[begin, finish] = tokens, "fit" if fits else "widened"
    return found


def _findings(count: Counter[str], document: str, lost: Mapping[str, int]) -> tuple[Finding, ...]:
    place, total = Place(document=document), count.total()
    ours = (
        Finding(
            code=code,
            severity=severity,
            message=message,
            place=place,
            found=f"{count[kind]} of {total}",
        )
        for kind, (code, severity, message) in _KINDS.items()
        if count[kind]
    )
    theirs = (
        Finding(
            code="CB264",
            severity="warning",
            message="the program could not place all it found",
            place=place,
            found=f"{number} {reason}",
        )
        for reason, number in lost.items()
    )
    return (*ours, *theirs)
