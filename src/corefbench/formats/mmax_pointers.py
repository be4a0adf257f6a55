"""Bridging to mentions, and split antecedents, as attributes of MMAX2's markables."""

from collections.abc import Mapping

import numpy as np

from corefbench.model.corpus import Corpus
from corefbench.record import Ints


class Pointers:
    """The relations of a corpus, sorted by document once, not looked through for each."""

    def __init__(self, corpus: Corpus) -> None:
        relations, count = corpus.relations, len(corpus)
        self._relations = relations
        self._chain = corpus.mentions.chain
        anaphors = corpus.mentions.document[relations.bridging_anaphor]
        self._bridging = _by_document(anaphors, count)
        self._split = _by_document(corpus.chains.document[relations.plural], count)

    def of(self, document: int, numbers: Mapping[int, int]) -> dict[int, dict[str, str]]:
        """The attributes of the mentions of a document that have any; ``numbers`` are those of
        its markables."""
        relations, found = self._relations, dict[int, dict[str, str]]()
        first: dict[int, int] = {}
        for mention in numbers:
            first.setdefault(int(self._chain[mention]), mention)

        def point(name: str, anaphor: int, target: int) -> None:
            values = found.setdefault(anaphor, {})
            values[name] = f"{values[name]};" if name in values else ""
            values[name] += f"markable_{numbers[target]}"

        for row in self._bridging[document]:
            anaphor, target = (
                int(relations.bridging_anaphor[row]),
                int(relations.bridging_mention[row]),
            )
            if target in numbers:
                point("bridging_antecedent", anaphor, target)
                if label := relations.bridging_label[row]:
                    found[anaphor]["bridging_relation"] = label
        for row in self._split[document]:
            plural, element = int(relations.plural[row]), int(relations.element[row])
            if plural in first and element in first:
                point("split_antecedent", first[plural], first[element])
        return found


def _by_document(owner: Ints, documents: int) -> list[list[int]]:
    """The rows of each document, in their order.

    >>> _by_document(np.array([1, 0, 1], np.int32), 3)
    [[1], [0, 2], []]
    """
    order = np.argsort(owner, kind="stable")
    edges = np.searchsorted(owner[order], np.arange(documents + 1))
    return [some.tolist() for some in np.split(order, edges[1:-1])] if documents else []
