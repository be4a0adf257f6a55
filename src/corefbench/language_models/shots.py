"""Examples for a prompt: passages of a training corpus, drawn by a seed."""

import random
from collections import Counter
from collections.abc import Collection

from corefbench.errors import UsageError
from corefbench.language_models.passage import Passage, passage_of
from corefbench.language_models.windows import windows
from corefbench.model.corpus import Corpus
from corefbench.record import Record

WORDS = 150
"""How long an example is at most, where windows are not shorter."""


class Shot(Record, frozen=True):
    """The beginning of a document that serves as an example."""

    passage: Passage
    start: int
    end: int


def shots(
    train: Corpus,
    count: int,
    *,
    seed: int = 0,
    size: int = WORDS,
    singletons: bool = True,
    without: Collection[str] = (),
) -> list[Shot]:
    """The beginnings of so many documents, none ``without``, that have a chain of two mentions.

    >>> from corefbench.bundled import bundled
    >>> [shot.passage.label for shot in shots(bundled(), 2, seed=0)]
    ['instructions-paper-jam', 'story-lighthouse']
    """
    order = list(range(len(train)))
    random.Random(seed).shuffle(order)
    found: list[Shot] = []
    for number in order:
        if len(found) == count:
            break
        if train[number].label in without:
            continue
        passage = passage_of(train[number], singletons=singletons)
        for start, end in windows(len(passage.words), passage.sentences, size, 0)[:1]:
            sizes = Counter(label for *_, label in passage.within(start, end))
            if any(size > 1 for size in sizes.values()):
                found.append(Shot(passage=passage, start=start, end=end))
    if len(found) < count:
        raise UsageError(
            "the training corpus has too few documents for so many examples",
            found=f"{len(found)} that can be used",
            expected=f"{count}, none of them in the corpus of the prompts",
        )
    return found
