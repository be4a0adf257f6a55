"""Detect the format of a file from its first bytes."""

from corefbench.errors import FormatError, Place
from corefbench.formats import Format, formats
from corefbench.formats.source import Source

_UNSUPPORTED = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"PK": "a zip archive"}

CERTAIN = 0.9
"""Confidence from which no other format is asked."""


def detect_format(source: Source) -> Format:
    """Return the format that is most confident of a file.

    >>> detect_format(Source.of(b"#begin document (a); part 000\\na 0 0 x (1)\\n")).card.name
    'conll'
    """
    head = source.head().removeprefix(b"\xef\xbb\xbf")
    if not head.strip():
        raise FormatError("the file is empty", code="CB102", place=Place(source=source.name))
    unsupported = _UNSUPPORTED.get(head[:2])
    best: tuple[float, Format | None] = (0.0, None)
    for name in formats.built_in_first() if unsupported is None else ():
        candidate = formats[name]()
        confidence = candidate.recognises(head)
        if confidence > best[0]:
            best = (confidence, candidate)
        if confidence >= CERTAIN:
            break
    if best[1] is None:
        raise FormatError(
            "the format is not recognised",
            code="CB101",
            place=Place(source=source.name, line=1),
            found=unsupported or repr(head[:40].decode("utf-8", "replace")),
            expected="one of: " + ", ".join(formats),
            remedy="name the format with --input-format, or convert the file to UTF-8 text",
        )
    return best[1]
