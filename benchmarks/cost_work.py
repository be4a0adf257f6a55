"""The pieces of work whose cost is measured: each says, for a number of mentions, what to do."""

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from benchmarks.cost_shapes import Shape, corpus
from benchmarks.cost_tasks import TASKS

if TYPE_CHECKING:
    from corefbench.formats.base import Format
    from corefbench.model.corpus import Corpus

Work: TypeAlias = Callable[[], object]
Piece: TypeAlias = tuple[str, str, Callable[[int], Work]]
"""Kind, name, and what makes the work of a size."""

_made = cache(corpus)


def formats_work(shape: Shape, folder: Path) -> Iterator[Piece]:
    """Writing and reading in every format."""
    from corefbench.formats import formats

    _made.cache_clear()
    for name in formats:
        if name not in TASKS:
            yield "write", name, partial(_writing, name, shape, folder)
            yield "read", name, partial(_reading, name, shape, folder)
        elif shape.name == "documents":
            yield "read", name, partial(_reading_task, name)


def _writing(name: str, shape: Shape, folder: Path, mentions: int) -> Work:
    form, fitted = _fitted(name, shape, mentions)
    return lambda: _write(form, fitted, _place(folder, name, mentions))


def _reading(name: str, shape: Shape, folder: Path, mentions: int) -> Work:
    from corefbench.testing.files import read

    form, fitted = _fitted(name, shape, mentions)
    place = _place(folder, name, mentions)
    _write(form, fitted, place)
    return lambda: read(form, place)


def _fitted(name: str, shape: Shape, mentions: int) -> "tuple[Format, Corpus]":
    from corefbench.formats import formats
    from corefbench.formats.fit import fit

    form = formats[name]()
    return form, fit(_made(shape, mentions), form.card.holds)


def _place(folder: Path, name: str, mentions: int) -> Path:
    return folder / f"{name}-{mentions}"


def _write(form: "Format", made: "Corpus", place: Path) -> None:
    import shutil

    from corefbench.testing.files import write

    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    write(form, made, place)


def _reading_task(name: str, mentions: int) -> Work:
    from corefbench.formats import Reading, Source, formats

    source = Source.of(TASKS[name](mentions))
    return lambda: list(formats[name]().read(source, Reading()))


def measures_work(shape: Shape) -> Iterator[Piece]:
    """Scoring by every measure, from the matching on."""
    from corefbench.measures import measures

    _made.cache_clear()
    for name in measures:
        yield "measure", name, partial(_scoring, shape, {"measures": name})


def matching_work(shape: Shape) -> Iterator[Piece]:
    """Scoring with every matching rule."""
    from corefbench.matching import matchings

    for name in matchings:
        yield "match", name, partial(_scoring, shape, {"match": name, "measures": "mentions"})


def _scoring(shape: Shape, choices: dict[str, str], mentions: int) -> Work:
    import corefbench

    key, response = _made(shape, mentions), _made(shape, mentions, noise=True)
    return lambda: corefbench.score(key, response, "conll-2012", lenient=True, **choices)


def text_work() -> Iterator[Piece]:
    """Text without a full stop or a line break, read and pre-processed."""
    yield "text", "text", _one_line
    yield "text", "en-words", _one_line_analysed


def _line(words: int) -> str:
    return " ".join(f"word{i % 97}" for i in range(words))


def _one_line(words: int) -> Work:
    import corefbench

    content = _line(words).encode()
    return lambda: corefbench.load(content, format="text")


def _one_line_analysed(words: int) -> Work:
    import corefbench

    text = _line(words)
    return lambda: corefbench.read_text(text, preprocess="en-words")
