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
from typing import BinaryIO

from corefbench.errors import Place
from corefbench.formats.base import FormatCard, Reading
from corefbench.formats.layout import lay_out, require_words, token_span
from corefbench.formats.source import Source
from corefbench.formats.tokenise import Span, tokenise
from corefbench.formats.whole import contents
from corefbench.formats.whole import text as decoded
from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus

SENTENCES = "sentid\tsentence"
TEMPLATES = "occupation(0)\tother-participant(1)\tanswer\tsentence"
PRONOUNS = {
    "male": {"$NOM_PRONOUN": "he", "$POSS_PRONOUN": "his", "$ACC_PRONOUN": "him"},
    "female": {"$NOM_PRONOUN": "she", "$POSS_PRONOUN": "her", "$ACC_PRONOUN": "her"},
    "neutral": {"$NOM_PRONOUN": "they", "$POSS_PRONOUN": "their", "$ACC_PRONOUN": "them"},
}

_ID = re.compile(r"([^.]+)\.([^.]+)\.([01])\.(male|female|neutral)(?:\.txt)?")


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
        build = CorpusBuilder(source.stem, words=reading.words)
        instantiate = lines[0].startswith(TEMPLATES)
        for number, line in enumerate(lines[1:], 2):
            if line.strip():
                place = Place(source=source.name, line=number)
                rows = instances(line) if instantiate else [_row(line)]
                for name, sentence in rows:
                    _add(build, name, sentence, place, reading)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """The sentences of the documents whose names are ids of sentences."""
        require_words(corpus)
        stream.write(f"{SENTENCES}\n".encode())
        for document in corpus:
            if _ID.fullmatch(document.name):
                text = " ".join(lay_out(document, tokenise)[0].split())
                stream.write(f"{document.name}\t{text}\n".encode())


def _row(line: str) -> tuple[str, str]:
    name, _, sentence = line.partition("\t")
    return name.strip(), sentence.strip()


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


def _add(build: CorpusBuilder, name: str, text: str, place: Place, reading: Reading) -> None:
    """The mentions that the id promises: two persons with their articles, and the pronoun."""
    match = _ID.fullmatch(name)
    spans = _spans(text, *match.group(1, 2, 4)) if match else None
    if match is None or spans is None:
        reading.strictness.fault(
            "CB145",
            "the sentence does not have the mentions its id promises",
            place=place,
            found=f"{name} {text}"[:80],
            expected="occupation.participant.0 or 1.male, female or neutral, and their words",
            repair="line left out",
        )
        return
    columns = {"occupation": match[1], "participant": match[2], "gender": match[4]}
    build.begin_document(name, columns=columns, text=text)
    sentences = tokenise(text, [edge for span in spans for edge in span])
    for tokens in sentences:
        build.sentence([text[a:b] for a, b in tokens], offsets=tokens)
    begins = [begin for tokens in sentences for begin, _ in tokens]
    roles = ("occupation", "participant", "pronoun")
    for role, span in zip(roles, spans, strict=True):
        label = roles[int(match[3])] if role == "pronoun" else role
        build.mention(label, [token_span(begins, *span)], columns={"role": role})


def _spans(text: str, occupation: str, participant: str, gender: str) -> list[Span] | None:
    """Where the occupation, the participant and the pronoun stand."""
    people = [
        re.search(rf"\b(?:(?:the|an?) )?{re.escape(person)}\b", text, re.IGNORECASE)
        for person in (occupation, participant)
    ]
    forms = "|".join(sorted(set(PRONOUNS[gender].values())))
    pronoun = re.search(rf"\b(?:{forms})\b", text, re.IGNORECASE)
    found = [*people, pronoun]
    spans = [match.span() for match in found if match is not None]
    return spans if len(spans) == 3 and len(set(spans)) == 3 else None
