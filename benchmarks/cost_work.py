"""The pieces of work whose cost is measured: each says, for a number of mentions, what to do."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

from benchmarks.cost_files import made
from benchmarks.cost_row import Work
from benchmarks.cost_shapes import Shape

Piece: TypeAlias = tuple[str, str, Callable[[int], Work]]
"""Kind, name, and what makes the work of a size."""


def measures_work(shape: Shape) -> Iterator[Piece]:
    """Scoring by every measure, from the matching on."""
    from corefbench.measures import measures

    for name in measures:
        yield "measure", name, partial(_scoring, shape, {"measures": name})


def matching_work(shape: Shape) -> Iterator[Piece]:
    """Scoring with every matching rule."""
    from corefbench.matching import matchings

    for name in matchings:
        yield "match", name, partial(_scoring, shape, {"match": name, "measures": "mentions"})


def _scoring(shape: Shape, choices: dict[str, Any], mentions: int) -> Work:
    import corefbench

    key, response = made(shape, mentions), made(shape, mentions, noise=True)
    return Work(lambda: corefbench.score(key, response, "conll-2012", lenient=True, **choices))


def text_work() -> Iterator[Piece]:
    """Text without a full stop or a line break, read and pre-processed."""
    yield "text", "text", _one_line
    yield "text", "en-words", _one_line_analysed


def _line(words: int) -> str:
    return " ".join(f"word{i % 97}" for i in range(words))


def _one_line(words: int) -> Work:
    import corefbench

    content = _line(words).encode()
    return Work(lambda: corefbench.load(content, format="text"))


def _one_line_analysed(words: int) -> Work:
    import corefbench

    text = _line(words)
    return Work(lambda: corefbench.read_text(text, preprocess="en-words"))
