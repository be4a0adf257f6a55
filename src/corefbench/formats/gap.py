"""GAP: ambiguous pronouns, each with two names it may refer to (Webster et al. 2018).

A header and eleven columns divided by tabs: ``ID Text Pronoun Pronoun-offset A A-offset A-coref B
B-offset B-coref URL``; offsets count characters from 0; quotes have no meaning. Every example is a
document with three mentions; those that corefer make one chain, the others stand alone.

What systems answer has no header and three columns, ``ID A-coref B-coref``; the texts then come
from the examples: those given, or ``gap-development.tsv`` and the like beside the answers.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document, Mention
from corefbench.errors import FormatError, Place
from corefbench.formats.base import FormatCard, Reading, require_words
from corefbench.formats.common.decode import read_text
from corefbench.formats.common.spans import token_span
from corefbench.formats.common.tokenize import add_text_document, detokenize, tokenize
from corefbench.formats.source import Source

ROLES = (("pronoun", 2, 3), ("A", 4, 5), ("B", 7, 8))
"""The mentions of an example, each with the columns of its words and of its offset."""

_GENDER = {"he": "masculine", "him": "masculine", "his": "masculine"} | {
    "she": "feminine", "her": "feminine", "hers": "feminine"
}  # fmt: skip

COLUMNS = (
    "ID", "Text", "Pronoun", "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset",
    "B-coref", "URL",
)  # fmt: skip

_ROLE_NAMES = tuple(role for role, *_ in ROLES)
_TRUTH = {"TRUE": True, "FALSE": False}
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
        """Yield one document per example."""
        lines = read_text(source, reading).split("\n")
        build = CorpusBuilder(source.stem, words=reading.words)
        if lines[0].startswith(_HEADER):
            examples = _examples(lines, source.name, reading)
        else:
            examples = _answered_examples(lines, source.name, self._find_examples(source, lines[0]), reading)
        for place, cells in examples:
            _add_example(build, cells, place, reading)
        yield build.finish()

    def _find_examples(self, source: Source, line: str) -> Source:
        """Return the examples that answers refer to: those given, or found by the first id."""
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
        """Write the documents that have a pronoun and two names, as examples or answers."""
        require_words(corpus)
        lines = _answer_lines(corpus) if self.answers else _example_lines(corpus)
        stream.write("".join(lines).encode())


def _add_example(build: CorpusBuilder, cells: list[str], place: Place, reading: Reading) -> None:
    """Add an example as a document; mentions that corefer are the chain of the pronoun."""
    name, text = cells[:2]
    spans: list[tuple[int, int, str]] = []
    for role, column, offset in ROLES:
        words, begin = cells[column], int(cells[offset][:9])
        if not words or not text.startswith(words, begin):
            message = f"the text at {begin} is {text[begin : begin + len(words)]!r}"
            reading.fault("CB142", message, place, f"{words!r} as {role}", "example left out")
            return
        spans.append((begin, begin + len(words), role))
    spans.sort()  # in order of appearance, by which chains are numbered
    columns = {"url": cells[10] if len(cells) > 10 else "", "gender": _GENDER.get(cells[2].lower(), "")}
    breaks = {edge for *span, _ in spans for edge in span}
    tokens = add_text_document(build, name, text, columns=columns, breaks=breaks, tokenized=False, lines=False)
    begins = [begin for begin, _ in tokens]
    corefers = {"pronoun": True, "A": _TRUTH[cells[6].strip().upper()], "B": _TRUTH[cells[9].strip().upper()]}
    for start, end, role in spans:
        label = "pronoun" if corefers[role] else role
        build.mention(label, [token_span(begins, start, end)], columns={"role": role})


def _examples(lines: list[str], name: str, reading: Reading) -> Iterator[tuple[Place, list[str]]]:
    """Yield the rows that have their columns, their offsets and their answers."""
    for number, line in enumerate(lines[1:], 2):
        if not line or line.isspace():
            continue
        cells = line.split("\t")
        place = Place(source=name, line=number)
        if len(cells) < 10 or not all(cells[offset].isdecimal() for *_, offset in ROLES):
            code = "CB110" if len(cells) < 10 else "CB141"
            found, expected = f"{len(cells)} columns", f"{len(COLUMNS)} columns: {' '.join(COLUMNS)}"
            reading.fault(code, "the line is not an example", place, found, "line left out", expected=expected)
        elif _is_answered(cells, (6, 9), place, reading):
            yield place, cells


def _is_answered(cells: list[str], columns: tuple[int, int], place: Place, reading: Reading) -> bool:
    answers = [cells[column].strip().upper() for column in columns]
    if all(answer in _TRUTH for answer in answers):
        return True
    reading.fault("CB143", "an answer is neither TRUE nor FALSE", place, " ".join(answers)[:40], "line left out")
    return False


def _answered_examples(
    lines: list[str], name: str, examples: Source, reading: Reading
) -> Iterator[tuple[Place, list[str]]]:
    """Yield the examples, in their order, with the answers in place of the truth."""
    answers: dict[str, list[str]] = {}
    for number, line in enumerate(lines, 1):
        cells = line.split("\t")
        place = Place(source=name, line=number)
        if not line.strip():
            continue
        if len(cells) != 3:
            found, expected = f"{len(cells)} columns", "3 columns: ID A-coref B-coref"
            reading.fault("CB110", "the line is not an answer", place, found, "line left out", expected=expected)
        elif _is_answered(cells, (1, 2), place, reading):
            if cells[0] in answers:
                repair = "the first answer is kept"
                reading.fault("CB109", "an example is answered twice", place, cells[0], repair)
            answers.setdefault(cells[0], cells)
    rows = read_text(examples, Reading()).split("\n")
    for place, row in _examples(rows, examples.name, reading):
        if answer := answers.pop(row[0], None):
            yield place, [*row[:6], answer[1], *row[7:9], answer[2], *row[10:]]
    for unknown in answers:
        reading.fault("CB115", "an answer is to no example", Place(source=name), unknown, "answer left out")


def _example_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the header and an example for every document that has the three roles."""
    yield "\t".join(COLUMNS) + "\n"
    for document in corpus:
        roles = _roles(document)
        if roles is None:
            continue
        spans = [(mention.start, mention.end) for mention in map(roles.__getitem__, _ROLE_NAMES)]
        text, offsets = detokenize(document, tokenize, spans=spans)
        # One character for one, so that offsets still hold.
        text = "".join(" " if character in "\t\n\r" else character for character in text)
        urls = corpus.documents.columns.get("url")
        row = [document.label, text]
        for role in _ROLE_NAMES:
            mention = roles[role]
            start, end = offsets[mention.start][0], offsets[mention.end - 1][1]
            row += [text[start:end], str(start)]
            if role != "pronoun":
                row.append(_corefers(roles, role))
        row.append(urls[document.index] if urls is not None else "")
        yield "\t".join(row) + "\n"


def _answer_lines(corpus: Corpus) -> Iterator[str]:
    """Yield an answer for every document that has the three roles."""
    for document in corpus:
        roles = _roles(document)
        if roles is not None:
            yield f"{document.label}\t{_corefers(roles, 'A')}\t{_corefers(roles, 'B')}\n"


def _roles(document: Document) -> dict[str, Mention] | None:
    column = document.corpus.mentions.columns.get("role")
    if column is None:
        return None
    roles = {column[mention.index]: mention for mention in reversed(document.mentions)}
    return roles if set(_ROLE_NAMES) <= roles.keys() else None


def _corefers(roles: dict[str, Mention], role: str) -> str:
    return "TRUE" if roles[role].chain.index == roles["pronoun"].chain.index else "FALSE"
