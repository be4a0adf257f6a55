"""Corpora at random that have no more than a format holds."""

import random
from collections.abc import Collection

from corefbench.formats import formats
from corefbench.formats.base import Feature, FormatCard
from corefbench.formats.convert import FolderWriter
from corefbench.model.builder import CorpusBuilder, Span
from corefbench.model.corpus import Corpus

WORDS = (
    "Ann", "the", "printer", "it", "its", "1,000.5", "U.S.", "'s", "n't", "a-b", "é", "中文", "<w>",
    "&amp;", "&", "AT&T", '"', "--", "0", "@", "x=y", "#", "%20", "~", "^", ":", "/", "…", "€",
)  # fmt: skip
NAMES = ("d", "bn/a_0010", "x-y", "12", "wsj_0001")
ATTRIBUTES = ("etype", "status")
DOCUMENT_ATTRIBUTES = ("genre",)


def two_way() -> list[str]:
    """The formats that are read and written and hold words, mentions and chains."""
    made = ((name, formats[name]()) for name in formats)
    return [
        name
        for name, form in made
        if form.card.reads
        and not form.card.selects
        and (form.card.writes or isinstance(form, FolderWriter))
        and {"words", "singletons"} <= form.card.holds
    ]


def corpus_for(card: FormatCard, seed: int) -> Corpus:
    """A small corpus with only what the format holds."""
    return Maker(card, random.Random(seed)).corpus()


class Maker:
    """Makes documents with nested, crossing and discontinuous mentions, zeros and relations."""

    def __init__(self, card: FormatCard, choose: random.Random) -> None:
        self.card = card
        self.holds: Collection[Feature] = card.holds
        self.choose = choose
        self.build = CorpusBuilder("made")

    def sometimes(self, feature: Feature, chance: float = 0.3) -> bool:
        return feature in self.holds and self.choose.random() < chance

    def corpus(self) -> Corpus:
        for name in self.choose.sample(NAMES, self.choose.randint(1, 3)):
            self.document(name)
        return self.build.finish()

    def document(self, name: str) -> None:
        choose = self.choose
        # CoNLL always has the number of a part; elsewhere it is written into the name.
        part = choose.randint(0, 2) if self.card.name == "conll" else -1
        genre = {"genre": choose.choice(["news", "fiction & more"])}
        self.build.begin_document(
            name, part, genre if "document attributes" in self.holds else None
        )
        edges = [0]
        self.zeros: set[int] = set()
        for _ in range(choose.randint(1, 4)):
            edges.append(edges[-1] + self.sentence(edges[-1], choose.randint(1, 7)))
        self.mentions(edges)

    def sentence(self, first: int, length: int) -> int:
        choose = self.choose
        words = choose.choices(WORDS, k=length)
        empty = [i > 0 and self.sometimes("zeros", 0.1) for i in range(length)]
        self.zeros |= {first + i for i, is_zero in enumerate(empty) if is_zero}
        columns: dict[str, list[str]] = {}
        if "token attributes" in self.holds:
            wanted = {"pos", "lemma", "xpos"} & {*self.card.token_columns}
            for name in sorted(wanted or {"pos"}):
                columns[name] = choose.choices(["NN", "VB", "x"], k=length)
        if "speakers" in self.holds:
            columns["speaker"] = [choose.choice(["Ann", "speaker#1"])] * length
        self.build.sentence(words, empty=empty if any(empty) else None, columns=columns or None)
        return length

    def spans(self, edges: list[int]) -> list[list[Span]]:
        """Spans in opening order, each in its parts, as far as they may go together."""
        choose, kept = self.choose, list[list[Span]]()
        for _ in range(choose.randint(0, 8)):
            sentence = choose.randrange(len(edges) - 1)
            low, high = edges[sentence], edges[sentence + 1]
            if self.sometimes("mentions across sentences", 0.15):
                low, high = 0, edges[-1]
            a = choose.randrange(low, high)
            b = choose.randint(a + 1, min(high, a + choose.choice([1, 2, 3, 6])))
            parts = [(a, b)]
            if b - a >= 3 and self.sometimes("discontinuous mentions"):
                cut = choose.randint(a + 1, b - 2)
                parts = [(a, cut), (cut + 1, b)]
            if parts not in kept and not self.refused(parts, kept):
                kept.append(parts)
        return sorted(kept, key=lambda parts: (parts[0][0], -parts[-1][1]))

    def refused(self, parts: list[Span], kept: list[list[Span]]) -> bool:
        a, b = parts[0][0], parts[-1][1]
        hulls = [(other[0][0], other[-1][1]) for other in kept]
        crosses = any(c < a < d < b or a < c < b < d for c, d in hulls)
        return crosses and "crossing mentions" not in self.holds

    def mentions(self, edges: list[int]) -> None:
        chains: dict[str, list[list[Span]]] = {}
        numbers: list[tuple[int, str, int]] = []
        for count, parts in enumerate(self.spans(edges)):
            label = self.choose.choice(["1", "2", "3", "44"])
            if self.clashes(parts, chains.get(label, [])):
                label = f"9{count}"
            if self.sometimes("non-referring mentions", 0.1):
                self.mention(f"n{count}-Pseudo", parts, referring=False)
                continue
            chains.setdefault(label, []).append(parts)
            numbers.append((self.mention(label, parts), label, parts[0][0]))
            if len(parts) == 1 and self.sometimes("repeated mentions", 0.05):
                self.mention(label, parts)
        self.relations(numbers)

    def clashes(self, parts: list[Span], others: list[list[Span]]) -> bool:
        """Whether brackets could not tell the mention from another of its chain."""
        if "crossing mentions of one chain" in self.holds:
            return False
        a, b = parts[0][0], parts[-1][1]
        for other in others:
            c, d = other[0][0], other[-1][1]
            meet = a < d and c < b
            if c < a < d < b or a < c < b < d or (meet and len(parts) + len(other) > 2):
                return True
        return False

    def mention(self, label: str, parts: list[Span], referring: bool = True) -> int:
        words = [word for a, b in parts for word in range(a, b)]
        attributes = {}
        if "mention attributes" in self.holds:
            attributes = {name: self.choose.choice(["", "person", "x.y"]) for name in ATTRIBUTES}
        minimum: list[Span] = []
        if self.sometimes("minimal spans", 0.5):
            a, b = parts[0]
            start = self.choose.randrange(a, b)
            minimum = [(start, self.choose.randint(start + 1, b))]
        return self.build.mention(
            label,
            parts,
            head=self.choose.choice(words) if "heads" in self.holds else -1,
            minimum=minimum,
            referring=referring,
            columns={key: value for key, value in attributes.items() if value},
        )

    def relations(self, numbers: list[tuple[int, str, int]]) -> None:
        labels = sorted({label for _, label, _ in numbers})
        if self.sometimes("bridging") and len(labels) > 1:
            (anaphor, label, start), (anchor, target, _) = self.choose.sample(numbers, 2)
            # CorefUD names an anaphor by its chain and the token at which it begins.
            alone = [row[1:] for row in numbers].count((label, start)) == 1
            if label != target and alone:
                chain = self.build.chain(target)
                self.build.bridge(anaphor, mention=anchor, chain=chain, label="set")
        if self.sometimes("split antecedents") and len(labels) > 2:
            plural, *elements = self.choose.sample(labels, 3)
            for element in sorted(elements):
                self.build.split_antecedent(self.build.chain(plural), self.build.chain(element))
