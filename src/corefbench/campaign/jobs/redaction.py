"""Remove what reveals the key from messages to participants.

Findings and errors of a comparison name documents, spans and numbers of both sides. Those about
the key, and those that reveal a score before its release, are left out; of the others only what
the answers themselves contain is kept.
"""

from collections import Counter
from collections.abc import Collection, Iterable

from msgspec.structs import replace

from corefbench.diagnostics import Finding
from corefbench.errors import DataError, Place

_KEY_CODES = frozenset({"CB207", "CB208", "CB209", "CB210"})
"""Repeats and singletons of the key, and how many mentions have a twin: half a score."""
_MISSING_DOCUMENT = "CB202"
_TEXT_CODES = frozenset({"CB204", "CB205"})
_MAX_PER_CODE = 100


def redact_findings(findings: Iterable[Finding], own: Collection[str], source: str) -> tuple[Finding, ...]:
    """Return the findings of a comparison that the sender, with documents ``own``, may read."""
    redacted: list[Finding] = []
    count: Counter[str] = Counter()
    for finding in findings:
        count[finding.code] += 1
        if finding.code in _KEY_CODES or finding.code == _MISSING_DOCUMENT or count[finding.code] > _MAX_PER_CODE:
            continue
        redacted.append(_redact(finding, own, source))
    if missing := count[_MISSING_DOCUMENT]:
        redacted.append(
            Finding(
                code=_MISSING_DOCUMENT,
                severity="warning",
                message=f"there is nothing on {missing:,} documents; they count as empty",
                place=Place(source=source),
            )
        )
    return tuple(redacted)


def redact_error(error: DataError, own: Collection[str], source: str) -> Finding:
    """Return the error of a comparison as its sender may read it."""
    # What was expected may quote the key.
    finding = replace(Finding.of(error), found=error.found)
    return _redact(finding, own, source)


def _redact(finding: Finding, own: Collection[str], source: str) -> Finding:
    document = finding.place.document if finding.place.document in own else ""
    found = finding.found
    # A single document is paired with that of the key, whatever its name.
    if finding.code == "CB203" or (finding.code in _TEXT_CODES and len(own) == 1):
        found = ""
    return replace(finding, place=Place(source=source, document=document), found=found)
