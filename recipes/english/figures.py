"""How good an analysis of raw text is, beside the right one.

Words are aligned by their characters, as in the shared tasks on parsing from raw text (CoNLL 2017
and 2018): a word of the one side that begins or ends elsewhere on the other counts as wrong.

  F1 = 2·c / (w + g)     c right among the aligned, w words found, g words in the treebank

A head is right if it is aligned with the right head; LAS compares relations without subtypes. Spans
(sentences, base noun phrases, entities) are right if both ends (and the type) are.

GF: of the treebank's words in a core relation (``CORE``), how many are found with the same
grammatical function (``corefbench.preprocess.functions``: subject, existential, object, indirect,
oblique, possessive, other), which is what the resolvers go by. "GF+gov" asks for the right head as
well. Words that are not aligned are wrong.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator

from corefbench.preprocess.analysis import Analysis
from corefbench.preprocess.functions import Functions
from corefbench.preprocess.noun_phrases import noun_phrases
from corefbench.preprocess.tree import Tree

CORE = frozenset({"nsubj", "nsubj:pass", "obj", "iobj", "obl", "nmod:poss"})
NAMES = (
    "words", "sentences", "UPOS", "XPOS", "lemma", "UAS", "LAS", "NP", "GF", "GF+gov", "entities",
)  # fmt: skip


class Figures:
    """Counts over documents, and the percentages that they make."""

    def __init__(self) -> None:
        self._right: Counter[str] = Counter()
        self._total: Counter[str] = Counter()

    def __getitem__(self, name: str) -> float:
        return 100 * self._right[name] / self._total[name] if self._total[name] else float("nan")

    @property
    def words(self) -> int:
        """The words of the treebank."""
        return self._total["tokens"]

    def add(self, gold: Analysis, found: Analysis) -> None:
        """Count one document."""
        self._total["tokens"] += len(gold.words)
        self._sets("words", gold.offsets, found.offsets)
        self._sets("sentences", _sentences(gold), _sentences(found))
        self._sets("NP", _base_phrases(gold), _base_phrases(found))
        if gold.entities:
            self._sets("entities", _entities(gold), _entities(found))
        places = {span: token for token, span in enumerate(found.offsets)}
        pairs = [(token, places[span]) for token, span in enumerate(gold.offsets) if span in places]
        size = len(gold.words) + len(found.words)
        for name, right in _aligned(gold, found, pairs):
            self._right[name] += 2 * right
            self._total[name] += size
        self._functions(gold, found, dict(pairs))

    def _sets(self, name: str, gold: Iterable[Hashable], found: Iterable[Hashable]) -> None:
        expected, proposed = set(gold), set(found)
        self._right[name] += 2 * len(expected & proposed)
        self._total[name] += len(expected) + len(proposed)

    def _functions(self, gold: Analysis, found: Analysis, places: dict[int, int]) -> None:
        expected, proposed = Functions(Tree(gold)), Functions(Tree(found))
        for token, relation in enumerate(gold.relations):
            if relation not in CORE:
                continue
            place = places.get(token, -1)
            same = place >= 0 and proposed.function(place) == expected.function(token)
            governed = same and places.get(gold.heads[token]) == found.heads[place]
            self._total["GF"] += 1
            self._total["GF+gov"] += 1
            self._right["GF"] += same
            self._right["GF+gov"] += governed


def _aligned(
    gold: Analysis, found: Analysis, pairs: list[tuple[int, int]]
) -> Iterator[tuple[str, int]]:
    for name, expected, proposed in (
        ("UPOS", gold.upos, found.upos),
        ("XPOS", gold.xpos, found.xpos),
        ("lemma", gold.lemmas, found.lemmas),
    ):
        yield name, sum(expected[a] == proposed[b] for a, b in pairs)
    places = {-1: -1, **dict(pairs)}
    attached = [(a, b) for a, b in pairs if places.get(gold.heads[a]) == found.heads[b]]
    yield "UAS", len(attached)
    yield (
        "LAS",
        sum(
            gold.relations[a].split(":")[0] == found.relations[b].split(":")[0] for a, b in attached
        ),
    )


def _sentences(analysis: Analysis) -> Iterator[tuple[int, int]]:
    for start, end in analysis.sentences:
        yield analysis.offsets[start][0], analysis.offsets[end - 1][1]


def _base_phrases(analysis: Analysis) -> Iterator[tuple[int, int]]:
    for phrase in noun_phrases(Tree(analysis), coordinations=False):
        start, end = phrase.core
        yield analysis.offsets[start][0], analysis.offsets[end - 1][1]


def _entities(analysis: Analysis) -> Iterator[tuple[int, int, str]]:
    for entity in analysis.entities:
        begin, end = analysis.offsets[entity.start][0], analysis.offsets[entity.end - 1][1]
        yield begin, end, entity.type
