"""A corpus as a file to take away, in any format that is one file."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from corefbench.errors import DataError, UnknownName
from corefbench.record import Record

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus


class Target(Record, frozen=True):
    """A format that can be chosen."""

    name: str
    title: str
    extension: str


def targets(like: str = "") -> tuple[Target, ...]:
    """The formats that are one file; that of the file ``like`` comes first."""
    from corefbench.formats import formats
    from corefbench.formats.convert import FolderWriter

    made = []
    for name in formats:
        target = formats[name]()
        card = target.card
        if card.writes and not card.selects and not isinstance(target, FolderWriter):
            extension = card.extensions[0] if card.extensions else ".txt"
            made.append(Target(name=name, title=card.title, extension=extension))
    own = _format_of(like) if like else ""
    return tuple(sorted(made, key=lambda one: one.name != own))


def _format_of(path: str) -> str:
    from corefbench.formats.sniff import sniff
    from corefbench.formats.source import Source

    try:
        return sniff(Source.of(path)).card.name
    except DataError:
        return ""


def written(corpus: "Corpus", format: str) -> tuple[str, bytes]:
    """The ending and the bytes of the file."""
    from corefbench.formats.convert import convert

    known = {one.name: one for one in targets()}
    if format not in known:
        raise UnknownName("format to write", format, list(known))
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"corpus{known[format].extension}"
        convert(corpus, path, output_format=format)
        return path.suffix, path.read_bytes()
