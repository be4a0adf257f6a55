"""The files of an MMAX2 project: words, levels of markables, and their schemes.

``x.mmax`` names the words file; ``common_paths.xml`` beside it names folders and levels, ``$``
standing for ``x``. Projects come from other systems: backslashes divide folders too, upper and
lower case are not told apart where a name is not found as it is written. Nothing outside the
project's folder is opened.
"""

import os
import re
from functools import lru_cache
from pathlib import Path

from corefbench.errors import FormatError, Place
from corefbench.formats import xml
from corefbench.formats.base import Reading
from corefbench.formats.source import Source, is_nameable
from corefbench.record import Record

_FOLDERS = {
    "basedata_path": "Basedata",
    "markable_path": "Markables",
    "scheme_path": "Schemes",
}
_ABSOLUTE = re.compile(r"/|[A-Za-z]:|[A-Za-z][\w+.-]*://")


class Level(Record, frozen=True):
    """A level that has a file."""

    name: str
    path: Path
    scheme: Path | None


class Project(Record, frozen=True):
    """One document."""

    name: str
    words: Path
    levels: tuple[Level, ...]


def open_project(source: Source, reading: Reading) -> Project:
    """Find the files of a project; levels that have none are left out, as MMAX2 does."""
    if source.path is None:
        raise FormatError(
            "an MMAX2 project is several files",
            code="CB130",
            place=Place(source=source.name),
            remedy="give the path of the .mmax file, or of the folder",
        )
    root = xml.read(source, reading, allow_doctype=True)
    words = root.findtext("words") or ""
    if root.tag != "mmax_project" or not words.strip():
        raise FormatError(
            "the file names no words file",
            code="CB132",
            place=Place(source=source.name, line=root.sourceline or 0),
            found=f"<{root.tag}>",
            expected="<mmax_project> … <words>x_words.xml</words>",
        )
    return _Finder(source, reading).project(root.get("name"), words)


class _Finder:
    """Looks for files within the folder of one project."""

    def __init__(self, source: Source, reading: Reading) -> None:
        self.source, self.reading = source, reading
        self.base = source.stem
        self.folder = Path(source.name).parent
        self.paths = dict(_FOLDERS)
        self.levels: list[tuple[str, str, str]] = []
        common = self._find("common_paths.xml")
        if common is not None:
            self._read_common(common)

    def project(self, name: str | None, words: str) -> Project:
        path = self._find(self.paths["basedata_path"], words) or self._find(words)
        if path is None:
            raise FormatError(
                "the words file is not there",
                code="CB130",
                place=Place(source=self.source.name),
                found=words.strip(),
                expected=f"a file in {self.paths['basedata_path']}",
            )
        levels = self._declared() if self.levels else self._undeclared()
        return Project(name=self.base if name is None else name, words=path, levels=tuple(levels))

    def _read_common(self, path: Path) -> None:
        root = xml.read(Source.of(path), self.reading, allow_doctype=True)
        for key in self.paths:
            self.paths[key] = (root.findtext(key) or "").strip()
        for level in root.iter("level"):
            pattern = (level.text or "").strip().replace("$", self.base)
            self.levels.append((level.get("name", ""), pattern, level.get("schemefile", "")))

    def _declared(self) -> list[Level]:
        found = []
        for name, file, scheme in self.levels:
            path = self._find(self.paths["markable_path"], file)
            if path is not None:
                rules = self._find(self.paths["scheme_path"], scheme) if scheme else None
                found.append(Level(name=name, path=path, scheme=rules))
        return found

    def _undeclared(self) -> list[Level]:
        """Without common paths: the files that are named like levels of this project."""
        name = re.compile(re.escape(self.base) + r"_(.+)_level\.xml")
        places = [self.folder, self._find(self.paths["markable_path"], directory=True)]
        return [
            Level(name=match[1], path=path, scheme=None)
            for place in places
            if place is not None
            for path in sorted(place.iterdir())
            if (match := name.fullmatch(path.name))
        ]

    def _find(self, *names: str, directory: bool = False) -> Path | None:
        """The file of that relative name, None where there is none."""
        text = "/".join(name.strip().replace("\\", "/") for name in names if name.strip())
        if _ABSOLUTE.match(text) or not is_nameable(text):
            raise self._outside(text)
        place, pieces = str(self.folder), text.split("/")
        for piece in pieces:
            place = os.path.join(place, piece if piece in ("", ".", "..") else _entry(place, piece))
        there = os.path.isdir(place) if directory else os.path.isfile(place)
        if (there or ".." in pieces) and not self._is_inside(place):
            raise self._outside(text)
        return Path(place) if there else None

    def _is_inside(self, place: str) -> bool:
        """Whether a path, its links followed, lies in the folder of the project."""
        home = os.path.realpath(self.folder)
        return os.path.commonpath([home, os.path.realpath(place)]) == home

    def _outside(self, text: str) -> FormatError:
        return FormatError(
            "the project names a file outside its folder",
            code="CB131",
            place=Place(source=self.source.name),
            found=text[:200],
            remedy="copy the files into the folder of the project, and name them relative to it",
        )


def _entry(folder: str, name: str) -> str:
    """The name of an entry; where there is none, of one that differs in case only."""
    if os.path.exists(os.path.join(folder, name)) or not os.path.isdir(folder):
        return name
    return _entries(folder, os.stat(folder).st_mtime_ns).get(name.casefold(), name)


@lru_cache(maxsize=64)
def _entries(folder: str, changed: int) -> dict[str, str]:
    """The entries of a folder by their names in one case, listed anew whenever it has changed."""
    return {name.casefold(): name for name in os.listdir(folder)}
