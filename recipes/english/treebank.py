"""UD EWT and GUM as training data of the English pipeline.

A training document is a paragraph: the loader of the shipped pipeline cuts texts at blank lines, so
that is what the parser will see. EWT has no entities: its words carry none, which spaCy reads as
"unknown", not as "outside".
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab


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


BRACKET = re.compile(r"\((?P<open>[^()]+)(?P<single>\))?|(?P<close>[^()]+)\)")
NAME_RELATIONS = {"flat", "compound", "goeswith"}


def tags(sentence: list[Word]) -> list[str]:
    """IOB tags of a sentence, one per word."""
    found = ["O"] * len(sentence)
    spans = {_name(sentence, *mention): kind for *mention, kind in _mentions(sentence)}
    for begin, end in sorted(spans, key=lambda span: (span[0] - span[1], span)):
        kind = spans[begin, end]
        if sentence[end - 1].upos == "PRON" or any(tag != "O" for tag in found[begin:end]):
            continue
        found[begin:end] = [f"B-{kind}"] + [f"I-{kind}"] * (end - begin - 1)
    return found


def _mentions(sentence: list[Word]) -> Iterator[tuple[int, int, str]]:
    opened: dict[str, list[tuple[int, str]]] = {}
    for position, word in enumerate(sentence):
        cell = next((m[7:] for m in word.misc.split("|") if m.startswith("Entity=")), "")
        for bracket in BRACKET.finditer(cell):
            if bracket["close"]:
                waiting = opened.get(bracket["close"].split("-")[0])
                if waiting:
                    begin, kind = waiting.pop()
                    yield begin, position + 1, kind
                continue
            identity, kind = bracket["open"].split("-")[:2]
            if bracket["single"]:
                yield position, position + 1, kind
            else:
                opened.setdefault(identity, []).append((position, kind))


def _name(sentence: list[Word], begin: int, end: int) -> tuple[int, int]:
    """The head of a mention, widened to the neighbours that make up its name."""
    inside = range(begin, end)
    head = next((i for i in inside if sentence[i].head - 1 not in inside), end - 1)
    if sentence[head].upos != "PROPN":
        return head, head + 1
    first, last = head, head
    while first > begin and _joins(sentence, first - 1, head):
        first -= 1
    while last + 1 < end and _joins(sentence, last + 1, head):
        last += 1
    while sentence[last].upos == "PUNCT":
        last -= 1
    while sentence[first].upos == "PUNCT":
        first += 1
    return first, last + 1


def _joins(sentence: list[Word], position: int, head: int) -> bool:
    """Whether a word hangs on the head by naming relations only (hyphens included)."""
    if sentence[position].xpos == "HYPH":
        return True
    for _ in sentence:
        if position == head:
            return True
        if sentence[position].relation.split(":")[0] not in NAME_RELATIONS:
            return False
        position = sentence[position].head - 1
    return False


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


# GUM's LICENSE.txt: the first five are CC BY-NC-SA. It names no licence for conversations, which
# come from another corpus with terms of its own. Weights that ship have seen neither.
NOT_FREE = {"essay", "fiction", "letter", "podcast", "whow", "conversation", "reddit"}
SOURCES = [
    {
        "name": "UD English EWT (train)",
        "url": "https://github.com/UniversalDependencies/UD_English-EWT",
        "license": "CC BY-SA 4.0",
    },
    {
        "name": "GUM v11 (train; without the genres that NOTICE lists)",
        "url": "https://github.com/amir-zeldes/gum",
        "license": "CC BY 4.0 (annotation); CC BY, CC BY-SA or by source (texts, see NOTICE)",
    },
]
ATTRIBUTES = ["TAG", "POS", "MORPH", "LEMMA", "HEAD", "DEP", "ENT_IOB", "ENT_TYPE", "SPACY"]


def ewt(data: Path, part: str) -> list[Paragraph]:
    """EWT's train, dev or test."""
    return list(read(data / "ud-ewt" / f"ewt-{part}.conllu"))


def gum(data: Path, part: str, *, free: bool) -> list[Paragraph]:
    """GUM's train, dev, test or test2; ``free`` leaves out the genres that may not be shipped."""
    return [
        paragraph
        for name in gum_documents(data, part)
        if not (free and genre(name) in NOT_FREE)
        for paragraph in read(data / "gum" / "dep" / f"{name}.conllu")
    ]


def genre(name: str) -> str:
    """The genre in the name of a document of GUM ("GUM_news_afghan")."""
    return name.split("_")[1]


def gum_documents(data: Path, part: str) -> list[str]:
    """The documents of a part as ``splits.md`` lists them, without the absent ones."""
    found, inside = [], False
    for line in (data / "gum" / "splits.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            inside = line.removeprefix("## ").strip() == part
        elif inside and line.strip().startswith("* "):
            found.append(line.strip().removeprefix("* "))
    return [name for name in found if (data / "gum" / "dep" / f"{name}.conllu").exists()]


def to_doc(vocab: Vocab, paragraph: Paragraph) -> Doc:
    """A paragraph as a spaCy document with all its annotation."""
    words = paragraph.words
    offset, heads = 0, []
    for sentence in paragraph.sentences:
        heads += [offset + (word.head or i + 1) - 1 for i, word in enumerate(sentence)]
        offset += len(sentence)
    typed = any("Entity=" in word.misc for word in words) or paragraph.document.startswith("G")
    return Doc(
        vocab,
        words=[word.form for word in words],
        spaces=[word.space for word in words[:-1]] + [False],
        tags=[word.xpos for word in words],
        pos=[word.upos for word in words],
        morphs=["" if word.feats == "_" else word.feats for word in words],
        lemmas=[word.form if word.lemma == "_" else word.lemma for word in words],
        heads=heads,
        deps=["ROOT" if word.relation == "root" else word.relation for word in words],
        ents=[tag for s in paragraph.sentences for tag in tags(s)] if typed else None,
    )


def write(paragraphs: Iterable[Paragraph], path: Path) -> None:
    """Paragraphs as a file that ``spacy train`` reads."""
    vocab = Vocab()
    docs = DocBin(attrs=ATTRIBUTES)
    for paragraph in paragraphs:
        docs.add(to_doc(vocab, paragraph))
    docs.to_disk(path)


def training(data: Path, seed: int) -> Iterator[Paragraph]:
    """What the weights are trained on."""
    random = Random(seed)
    yield from with_variants(ewt(data, "train"), random)
    yield from with_variants(gum(data, "train", free=True), random)


def prepare(data: Path, folder: Path, seed: int) -> None:
    """Write ``train.spacy`` and ``dev.spacy``."""
    folder.mkdir(parents=True, exist_ok=True)
    write(training(data, seed), folder / "train.spacy")
    write(ewt(data, "dev") + gum(data, "dev", free=True), folder / "dev.spacy")


def hashes(data: Path) -> dict[str, str]:
    """SHA-256 of what was read, to be named in the model's ``meta.json``."""
    gum_files = [
        data / "gum" / "dep" / f"{name}.conllu"
        for part in ("train", "dev")
        for name in gum_documents(data, part)
        if genre(name) not in NOT_FREE
    ]
    files = {
        "ud-ewt train": [data / "ud-ewt" / "ewt-train.conllu"],
        "ud-ewt dev": [data / "ud-ewt" / "ewt-dev.conllu"],
        "gum train and dev, as used": sorted(gum_files),
    }
    return {name: _digest(paths) for name, paths in files.items()}


def _digest(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()
