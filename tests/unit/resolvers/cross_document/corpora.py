"""Tiny stories in four topics, each told by several documents, and words in place of a parser."""

import hashlib
from pathlib import Path

import numpy as np

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.resolvers.cross_document.mentions import AnalysedTokens, build_tokens
from corefbench.resolvers.cross_document.vectors import CachedEncoder

STORIES = {
    "1": [("quake", "struck", "Aceh"), ("tremor", "killed", "dozens")],
    "2": [("thief", "stole", "paintings"), ("police", "arrested", "thief")],
    "3": [("actor", "entered", "rehab"), ("star", "left", "clinic")],
    "4": [("court", "sentenced", "senator"), ("judge", "freed", "aide")],
}


def stories(documents: int = 6, name: str = "stories") -> Corpus:
    """Events are the verbs; the verb of a story corefers in all documents of its subtopic."""
    build = CorpusBuilder(name)
    for topic, sentences in STORIES.items():
        for number in range(documents):
            half = number % 2
            subtopic = f"{topic}{'ab'[half]}"
            build.begin_document(f"{topic}_{number}", columns={"topic": topic, "subtopic": subtopic})
            for subject, verb, thing in sentences:
                first = build.position
                place = ("Monday", "Friday")[half]
                build.sentence(["The", subject, verb, thing, "on", place, "."])
                build.mention(f"{subtopic} {verb}", [(first + 2, first + 3)], columns={"kind": "event"})
                build.mention(f"{subtopic} {thing}", [(first + 3, first + 4)], columns={"kind": "entity"})
    return build.finish()


def words(corpus: Corpus, pipeline: str = "en", *, cache: bool = True) -> AnalysedTokens:
    """Every sentence is: a determiner, subject, verb, object, preposition, noun, full stop."""
    forms = list(corpus.tokens.words or ())
    count = len(forms) // 7
    heads = [1, 2, -1, 2, 5, 2, 2]
    return build_tokens(
        corpus,
        [form.lower() for form in forms],
        ["DET", "NOUN", "VERB", "NOUN", "ADP", "PROPN", "PUNCT"] * count,
        [7 * s + h if h >= 0 else -1 for s in range(count) for h in heads],
        ["det", "nsubj", "root", "obj", "case", "obl", "punct"] * count,
    )


class Hashed(CachedEncoder):
    """Vectors that depend on the word alone, without an encoder."""

    def _encode(self, texts):
        flat = [word for some, _ in texts for word in some]
        made = np.zeros((len(flat), 16), np.float32)
        for row, word in enumerate(flat):
            seed = int.from_bytes(hashlib.sha256(word.lower().encode()).digest()[:4], "little")
            made[row] = np.random.default_rng(seed).normal(size=16)
        return made


def hashed(folder: Path):
    """A stand-in for ``Vectoriser``."""
    return lambda name="minilm": Hashed(name, folder=folder)
