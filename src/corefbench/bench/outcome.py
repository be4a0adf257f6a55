"""What came of one document: verdicts, GAP answers, chains and seconds, resolver by resolver."""

from time import perf_counter, process_time

from corefbench.bench.plan import Plan
from corefbench.bench.prepare import Prepared, prepare
from corefbench.bench.reasons import Reason, reasons
from corefbench.findings import Finding
from corefbench.judging.gap import GapScore, gap_score
from corefbench.judging.key import Key, key_of
from corefbench.judging.verdict import Verdict, judge
from corefbench.model.corpus import Corpus
from corefbench.preprocess.alignment import TokenAlignment
from corefbench.preprocess.base import Preprocessor
from corefbench.preprocess.text import Columns
from corefbench.record import Record
from corefbench.resolvers import Resolution, Resolver, signature
from corefbench.stats.pronouns import Pronouns, pronouns

Clusters = list[list[tuple[int, int]]]

_AROUND = 8
"""Words to each side of a pronoun that a snippet shows."""


class Text(Record, frozen=True):
    """A document as it reads, without empty nodes: what chains are shown in."""

    words: tuple[str, ...]
    sentences: tuple[int, ...]
    """The first word of each."""
    text: str
    offsets: tuple[tuple[int, int], ...]
    """Where each word stands in the text, in characters."""
    key: Clusters
    """The chains of the key."""
    speakers: tuple[str, ...] | None = None
    """Who utters each word, where the corpus tells."""


class Answer(Record, frozen=True):
    """One resolver on one document."""

    resolver: str
    verdicts: tuple[Verdict, ...]
    gap: GapScore | None
    clusters: Clusters
    """The chains, over the words of the key without empty nodes."""
    seconds: float
    findings: tuple[Finding, ...] = ()
    """What the resolver said of its answer."""
    reasons: tuple[Reason, ...] = ()
    """Why it decided as it did, over the same words."""


class Outcome(Record, frozen=True):
    """All resolvers on one document."""

    document: str
    words: int
    text: Text
    answers: tuple[Answer, ...]
    seconds: float
    """Processor time of the pre-processing that all answers share."""
    snippets: dict[int, str]
    """Every pronoun, by its token, in the words around it."""
    statistics: Pronouns = Pronouns()
    """The pronouns of the key and how far they are from their antecedents."""
    lost: int = 0
    """Mentions of the key that the pipeline's tokens do not touch."""


def outcome(
    corpus: Corpus, plan: Plan, preprocessor: Preprocessor, resolvers: list[Resolver]
) -> Outcome:
    """The only document of a corpus, prepared once and resolved by each."""
    began = process_time()
    prepared = prepare(corpus[0], plan, preprocessor)
    seconds = process_time() - began
    return Outcome(
        document=prepared.document.label,
        words=len(prepared.discourse.analysis.words),
        text=_text(prepared),
        answers=tuple(_answer(prepared, resolver, plan) for resolver in resolvers),
        seconds=seconds,
        snippets={p.token: _snippet(prepared, p.token) for p in prepared.key.pronouns},
        statistics=pronouns(corpus),
        lost=prepared.key.lost,
    )


def _answer(prepared: Prepared, resolver: Resolver, plan: Plan) -> Answer:
    # What runs in another process is not in the processor time of ours.
    clock = perf_counter if resolver.card.needs else process_time
    began = clock()
    resolution = resolver.resolve(prepared.discourse)
    seconds = clock() - began
    document, key = prepared.document, _key_for(prepared, resolution, plan)
    # A corpus whose documents ask one question each annotates no other pronoun.
    exhaustive = "role" not in document.corpus.mentions.columns
    verdicts = tuple(judge(document.label, key, resolution, exhaustive=exhaustive))
    offsets = resolution.discourse.analysis.offsets
    alignment = TokenAlignment(offsets, prepared.given.offsets or ())
    return Answer(
        resolver=signature(resolver),
        verdicts=verdicts,
        gap=gap_score(document, key, resolution),
        clusters=_clusters(resolution, alignment),
        seconds=seconds,
        findings=resolution.findings,
        reasons=reasons(resolution, alignment, verdicts),
    )


def _key_for(prepared: Prepared, resolution: Resolution, plan: Plan) -> Key:
    """The key; seen anew where a resolver answers with phrases of its own."""
    if resolution.discourse is prepared.discourse:
        return prepared.key
    return key_of(
        prepared.document,
        prepared.given.offsets or (),
        resolution.discourse,
        match=plan.match,
        cataphora=plan.cataphora,
    )


def _clusters(resolution: Resolution, alignment: TokenAlignment) -> Clusters:
    """The chains of an answer in the words of the key; a span that two phrases share stays once."""
    phrases, taken = resolution.discourse.phrases, set[tuple[int, int]]()
    result: Clusters = []
    for chain in resolution.chains():
        spans = []
        for number in chain:
            span = alignment.span((phrases[number].start, phrases[number].end))
            if span is not None and span not in taken:
                taken.add(span)
                spans.append(span)
        if spans:
            result.append(spans)
    return result


def _text(prepared: Prepared) -> Text:
    given = prepared.given
    return Text(
        words=Columns(prepared.document).words,
        sentences=tuple(start for start, _ in given.sentences or ()),
        text=given.text,
        offsets=given.offsets or (),
        speakers=given.speakers,
        key=_key_clusters(prepared),
    )


def _key_clusters(prepared: Prepared) -> Clusters:
    """The chains of the key over its words without empty nodes."""
    columns = Columns(prepared.document)
    chains: dict[int, list[tuple[int, int]]] = {}
    for mention in prepared.document.mentions:
        span = columns.span(mention.start, mention.end)
        if span[0] < span[1]:
            chains.setdefault(mention.chain.index, []).append(span)
    return list(chains.values())


def _snippet(prepared: Prepared, token: int) -> str:
    analysis = prepared.discourse.analysis
    first, last = max(0, token - _AROUND), min(len(analysis.words), token + _AROUND + 1) - 1
    begin, finish = analysis.offsets[token]
    before = analysis.text[analysis.offsets[first][0] : begin]
    after = analysis.text[finish : analysis.offsets[last][1]]
    return " ".join(f"{before}[{analysis.text[begin:finish]}]{after}".split())
