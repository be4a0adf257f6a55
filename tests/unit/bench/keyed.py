"""Hand-made keys for hand-made trees."""

from collections.abc import Mapping, Sequence

from corefbench.bench.key import Key, Match, make_key
from corefbench.corpus.builder import CorpusBuilder
from corefbench.corpus.views import Document
from corefbench.preprocess.discourse import Discourse
from corefbench.resolvers import Decision, Resolution
from tests.trees import phrase

Span = tuple[int, int]


def document(
    of: Discourse,
    chains: Mapping[str, Sequence[Span]],
    *,
    heads: Mapping[Span, int] | None = None,
    silent: Sequence[Span] = (),
) -> Document:
    """The words of a discourse with these chains; ``silent`` mentions refer to nothing."""
    analysis = of.analysis
    build = CorpusBuilder("key")
    build.begin_document(analysis.name)
    for start, end in analysis.sentences:
        build.sentence(analysis.words[start:end])
    for label, spans in chains.items():
        for span in spans:
            head = (heads or {}).get(span, -1)
            build.mention(label, [span], head=head, referring=span not in silent)
    return build.finish()[0]


def key(
    of: Discourse,
    chains: Mapping[str, Sequence[Span]],
    *,
    match: Match = "head",
    cataphora: bool = False,
    heads: Mapping[Span, int] | None = None,
    silent: Sequence[Span] = (),
) -> Key:
    """The key that these chains are."""
    made = document(of, chains, heads=heads, silent=silent)
    return make_key(made, of.analysis.offsets, of, match=match, cataphora=cataphora)


def resolution(of: Discourse, *links: tuple[str, str | None]) -> Resolution:
    """Decisions from anaphors to antecedents, each by its text; ``it/2`` is the second *it*."""

    def index(text: str) -> int:
        words, _, nth = text.partition("/")
        return phrase(of, words, int(nth or 1) - 1).index

    decisions = (
        Decision(anaphor=index(one), antecedent=None if other is None else index(other)) for one, other in links
    )
    return Resolution(resolver="by hand", discourse=of, decisions=tuple(decisions))
