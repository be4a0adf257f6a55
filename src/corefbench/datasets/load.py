"""Load corpora by name: ``load_dataset("gum/train")`` reads from the folder COREFBENCH_DATA."""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias, TypeVar

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.datasets.catalogue import CATALOGUE, Dataset
from corefbench.diagnostics import Strictness
from corefbench.errors import DataError, UnknownName
from corefbench.formats import formats
from corefbench.formats.base import FolderFormat, Format, Reading
from corefbench.formats.load import detect_format
from corefbench.formats.source import Source

DATA_VARIABLE = "COREFBENCH_DATA"
BUNDLED = "bundled"

T = TypeVar("T")
Split: TypeAlias = Callable[[Path, list[Path], str], list[Path]]
"""Takes the folder of a corpus, all its files and the name of a part; returns its files."""

_ECB_DEVELOPMENT = frozenset({2, 5, 12, 18, 21, 23, 34, 35})
_ECB_TEST = frozenset(range(36, 46))


def load_dataset(name: str, *, root: str | Path | None = None, strictness: Strictness = Strictness()) -> Corpus:
    """Read a corpus of the catalogue, or a part of it, such as ``litbank`` or ``gum/train``.

    ``root`` is the folder of all corpora; by default that of COREFBENCH_DATA.
    """
    reading = Reading(strictness=strictness)
    entry = dataset(name.partition("/")[0])
    pieces: list[Corpus] = []
    for path in dataset_files(name, root=root):
        source = Source.of(path)
        reader = formats[entry.format]() if entry.format else detect_format(source)
        pieces += reader.read(source, reading)
    return concatenate(name, pieces)


def dataset_names() -> list[str]:
    """Return the names of all data sets, the bundled one first."""
    return [BUNDLED, *CATALOGUE]


def dataset_readers(name: str) -> list[tuple[Source, Format | None]]:
    """Return the files of a data set, each with its reader; None if the format is detected."""
    if name == BUNDLED:
        from corefbench.datasets.bundled import BundledReader, bundled_path

        return [(Source.of(bundled_path()), BundledReader())]
    files = dataset_files(name)
    entry = dataset(name.partition("/")[0])
    return [(Source.of(path), formats[entry.format]() if entry.format else None) for path in files]


def dataset(name: str) -> Dataset:
    """Return the card of a corpus."""
    if name not in CATALOGUE:
        raise UnknownName("data set", name, list(CATALOGUE))
    return CATALOGUE[name]


def dataset_files(name: str, *, root: str | Path | None = None) -> list[Path]:
    """Return the files of a corpus, or of a part of it, in reading order."""
    bare, _, part = name.partition("/")
    entry = dataset(bare)
    if not entry.files:
        raise DataError(f"{entry.title} has no loader", code="CB158", remedy=f"get it from {entry.where}; {entry.how}")
    base = data_folder(root)
    if part and part not in entry.parts and not entry.split:
        raise UnknownName("part", part, list(entry.parts))
    files = _matching_files(base, entry.parts.get(part, entry.files), entry.format)
    if part and part not in entry.parts:
        # Lists of parts are in the top folder of a corpus, beside the folder of its files.
        files = SPLITS[entry.split](base / Path(entry.files).parts[0], files, part)
    if not files:
        raise DataError(
            f"{entry.title} is not available",
            code="CB158",
            found=f"nothing at {base / entry.parts.get(part, entry.files)}",
            remedy=f"get it from {entry.where} and put it there",
        )
    return files


def is_available(name: str, *, root: str | Path | None = None) -> bool:
    """Return whether the files of a corpus are present."""
    try:
        return bool(dataset_files(name, root=root))
    except DataError:
        return False


def data_folder(root: str | Path | None = None) -> Path:
    """Return the folder of all corpora."""
    folder = root or os.environ.get(DATA_VARIABLE)
    if not folder:
        raise DataError(
            "the folder of the data sets is not set",
            code="CB158",
            remedy=f"set {DATA_VARIABLE} to the folder that holds the corpora",
        )
    return Path(folder)


def _matching_files(base: Path, pattern: str, format: str) -> list[Path]:
    folder = base / pattern
    if not folder.is_dir():
        return sorted(path for path in base.glob(pattern) if path.is_file())
    reader = formats[format]() if format else None
    if isinstance(reader, FolderFormat):
        return reader.documents_in(folder)
    return sorted(path for path in folder.rglob("*") if path.is_file())


def listed_split(folder: Path, files: list[Path], part: str) -> list[Path]:
    """GUM: ``splits.md`` has a heading for each part and under it the names of its documents."""
    text = (folder / "splits.md").read_text(encoding="utf-8")
    sections = re.split(r"^## +(\S+)\s*$", text, flags=re.MULTILINE)[1:]
    parts = dict(zip(sections[::2], sections[1::2], strict=True))
    wanted = set(re.findall(r"^\s*\* +(\S+)", _select_part(parts, part), re.MULTILINE))
    return [file for file in files if file.stem in wanted]


def topic_split(folder: Path, files: list[Path], part: str) -> list[Path]:
    """ECB+ (Cybulska & Vossen 2015): topics 36 to 45 are for the test, eight for development."""
    topics: dict[str, Callable[[int], bool]] = {
        "train": lambda topic: topic not in _ECB_DEVELOPMENT | _ECB_TEST,
        "dev": lambda topic: topic in _ECB_DEVELOPMENT,
        "test": lambda topic: topic in _ECB_TEST,
    }
    wanted = _select_part(topics, part)
    return [file for file in files if wanted(int(file.stem.partition("_")[0]))]


def fold_split(folder: Path, files: list[Path], part: str) -> list[Path]:
    """LitBank: ``0/train`` to ``9/test``, ten folds with a list of names for each part."""
    lists = folder / "tenfold" / "data" / "litbank_tenfold_splits"
    known = {f"{p.parent.name}/{p.stem}": p for p in sorted(lists.glob("*/*")) if p.is_file()}
    wanted = {Path(line).stem for line in _select_part(known, part).read_text("utf-8").split()}
    return [file for file in files if file.stem in wanted]


SPLITS: dict[str, Split] = {"listed": listed_split, "by topic": topic_split, "folds": fold_split}


def _select_part(parts: Mapping[str, T], part: str) -> T:
    if part not in parts:
        raise UnknownName("part", part, list(parts))
    return parts[part]
