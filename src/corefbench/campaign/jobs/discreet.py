"""What may be said about answers: it quotes the answers, never the key.

Findings and errors of a comparison name documents, spans and numbers of both sides. Those about
the key, and those that give a score away before its time, are left out; of the others only what
the answers themselves say is kept.
"""

from collections import Counter
from collections.abc import Collection, Iterable

from msgspec.structs import replace

from corefbench.errors import DataError, Place
from corefbench.findings import Finding

_OF_KEY = frozenset({"CB207", "CB208", "CB209", "CB210"})
"""Repeats and singletons of the key, and how many answers have a twin, which is half a score."""
_MISSING = "CB202"
_TEXTS = frozenset({"CB204", "CB205"})
_SHOWN = 100


def discreet_findings(
    findings: Iterable[Finding], own: Collection[str], source: str
) -> tuple[Finding, ...]:
    """The findings of a comparison that the sender may read; ``own`` are his documents."""
    kept: list[Finding] = []
    count: Counter[str] = Counter()
    for finding in findings:
        count[finding.code] += 1
        if finding.code in _OF_KEY or finding.code == _MISSING or count[finding.code] > _SHOWN:
            continue
        kept.append(_own_words(finding, own, source))
    if count[_MISSING]:
        kept.append(
            Finding(
                code=_MISSING,
                severity="warning",
                message=f"there is nothing on {count[_MISSING]:,} documents; they count as empty",
                place=Place(source=source),
            )
        )
    return tuple(kept)


def discreet_error(error: DataError, own: Collection[str], source: str) -> Finding:
    """Why a comparison was refused, as its sender may read it."""
    # What was expected may be words of the key.
    finding = replace(Finding.of(error), found=error.found)
    return _own_words(finding, own, source)


def _own_words(finding: Finding, own: Collection[str], source: str) -> Finding:
    document = finding.place.document if finding.place.document in own else ""
    found = finding.found
    # An only document is paired with that of the key whatever the key calls it.
    if finding.code == "CB203" or (finding.code in _TEXTS and len(own) == 1):
        found = ""
    return replace(finding, place=Place(source=source, document=document), found=found)
