"""Corpora of a shape as files of a format: what it costs to write them, and to read them."""

import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.cost_row import Work
from benchmarks.cost_shapes import Shape, corpus
from benchmarks.cost_tasks import TASKS

if TYPE_CHECKING:
    from corefbench.model.corpus import Corpus

made = cache(corpus)
_SMALL = 1_000
_MOST_BYTES = 16 << 20
"""What is written of a shape of which twice as many mentions make far more than twice as much."""


class Files:
    """The files of one format and shape, each size written once for all who read it."""

    def __init__(self, name: str, shape: Shape, folder: Path) -> None:
        from corefbench.formats import formats

        self.form = formats[name]()
        self._shape = shape
        self._folder = folder / f"{name} {shape.name}"

    def writing(self, mentions: int) -> Work:
        """What writes the corpus, to a folder that is emptied before."""
        fitted, place = self._fitted(mentions), self._folder / str(mentions)

        def empty() -> None:
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)

        return Work(lambda: self._write(fitted, place), empty, lambda: volume(place))

    def reading(self, mentions: int) -> Work:
        """What reads the corpus, which is written where it is not there yet."""
        from corefbench.testing.files import read

        place = self._folder / str(mentions)
        if not place.exists():
            writing = self.writing(mentions)
            writing.before()
            writing.run()
        return Work(lambda: read(self.form, place), volume=lambda: volume(place))

    def size(self, asked: int) -> int:
        """The number of mentions to try, less than asked for where bytes grow much faster."""
        sizes = [self._volume(mentions) for mentions in (_SMALL // 2, _SMALL)]
        if sizes[1] < 3 * sizes[0]:
            return asked
        most = _SMALL * (_MOST_BYTES / sizes[1]) ** 0.5
        return min(asked, int(most) // 100 * 100)

    def _volume(self, mentions: int) -> int:
        return self.reading(mentions).volume()

    def remove(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def _fitted(self, mentions: int) -> "Corpus":
        from corefbench.formats.fit import fit

        return fit(made(self._shape, mentions), self.form.card.holds)

    def _write(self, fitted: "Corpus", place: Path) -> None:
        from corefbench.formats.convert import FolderWriter

        if isinstance(self.form, FolderWriter) and not self.form.card.writes:
            self.form.write_folder(fitted, place)
            return
        with (place / "made").open("wb") as stream:
            self.form.write(fitted, stream)


def volume(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def task(name: str) -> Callable[[int], Work]:
    """What reads a format that holds a task, for a number of mentions."""

    def make(mentions: int) -> Work:
        from corefbench.formats import Reading, Source, formats

        content = TASKS[name](mentions)
        source = Source.of(content)
        return Work(lambda: list(formats[name]().read(source, Reading())), volume=content.__len__)

    return make
