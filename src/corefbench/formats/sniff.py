"""Which format a file is in, judged by how it begins."""

from corefbench.errors import FormatError, Place
from corefbench.formats import Format, formats
from corefbench.formats.source import Source

_UNREADABLE = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16", b"PK": "a zip archive"}
CERTAIN = 0.9


def sniff(source: Source) -> Format:
    """The format that is surest the file is its own.

    >>> sniff(Source.of(b"#begin document (a); part 000\\na 0 0 x (1)\\n")).card.name
    'conll'
    """
    head = source.head().removeprefix(b"\xef\xbb\xbf")
    if not head.strip():
        raise FormatError("the file is empty", code="CB102", place=Place(source=source.name))
    kind = _UNREADABLE.get(head[:2])
    best: tuple[float, Format | None] = (0.0, None)
    for name in formats.eagerly() if kind is None else ():
        candidate = formats[name]()
        sure = candidate.recognises(head)
        if sure > best[0]:
            best = (sure, candidate)
        if sure >= CERTAIN:
            break
    if best[1] is None:
        raise FormatError(
            "the format is not recognised",
            code="CB101",
            place=Place(source=source.name, line=1),
            found=kind or repr(head[:40].decode("utf-8", "replace")),
            expected="one of: " + ", ".join(formats),
            remedy="name the format with --input-format, or convert the file to UTF-8 text",
        )
    return best[1]
