"""Convert the chains of another program to a resolution.

A mention becomes the tokens that share a character with it. Mentions that are lost, widened,
repeated or claimed by two chains are reported in one finding per kind.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise

from corefbench.diagnostics import Finding, Severity
from corefbench.errors import Place
from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.discourse import Discourse, Phrase
from corefbench.preprocess.documents import TokenAlignment
from corefbench.records import Record
from corefbench.resolvers.base import Decision, Resolution

Span = tuple[int, int]


class Link(Record, frozen=True):
    """The antecedent of a mention, and the confidence of the program."""

    antecedent: Span
    confidence: float


def resolution_from_chains(
    resolver: str,
    discourse: Discourse,
    chains: Iterable[Sequence[Span]],
    *,
    links: Mapping[Span, Link] | None = None,
    findings: Sequence[Finding] = (),
    rule: str = "chain",
) -> Resolution:
    """Return the resolution with these chains, which are spans of tokens of the discourse.

    Its phrases are the mentions of the chains, so none is lost. The antecedent of a pronoun is the
    nearest mention before it in its chain, or the first after it, unless ``links`` has it; links
    between two chains, or of a mention to itself, are ignored.
    """
    sorted_chains = [sorted(set(chain)) for chain in chains]
    # The program's own mentions become the phrases, even if the pipeline has no such phrase.
    discourse = build_discourse(discourse.analysis, [(*span, None) for chain in sorted_chains for span in chain])
    index = {(phrase.start, phrase.end): phrase.index for phrase in discourse.phrases}
    decisions: list[Decision] = []
    pairs: list[tuple[int, int]] = []
    for chain in sorted_chains:
        members = sorted(index[span] for span in chain if span in index)
        pairs += pairwise(members)
        linked = {
            index[span]: Decision(
                anaphor=index[span], antecedent=index[link.antecedent], rule=rule, confidence=link.confidence
            )
            for span in chain
            if (link := (links or {}).get(span)) and link.antecedent in chain
            if link.antecedent != span
        }
        for order, member in enumerate(members):
            if member in linked:
                decisions.append(linked[member])
            elif discourse.phrases[member].anaphoric and len(members) > 1:
                nearest = members[order - 1] if order else members[1]
                decisions.append(Decision(anaphor=member, antecedent=nearest, rule=rule))
    return Resolution(
        resolver=resolver,
        discourse=discourse,
        decisions=tuple(sorted(decisions, key=lambda decision: decision.anaphor)),
        links=tuple(pairs),
        mentions=tuple(range(len(discourse.phrases))),
        findings=tuple(findings),
    )


_FINDING_KINDS: dict[str, tuple[str, Severity, str]] = {
    "lost": ("CB264", "warning", "mentions of the answer lie on no token and are left out"),
    "widened": ("CB264", "note", "mentions of the answer begin or end inside a token, now whole"),
    "repeated": ("CB113", "repair", "mentions of the answer occur twice in a chain, now once"),
    "shared": ("CB157", "repair", "mentions of the answer are in two chains, the first keeps them"),
}


class AlignedChains(Record, frozen=True):
    """Chains over our tokens, with findings about mentions that did not fit."""

    chains: tuple[tuple[Span, ...], ...]
    where: dict[Span, Span]
    """For every aligned span of the answer, its tokens."""
    findings: tuple[Finding, ...]


def align_chains(
    chains: Iterable[Sequence[Span]],
    analysis: Analysis,
    *,
    characters: bool,
    whole: Callable[[Span], Span] = lambda span: span,
    lost: Mapping[str, int] | None = None,
) -> AlignedChains:
    """Align chains with our tokens; their spans count our tokens or characters of the text.

    ``whole`` expands a head to its phrase; ``lost`` counts what the program itself lost.
    """
    chains = [list(chain) for chain in chains]
    tokens = _token_spans({span for chain in chains for span in chain}, analysis, characters)
    count: Counter[str] = Counter()
    owner: dict[Span, int] = {}
    result: list[tuple[Span, ...]] = []
    for number, chain in enumerate(chains):
        spans = []
        for span in chain:
            target, kind = tokens[span]
            target = target and whole(target)
            if target is not None and target in owner:
                kind = "repeated" if owner[target] == number else "shared"
            elif target is not None:
                owner[target] = number
                spans.append(target)
            count[kind] += 1
        if spans:
            result.append(tuple(spans))
    return AlignedChains(
        chains=tuple(result),
        where={span: whole(target) for span, (target, _) in tokens.items() if target is not None},
        findings=_alignment_findings(count, analysis.name, lost or {}),
    )


def _token_spans(spans: Iterable[Span], analysis: Analysis, characters: bool) -> dict[Span, tuple[Span | None, str]]:
    """Return for every span its tokens, and whether it fits, is widened or lost."""
    size = len(analysis.text) if characters else len(analysis.words)
    inside = [span for span in spans if 0 <= span[0] < span[1] <= size]
    aligned: dict[Span, tuple[Span | None, str]] = dict.fromkeys(spans, (None, "lost"))
    if not characters:
        return {**aligned, **{span: (span, "fit") for span in inside}}
    offsets, text = analysis.offsets, analysis.text
    alignment = TokenAlignment(inside, offsets)
    for number, (begin, finish) in enumerate(inside):
        tokens = alignment.span((number, number + 1))
        if tokens is not None:
            covered = text[offsets[tokens[0]][0] : offsets[tokens[1] - 1][1]]
            fits = covered == text[begin:finish].strip()
            aligned[begin, finish] = tokens, "fit" if fits else "widened"
    return aligned


def _alignment_findings(count: Counter[str], document: str, lost: Mapping[str, int]) -> tuple[Finding, ...]:
    document_place, total = Place(document=document), count.total()
    ours = (
        Finding(code=code, severity=severity, message=message, place=document_place, found=f"{count[kind]} of {total}")
        for kind, (code, severity, message) in _FINDING_KINDS.items()
        if count[kind]
    )
    theirs = (
        Finding(
            code="CB264",
            severity="warning",
            message="the program could not align all its mentions",
            place=document_place,
            found=f"{number} {reason}",
        )
        for reason, number in lost.items()
    )
    return (*ours, *theirs)


def expand_heads(discourse: Discourse) -> Callable[[Span], Span]:
    """Return a function from the span of a head, or of the first and last head, to the phrase.

    A head becomes the longest phrase with it. A coordination is named by the heads of its
    conjuncts, so it is not the phrase of a single head. A head of no phrase stays as it is.
    """
    longest: dict[int, Phrase] = {}
    lengths: dict[int, int] = {}
    for phrase in discourse.phrases:
        length = phrase.end - phrase.start
        if not phrase.coordination and length > lengths.get(phrase.head, 0):
            lengths[phrase.head] = length
            longest[phrase.head] = phrase

    def whole(span: Span) -> Span:
        first, last = longest.get(span[0]), longest.get(span[1] - 1)
        return (
            span[0] if first is None else min(first.start, span[0]),
            span[1] if last is None else max(last.end, span[1]),
        )

    return whole
