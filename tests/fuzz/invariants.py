"""What must hold of any bytes at all, given to a reader."""

import tempfile
import time
from pathlib import Path

from corefbench.corpus.combine import concatenate
from corefbench.corpus.corpus import Corpus
from corefbench.diagnostics import Strictness
from corefbench.errors import CODES, CorefbenchError
from corefbench.formats import formats
from corefbench.formats.base import Format, Reading
from corefbench.formats.capabilities import fit_to_format
from corefbench.formats.check import check
from corefbench.formats.load import load, stream
from tests.fuzz.seeds import SEPARATOR, file_names, files

SECONDS = 5.0
"""Of processor time, for everything that is done with one input."""


class Broken(AssertionError):
    """An invariant does not hold."""


class Target:
    """One reader, ready to be given bytes."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.form: Format = formats[name]()
        self.names = file_names(name)

    def answer(self, content: bytes) -> None:
        """Read, check and write again; raise ``Broken`` unless all that fails has a code."""
        begun = time.process_time()
        if not self.names:
            self._try(content)
        else:
            with tempfile.TemporaryDirectory() as folder:
                for name, piece in zip(self.names, content.split(SEPARATOR), strict=False):
                    (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                    (Path(folder) / name).write_bytes(piece)
                self._try(Path(folder))
        taken = time.process_time() - begun
        if taken > SECONDS:
            raise Broken(f"took {taken:.1f} s")

    def _try(self, where: Path | bytes) -> None:
        strictly, leniently = self._read(where, False), self._read(where, True)
        if strictly is not None and leniently is None:
            raise Broken("read strictly and refused leniently")
        for finding in check(where, self.name):
            if finding.code not in CODES or finding.code == "CB001":
                raise Broken(f"a finding without a code: {finding}")
        if leniently is not None and len(leniently):
            self._write_again(leniently)

    def _read(self, where: Path | bytes, lenient: bool) -> Corpus | None:
        reading = Reading(strictness=Strictness(lenient=lenient))
        try:
            return concatenate("fuzz", list(stream(where, format=self.name, reading=reading)))
        except CorefbenchError as error:
            if error.code not in CODES or error.code == "CB001":
                raise Broken(f"an error without a code: {error}") from error
            return None

    def _write_again(self, corpus: Corpus) -> None:
        """What was read can be written, and the file read: with as many mentions, if it says so."""
        card, fitted = self.form.card, fit_to_format(corpus, self.form.card.holds)
        if card.selects:  # of which nothing may fit the task
            files(self.form, fitted)
            return
        try:
            again = self._back(files(self.form, fitted))
        except CorefbenchError as error:
            raise Broken(f"what was read and written is refused: {error}") from error
        if len(again.mentions) != len(fitted.mentions):
            found = f"{len(again.mentions)} of {len(fitted.mentions)} mentions"
            raise Broken(f"what was read and written has {found}")

    def _back(self, made: dict[str, bytes]) -> Corpus:
        if list(made) == ["made"]:
            return load(made["made"], format=self.name)
        with tempfile.TemporaryDirectory() as folder:
            for name, piece in made.items():
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                (Path(folder) / name).write_bytes(piece)
            return load(folder, format=self.name)
