"""Texts with their chains in numbered brackets, and the reasons for each link."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from corefbench.errors import escape_controls
from corefbench.preprocess.discourse import Discourse
from corefbench.records import Record
from corefbench.resolvers.base import Candidate, Decision, Resolution

if TYPE_CHECKING:
    from rich.text import Text

COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
_MAX_CANDIDATES = 8
"""Candidates that an explanation lists."""
Span = tuple[int, int]


class Piece(Record, frozen=True):
    """A stretch of text, or a bracket of a mention."""

    kind: Literal["text", "open", "close"]
    text: str = ""
    chain: int = 0
    """Number of the chain of a bracket, from 1."""
    within: tuple[int, ...] = ()
    """Chains whose mentions cover a stretch of text."""


def mark_chains(resolution: Resolution) -> "Text":
    """Return the text with every chain in numbered, coloured brackets.

    The number after the closing bracket tells chains apart without colour.
    """
    from rich.text import Text

    analysis, marked = resolution.discourse.analysis, Text()
    for piece in split_at_chains(analysis.text, analysis.offsets, chain_spans(resolution)):
        if piece.kind == "text":
            marked.append(escape_controls(piece.text))
        else:
            bracket = "[" if piece.kind == "open" else f"]{piece.chain}"
            marked.append(bracket, f"bold {COLOURS[(piece.chain - 1) % len(COLOURS)]}")
    return marked


def chain_spans(resolution: Resolution) -> list[list[Span]]:
    """Return the token spans of the mentions of every chain."""
    phrases = resolution.discourse.phrases
    return [[(phrases[n].start, phrases[n].end) for n in chain] for chain in resolution.chains()]


def explain_decisions(resolution: Resolution) -> str:
    """Explain every decision: anaphor, antecedent, rule and candidates."""
    discourse = resolution.discourse
    return escape_controls("\n".join(_explain_decision(discourse, decision) for decision in resolution.decisions))


def _explain_decision(discourse: Discourse, decision: Decision) -> str:
    anaphor = discourse.phrases[decision.anaphor]
    chosen = decision.antecedent
    answer = "left alone" if chosen is None else discourse.text_of(discourse.phrases[chosen])
    confidence = "" if decision.confidence is None else f", confidence {decision.confidence:.2f}"
    head = f"{discourse.text_of(anaphor)} (sentence {anaphor.sentence + 1}) → {answer}"
    lines = [f"{head}  [{decision.rule}{confidence}]"]
    ranked = sorted(decision.candidates, key=_candidate_rank)
    lines += [_explain_candidate(discourse, c, chosen) for c in ranked[:_MAX_CANDIDATES]]
    if len(ranked) > _MAX_CANDIDATES:
        lines.append(f"      … and {len(ranked) - _MAX_CANDIDATES} more")
    return "\n".join(lines)


def _candidate_rank(candidate: Candidate) -> tuple[bool, float, int]:
    score = candidate.score if candidate.score is not None else 0.0
    return bool(candidate.dropped), -score, -candidate.phrase


def _explain_candidate(discourse: Discourse, candidate: Candidate, chosen: int | None) -> str:
    mark = "→" if candidate.phrase == chosen else "·"
    text = discourse.text_of(discourse.phrases[candidate.phrase])
    if candidate.dropped:
        return f"    {mark} {text}: dropped, {candidate.dropped}"
    score = "" if candidate.score is None else f" {candidate.score:g}"
    factors = ", ".join(f"{name} {value:g}" for name, value in candidate.factors)
    return f"    {mark} {text}:{score}" + (f" = {factors}" if factors else "")


def split_at_chains(text: str, offsets: Sequence[Span], chains: Sequence[Sequence[Span]]) -> Iterator[Piece]:
    """Split a text where chains open and close; of two brackets the outer opens first.

    >>> offsets = [(0, 3), (4, 7), (8, 11), (11, 12)]
    >>> pieces = split_at_chains("Ann saw her.", offsets, [[(0, 1), (2, 3)]])
    >>> "".join({"open": "[", "close": f"]{p.chain}"}.get(p.kind, p.text) for p in pieces)
    '[Ann]1 saw [her]1.'
    """
    opens: dict[int, list[tuple[int, int]]] = {}
    closes: dict[int, list[tuple[int, int]]] = {}
    for number, chain in enumerate(chains, 1):
        for start, end in chain:
            begin, finish = offsets[start][0], offsets[end - 1][1]
            opens.setdefault(begin, []).append((-finish, number))
            closes.setdefault(finish, []).append((-begin, number))
    covering: list[int] = []
    at = 0
    for offset in sorted({*opens, *closes}):
        if offset > at:
            yield Piece(kind="text", text=text[at:offset], within=tuple(sorted(set(covering))))
        for _, number in sorted(closes.get(offset, ())):
            covering.remove(number)
            yield Piece(kind="close", chain=number)
        for _, number in sorted(opens.get(offset, ())):
            covering.append(number)
            yield Piece(kind="open", chain=number)
        at = offset
    if at < len(text):
        yield Piece(kind="text", text=text[at:])
