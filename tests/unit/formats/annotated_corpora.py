"""Random annotated corpora, and what of them must survive."""

from collections.abc import Collection

from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder, Span
from corefbench.corpus.corpus import Corpus

NAMES = st.sampled_from(["a", "b/c", "36_1ecb", "é&<", ".."])
LABELS = ["7", "e1", "é<&", "a0:r3", "a0:m1", "set_2"]
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=4) | st.sampled_from(
    ["&amp;", "<a>", "]]>", '"', "l'eau", "a b"]
)
ATTRIBUTES = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["event", "entity", "x", ""]),
        "type": st.sampled_from(["ACTION_STATE", "TIME_DATE", "person", 'a "b"\n', ""]),
        "infStat": st.sampled_from(["giv:act", "new", ""]),
    }
)


@st.composite
def corpora(draw: st.DrawFn, features: Collection[str] = ()) -> Corpus:
    """Documents with nested and crossing mentions, and the features asked for."""
    build = CorpusBuilder("made")
    for document in range(draw(st.integers(1, 3))):
        build.begin_document(draw(NAMES) + str(document))
        for _ in range(draw(st.integers(1, 3))):
            build.sentence(draw(st.lists(WORDS, min_size=1, max_size=5)))
        seen: set[tuple[Span, ...]] = set()
        for label in draw(st.lists(st.sampled_from(LABELS), unique=True, max_size=4)):
            for _ in range(draw(st.integers(1, 3))):
                parts = draw(spans(build.position, "discontinuous mentions" in features))
                if tuple(parts) in seen and "repeated mentions" not in features:
                    continue
                seen.add(tuple(parts))
                least = "minimal spans" in features and draw(st.booleans())
                build.mention(
                    label,
                    parts,
                    minimum=parts[:1] if least else (),
                    columns=draw(ATTRIBUTES) if "mention attributes" in features else None,
                )
    return build.finish()


@st.composite
def spans(draw: st.DrawFn, count: int, discontinuous: bool) -> list[Span]:
    start = draw(st.integers(0, count - 1))
    end = draw(st.integers(start + 1, min(count, start + 4)))
    if discontinuous and end + 1 < count and draw(st.booleans()):
        second = draw(st.integers(end + 1, count - 1))
        return [(start, end), (second, second + 1)]
    return [(start, end)]


def facts(corpus: Corpus, keys: Collection[str] = (), *, labels: bool = False) -> dict[str, object]:
    """Document by document: words, sentences, mentions with their attributes, and chains."""
    found: dict[str, object] = {}
    minimum, columns = corpus.mentions.minimum, corpus.mentions.columns
    for document in corpus:
        chains: dict[str, list[object]] = {}
        for mention in document.mentions:
            least = minimum.of(mention.index) if minimum is not None else []
            own = [columns[key][mention.index] if key in columns else "" for key in keys]
            row = (mention.parts, least, own)
            chains.setdefault(mention.chain.label, []).append(row)
        rows = [(name if labels else "", sorted(map(repr, c))) for name, c in chains.items()]
        found[document.label] = (document.words, document.sentences, sorted(rows))
    return found
