"""UD EWT and the freely licensed part of GUM as spaCy training data.

A training document is a paragraph: the loader of the shipped pipeline cuts texts at blank lines, so
that is what the parser will see. EWT has no entities: its words carry none, which spaCy reads as
"unknown", not as "outside".
"""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from recipes.english import entities
from recipes.english.conllu import Paragraph, read
from recipes.english.noise import with_variants

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
        ents=[tag for s in paragraph.sentences for tag in entities.tags(s)] if typed else None,
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
