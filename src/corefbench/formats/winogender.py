"""Winogender: an occupation, a participant, and a pronoun that refers to one of them.

``all_sentences.tsv`` has a header, ``sentid`` and ``sentence``; the id tells all:
``technician.customer.1.male.txt``: the pronoun, here a male one, refers to the occupation (0) or
the participant (1). ``templates.tsv`` has the 120 sentences that these are made from, with
``$OCCUPATION``, ``$PARTICIPANT`` and ``$NOM_PRONOUN`` and the like in their places; it is read as
the 720 sentences: each with the participant and with *someone*, in three genders
(Rudinger et al. 2018).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import BinaryIO, NamedTuple, TypeAlias

import numpy as np

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.errors import Place
from corefbench.formats.base import FormatCard, Reading, require_words
from corefbench.formats.common.decode import read_text
from corefbench.formats.common.spans import Span
from corefbench.formats.common.tokenize import add_text_documents, detokenize, segment_texts, text_starts, tokenize
from corefbench.formats.source import Source

SENTENCES = "sentid\tsentence"
TEMPLATES = "occupation(0)\tother-participant(1)\tanswer\tsentence"
SENTENCE_ID = re.compile(r"([^.]+)\.([^.]+)\.([01])\.(male|female|neutral)(?:\.txt)?")
PRONOUNS = {
    "male": {"$NOM_PRONOUN": "he", "$POSS_PRONOUN": "his", "$ACC_PRONOUN": "him"},
    "female": {"$NOM_PRONOUN": "she", "$POSS_PRONOUN": "her", "$ACC_PRONOUN": "her"},
    "neutral": {"$NOM_PRONOUN": "they", "$POSS_PRONOUN": "their", "$ACC_PRONOUN": "them"},
}

_ROLES = ["occupation", "participant", "pronoun"]
_ARTICLES = ("the ", "an ", "a ")
_WORD_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")
_Search: TypeAlias = Callable[[str], re.Match[str] | None]
_FIND_PRONOUN: dict[str, _Search] = {
    gender: re.compile(rf"\b(?:{'|'.join(sorted(set(forms.values())))})\b", re.IGNORECASE).search
    for gender, forms in PRONOUNS.items()
}


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
        """One document per sentence that has the mentions its id promises; others are faults."""
        lines = read_text(source, reading).split("\n")
        rows = _expand_templates(lines) if lines[0].startswith(TEMPLATES) else _rows(lines)
        sentences: list[_Sentence] = []
        for line, name, text in rows:
            match = SENTENCE_ID.fullmatch(name)
            edges = _find_mentions(text, match[1], match[2], match[4]) if match else None
            if match is None or edges is None:
                reading.fault(
                    "CB145",
                    "the sentence does not have the mentions its id promises",
                    Place(source=source.name, line=line),
                    f"{name} {text}"[:80],
                    "line left out",
                    expected="occupation.participant.0 or 1.male, female or neutral, and their words",
                )
            else:
                occupation, participant, answer, gender = match.groups()
                sentences.append(_Sentence(name, text, occupation, participant, answer, gender, edges))
        build = CorpusBuilder(source.stem, words=reading.words)
        if sentences:
            _add_documents(build, sentences)
        yield build.finish()

    def write(self, corpus: Corpus, stream: BinaryIO) -> None:
        """Write the sentences of the documents whose names are ids of sentences."""
        require_words(corpus)
        stream.write(f"{SENTENCES}\n".encode())
        for document in corpus:
            if SENTENCE_ID.fullmatch(document.name):
                text = " ".join(detokenize(document, tokenize)[0].split())
                stream.write(f"{document.name}\t{text}\n".encode())


class _Sentence(NamedTuple):
    """A sentence whose mentions were found."""

    name: str
    text: str
    occupation: str
    participant: str
    answer: str
    gender: str
    edges: tuple[int, int, int, int, int, int]
    """Where the occupation, the participant and the pronoun begin and end."""


def expand_template(line: str) -> Iterator[tuple[str, str]]:
    """Yield the six sentences of a template, each with its id.

    >>> line = "cook\\tguest\\t1\\tThe $PARTICIPANT met a $OCCUPATION: $NOM_PRONOUN ate."
    >>> list(expand_template(line))[5]
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


def _rows(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the number, the id and the sentence of every line that is not blank."""
    for number, line in enumerate(lines[1:], 2):
        name, _, sentence = line.partition("\t")
        name, sentence = name.strip(), sentence.strip()
        if name or sentence:
            yield number, name, sentence


def _expand_templates(lines: list[str]) -> Iterator[tuple[int, str, str]]:
    """Yield the same for lines that are templates."""
    for number, line in enumerate(lines[1:], 2):
        if line and not line.isspace():
            yield from ((number, name, text) for name, text in expand_template(line))


def _add_documents(build: CorpusBuilder, sentences: Sequence[_Sentence]) -> None:
    """Add all sentences at once: a corpus of many small documents is built faster by columns."""
    names, texts, occupations, participants, answers, genders, edges = zip(*sentences, strict=True)
    position = np.array(edges, np.int64) + text_starts(texts)[:, None]
    tokens = segment_texts(texts, position.ravel(), tokenized=False)
    columns = {"occupation": occupations, "participant": participants, "gender": genders}
    add_text_documents(build, names, texts, tokens, columns=columns)
    bounds = np.searchsorted(tokens.begin, position) - tokens.offsets[:-1, None]
    document = np.arange(len(names), dtype=np.int32)
    # Two chains per document; the pronoun is in the first or in the second.
    chain = np.tile(np.array([0, 1, 0]), (len(names), 1))
    chain[:, 2] = [answer == "1" for answer in answers]
    chain += 2 * document[:, None]
    build.add_chains(_ROLES[:2] * len(names), np.repeat(document, 2))
    build.add_mentions(
        bounds[:, 0::2].ravel(),
        bounds[:, 1::2].ravel(),
        chain.ravel(),
        document=np.repeat(document, len(_ROLES)),
        full={"role": _ROLES * len(names)},
    )


def _find_mentions(
    text: str, occupation: str, participant: str, gender: str
) -> tuple[int, int, int, int, int, int] | None:
    """Return the edges of both persons, with their articles, and of the pronoun.

    None unless all three are there, each in a place of its own.

    >>> _find_mentions("The cook met a guest as he left.", "cook", "guest", "male")
    (0, 8, 13, 20, 24, 26)
    """
    match = _FIND_PRONOUN[gender](text)
    first, second = (_find_person(text, person) for person in (occupation, participant))
    if first is None or second is None or match is None:
        return None
    pronoun = match.span()
    return None if first == second or pronoun in (first, second) else (*first, *second, *pronoun)


def _find_person(text: str, person: str) -> Span | None:
    """Return the span of a person, in any case and with the article before it."""
    name, lowered = person.lower(), text.lower()
    # A pattern per person would be compiled anew for most sentences; names that begin and end in
    # ASCII letters, as all do, are found without one.
    if not text.isascii() or not {name[:1], name[-1:]} <= _WORD_CHARACTERS:
        pattern = rf"\b(?:(?:the|an?) )?{re.escape(person)}\b"
        match = re.search(pattern, text, re.IGNORECASE)
        return match.span() if match is not None else None
    begin = lowered.find(name)
    while begin >= 0:
        end = begin + len(name)
        if lowered[end : end + 1] not in _WORD_CHARACTERS and not (begin and lowered[begin - 1] in _WORD_CHARACTERS):
            return _include_article(lowered, begin), end
        begin = lowered.find(name, begin + 1)
    return None


def _include_article(text: str, begin: int) -> int:
    """Return where a noun begins together with the article before it, if there is one."""
    for article in _ARTICLES:
        if text.endswith(article, 0, begin):
            before = begin - len(article)
            return begin if before and text[before - 1] in _WORD_CHARACTERS else before
    return begin
