"""Corpora by name: ``load_dataset("gum/train")`` reads them from the folder COREFBENCH_DATA."""

import os
from pathlib import Path

from corefbench.datasets.catalogue import CATALOGUE
from corefbench.datasets.dataset import Dataset
from corefbench.datasets.splits import SPLITS
from corefbench.errors import DataError, UnknownName
from corefbench.findings import Strictness
from corefbench.formats import formats
from corefbench.formats.base import FolderFormat, Reading
from corefbench.formats.sniff import sniff
from corefbench.formats.source import Source
from corefbench.model.assemble import concatenate
from corefbench.model.corpus import Corpus

VARIABLE = "COREFBENCH_DATA"


def load_dataset(
    name: str, *, root: str | Path | None = None, strictness: Strictness = Strictness()
) -> Corpus:
    """Read a corpus of the catalogue, or a part of it, such as ``litbank`` or ``gum/train``.

    ``root`` is the folder that the corpora are in; without it, the one COREFBENCH_DATA names.
    """
    reading = Reading(strictness=strictness)
    entry = dataset(name.partition("/")[0])
    pieces: list[Corpus] = []
    for path in files_of(name, root=root):
        source = Source.of(path)
        reader = formats[entry.format]() if entry.format else sniff(source)
        pieces += reader.read(source, reading)
    return concatenate(name, pieces)


def dataset(name: str) -> Dataset:
    """The card of a corpus."""
    if name not in CATALOGUE:
        raise UnknownName("data set", name, list(CATALOGUE))
    return CATALOGUE[name]


def files_of(name: str, *, root: str | Path | None = None) -> list[Path]:
    """The files of a corpus, or of a part of it, in the order in which they are read."""
    bare, _, part = name.partition("/")
    entry = dataset(bare)
    if not entry.files:
        raise DataError(
            f"{entry.title} has no loader",
            code="CB158",
            remedy=f"get it from {entry.where}; {entry.how}",
        )
    base = folder_of(root)
    if part and part not in entry.parts and not entry.split:
        raise UnknownName("part", part, list(entry.parts))
    found = _matching(base, entry.parts.get(part, entry.files), entry.format)
    if part and part not in entry.parts:
        found = SPLITS[entry.split](base / Path(entry.files).parts[0], found, part)
    if not found:
        raise DataError(
            f"{entry.title} is not there",
            code="CB158",
            found=f"nothing at {base / entry.parts.get(part, entry.files)}",
            remedy=f"get it from {entry.where} and put it there",
        )
    return found


def is_here(name: str, *, root: str | Path | None = None) -> bool:
    """Whether a corpus can be loaded now."""
    try:
        return bool(files_of(name, root=root))
    except DataError:
        return False


def folder_of(root: str | Path | None = None) -> Path:
    """The folder of all corpora."""
    given = root or os.environ.get(VARIABLE)
    if not given:
        raise DataError(
            "it is not said where the data is",
            code="CB158",
            remedy=f"set {VARIABLE} to the folder that holds the corpora",
        )
    return Path(given)


def _matching(base: Path, pattern: str, format: str) -> list[Path]:
    place = base / pattern
    if not place.is_dir():
        return sorted(path for path in base.glob(pattern) if path.is_file())
    reader = formats[format]() if format else None
    if isinstance(reader, FolderFormat):
        return reader.documents_in(place)
    return sorted(path for path in place.rglob("*") if path.is_file())
