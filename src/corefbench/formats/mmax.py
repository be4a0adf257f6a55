"""MMAX2: a project of several files for each document, and a folder of projects a corpus.

``x.mmax`` names the words; levels of markables stand off from them. A span names words,
``word_3..word_5,word_9``; its ranges follow the order of the words file, not the numbers. Markables
of one set are one chain; a pointer to the antecedent joins a markable that is in no set; the rest
are singletons. A pointer to several antecedents is a split antecedent.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from corefbench.errors import FormatError, Place, UsageError
from corefbench.findings import Finding
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.mmax_document import add_document
from corefbench.formats.mmax_project import Level, Project, open_project
from corefbench.formats.mmax_scheme import says_coreference
from corefbench.formats.mmax_write import write_project
from corefbench.formats.source import Source
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

_ROOT = re.compile(rb"<mmax_project[\s/>]")


class Mmax:
    """Reads and writes MMAX2 projects; ``level`` names the level that holds the coreference.

    >>> Mmax().recognises(b"<?xml version='1.0'?><mmax_project><words>a_words.xml</words>")
    0.95
    """

    card = FormatCard(
        name="mmax",
        title="MMAX2",
        description="A project of several files for each document; written as a folder only.",
        extensions=(".mmax",),
        writes=False,
        holds=frozenset(
            {
                "document names",
                "words",
                "sentences",
                "singletons",
                "crossing mentions",
                "crossing mentions of one chain",
                "repeated mentions",
                "discontinuous mentions",
                "mentions across sentences",
                "minimal spans",
                "mention attributes",
            }
        ),
        cites=("mueller2006",),
    )

    def __init__(self, level: str = "") -> None:
        self.level = level

    def recognises(self, head: bytes) -> float:
        """Sure of a project file."""
        return 0.95 if _ROOT.search(head) else 0.0

    def documents_in(self, folder: Path) -> list[Path]:
        """The project files, sorted by name."""
        found = (path for path in folder.rglob("*.mmax") if not path.name.startswith("._"))
        return sorted(path for path in found if path.is_file())

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """The document of a project file, or the documents of a folder, one at a time."""
        if source.path is not None and source.path.is_dir():
            for path in self.documents_in(source.path):
                yield from self.read(Source.of(path), reading)
            return
        project = open_project(source, reading)
        build = CorpusBuilder(source.stem, words=reading.words)
        add_document(build, project, self._level(project, source, reading), reading)
        yield build.finish()

    def _level(self, project: Project, source: Source, reading: Reading) -> Level | None:
        """The level asked for; else the one named after coreference; else any that says it."""
        levels = {level.name: level for level in project.levels}
        if self.level:
            if self.level not in levels:
                raise FormatError(
                    f"the project has no level {self.level!r}",
                    code="CB133",
                    place=Place(source=source.name),
                    expected="one of: " + ", ".join(levels),
                )
            return levels[self.level]
        for name in ("coref", "coreference", *(n for n in levels if "coref" in n.lower())):
            if name in levels:
                return levels[name]
        for level in project.levels:
            if says_coreference(level, reading):
                return level
        reading.strictness.report(
            Finding(
                code="CB133",
                severity="warning",
                message="no level of the project holds coreference: only the words are read",
                place=Place(source=source.name),
                found=", ".join(levels) or "no levels",
                remedy="name the level",
            )
        )
        return None

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Refused: a project does not fit into one stream."""
        raise UsageError(
            "an MMAX2 project is several files and cannot be written to one",
            remedy="write it into a folder",
        )

    def write_folder(self, corpus: Corpus, folder: Path) -> None:
        """A project for each document, the common files once."""
        write_project(corpus, folder)
