"""Winogender sentences as documents, all at once."""

import re
from collections.abc import Iterable
from itertools import compress
from typing import NamedTuple

import numpy as np

from corefbench.errors import Place
from corefbench.formats.base import Reading
from corefbench.formats.segments import starts_of
from corefbench.formats.text_documents import add_documents
from corefbench.formats.tokenise import segment_texts
from corefbench.formats.winogender_mentions import find_mentions
from corefbench.formats.winogender_plain import find_plain
from corefbench.model.builder import CorpusBuilder
from corefbench.record import Longs

ID = re.compile(r"([^.]+)\.([^.]+)\.([01])\.(male|female|neutral)(?:\.txt)?")
_NO_ID = ("", "", "", "")
_ROLES = ["occupation", "participant", "pronoun"]


class Sentences(NamedTuple):
    """Sentences as columns, with what their ids say: nothing where that is no id."""

    lines: list[int]
    names: list[str]
    texts: list[str]
    occupations: list[str]
    participants: list[str]
    answers: list[str]
    genders: list[str]

    @classmethod
    def of(cls, rows: Iterable[tuple[int, str, str]]) -> "Sentences":
        """Those of some rows: the number of a line, an id and a sentence."""
        lines: list[int] = []
        cells: list[str] = []  # all in one, as lists by row would keep the garbage collector busy
        for line, name, text in rows:
            match = ID.fullmatch(name)
            lines.append(line)
            cells += name, text
            cells += match.groups() if match else _NO_ID
        return cls(lines, *(cells[column::6] for column in range(6)))

    def where(self, kept: list[bool]) -> "Sentences":
        """Those that are kept."""
        lines, *columns = self
        return Sentences(list(compress(lines, kept)), *(list(compress(c, kept)) for c in columns))


def add_sentences(
    build: CorpusBuilder, sentences: Sentences, source: str, reading: Reading
) -> None:
    """Make a document of every sentence that has the mentions its id promises; report others."""
    _, _, texts, occupations, participants, _, genders = sentences
    edges = find_plain(texts, occupations, participants, genders)
    for row in np.flatnonzero(edges[:, 0] < 0).tolist():
        found = find_mentions(texts[row], occupations[row], participants[row], genders[row])
        if found is not None:
            edges[row] = found
        else:
            _report(sentences, row, source, reading)
    kept = edges[:, 0] >= 0
    if not kept.all():
        sentences = sentences.where(kept.tolist())
    if kept.any():
        _add(build, sentences, edges[kept])


def _add(build: CorpusBuilder, sentences: Sentences, edges: Longs) -> None:
    """Make documents of all sentences, given where their mentions begin and end."""
    _, names, texts, occupations, participants, answers, genders = sentences
    edges = edges + starts_of(texts)[:, None]
    tokens = segment_texts(texts, edges.ravel(), tokenised=False)
    columns = {"occupation": occupations, "participant": participants, "gender": genders}
    first = build.document_count
    add_documents(build, names, texts, tokens, columns=columns)
    bounds = np.searchsorted(tokens.begin, edges) - tokens.offsets[:-1, None]
    document = np.arange(first, build.document_count, dtype=np.int32)
    # Two chains a document; the pronoun is in the first or in the second.
    chain = np.tile(np.array([0, 1, 0]), (len(names), 1))
    chain[:, 2] = np.frombuffer("".join(answers).encode(), np.uint8) == ord("1")
    chain += 2 * document[:, None]
    build.add_chains(_ROLES[:2] * len(names), np.repeat(document, 2))
    build.add_mentions(
        bounds[:, 0::2].ravel(),
        bounds[:, 1::2].ravel(),
        chain.ravel(),
        document=np.repeat(document, len(_ROLES)),
        full={"role": _ROLES * len(names)},
    )


def _report(sentences: Sentences, row: int, source: str, reading: Reading) -> None:
    reading.strictness.fault(
        "CB145",
        "the sentence does not have the mentions its id promises",
        place=Place(source=source, line=sentences.lines[row]),
        found=f"{sentences.names[row]} {sentences.texts[row]}"[:80],
        expected="occupation.participant.0 or 1.male, female or neutral, and their words",
        repair="line left out",
    )
