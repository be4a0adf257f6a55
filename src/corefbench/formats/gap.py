"""GAP: ambiguous pronouns, each with two names it may refer to (Webster et al. 2018).

A header and eleven columns divided by tabs: ``ID Text Pronoun Pronoun-offset A A-offset A-coref B
B-offset B-coref URL``; offsets count characters from 0; quotes mean nothing. Every example is a
document with three mentions; those that corefer make one chain, the others stand alone.

What systems answer has no header and three columns, ``ID A-coref B-coref``; the texts then come
from the examples: those given, or ``gap-development.tsv`` and the like beside the answers.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from corefbench.errors import FormatError, Place
from corefbench.findings import Strictness
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.gap_documents import ROLES, TRUTH, add_examples
from corefbench.formats.gap_write import COLUMNS, answer_lines, example_lines
from corefbench.formats.layout import require_words
from corefbench.formats.source import Source
from corefbench.formats.whole import contents
from corefbench.formats.whole import text as decoded
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

_HEADER = "\t".join(COLUMNS[:3])
_ANSWER = re.compile(rb"[^\t\n]+\t(?:TRUE|FALSE)\t(?:TRUE|FALSE)\s*")


class Gap:
    """Reads and writes GAP examples, and answers to them.

    >>> row = "x-1\\tAnn met Eve. She ran.\\tShe\\t13\\tAnn\\t0\\tTRUE\\tEve\\t8\\tFALSE\\thttp://x"
    >>> text = "\\t".join(COLUMNS) + "\\n" + row
    >>> next(Gap().read(Source.of(text.encode()), Reading()))[0].clusters()
    [[(0, 1), (4, 5)], [(2, 3)]]
    """

    card = FormatCard(
        name="gap",
        title="GAP",
        description="Tab-separated examples of a pronoun and two names; answers of systems too.",
        extensions=(".tsv",),
        holds=frozenset({"document names", "text", "singletons"}),
        selects=True,
        cites=("webster2018",),
    )

    def __init__(self, *, examples: str | Path | None = None, answers: bool = False) -> None:
        """``examples`` is the file that answers refer to; ``answers`` writes answers only."""
        self.examples = examples
        self.answers = answers

    def recognises(self, head: bytes) -> float:
        """Sure of the header, and of lines that all are answers."""
        if head.startswith(_HEADER.encode()):
            return 1.0
        lines = [line for line in head.split(b"\n")[:20] if line.strip()]
        return 0.9 if lines and all(_ANSWER.fullmatch(line) for line in lines) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """A document an example."""
        lines = decoded(contents(source, reading), source.name).split("\n")
        build = CorpusBuilder(source.stem, words=reading.words)
        if lines[0].startswith(_HEADER):
            _add(build, _examples(lines, source.name, reading.strictness), reading.strictness)
        else:
            rows = _answered(lines, source.name, self._examples_of(source, lines[0]), reading)
            _add(build, rows, reading.strictness)
        yield build.finish()

    def _examples_of(self, source: Source, line: str) -> Source:
        """The examples that the answers refer to, by name or by the first id."""
        if self.examples is not None:
            return Source.of(self.examples)
        kind = line.split("\t", 1)[0].rpartition("-")[0]
        path = source.path.with_name(f"gap-{kind}.tsv") if source.path and kind.isalnum() else None
        if path is not None and path.is_file():
            return Source.of(path)
        raise FormatError(
            "the examples that the answers refer to are missing",
            code="CB140",
            place=Place(source=source.name),
            found=line[:40],
            expected="GAP's header, or its examples beside the answers",
            remedy="put gap-development.tsv, gap-test.tsv or gap-validation.tsv beside the file",
        )

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """The documents that have a pronoun and two names, as examples or as answers."""
        require_words(corpus)
        lines = answer_lines(corpus) if self.answers else example_lines(corpus)
        stream.write("".join(lines).encode())


def _examples(
    lines: list[str], name: str, strictness: Strictness
) -> Iterator[tuple[Place, list[str]]]:
    """The rows that have their columns, their offsets and their answers."""
    for number, line in enumerate(lines[1:], 2):
        if not line or line.isspace():
            continue
        cells = line.split("\t")
        place = Place(source=name, line=number)
        if len(cells) < 10 or not all(cells[at].isdecimal() for _, _, at in ROLES):
            strictness.fault(
                "CB110" if len(cells) < 10 else "CB141",
                "the line is not an example",
                place=place,
                found=f"{len(cells)} columns",
                expected=f"{len(COLUMNS)} columns: {' '.join(COLUMNS)}",
                repair="line left out",
            )
        elif _is_answered(cells, (6, 9), place, strictness):
            yield place, cells


def _is_answered(
    cells: list[str], columns: tuple[int, int], place: Place, strictness: Strictness
) -> bool:
    if cells[columns[0]] in TRUTH and cells[columns[1]] in TRUTH:
        return True
    found = [cells[column].strip().upper() for column in columns]
    if all(cell in TRUTH for cell in found):
        return True
    strictness.fault(
        "CB143",
        "an answer is neither TRUE nor FALSE",
        place=place,
        found=" ".join(found)[:40],
        repair="line left out",
    )
    return False


def _answered(
    lines: list[str], name: str, examples: Source, reading: Reading
) -> Iterator[tuple[Place, list[str]]]:
    """The examples, in their order, with the answers in place of the truth."""
    answers: dict[str, list[str]] = {}
    for number, line in enumerate(lines, 1):
        cells = line.split("\t")
        place = Place(source=name, line=number)
        if not line.strip():
            continue
        if len(cells) != 3:
            found = f"{len(cells)} columns"
            reading.strictness.fault(
                "CB110",
                "the line is not an answer",
                place=place,
                found=found,
                expected="3 columns: ID A-coref B-coref",
                repair="line left out",
            )
        elif _is_answered(cells, (1, 2), place, reading.strictness):
            if cells[0] in answers:
                reading.strictness.fault(
                    "CB109",
                    "an example is answered twice",
                    place=place,
                    found=cells[0],
                    repair="the first answer is kept",
                )
            answers.setdefault(cells[0], cells)
    rows = decoded(contents(examples, Reading()), examples.name).split("\n")
    for place, row in _examples(rows, examples.name, reading.strictness):
        if answer := answers.pop(row[0], None):
            yield place, [*row[:6], answer[1], *row[7:9], answer[2], *row[10:]]
    for unknown in answers:
        reading.strictness.fault(
            "CB115",
            "an answer is to no example",
            place=Place(source=name),
            found=unknown,
            repair="answer left out",
        )


def _add(
    build: CorpusBuilder, rows: Iterator[tuple[Place, list[str]]], strictness: Strictness
) -> None:
    examples: list[list[str]] = []
    places: list[int] = []
    for place, cells in rows:
        found = [int(cells[at][:9]) for _, _, at in ROLES]
        words = [cells[word] for _, word, _ in ROLES]
        if all(map(cells[1].startswith, words, found)) and all(words):
            examples.append(cells)
            places += found
        else:
            _report_wrong(cells, place, strictness)
    if examples:
        add_examples(build, examples, np.array(places, np.int64).reshape(-1, len(ROLES)))


def _report_wrong(cells: list[str], place: Place, strictness: Strictness) -> None:
    """The first of the words that are not where they should be."""
    text = cells[1]
    spans = [(role, int(cells[at][:9]), cells[word]) for role, word, at in ROLES]
    role, at, word = next(s for s in spans if not s[2] or not text.startswith(s[2], s[1]))
    strictness.fault(
        "CB142",
        f"the text at {at} is {text[at : at + len(word)]!r}",
        place=place,
        found=f"{word!r} as {role}",
        repair="example left out",
    )
