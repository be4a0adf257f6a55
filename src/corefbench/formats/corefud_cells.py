"""What CorefUD's MISC says of coreference, from a corpus: Entity, Bridge and SplitAnte."""

import re
from bisect import bisect_right
from collections.abc import Iterable

import numpy as np

from corefbench.formats.corefud_items import ITEMS
from corefbench.formats.corefud_parts import parts_of, unwritable, written_parts
from corefbench.formats.corefud_place import words_of
from corefbench.model.builder import Span
from corefbench.model.corpus import Corpus

_UNSAFE = re.compile(r"[()|\s]")
_UNSAFE_INSIDE = re.compile(r"[-()|\s]")
_UNSAFE_LABEL = re.compile(r"[-()\[\]|,<>:=\s]")


class Cells:
    """The items of every token, document by document."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.labels = [
            _UNSAFE_LABEL.sub(_percent, corpus.chains.label(chain))
            for chain in range(len(corpus.chains))
        ]
        self.names = _field_names(corpus, self.labels)
        self._edges = np.searchsorted(corpus.mentions.document, np.arange(len(corpus) + 1))
        self._bridges = self._bridge_links()
        self._splits = self._split_links()

    def _bridge_links(self) -> dict[int, list[str]]:
        """The links of each anaphor."""
        relations, chain = self.corpus.relations, self.corpus.mentions.chain
        links: dict[int, list[str]] = {}
        for row, anaphor in enumerate(relations.bridging_anaphor.tolist()):
            target = int(relations.bridging_chain[row])
            if target < 0:
                target = int(chain[relations.bridging_mention[row]])
            link = f"{self.labels[target]}<{self.labels[chain[anaphor]]}"
            label = _UNSAFE.sub(_percent, relations.bridging_label[row]).replace(",", "%2C")
            links.setdefault(anaphor, []).append(f"{link}:{label}" if label else link)
        return links

    def _split_links(self) -> dict[int, list[str]]:
        """The links of each plural, at the first mention of its chain."""
        relations = self.corpus.relations
        chains = self.corpus.mentions.chain.tolist()
        first = {chain: mention for mention, chain in reversed(list(enumerate(chains)))}
        links: dict[int, list[str]] = {}
        pairs = zip(relations.plural.tolist(), relations.element.tolist(), strict=True)
        for plural, element in pairs:
            if plural in first:
                link = f"{self.labels[element]}<{self.labels[plural]}"
                links.setdefault(first[plural], []).append(link)
        return links

    def of_document(self, document: int, ends: list[int]) -> dict[int, list[str]]:
        """For each token its items; ``ends`` are those of the sentences."""
        brackets = _Brackets()
        bridges: dict[int, list[str]] = {}
        splits: dict[int, list[str]] = {}
        numbers = range(int(self._edges[document]), int(self._edges[document + 1]))
        for mention, parts in written_parts(self.corpus, numbers):
            if bisect_right(ends, parts[0][0]) != bisect_right(ends, parts[-1][1] - 1):
                message = "a mention crosses the end of a sentence, which CorefUD does not allow"
                raise unwritable(self.corpus, "CB105", message, mention)
            label = self.labels[self.corpus.mentions.chain[mention]]
            brackets.add(mention, label, self._values(mention), parts)
            bridges.setdefault(parts[0][0], []).extend(self._bridges.get(mention, ()))
            splits.setdefault(parts[0][0], []).extend(self._splits.get(mention, ()))
        found = {}
        for token, entity in brackets.cells():
            texts = (entity, ",".join(bridges.get(token, ())), ",".join(splits.get(token, ())))
            found[token] = [key + text for key, text in zip(ITEMS, texts, strict=True) if text]
        return found

    def _values(self, mention: int) -> list[str]:
        """The fields after the entity, without the empty ones at the end."""
        values = [self._value(name, mention) for name in self.names[1:]]
        unsafe = [_UNSAFE_INSIDE] * (len(values) - 1) + [_UNSAFE]
        while values and not values[-1]:
            values.pop()
        return [bad.sub(_percent, value) for bad, value in zip(unsafe, values, strict=False)]

    def _value(self, name: str, mention: int) -> str:
        mentions = self.corpus.mentions
        if name not in ("head", "minspan"):
            return mentions.columns[name][mention]
        words = words_of(parts_of(mentions, mention))
        if name == "head":
            head = -1 if mentions.head is None else int(mentions.head[mention])
            return str(words.index(head) + 1) if head in words else ""
        spans = [] if mentions.minimum is None else mentions.minimum.of(mention)
        wanted = {word for a, b in spans for word in range(a, b)}
        return ",".join(str(n) for n, word in enumerate(words, 1) if word in wanted)


class _Brackets:
    """The brackets of a document's tokens.

    >>> brackets = _Brackets()
    >>> brackets.add(0, "e1", ["x"], [(0, 2)]); brackets.add(1, "e2", [], [(1, 2)])
    >>> list(brackets.cells())
    [(0, '(e1-x'), (1, '(e2)e1)')]
    """

    def __init__(self) -> None:
        self._opened: dict[int, list[str]] = {}
        self._closed: dict[int, list[tuple[int, int, str]]] = {}

    def add(self, mention: int, label: str, values: list[str], parts: list[Span]) -> None:
        for number, (start, end) in enumerate(parts, 1):
            name = f"{label}[{number}/{len(parts)}]" if len(parts) > 1 else label
            text = "-".join(["(" + name, *values])
            self._opened.setdefault(start, []).append(text + ")" if end == start + 1 else text)
            if end > start + 1:
                self._closed.setdefault(end - 1, []).append((-start, -mention, f"{name})"))

    def cells(self) -> Iterable[tuple[int, str]]:
        for token in sorted({*self._opened, *self._closed}):
            opens = self._opened.get(token, ())
            closes = "".join(text for *_, text in sorted(self._closed.get(token, ())))
            # Single words come before closing brackets, and after those that open here.
            singles = all(text[-1] == ")" for text in opens)
            yield token, "".join(opens) + closes if singles else closes + "".join(opens)


def _field_names(corpus: Corpus, labels: list[str]) -> list[str]:
    mentions = corpus.mentions
    others = [name for name in mentions.columns if name not in ("head", "minspan")]
    return [
        # An eid is unique in its file, a GRP in its document only.
        "GRP" if len(set(labels)) < len(labels) else "eid",
        *(name for name in others if name == "etype"),
        *(["head"] if mentions.head is not None else []),
        *(["minspan"] if mentions.minimum is not None else []),
        *(name for name in others if name != "etype"),
    ]


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode())
