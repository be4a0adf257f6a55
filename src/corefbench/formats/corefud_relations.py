"""Bridging and split antecedents of CorefUD: ``Bridge=e1<e2:part`` and ``SplitAnte=e1<e3,e2<e3``.

The entity after ``<`` begins a mention at this word; the one before it may come later in the
document, so relations wait until all its chains are known.
"""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from corefbench.errors import Place
from corefbench.formats.conllu_rows import Rows
from corefbench.formats.corefud_items import ITEMS, Items
from corefbench.formats.corefud_mentions import Numbered
from corefbench.formats.corefud_place import Faults
from corefbench.model.builder import CorpusBuilder

Item: TypeAlias = tuple[int, str, str]
"""A row, the key of an item, and what it says."""

_Order: TypeAlias = tuple[int, int, int]
"""First row and end (negative) of a mention and its number: sorts as the corpus does."""


def links_of(rows: Rows, items: Items) -> dict[int, list[Item]]:
    """For sentences, by number, the items that link entities."""
    found: dict[int, list[Item]] = {}
    for item in np.flatnonzero(items.kind > 0).tolist():
        row, key = int(items.row[item]), ITEMS[items.kind[item]]
        found.setdefault(int(rows.sentence[row]), []).append((row, key, items.value(rows, item)))
    return found


class Relations:
    """The relations of the open document."""

    def __init__(self, build: CorpusBuilder, faults: Faults) -> None:
        self._build = build
        self._faults = faults
        self._chains: set[str] = set()
        self._bridges: list[tuple[_Order, str, str, Place]] = []
        self._splits: list[tuple[str, str, Place]] = []

    def meet(self, labels: Iterable[str]) -> None:
        """Take in the entities of mentions whose words link nothing."""
        self._chains.update(labels)

    def sentence(self, mentions: list[Numbered], items: Iterable[Item]) -> None:
        """Take in the mentions of a sentence and the items of its words."""
        self._chains.update(label for label, _, _ in mentions)
        for row, key, value in items:
            place = self._faults.place(row)
            # Of two mentions of one entity that begin here, the inner one.
            here = {
                label: (row, -spans[-1][1], number)
                for label, spans, number in mentions
                if spans[0][0] == row
            }
            for link in value.split(","):
                target, _, this = link.partition("<")
                if key == "SplitAnte=":
                    self._splits.append((this, target, place))
                else:
                    self._bridge(here, target, this, place)

    def _bridge(self, here: dict[str, _Order], target: str, this: str, place: Place) -> None:
        label, _, relation = this.partition(":")
        if label in here:
            self._bridges.append((here[label], target, relation, place))
        else:
            self._lost(label, place, "Bridge")

    def _lost(self, label: str, place: Place, item: str) -> None:
        self._faults.strictness.fault(
            "CB115",
            f"{item} names an entity that is not there",
            place=place,
            found=label,
            expected="target<source, the source beginning here" if item == "Bridge" else "",
            repair="relation left out",
        )

    def finish(self) -> None:
        """The document ends: add its relations, in the order of their mentions and chains."""
        for order, target, relation, place in sorted(self._bridges, key=lambda bridge: bridge[0]):
            if target in self._chains:
                self._build.bridge(order[-1], chain=self._build.chain(target), label=relation)
            else:
                self._lost(target, place, "Bridge")
        known = []
        for this, target, place in self._splits:
            if missing := {this, target} - self._chains:
                self._lost(min(missing), place, "SplitAnte")
            else:
                known.append((self._build.chain(this), self._build.chain(target)))
        for plural, element in sorted(known, key=lambda pair: pair[0]):
            self._build.split_antecedent(plural, element)
        self._chains, self._bridges, self._splits = set(), [], []
