"""Prepare, resolve and judge one document."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from time import perf_counter, process_time
from typing import TypeVar

from msgspec.structs import replace

from corefbench.analysis.statistics.pronouns import Pronouns, count_pronouns
from corefbench.bench.judge import GapScore, Verdict, gap_score, judge_pronouns
from corefbench.bench.key import Key, key_mentions, make_key
from corefbench.bench.plan import Plan
from corefbench.bench.reasons import Reason, explain_decisions
from corefbench.corpus.corpus import Corpus
from corefbench.corpus.views import Document
from corefbench.diagnostics import Finding
from corefbench.engine import map_documents
from corefbench.formats.workbench import noun_phrases
from corefbench.preprocess import DEFAULT
from corefbench.preprocess import make as make_preprocessor
from corefbench.preprocess.base import Input, Preprocessor
from corefbench.preprocess.builder import build_discourse
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.documents import CachedPreprocessor, TokenAlignment, TokenColumns, make_input
from corefbench.records import Record
from corefbench.resolvers import Resolver, signature
from corefbench.resolvers import make as make_resolver
from corefbench.resolvers.response import project_chains

T = TypeVar("T")
Clusters = list[list[tuple[int, int]]]
_SNIPPET_WORDS = 8
"""Words on each side of a pronoun in a snippet."""


class PreparedDocument(Record, frozen=True):
    """An analysed document with its key."""

    document: Document
    given: Input
    """The document's text with its own tokens, whatever the pipeline finds."""
    discourse: Discourse
    key: Key


class DocumentText(Record, frozen=True):
    """A document without empty nodes, for display."""

    words: tuple[str, ...]
    sentences: tuple[int, ...]
    """The first word of each sentence."""
    text: str
    offsets: tuple[tuple[int, int], ...]
    """Character offsets of each word in the text."""
    key: Clusters
    """The chains of the key."""
    speakers: tuple[str, ...] | None = None
    """The speaker of each word, where the corpus has speakers."""


class ResolverAnswer(Record, frozen=True):
    """The answer of one resolver to one document."""

    resolver: str
    verdicts: tuple[Verdict, ...]
    gap: GapScore | None
    clusters: Clusters
    """The chains, over the words of the key without empty nodes."""
    seconds: float
    findings: tuple[Finding, ...] = ()
    """The findings of the resolver on its answer."""
    reasons: tuple[Reason, ...] = ()
    """The reasons for its decisions, over the same words."""


class DocumentOutcome(Record, frozen=True):
    """The answers of all resolvers to one document."""

    document: str
    words: int
    text: DocumentText
    answers: tuple[ResolverAnswer, ...]
    seconds: float
    """Processor time of the pre-processing that all answers share."""
    snippets: dict[int, str]
    """The context of every pronoun, by its token."""
    statistics: Pronouns = Pronouns()
    """The pronouns of the key and the distances to their antecedents."""
    lost: int = 0
    """Mentions of the key without a token of the pipeline."""


def map_with_progress(
    work: Callable[[Corpus], T],
    documents: Sequence[Corpus],
    engine: str,
    jobs: int,
    begin: Callable[[int], None] | None,
    advance: Callable[[int], None] | None,
) -> list[T]:
    """Do the work for all documents; call ``begin`` with their number, ``advance`` after each."""
    if begin is not None:
        begin(len(documents))
    results = []
    for result in map_documents(work, documents, engine=engine, jobs=jobs):
        results.append(result)
        if advance is not None:
            advance(1)
    return results


def evaluate_document(corpus: Corpus, plan: Plan) -> DocumentOutcome:
    """Prepare the only document of a corpus once, then resolve and judge it with every resolver."""
    resolvers, preprocessor = [make_resolver(name) for name in plan.resolvers], preprocessor_for(corpus, plan)
    start = process_time()
    prepared = prepare_document(corpus[0], plan, preprocessor)
    seconds = process_time() - start
    return DocumentOutcome(
        document=prepared.document.label,
        words=len(prepared.discourse.analysis.words),
        text=_document_text(prepared),
        answers=tuple(_evaluate_resolver(prepared, resolver, plan) for resolver in resolvers),
        seconds=seconds,
        snippets={p.token: _snippet(prepared, p.token) for p in prepared.key.pronouns},
        statistics=count_pronouns(corpus),
        lost=prepared.key.lost,
    )


def _evaluate_resolver(prepared: PreparedDocument, resolver: Resolver, plan: Plan) -> ResolverAnswer:
    # The processor time of this process does not include resolvers that run in another one.
    clock = perf_counter if resolver.card.needs else process_time
    start = clock()
    resolution = resolver.resolve(prepared.discourse)
    seconds = clock() - start
    document, key = prepared.document, prepared.key
    if resolution.discourse is not prepared.discourse:
        # The resolver answers with phrases of its own.
        key = make_key(
            document, prepared.given.offsets or (), resolution.discourse, match=plan.match, cataphora=plan.cataphora
        )
    # A corpus with roles (GAP) annotates only the pronoun that it asks about.
    exhaustive = "role" not in document.corpus.mentions.columns
    verdicts = tuple(judge_pronouns(document.label, key, resolution, exhaustive=exhaustive))
    offsets = resolution.discourse.analysis.offsets
    alignment = TokenAlignment(offsets, prepared.given.offsets or ())
    return ResolverAnswer(
        resolver=signature(resolver),
        verdicts=verdicts,
        gap=gap_score(document, key, resolution),
        clusters=project_chains(resolution, alignment)[0],
        seconds=seconds,
        findings=resolution.findings,
        reasons=explain_decisions(resolution, alignment, verdicts),
    )


def _document_text(prepared: PreparedDocument) -> DocumentText:
    document_input, columns = prepared.given, TokenColumns(prepared.document)
    chains: dict[int, list[tuple[int, int]]] = {}
    for mention in prepared.document.mentions:
        span = columns.span(mention.start, mention.end)
        if span[0] < span[1]:  # a zero has no words
            chains.setdefault(mention.chain.index, []).append(span)
    return DocumentText(
        words=columns.words,
        sentences=tuple(start for start, _ in document_input.sentences or ()),
        text=document_input.text,
        offsets=document_input.offsets or (),
        speakers=document_input.speakers,
        key=list(chains.values()),
    )


def _snippet(prepared: PreparedDocument, token: int) -> str:
    analysis = prepared.discourse.analysis
    first, last = (max(0, token - _SNIPPET_WORDS), min(len(analysis.words), token + _SNIPPET_WORDS + 1) - 1)
    begin, finish = analysis.offsets[token]
    before = analysis.text[analysis.offsets[first][0] : begin]
    after = analysis.text[finish : analysis.offsets[last][1]]
    return " ".join(f"{before}[{analysis.text[begin:finish]}]{after}".split())


def prepare_document(document: Document, plan: Plan, preprocessor: Preprocessor) -> PreparedDocument:
    """Analyse a document and align its key."""
    tokens_in_text = make_input(document)
    pipeline_input = tokens_in_text
    if plan.mode == "automatic" and preprocessor.card.raw:
        pipeline_input = replace(tokens_in_text, offsets=None, sentences=None, paragraphs=None, speakers=None)
    analysis = next(iter(preprocessor.analyse([pipeline_input])))
    offsets = tokens_in_text.offsets or ()
    mentions: list[tuple[int, int, int | None]] | None = None
    if plan.takes_mentions:
        mentions_found, _ = key_mentions(document, offsets, analysis)
        mentions = [(mention.start, mention.end, mention.head) for mention in mentions_found]
        if not plan.mentions:
            # Noun phrases outside chains are candidates, too: chains only mark the key.
            alignment = TokenAlignment(offsets, analysis.offsets)
            spans = map(alignment.span, noun_phrases(TokenColumns(document)["np"]))
            mentions += [(*span, None) for span in spans if span is not None]
    discourse = build_discourse(analysis, mentions)
    key = make_key(document, offsets, discourse, match=plan.match, cataphora=plan.cataphora)
    return PreparedDocument(document=document, given=tokens_in_text, discourse=discourse, key=key)


def preprocessor_for(corpus: Corpus, plan: Plan) -> Preprocessor:
    """Return the pre-processor of the plan, or the default one for its mode and the corpus.

    Pipelines use the cache, so that another run on the same text does not analyse it again.
    """
    preprocessor = _load_preprocessor(plan.preprocess or _default_preprocessor(corpus, plan))
    return CachedPreprocessor(preprocessor) if preprocessor.card.raw and plan.cache else preprocessor


@lru_cache(maxsize=4)
def _load_preprocessor(name: str) -> Preprocessor:
    # Some pipelines take seconds to load.
    return make_preprocessor(name)


def _default_preprocessor(corpus: Corpus, plan: Plan) -> str:
    if plan.mode == "annotated":
        if _has_columns(corpus, "upos", "head", "deprel"):
            return "conllu"
        if _has_columns(corpus, "dep", "gfun"):
            return "workbench"
    return DEFAULT


def _has_columns(corpus: Corpus, *columns: str) -> bool:
    """Whether the corpus has these columns, with more than placeholders in them."""
    known = corpus.tokens.columns
    return all(name in known and any(cell not in "_-" for cell in known[name]) for name in columns)
