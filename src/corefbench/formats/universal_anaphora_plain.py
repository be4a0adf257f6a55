"""A plain block of CONLL-UA as a corpus: markables that nest, each with an entity, and relations
that name what is there."""

import re
from typing import TypeAlias

import numpy as np

from corefbench.formats.appearance import by_appearance
from corefbench.formats.base import Reading
from corefbench.formats.conllu import Comments
from corefbench.formats.conllu_rows import Rows
from corefbench.formats.plain import require
from corefbench.formats.universal_anaphora_brackets import Brackets
from corefbench.formats.universal_anaphora_columns import (
    COLUMNS,
    NOT_COLUMNS,
    PSEUDO,
    attributes_of,
    minimal_span,
    positions,
)
from corefbench.formats.universal_anaphora_rows import plain_rows
from corefbench.model.builder import CorpusBuilder, labels
from corefbench.model.corpus import Chains, Corpus, Mentions, Parts, Relations, Tokens
from corefbench.model.digest import digest_documents, sum_of_words
from corefbench.record import Longs

_Bridge: TypeAlias = tuple[int, int, int, str]
"""Anaphor, anchor, chain and kind, as the columns of Relations have them."""

_OPENED = re.compile(r"\([^()]*")


def read_plain(
    content: bytes, name: str, comments: Comments, reading: Reading, layer: str
) -> Corpus:
    """Read a block; raises NotPlain where it is not plain."""
    return _Block(plain_rows(content), name, comments, reading, layer).corpus()


class _Block:
    """A block that is being read."""

    def __init__(
        self, rows: Rows, name: str, comments: Comments, reading: Reading, layer: str
    ) -> None:
        self.rows = rows
        self.reading = reading
        self.layer = layer
        self.build = CorpusBuilder(name)
        self.offsets, names = self._documents(comments)
        self.place = {column: i for i, column in enumerate(sorted(names, key=names.__getitem__))}
        # A line with fewer TABs might be meant to be divided by blanks.
        require(rows.fewest() > names[layer] > 0)
        document = np.repeat(np.arange(len(self.offsets) - 1), np.diff(self.offsets))
        self.found = Brackets.of(rows, self.place[layer], document)
        self.document = document[self.found.start]
        first = self.offsets[self.document]
        self.start, self.end = self.found.start - first, self.found.end - first
        # Mentions stand in a corpus in another order than markables open in a cell.
        self.order = np.lexsort((-self.end, self.start, self.document))
        self.number = np.append(np.argsort(self.order), -1)
        self._entities()

    def _documents(self, comments: Comments) -> tuple[Longs, dict[str, int]]:
        """Begin the documents; returns their edges, and where the columns stand in all of them."""
        heard, count = self.rows.comments(), len(self.rows.first) - 1
        begins: list[int] = []
        announced: list[dict[str, int]] = []
        for number in sorted({0, *heard}):
            comments.hear(heard.get(number, ()))
            if number == count:
                break
            announced.append(positions(comments.declared.get("global.columns", "")))
            if comments.newdoc is not None or not begins:
                self.build.begin_document(comments.newdoc or self.build.name, columns=comments.meta)
                begins.append(int(self.rows.first[number]))
            comments.begun()
        require(all(names == announced[0] for names in announced))
        return np.array([*begins, len(self.rows)], np.int64), announced[0]

    def _entities(self) -> None:
        """Number the chains, by the first of their markables to open."""
        start, end = self.found.fields.values("EntityID", len(self.start))
        require((end > start).all())
        entity = sum_of_words(self.rows.data, start, end, self.document)
        self.first, self.chain = by_appearance(entity)
        self.labels = self.rows.texts(start[self.first], end[self.first])
        if self.reading.strictness.lenient:  # who is then told of mentions given twice
            spans = np.column_stack((self.chain, self.start, self.end))
            require(len(np.unique(spans, axis=0)) == len(spans))

    def corpus(self) -> Corpus:
        """Everything together; the builder has met documents only."""
        document, start, end, chain = (
            column[self.order].astype(np.int32)
            for column in (self.document, self.start, self.end, self.chain)
        )
        silent = np.array([label.endswith(PSEUDO) for label in self.labels], np.bool_)
        built = self.build.finish()
        return Corpus(
            name=built.name,
            documents=built.documents,
            tokens=self._tokens(),
            mentions=Mentions(
                document=document,
                start=start,
                end=end,
                chain=chain,
                minimum=self._minimum(),
                referring=~silent[chain] if silent.any() else None,
                columns={
                    name: self.rows.gather(*(edge[self.order] for edge in self._values(name)))
                    for name in self.found.fields.names
                    if name not in NOT_COLUMNS
                },
            ),
            chains=Chains(
                document=self.document[self.first].astype(np.int32), labels=labels(self.labels)
            ),
            relations=self._relations(),
        )

    def _values(self, name: str) -> tuple[Longs, Longs]:
        return self.found.fields.values(name, len(self.start))

    def _texts(self, name: str) -> list[str]:
        return self.rows.texts(*self._values(name))

    def _tokens(self) -> Tokens:
        rows, place = self.rows, self.place
        words, offsets = rows.column(place["form"]), self.offsets
        empty = rows.contains(place["id"], b".")
        seen, seen_offsets = words, offsets
        if empty.any():  # what is not written does not count
            seen = words.take(np.flatnonzero(~empty))
            seen_offsets = np.append(0, np.cumsum(~empty))[offsets]
        read = ("identity", "bridging") if self.layer == "identity" else (self.layer,)
        kept = [name for name in COLUMNS if name not in ("form", *read)]
        return Tokens(
            offsets=offsets,
            sentences=rows.first[:-1],
            digests=digest_documents(seen, seen_offsets),
            words=words if self.reading.words else None,
            empty=empty if empty.any() else None,
            columns={name: rows.column(place[name]) for name in kept if self.reading.words},
        )

    def _minimum(self) -> Parts | None:
        texts = self._texts("Min") if "Min" in self.found.fields.names else []
        if not any(texts):
            return None
        spans = np.full((len(texts), 2), -1, np.int32)
        edges = zip(self.start.tolist(), self.end.tolist(), strict=True)
        for markable, (span, text) in enumerate(zip(edges, texts, strict=True)):
            if text:
                minimum = minimal_span(span, text)
                require(minimum)
                spans[markable] = minimum or -1
        spans = spans[self.order]
        there = spans[:, 0] >= 0
        start, end = np.ascontiguousarray(spans[there].T)
        return Parts(offsets=np.append(0, np.cumsum(there)), start=start, end=end)

    def _relations(self) -> Relations:
        bridging = self.place["bridging"] if self.layer == "identity" else -1
        row, start, end = self.rows.filled(bridging) if bridging >= 0 else 3 * (self.order[:0],)
        if not len(row) and "ElementOf" not in self.found.fields.names:
            return Relations.none()
        documents = self.document[self.first].tolist()
        chains = {key: n for n, key in enumerate(zip(documents, self.labels, strict=True))}
        plural, element = np.array(self._elements(chains), np.int32).reshape(-1, 2).T
        cells = zip(row.tolist(), self.rows.texts(start, end), strict=True)
        bridges = self._bridges(list(cells), chains)
        anaphor, anchor, chain = np.array([b[:3] for b in bridges], np.int32).reshape(-1, 3).T
        return Relations(
            plural=plural.copy(),
            element=element.copy(),
            bridging_anaphor=anaphor.copy(),
            bridging_mention=anchor.copy(),
            bridging_chain=chain.copy(),
            bridging_label=tuple(bridge[3] for bridge in bridges),
        )

    def _elements(self, chains: dict[tuple[int, str], int]) -> list[tuple[int, int]]:
        """Chains with split antecedents, and their elements, in the order of these."""
        found: dict[tuple[int, int], None] = {}
        told = zip(
            self._texts("ElementOf"), self.chain.tolist(), self.document.tolist(), strict=True
        )
        for text, chain, document in told:
            for plural in filter(None, text.split(",")):
                require((document, plural) in chains)
                found[chains[document, plural], chain] = None
        return sorted(found, key=lambda pair: pair[1])

    def _bridges(
        self, cells: list[tuple[int, str]], chains: dict[tuple[int, str], int]
    ) -> list[_Bridge]:
        names = zip(self.document.tolist(), self._texts("MarkableID"), strict=True)
        numbers = dict(zip(names, self.number.tolist(), strict=False))
        found = []
        for row, text in cells:
            document = int(np.searchsorted(self.offsets, row, "right")) - 1
            for attributes in map(attributes_of, _OPENED.findall(text)):
                said = attributes.get
                anaphor = numbers.get((document, said("MarkableID", "")), -1)
                anchor = numbers.get((document, said("MentionAnchor", "")), -1)
                chain = chains.get((document, said("EntityAnchor", "")), -1)
                require(anaphor >= 0 and max(anchor, chain) >= 0)
                found.append((anaphor, anchor, chain, said("Rel", "")))
        return found
