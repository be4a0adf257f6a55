"""The words that MATE's entities point to: in the same file, or in one beside it."""

from collections.abc import Mapping
from pathlib import Path

from corefbench.errors import FormatError, Place
from corefbench.formats import xml
from corefbench.formats.base import Reading
from corefbench.formats.mmax_markables import local_name
from corefbench.formats.source import Source, is_nameable
from corefbench.record import Record

_WORDS = frozenset({"word", "w", "token", "tok"})
_TAGS = [f"{{*}}{name}" for name in sorted(_WORDS)]
_SENTENCES = frozenset({"s", "sentence", "utterance", "u"})


class Words(Record, frozen=True):
    """Sentences of words, and where in the document each identifier stands."""

    sentences: list[list[str]]
    positions: Mapping[str, int]


def words_of(element: xml.Element, file: str, source: Source, reading: Reading) -> Words:
    """The words of the element, or of the file where one is named."""
    if file:
        source = _beside(source, file)
        element = xml.read(source, reading, allow_doctype=True)
    sentences: list[list[str]] = []
    positions: dict[str, int] = {}
    last: object = None
    parent = inside = None
    for word in element.iter(*_TAGS):
        name = str(word.get("ID") or word.get("id") or "")
        if not name or name in positions:
            raise FormatError(
                "a word's ID occurs twice" if name else "a word has no ID",
                code="CB126" if name else "CB125",
                place=xml.place(word, source.name),
                found=name,
            )
        if parent is None or word.getparent() is not parent:
            parent = word.getparent()
            above = (e for e in word.iterancestors() if local_name(e) in _SENTENCES)
            inside = next(above, None)
        if inside is not last or not sentences:
            sentences.append([])
            last = inside
        sentences[-1].append((word.text or "").strip())
        positions[name] = len(positions)
    return Words(sentences=sentences, positions=positions)


def _beside(source: Source, file: str) -> Source:
    """A file in the folder of the source, or below it."""
    if source.path is None:
        raise _missing("CB130", "the words are in another file", source, file)
    folder = source.path.parent
    path = folder / Path(file.replace("\\", "/"))
    if not is_nameable(file):
        raise _missing("CB130", "the words file cannot be there", source, file[:200])
    if not path.resolve().is_relative_to(folder.resolve()):
        raise _missing("CB131", "the words are in a file outside the folder", source, file)
    if not path.is_file():
        raise _missing("CB130", "the words file is not there", source, file)
    return Source.of(path)


def _missing(code: str, message: str, source: Source, file: str) -> FormatError:
    return FormatError(
        message,
        code=code,
        place=Place(source=source.name),
        found=file,
        remedy="give the path of the file, with the words file in its folder",
    )
