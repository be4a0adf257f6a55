"""The words and mentions of one OntoNotes ``<TEXT>``, read at once where all its tags are plain."""

import re
from typing import NamedTuple

from corefbench.formats.coref_spans import Spanned, spanned

IDENT = ' TYPE="IDENT"'
"""What a tag says beside its ID and leaves nothing to be kept."""

_COREF = r'<(?:/COREF|COREF ID="([^"<>&\s]++)"((?: [A-Z]++="[^"<>]*+")*+))>'
_TAG = re.compile(_COREF)
# Every < opens a plain tag, so that these are the tags which the scanner would find.
_TEXT = re.compile(rf"[^<]*+(?:{_COREF}[^<]*+)*+(?=</TEXT>)")


class Plain(NamedTuple):
    """A text as read; its mentions as they open."""

    end: int
    """Where the text ends in the file."""
    spanned: Spanned
    ids: list[str]
    others: list[str]
    """What each tag says beside its ID."""


def plain(raw: str, begin: int) -> Plain | None:
    """The text that begins there; None where it takes the scanner to read it or to find fault.

    >>> plain('<COREF ID="1">Ann</COREF> left\\n</TEXT>', 0).ids
    ['1']
    """
    match = _TEXT.match(raw, begin)
    if not match:
        return None
    pieces = _TAG.split(match[0].replace("\t", " "))
    found = spanned(pieces[::3], pieces[1::3])
    if found is None:
        return None
    others = [other for other in pieces[2::3] if other is not None]
    return Plain(match.end(), found, list(filter(None, pieces[1::3])), others)
