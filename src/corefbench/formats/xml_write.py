"""Pieces of XML for writers: escaped, and without the characters that XML cannot hold."""

import re
from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_NAME = re.compile(r"(?!(?i:xml))[A-Za-z_][\w.-]*", re.ASCII)

DECLARATION = b'<?xml version="1.0" encoding="UTF-8"?>\n'


def is_name(text: str) -> bool:
    """Whether it can name an element or attribute everywhere: plain letters, no namespace.

    >>> is_name("coref_class"), is_name("2nd"), is_name("a:b"), is_name("xmlns")
    (True, False, False, False)
    """
    return _NAME.fullmatch(text) is not None


def content(text: str) -> str:
    """Text between tags; what XML cannot hold becomes U+FFFD.

    >>> content("AT&T <3")
    'AT&amp;T &lt;3'
    """
    return escape(_ILLEGAL.sub("\ufffd", text), {"\r": "&#13;"})


def attributes(values: Mapping[str, str]) -> str:
    """Attributes in their order, each with a blank before it.

    >>> attributes({"id": "7", "note": 'say "a"'})
    ' id="7" note=\\'say "a"\\''
    """
    return "".join(
        f" {name}={quoteattr(_ILLEGAL.sub(chr(0xFFFD), value))}" for name, value in values.items()
    )


def is_clean(text: str) -> bool:
    """Whether XML can hold every character of it."""
    return _ILLEGAL.search(text) is None
