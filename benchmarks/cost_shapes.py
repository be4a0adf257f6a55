"""Corpora of any number of mentions, in the shapes that are hard on readers and measures."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from corefbench.model.builder import CorpusBuilder
    from corefbench.model.corpus import Corpus
    from corefbench.record import Ints, Longs

_WINDOW = 50


@dataclass(frozen=True)
class Shape:
    """How mentions are laid out, and which of them make a chain."""

    name: str
    title: str
    per_document: int = 0
    """Mentions a document; 0: all in one."""
    per_sentence: int = 10
    """Mentions a sentence; 0: all in one."""
    nested: bool = False
    """Each inside the one before, instead of side by side."""
    chains: str = "windows"
    """Chains of five within fifty mentions, ``one`` chain, or each mention its ``own``."""
    twice: bool = False
    """Every tenth mention stands in two chains."""
    related: bool = False
    """With empty nodes, non-referring mentions, bridging and split antecedents."""
    headed: bool = False
    """With heads and constituency trees, and mentions of the response that are too short."""
    hard: bool = True
    """Not met in life at the largest size."""


SHAPES = (
    Shape("documents", "documents of 50 mentions", per_document=_WINDOW, hard=False),
    Shape("document", "one document", hard=False),
    Shape("one chain", "one document, one chain", chains="one"),
    Shape("singletons", "one document, all singletons", chains="own"),
    Shape("sentence", "one document of one sentence", per_sentence=0),
    Shape("nested", "nested ten deep", nested=True),
    Shape("deep", "all nested in each other", per_sentence=0, nested=True),
    Shape("twice", "documents, every tenth mention twice", per_document=_WINDOW, twice=True),
)
RELATED = Shape("related", "with zeros and relations", per_document=_WINDOW, related=True)
HEADED = Shape(
    "heads", "nested, with heads and trees", per_document=_WINDOW, nested=True, headed=True
)


def corpus(shape: Shape, mentions: int, *, noise: bool = False) -> "Corpus":
    """A corpus of that many mentions, a multiple of fifty; with ``noise`` a response to it, in
    which one mention in seventeen is missing and one in ten stands in another chain."""
    from corefbench.model.builder import CorpusBuilder

    size, build = shape.per_document or mentions, CorpusBuilder("made")
    number = np.arange(mentions)
    document, place = number // size, number % size
    documents = mentions // size
    _text(build, shape, documents, size)
    start, end = _spans(shape, place, size)
    end -= noise & shape.headed & (place % 10 == 2)
    chains, chain = _chains(shape.chains, (place + (noise & (place % 10 == 7))) % size, size)
    build.add_chains([str(n) for n in range(chains)] * documents, _each(documents, chains))
    chain = document * chains + chain
    there = ~(noise & (number % 17 == 5))
    kept = [column[there] for column in (start, end, chain, document)]
    build.add_mentions(kept[0], kept[1], kept[2], document=kept[3].astype(np.int32))
    if shape.twice:
        some = there & (number % 10 == 3)
        again = [column[some] for column in (start, end, chain + 1, document)]
        build.add_mentions(again[0], again[1], again[2], document=again[3].astype(np.int32))
    made = build.finish()
    if shape.headed:
        made = _headed(made)
    return _related(made) if shape.related else made


def _each(documents: int, times: int) -> "Ints":
    return np.repeat(np.arange(documents, dtype=np.int32), times)


def _text(build: "CorpusBuilder", shape: Shape, documents: int, size: int) -> None:
    """The words: one a mention, or two where these are nested."""
    each = 2 if shape.nested else 1
    words = documents * size * each
    length = (shape.per_sentence or size) * each
    build.begin_documents(
        [f"d{n}" for n in range(documents)], np.full(documents, size * each, np.int64)
    )
    build.sentences([f"w{n % 97}" for n in range(words)], np.arange(0, words, length))


def _spans(shape: Shape, place: "Longs", size: int) -> "tuple[Longs, Longs]":
    if not shape.nested:
        return place, place + 1
    length = shape.per_sentence or size
    first, depth = place // length * 2 * length, place % length
    return first + depth, first + 2 * length - depth


def _chains(chains: str, place: "Longs", size: int) -> "tuple[int, Longs]":
    """How many chains a document has, and the chain of each mention."""
    if chains == "one":
        return 1, np.zeros_like(place)
    if chains == "own":
        return size, place
    return size // 5, place // _WINDOW * 10 + place % 10


def _headed(made: "Corpus") -> "Corpus":
    """The corpus with the first word of every mention as its head, and a noun phrase for each."""
    from msgspec.structs import replace

    from corefbench.model.strings import Strings

    opening = np.arange(len(made.tokens)) % 20 < 10
    trees = {
        "parse": Strings.of(np.where(opening, "(NP*", "*)").tolist()),
        "pos": Strings.of(["NN"] * len(made.tokens)),
    }
    return replace(
        made,
        tokens=replace(made.tokens, columns=trees),
        mentions=replace(made.mentions, head=made.mentions.start),
    )


def _related(made: "Corpus") -> "Corpus":
    """The corpus with empty nodes, mentions that do not refer, bridging and split antecedents."""
    from msgspec.structs import replace

    from corefbench.model.corpus import Relations

    number = np.arange(len(made.mentions))
    anaphor = number[number % 10 == 4].astype(np.int32)
    chains = np.arange(0, len(made.chains), 10, dtype=np.int32)
    relations = Relations(
        plural=np.repeat(chains, 2),
        element=np.stack([chains + 1, chains + 2], axis=1).reshape(-1),
        bridging_anaphor=anaphor,
        bridging_mention=anaphor - 1,
        bridging_chain=made.mentions.chain[anaphor - 1],
        bridging_label=("",) * len(anaphor),
    )
    empty = np.arange(int(made.tokens.offsets[-1])) % 10 == 2
    return replace(
        made,
        tokens=replace(made.tokens, empty=empty),
        mentions=replace(made.mentions, referring=number % 10 != 9),
        relations=relations,
    )
