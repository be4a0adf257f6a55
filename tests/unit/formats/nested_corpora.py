"""Random corpora for formats with nested tags, and what of them to compare."""

from collections.abc import Collection

from hypothesis import strategies as st

from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.corpus import Corpus
from corefbench.formats.base import Feature

NASTY = st.sampled_from(
    ["a", "Ann", "the", "<w>", "&amp;", "&", "AT&T", "</COREF>", '"', "'s", "-->", "<!--", "é", "*",
     "*T*-1", "0", "@", "]]>", "x=y", "a-b", "1,000.5", "U.S.", "中文", "<s>", "#", "_", "%20"]
)  # fmt: skip
WORDS = NASTY | st.text(st.characters(exclude_categories=("Cs", "Cc", "Zs", "Zl", "Zp", "Cn")), min_size=1, max_size=4)


@st.composite
def corpora(
    draw: st.DrawFn,
    holds: Collection[Feature],
    words: st.SearchStrategy[str] = WORDS,
    parts: bool = True,
    same_span: bool = False,
) -> Corpus:
    """Corpora that have no more than a format holds."""
    build = CorpusBuilder("made")
    names = ["d", "bn/a_0010", "x y", "a@b", "<&>", "12"]
    for name in draw(st.lists(st.sampled_from(names), max_size=3, unique=True)):
        columns = {"genre": draw(st.sampled_from(["news", '"<&'])), "topic": "1"}
        build.begin_document(
            name, draw(st.integers(-1, 3)) if parts else -1, columns if "document attributes" in holds else None
        )
        rows = st.lists(st.lists(words, min_size=1, max_size=5), min_size=1, max_size=4)
        edges = [0]
        for row in draw(rows):
            build.sentence(row)
            edges.append(edges[-1] + len(row))
        spans = draw(st.lists(st.tuples(*[st.integers(0, edges[-1])] * 2), max_size=7))
        kept: list[tuple[int, int]] = []
        for a, b in sorted({(min(s), max(s)) for s in spans}, key=lambda s: (s[0], -s[1])):
            crossing = any(c < a < d < b or a < c < b < d for c, d in kept)
            across = any(a < edge < b for edge in edges)
            if a < b and (
                ("crossing mentions" in holds or not crossing) and ("mentions across sentences" in holds or not across)
            ):
                kept.append((a, b))
        if kept and "repeated mentions" in holds and same_span:
            kept.append(draw(st.sampled_from(kept)))
        for number, (a, b) in enumerate(sorted(kept, key=lambda s: (s[0], -s[1]))):
            cut = sorted(draw(st.tuples(st.integers(a, b - 1), st.integers(a + 1, b))))
            minimum = "minimal spans" in holds and cut[0] < cut[1] and draw(st.booleans())
            attributes = {"id": f"m{number}"}
            if "mention attributes" in holds:
                attributes |= draw(st.sampled_from([{}, {"status": "OPT"}, {"etype": ' "a<b>&amp; '}]))
            build.mention(
                str(draw(st.integers(0, 3))),
                [(a, b)],
                minimum=[(cut[0], cut[1])] if minimum else (),
                columns=attributes,
            )
    return build.finish()


def told(corpus: Corpus, holds: Collection[Feature]) -> object:
    """What a format that holds this much must give back."""
    return [
        (
            document.name,
            int(corpus.documents.parts[document.index]),
            document.words,
            document.sentences,
            {k: v[document.index] for k, v in corpus.documents.columns.items()}
            if "document attributes" in holds
            else None,
            sorted(
                sorted(
                    (
                        mention.parts,
                        corpus.mentions.minimum.of(mention.index)
                        if "minimal spans" in holds and corpus.mentions.minimum is not None
                        else [],
                        sorted(
                            (name, column[mention.index])
                            for name, column in corpus.mentions.columns.items()
                            if column[mention.index]
                        )
                        if "mention attributes" in holds
                        else [],
                    )
                    for mention in chain.mentions
                )
                for chain in document.chains
            ),
        )
        for document in corpus
    ]
