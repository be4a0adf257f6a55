"""From the columns of windows to the analysis of a document."""

from collections.abc import Iterator
from itertools import pairwise

from corefbench.preprocess.analysis import Analysis, Entity
from corefbench.preprocess.base import Input
from corefbench.preprocess.compose import compose
from corefbench.preprocess.joint_model import Columns


class Reading:
    """One document, window by window."""

    def __init__(self, given: Input) -> None:
        self.given = given
        self.offsets: list[tuple[int, int]] = []
        self.columns = Columns([], [], [], [], [], [], [], [])
        self._root = -1

    def add(self, offsets: tuple[tuple[int, int], ...], columns: Columns, *, within: bool) -> None:
        """Take the words of a window; ``within`` a sentence its root hangs on the one before."""
        first = len(self.offsets)
        self.offsets += offsets
        heads = [first + head if head >= 0 else -1 for head in columns.heads]
        relations = columns.relations
        if within:
            root = heads.index(-1)
            heads[root], relations[root] = self._root, "parataxis"
        if -1 in heads:
            self._root = first + len(heads) - 1 - heads[::-1].index(-1)
        found = columns._replace(heads=heads, relations=relations)
        for name in Columns._fields:
            getattr(self.columns, name).extend(getattr(found, name))

    def analysis(self, pipeline: str) -> Analysis:
        """The document."""
        found = self.columns
        sentences = self.given.sentences
        if sentences is None:
            begins = [place for place, starts in enumerate(found.starts) if starts]
            sentences = tuple(pairwise([*begins, len(self.offsets)]))
        return compose(
            self.given,
            words=[self.given.text[begin:end] for begin, end in self.offsets],
            offsets=self.offsets,
            sentences=sentences,
            lemmas=found.lemmas,
            upos=found.upos,
            xpos=found.xpos,
            features=found.features,
            heads=found.heads,
            relations=found.relations,
            entities=list(entities(found.entities)),
            pipeline=pipeline,
        )


def entities(tags: list[str]) -> Iterator[Entity]:
    """The entities of a row of tags; one that nothing begins begins itself.

    >>> [(e.start, e.end, e.type) for e in entities(["B-person", "I-person", "O", "I-place"])]
    [(0, 2, 'person'), (3, 4, 'place')]
    """
    begin, kind = -1, ""
    for place, tag in enumerate([*tags, "O"]):
        mark, _, found = tag.partition("-")
        if begin >= 0 and (mark != "I" or found != kind):
            yield Entity(start=begin, end=place, type=kind)
            begin = -1
        if mark != "O" and begin < 0:
            begin, kind = place, found
