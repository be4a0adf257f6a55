"""How published splits divide the files of a corpus, where the files do not say it themselves."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias, TypeVar

from corefbench.errors import UnknownName

T = TypeVar("T")
Split: TypeAlias = Callable[[Path, list[Path], str], list[Path]]
"""From the folder of the corpus, all its files and the name of a part to the files of the part."""

_DEVELOPMENT = frozenset({2, 5, 12, 18, 21, 23, 34, 35})
_TEST = frozenset(range(36, 46))


def listed(folder: Path, files: list[Path], part: str) -> list[Path]:
    """GUM: ``splits.md`` has a heading for each part and under it the names of its documents."""
    text = (folder / "splits.md").read_text(encoding="utf-8")
    sections = re.split(r"^## +(\S+)\s*$", text, flags=re.MULTILINE)[1:]
    parts = dict(zip(sections[::2], sections[1::2], strict=True))
    wanted = set(re.findall(r"^\s*\* +(\S+)", _choose(parts, part), re.MULTILINE))
    return [file for file in files if file.stem in wanted]


def by_topic(folder: Path, files: list[Path], part: str) -> list[Path]:
    """ECB+ (Cybulska & Vossen 2015): topics 36 to 45 are for the test, eight for development."""
    topics: dict[str, Callable[[int], bool]] = {
        "train": lambda topic: topic not in _DEVELOPMENT | _TEST,
        "dev": lambda topic: topic in _DEVELOPMENT,
        "test": lambda topic: topic in _TEST,
    }
    wanted = _choose(topics, part)
    return [file for file in files if wanted(int(file.stem.partition("_")[0]))]


def folds(folder: Path, files: list[Path], part: str) -> list[Path]:
    """LitBank: ``0/train`` to ``9/test``, ten folds with a list of names for each part."""
    lists = folder / "tenfold" / "data" / "litbank_tenfold_splits"
    known = {f"{p.parent.name}/{p.stem}": p for p in sorted(lists.glob("*/*")) if p.is_file()}
    wanted = {Path(line).stem for line in _choose(known, part).read_text("utf-8").split()}
    return [file for file in files if file.stem in wanted]


SPLITS: dict[str, Split] = {"listed": listed, "by topic": by_topic, "folds": folds}


def _choose(parts: Mapping[str, T], part: str) -> T:
    if part not in parts:
        raise UnknownName("part", part, list(parts))
    return parts[part]
