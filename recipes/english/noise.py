"""Variants of a paragraph as careless writers and careless converters produce them."""

from collections.abc import Callable, Iterator
from random import Random

from recipes.english.conllu import Paragraph, Word

Change = Callable[[Paragraph], Paragraph]

CURLY = str.maketrans({"'": "’", "`": "‘"})
STRAIGHT = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})


def _respell(spell: Callable[[str], str]) -> Change:
    def change(paragraph: Paragraph) -> Paragraph:
        return paragraph._replace(
            sentences=[
                [word._replace(form=_same_length(spell, word.form)) for word in sentence]
                for sentence in paragraph.sentences
            ]
        )

    return change


def _same_length(spell: Callable[[str], str], form: str) -> str:
    changed = spell(form)
    return changed if len(changed) == len(form) else form


def _capitalise(form: str) -> str:
    return form[:1].upper() + form[1:] if len(form) > 3 else form


def _turn_quotes(paragraph: Paragraph) -> Paragraph:
    """Straight quotes become curly ones where the text has straight ones, else the reverse."""
    if any(mark in word.form for word in paragraph.words for mark in "‘’“”"):
        return _respell(lambda form: form.translate(STRAIGHT))(paragraph)
    sentences = []
    for sentence in paragraph.sentences:
        opening = True
        turned: list[Word] = []
        for word in sentence:
            form = word.form.translate(CURLY)
            if form == '"':
                form, opening = ("“", False) if opening else ("”", True)
            turned.append(word._replace(form=form))
        sentences.append(turned)
    return paragraph._replace(sentences=sentences)


def _drop_final_punctuation(paragraph: Paragraph) -> Paragraph:
    """The last mark goes, as in headings and lists, unless something hangs on it."""
    last = paragraph.sentences[-1]
    if len(last) < 3 or last[-1].upos != "PUNCT" or last[-1].form in ")]}\"'”’":
        return paragraph
    if last[-1].head == 0 or any(word.head == len(last) for word in last):
        return paragraph
    shorter = [*last[:-2], last[-2]._replace(space=True)]
    return paragraph._replace(sentences=[*paragraph.sentences[:-1], shorter])


# How often each variant is added to the paragraph itself.
VARIANTS: list[tuple[float, Change]] = [
    (0.06, _respell(str.lower)),
    (0.03, _respell(str.upper)),
    (0.02, _respell(_capitalise)),
    (0.12, _drop_final_punctuation),
    (0.15, _turn_quotes),
]
JOINED = 0.12


def with_variants(paragraphs: list[Paragraph], random: Random) -> Iterator[Paragraph]:
    """Every paragraph, then its variants; some are joined with the next as if a break was lost."""
    for paragraph, following in zip(paragraphs, [*paragraphs[1:], None], strict=True):
        yield paragraph
        for share, change in VARIANTS:
            if random.random() < share and (changed := change(paragraph)) != paragraph:
                yield changed
        if following and following.document == paragraph.document and random.random() < JOINED:
            yield join(paragraph, following)


def join(first: Paragraph, second: Paragraph) -> Paragraph:
    """Two paragraphs as one, a space between them."""
    *before, last = first.sentences
    spaced = [*last[:-1], last[-1]._replace(space=True)]
    return Paragraph(first.document, [*before, spaced, *second.sentences])
