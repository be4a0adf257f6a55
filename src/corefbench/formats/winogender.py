"""Winogender: an occupation, a participant, and a pronoun that means one of them.

``all_sentences.tsv`` has a header, ``sentid`` and ``sentence``; the id tells all:
``technician.customer.1.male.txt``: the pronoun, here a male one, means the occupation (0) or the
participant (1). ``templates.tsv`` has the 120 sentences that these are made from, with
``$OCCUPATION``, ``$PARTICIPANT`` and ``$NOM_PRONOUN`` and the like in their places; it is read as
the 720 sentences: each with the participant and with *someone*, in three genders
(Rudinger et al. 2018).
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO

from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.layout import lay_out, require_words
from corefbench.formats.source import Source
from corefbench.formats.tokenise import tokenise
from corefbench.formats.whole import contents
from corefbench.formats.whole import text as decoded
from corefbench.formats.winogender_mentions import PRONOUNS
from corefbench.formats.winogender_read import ID, Sentences, add_sentences
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

SENTENCES = "sentid\tsentence"
TEMPLATES = "occupation(0)\tother-participant(1)\tanswer\tsentence"
_MANY = 1 << 12
"""So many sentences are read at once: what is known of them fits into the processor's cache."""


class Winogender:
    """Reads the sentences or the templates, and writes sentences.

    >>> row = "technician.customer.1.male.txt\\tThe technician told the customer he could pay."
    >>> text = f"sentid\\tsentence\\n{row}\\n"
    >>> next(Winogender().read(Source.of(text.encode()), Reading()))[0].clusters()
    [[(0, 2)], [(3, 5), (5, 6)]]
    """

    card = FormatCard(
        name="winogender",
        title="Winogender schemas",
        description="Tab-separated sentences, or templates of them, with the answer in the id.",
        extensions=(".tsv",),
        holds=frozenset({"document names", "text", "words"}),
        selects=True,
        cites=("rudinger2018",),
    )

    def recognises(self, head: bytes) -> float:
        """Sure of either header."""
        return 1.0 if head.startswith((SENTENCES.encode(), TEMPLATES.encode())) else 0.0

    def read(self, source: Source, reading: Reading) -> Iterator[Corpus]:
        """A document a sentence."""
        lines = decoded(contents(source, reading), source.name).split("\n")
        rows = _instances(lines) if lines[0].startswith(TEMPLATES) else _rows(lines)
        build = CorpusBuilder(source.stem, words=reading.words)
        while (sentences := Sentences.of(islice(rows, _MANY))).lines:
            add_sentences(build, sentences, source.name, reading)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """The sentences of the documents whose names are ids of sentences."""
        require_words(corpus)
        stream.write(f"{SENTENCES}\n".encode())
        for document in corpus:
            if ID.fullmatch(document.name):
                text = " ".join(lay_out(document, tokenise)[0].split())
                stream.write(f"{document.name}\t{text}\n".encode())


def _rows(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """The number, the id and the sentence of every line after the header that is not blank."""
    for number, line in enumerate(lines[1:], 2):
        name, _, sentence = line.partition("\t")
        name, sentence = name.strip(), sentence.strip()
        if name or sentence:
            yield number, name, sentence


def _instances(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """The same where the lines are templates."""
    for number, line in enumerate(lines[1:], 2):
        if line and not line.isspace():
            yield from ((number, name, text) for name, text in instances(line))


def instances(line: str) -> Iterator[tuple[str, str]]:
    """The six sentences of a template, each with its id.

    >>> rows = instances("cook\\tguest\\t1\\tThe $PARTICIPANT met a $OCCUPATION: $NOM_PRONOUN ate.")
    >>> list(rows)[5]
    ('cook.someone.1.neutral.txt', 'Someone met a cook: they ate.')
    """
    cells = [cell.strip() for cell in line.split("\t")]
    if len(cells) != 4:
        yield "", line
        return
    occupation, participant, answer, template = cells
    for person in (participant, "someone"):
        for gender, pronouns in PRONOUNS.items():
            text = template.replace("$OCCUPATION", occupation)
            if person == "someone":
                text = re.sub(r"\b(?:the|an?) \$PARTICIPANT", "someone", text, flags=re.IGNORECASE)
            text = text.replace("$PARTICIPANT", person)
            for mark, pronoun in pronouns.items():
                text = text.replace(mark, pronoun)
            text = re.sub(r"\bthey was\b", "they were", text)
            yield f"{occupation}.{person}.{answer}.{gender}.txt", text[:1].upper() + text[1:]
