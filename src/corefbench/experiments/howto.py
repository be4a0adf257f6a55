"""The technical texts of Barbu & Mitkov 2001: three of its four files are free HOWTOs, in SGML.

The paper took out tables, code and lists of contents; so is done here. The versions it used are not
known, and its annotation was not published: only words and pronouns can be counted.
"""

import re
from collections import Counter
from html import unescape
from pathlib import Path

from corefbench.language.pronouns import THIRD_PERSON, PronounKind
from corefbench.record import Record

FILES = {"ACC": "Access-HOWTO.sgml", "BEO": "Beowulf-HOWTO.sgml", "CDR": "CDROM-HOWTO.sgml"}
_NOT_TEXT = re.compile(
    r"<!--.*?-->|<(tscreen|verb|code|table|tabular|title|author|date)\b[^<>]*>.*?</\1>",
    re.DOTALL | re.IGNORECASE,
)
_SHORT = re.compile(r"<(tt|em|it|bf|sl)/([^/<>]*)/", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_WORD = re.compile(r"[A-Za-z0-9][\w'’.-]*[\w]|\w")


class Size(Record, frozen=True):
    """How long a text is, and how many third-person pronouns of each kind it has."""

    words: int
    kinds: Counter[PronounKind]


def size_of(path: Path) -> Size:
    """Count the words of a HOWTO."""
    words = _WORD.findall(text_of(path.read_text(encoding="latin-1")))
    kinds = Counter(kind for word in words if (kind := _kind(word)) is not None)
    return Size(words=len(words), kinds=kinds)


def text_of(source: str) -> str:
    """The running text of SGML.

    >>> text_of("<sect>Mail<p>Run <tt/pine/, &amp; read it. <verb>ls it</verb>").split()
    ['Mail', 'Run', 'pine,', '&', 'read', 'it.']
    """
    text = _NOT_TEXT.sub(" ", source)
    return unescape(_TAG.sub(" ", _SHORT.sub(r"\2", text)))


def _kind(word: str) -> PronounKind | None:
    """Also with what is contracted to it: *it's*, *they're*."""
    return THIRD_PERSON.get(word.lower().replace("’", "'").partition("'")[0])
