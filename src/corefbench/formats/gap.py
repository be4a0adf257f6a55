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
from corefbench.diagnostics import Strictness
from corefbench.errors import FormatError, Place
from corefbench.formats.base import FormatCard, Reading, require_words
from corefbench.formats.common.decode import decode_text, read_bytes
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
        lines = decode_text(read_bytes(source, reading), source.name).split("\n")
        build = CorpusBuilder(source.stem, words=reading.words)
        if lines[0].startswith(_HEADER):
            _add_examples(build, _examples(lines, source.name, reading.strictness), reading.strictness)
        else:
            rows = _answered_examples(lines, source.name, self._find_examples(source, lines[0]), reading)
            _add_examples(build, rows, reading.strictness)
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


def _add_example(build: CorpusBuilder, cells: list[str], begins: list[int]) -> None:
    """Add an example as a document; mentions that corefer are the chain of the pronoun."""
    name, text = cells[:2]
    spans = [(begin, begin + len(cells[word])) for begin, (_, word, _) in zip(begins, ROLES, strict=True)]
    columns = {"url": cells[10] if len(cells) > 10 else "", "gender": _GENDER.get(cells[2].lower(), "")}
    breaks = {edge for span in spans for edge in span}
    tokens = add_text_document(build, name, text, columns=columns, breaks=breaks, tokenized=False, lines=False)
    token_begins = [begin for begin, _ in tokens]
    corefers = {"pronoun": True, "A": _TRUTH[cells[6].strip().upper()], "B": _TRUTH[cells[9].strip().upper()]}
    # In order of appearance, by which chains are numbered.
    by_span = sorted(zip(spans, ROLES, strict=True), key=lambda item: item[0])
    for span, (role, *_) in by_span:
        label = "pronoun" if corefers[role] else role
        build.mention(label, [token_span(token_begins, *span)], columns={"role": role})


def _examples(lines: list[str], name: str, strictness: Strictness) -> Iterator[tuple[Place, list[str]]]:
    """Yield the rows that have their columns, their offsets and their answers."""
    for number, line in enumerate(lines[1:], 2):
        if not line or line.isspace():
            continue
        cells = line.split("\t")
        place = Place(source=name, line=number)
        if len(cells) < 10 or not all(cells[offset].isdecimal() for *_, offset in ROLES):
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


def _is_answered(cells: list[str], columns: tuple[int, int], place: Place, strictness: Strictness) -> bool:
    answers = [cells[column].strip().upper() for column in columns]
    if all(answer in _TRUTH for answer in answers):
        return True
    strictness.fault(
        "CB143",
        "an answer is neither TRUE nor FALSE",
        place=place,
        found=" ".join(answers)[:40],
        repair="line left out",
    )
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
            reading.fault(
                "CB110",
                "the line is not an answer",
                place,
                f"{len(cells)} columns",
                "line left out",
                expected="3 columns: ID A-coref B-coref",
            )
        elif _is_answered(cells, (1, 2), place, reading.strictness):
            if cells[0] in answers:
                reading.fault("CB109", "an example is answered twice", place, cells[0], "the first answer is kept")
            answers.setdefault(cells[0], cells)
    rows = decode_text(read_bytes(examples, Reading()), examples.name).split("\n")
    for place, row in _examples(rows, examples.name, reading.strictness):
        if answer := answers.pop(row[0], None):
            yield place, [*row[:6], answer[1], *row[7:9], answer[2], *row[10:]]
    for unknown in answers:
        reading.fault("CB115", "an answer is to no example", Place(source=name), unknown, "answer left out")


def _add_examples(build: CorpusBuilder, rows: Iterator[tuple[Place, list[str]]], strictness: Strictness) -> None:
    for place, cells in rows:
        text, begins = cells[1], [int(cells[offset][:9]) for _, _, offset in ROLES]
        for begin, (role, word, _) in zip(begins, ROLES, strict=True):
            if not cells[word] or not text.startswith(cells[word], begin):
                strictness.fault(
                    "CB142",
                    f"the text at {begin} is {text[begin : begin + len(cells[word])]!r}",
                    place=place,
                    found=f"{cells[word]!r} as {role}",
                    repair="example left out",
                )
                break
        else:
            _add_example(build, cells, begins)


def _example_lines(corpus: Corpus) -> Iterator[str]:
    """Yield the header and an example for every document that has the three roles."""
    yield "\t".join(COLUMNS) + "\n"
    for document in corpus:
        roles = _roles(document)
        if roles is None:
            continue
        spans = [(mention.start, mention.end) for mention in map(roles.__getitem__, _ROLE_NAMES)]
        text, offsets = detokenize(document, tokenize, spans=spans)
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
