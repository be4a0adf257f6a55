"""Random corpora, and sample texts, for the conformance checks."""

import random
from collections.abc import Collection, Mapping

from corefbench.corpus.builder import CorpusBuilder, Span
from corefbench.corpus.corpus import Corpus
from corefbench.formats import formats
from corefbench.formats.base import Feature, Format, FormatCard
from corefbench.formats.convert import FolderWriter
from corefbench.formats.load import load

WORDS = (
    "Ann", "the", "printer", "it", "its", "1,000.5", "U.S.", "'s", "n't", "a-b", "é", "中文", "<w>",
    "&amp;", "&", "AT&T", '"', "--", "0", "@", "x=y", "#", "%20", "~", "^", ":", "/", "…", "€",
)  # fmt: skip
NAMES = ("d", "bn/a_0010", "x-y", "12", "wsj_0001")
ATTRIBUTES = ("etype", "status")
DOCUMENT_ATTRIBUTES = ("genre",)


def round_trip_formats() -> list[str]:
    """Return the names of the formats from which a corpus can be read back unchanged."""
    return [name for name in formats if supports_round_trip(formats[name]())]


def supports_round_trip(form: Format) -> bool:
    """Return whether a format is read and written, and holds words, mentions and chains."""
    card = form.card
    writes = card.writes or isinstance(form, FolderWriter)
    return card.reads and writes and not card.selects and {"words", "singletons"} <= card.holds


def corpus_for(card: FormatCard, seed: int) -> Corpus:
    """Return a small random corpus with only what the format can hold."""
    return CorpusGenerator(card, random.Random(seed)).corpus()


class CorpusGenerator:
    """Generates documents with nested, crossing and discontinuous mentions, zeros and relations."""

    def __init__(self, card: FormatCard, choose: random.Random) -> None:
        self.card = card
        self.holds: Collection[Feature] = card.holds
        self.random = choose
        self.build = CorpusBuilder("generated")

    def sometimes(self, feature: Feature, chance: float = 0.3) -> bool:
        return feature in self.holds and self.random.random() < chance

    def corpus(self) -> Corpus:
        for name in self.random.sample(NAMES, self.random.randint(1, 3)):
            self.document(name)
        return self.build.finish()

    def document(self, name: str) -> None:
        choose = self.random
        # CoNLL always has the number of a part; elsewhere it is written into the name.
        part = choose.randint(0, 2) if self.card.name == "conll" else -1
        genre = {"genre": choose.choice(["news", "fiction & more"])}
        self.build.begin_document(name, part, genre if "document attributes" in self.holds else None)
        edges = [0]
        self.zeros: set[int] = set()
        for _ in range(choose.randint(1, 4)):
            edges.append(edges[-1] + self.sentence(edges[-1], choose.randint(1, 7)))
        self.mentions(edges)

    def sentence(self, first: int, length: int) -> int:
        choose = self.random
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
        """Return spans in opening order, each in its parts, as far as the format can hold them."""
        choose, kept = self.random, list[list[Span]]()
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
            if parts not in kept and not self.is_unsupported(parts, kept):
                kept.append(parts)
        return sorted(kept, key=lambda parts: (parts[0][0], -parts[-1][1]))

    def is_unsupported(self, parts: list[Span], kept: list[list[Span]]) -> bool:
        a, b = parts[0][0], parts[-1][1]
        hulls = [(other[0][0], other[-1][1]) for other in kept]
        crosses = any(c < a < d < b or a < c < b < d for c, d in hulls)
        return crosses and "crossing mentions" not in self.holds

    def mentions(self, edges: list[int]) -> None:
        chains: dict[str, list[list[Span]]] = {}
        numbers: list[tuple[int, str, int]] = []
        for count, parts in enumerate(self.spans(edges)):
            label = self.random.choice(["1", "2", "3", "44"])
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
        """Return whether brackets could not tell the mention from another of its chain."""
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
            attributes = {name: self.random.choice(["", "person", "x.y"]) for name in ATTRIBUTES}
        minimum: list[Span] = []
        if self.sometimes("minimal spans", 0.5):
            a, b = parts[0]
            start = self.random.randrange(a, b)
            minimum = [(start, self.random.randint(start + 1, b))]
        return self.build.mention(
            label,
            parts,
            head=self.random.choice(words) if "heads" in self.holds else -1,
            minimum=minimum,
            referring=referring,
            columns={key: value for key, value in attributes.items() if value},
        )

    def relations(self, numbers: list[tuple[int, str, int]]) -> None:
        labels = sorted({label for _, label, _ in numbers})
        if self.sometimes("bridging") and len(labels) > 1:
            (anaphor, label, start), (anchor, target, _) = self.random.sample(numbers, 2)
            # CorefUD names an anaphor by its chain and the token at which it begins.
            alone = [row[1:] for row in numbers].count((label, start)) == 1
            if label != target and alone:
                chain = self.build.chain(target)
                self.build.bridge(anaphor, mention=anchor, chain=chain, label="set")
        if self.sometimes("split antecedents") and len(labels) > 2:
            plural, *elements = self.random.sample(labels, 3)
            for element in sorted(elements):
                self.build.split_antecedent(self.build.chain(plural), self.build.chain(element))


TEXTS: Mapping[str, str] = {
    "story": "Ann met Bob at the old bridge. She gave him her umbrella, because it was raining.\n\n"
    '"Keep it," she said. They never saw each other again.',
    "manual": "Press the button on the printer. It starts. If it does not, press it again.",
    "one word": "It",
    "no pronoun": "The bridge was closed.",
    "letters of all kinds": "Zoë’s café – “Ça va?” she asked… 中文 and 🙂 did not help her.",
    "no end": "and then he went and she went and they",
    "lines": "Title\n\n\n- it\n- them\n\n   ",
}
EMPTY: Mapping[str, str] = {"empty": "", "blank": " \n\t "}

_MARKED = """# document bridge

[Ann]1 met [Bob]2 at [the old bridge]3. [She]1 gave [him]2 [[her]1 umbrella]4, for [it]5 rained.

# document short

[It]1 fell.

# document silent

Nothing happened.

"""


def marked_corpus() -> Corpus:
    """Return three documents with mentions.

    >>> marked_corpus()
    <Corpus 'memory': 3 documents, 24 tokens, 9 mentions, 6 chains>
    """
    return load(_MARKED.encode(), format="inline")
