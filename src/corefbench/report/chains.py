"""A resolved text for people: chains in brackets and colours, and the reasons for each link."""

from typing import TYPE_CHECKING

from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers.resolution import Candidate, Decision, Resolution

if TYPE_CHECKING:
    from rich.text import Text

COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")
_SHOWN = 8
"""Candidates that an explanation lists."""
_PICTURES: dict[int, int | None] = {
    code: 0x2400 + code for code in range(32) if chr(code) not in "\t\n"
}
_PICTURES |= {127: 0x2421, 13: None} | dict.fromkeys(range(128, 160), 0xFFFD)


def marked(resolution: Resolution) -> "Text":
    """The text with every chain in numbered brackets, coloured.

    A number stands after the bracket that closes, so that chains can be told without colour.
    """
    from rich.text import Text

    discourse = resolution.discourse
    begins: dict[int, list[tuple[int, int]]] = {}
    ends: dict[int, list[tuple[int, int]]] = {}
    for number, chain in enumerate(resolution.chains(), 1):
        for phrase in (discourse.phrases[index] for index in chain):
            begins.setdefault(phrase.start, []).append((-phrase.end, number))
            ends.setdefault(phrase.end - 1, []).append((-phrase.start, number))
    text, at, made = discourse.analysis.text, 0, Text()
    for token, (begin, finish) in enumerate(discourse.analysis.offsets):
        if token not in begins and token not in ends:
            continue
        made.append(printable(text[at:begin]))
        for _, number in sorted(begins.get(token, ())):
            made.append("[", _colour(number))
        made.append(printable(text[begin:finish]))
        for _, number in sorted(ends.get(token, ())):
            made.append(f"]{number}", _colour(number))
        at = finish
    return made.append(printable(text[at:]))


def printable(text: str) -> str:
    """The text with control characters made visible, so that none reaches a terminal.

    >>> printable("a\\x1b[31mb")
    'a␛[31mb'
    """
    return text.translate(_PICTURES)


def _colour(number: int) -> str:
    return f"bold {COLOURS[(number - 1) % len(COLOURS)]}"


def explained(resolution: Resolution) -> str:
    """Every decision: the anaphor, what was chosen and why, and what else there was."""
    return printable(
        "\n".join(_decision(resolution.discourse, one) for one in resolution.decisions)
    )


def _decision(discourse: Discourse, decision: Decision) -> str:
    anaphor = discourse.phrases[decision.anaphor]
    chosen = decision.antecedent
    answer = "left alone" if chosen is None else discourse.text_of(discourse.phrases[chosen])
    sure = "" if decision.confidence is None else f", confidence {decision.confidence:.2f}"
    head = f"{discourse.text_of(anaphor)} (sentence {anaphor.sentence + 1}) → {answer}"
    lines = [f"{head}  [{decision.rule}{sure}]"]
    ranked = sorted(decision.candidates, key=_rank)
    lines += [_candidate(discourse, one, chosen) for one in ranked[:_SHOWN]]
    if len(ranked) > _SHOWN:
        lines.append(f"      … and {len(ranked) - _SHOWN} more")
    return "\n".join(lines)


def _rank(candidate: Candidate) -> tuple[bool, float, int]:
    score = candidate.score if candidate.score is not None else 0.0
    return bool(candidate.dropped), -score, -candidate.phrase


def _candidate(discourse: Discourse, candidate: Candidate, chosen: int | None) -> str:
    mark = "→" if candidate.phrase == chosen else "·"
    text = discourse.text_of(discourse.phrases[candidate.phrase])
    if candidate.dropped:
        return f"    {mark} {text}: dropped, {candidate.dropped}"
    score = "" if candidate.score is None else f" {candidate.score:g}"
    factors = ", ".join(f"{name} {value:g}" for name, value in candidate.factors)
    return f"    {mark} {text}:{score}" + (f" = {factors}" if factors else "")
