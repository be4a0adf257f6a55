"""Random corpora with a text, and what of them must survive."""

from collections.abc import Sequence

from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus

WORDS = st.one_of(
    st.sampled_from(["Ann", "saw", "her", "U.S.", "don't", ",", ".", "[x]", "a,b", "#", "é", "𝒳", "\\"]),
    st.text(st.characters(exclude_categories=("Z", "C"), exclude_characters="\x85"), min_size=1, max_size=4),
)
VALUES = st.sampled_from(["person", "giv:act", "two words", "a|b[1]_c\\d", "x;y", "*", "="])


@st.composite
def corpora(
    draw: st.DrawFn,
    *,
    parts: bool = True,
    crossing: bool = True,
    gaps: bool = False,
    repeats: bool = True,
    columns: Sequence[str] = (),
    relations: bool = False,
    documents: int = 2,
) -> Corpus:
    """One or two documents with words, sentences and mentions, but no text."""
    build = CorpusBuilder("made")
    for number in range(draw(st.integers(1, documents))):
        name = draw(st.sampled_from(["a", "b/c d", "e_7", "f.g"])) + str(number)
        build.begin_document(name, draw(st.sampled_from([-1, 0, 12])) if parts else -1)
        for _ in range(draw(st.integers(1, 3))):
            build.sentence(draw(st.lists(WORDS, min_size=1, max_size=6)))
        _mentions(draw, build, crossing, gaps, repeats, columns, relations)
    return build.finish()


def _mentions(
    draw: st.DrawFn,
    build: CorpusBuilder,
    crossing: bool,
    gaps: bool,
    repeats: bool,
    columns: Sequence[str],
    relations: bool,
) -> None:
    size = build.position
    seen: list[list[tuple[int, int]]] = []
    numbers: list[int] = []
    labels: list[str] = []
    for _ in range(draw(st.integers(0, 6))):
        edges = sorted(draw(st.sets(st.integers(0, size), min_size=2, max_size=4)))
        edges = edges if gaps and len(edges) == 4 else [edges[0], edges[-1]]
        spans = list(zip(edges[::2], edges[1::2], strict=True))
        if spans in seen and not repeats:
            continue
        if not crossing and any(_cross(spans[0], other[0]) for other in seen):
            continue
        seen.append(spans)
        label = draw(st.sampled_from(["1", "2", "3"]))
        values = {name: draw(VALUES) for name in columns if draw(st.booleans())}
        numbers.append(build.mention(label, spans, columns=values))
        labels.append(label)
    if relations and len(numbers) > 1:
        build.bridge(numbers[0], mention=numbers[1], label=draw(st.sampled_from(["", "def", "a b"])))
        if labels[0] != labels[1]:
            build.split_antecedent(build.chain(labels[0]), build.chain(labels[1]))


def _cross(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[0] < one[1] < other[1] or other[0] < one[0] < other[1] < one[1]


def kept(corpus: Corpus, *, labels: bool = False, columns: Sequence[str] = ()) -> list[object]:
    """What must survive: names, parts, words, sentences, mentions, chains, attributes."""
    return [
        (
            document.name,
            int(corpus.documents.parts[document.index]),
            document.words,
            document.sentences,
            [mention.parts for mention in document.mentions],
            _partition(corpus, document.index),
            [chain.label for chain in (m.chain for m in document.mentions)] if labels else None,
            [
                [corpus.mentions.columns[c][m.index] if c in corpus.mentions.columns else "" for c in columns]
                for m in document.mentions
            ],
        )
        for document in corpus
    ]


def _partition(corpus: Corpus, document: int) -> list[int]:
    """The chains of the mentions, renumbered by first appearance."""
    numbers: dict[int, int] = {}
    chains = corpus.mentions.chain[corpus.mentions.document == document].tolist()
    return [numbers.setdefault(chain, len(numbers)) for chain in chains]
