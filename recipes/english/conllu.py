"""CoNLL-U files as paragraphs of words with character offsets."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Word(NamedTuple):
    """A syntactic word: its ten columns as far as they are used, and whether a space follows."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: int
    relation: str
    misc: str
    space: bool


class Paragraph(NamedTuple):
    """Sentences that the text prints as one block; ``head`` counts from 1, 0 is the root."""

    document: str
    sentences: list[list[Word]]

    @property
    def words(self) -> list[Word]:
        return [word for sentence in self.sentences for word in sentence]

    @property
    def text(self) -> str:
        return "".join(word.form + " " * word.space for word in self.words).rstrip()


def read(path: Path) -> Iterator[Paragraph]:
    """The paragraphs of a file, in order; a document also begins a paragraph."""
    document, sentences = path.stem, list[list[Word]]()
    for comments, rows in _blocks(path):
        if sentences and any(line.startswith(("# newpar", "# newdoc")) for line in comments):
            yield Paragraph(document, sentences)
            sentences = []
        for line in comments:
            if line.startswith("# newdoc id = "):
                document = line.removeprefix("# newdoc id = ")
        sentences.append(_words(rows))
    if sentences:
        yield Paragraph(document, sentences)


def _blocks(path: Path) -> Iterator[tuple[list[str], list[list[str]]]]:
    comments: list[str] = []
    rows: list[list[str]] = []
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith("#"):
                comments.append(line)
            elif line:
                rows.append(line.split("\t"))
            elif rows:
                yield comments, rows
                comments, rows = [], []
    if rows:
        yield comments, rows


def _words(rows: list[list[str]]) -> list[Word]:
    """The words of a sentence; inside a multiword token ("don't") no space follows."""
    words: list[Word] = []
    last_of_token, space_after_token = 0, True
    for row in rows:
        if "." in row[0]:  # an empty node of the enhanced graph
            continue
        space = "SpaceAfter=No" not in row[9].split("|")
        if "-" in row[0]:
            last_of_token, space_after_token = int(row[0].split("-")[1]), space
            continue
        number = int(row[0])
        if number < last_of_token:
            space = False
        elif number == last_of_token:
            space = space_after_token
        form, lemma, upos, xpos, feats, head, relation = row[1:8]
        words.append(Word(form, lemma, upos, xpos, feats, int(head), relation, row[9], space))
    return words
