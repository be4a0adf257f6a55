"""A document made ready: analysed once for all resolvers, with its key beside it."""

from functools import lru_cache

from msgspec.structs import replace

from corefbench.bench.plan import Plan
from corefbench.judging.key import Key, key_mentions, key_of
from corefbench.model.corpus import Corpus
from corefbench.model.document import Document
from corefbench.preprocess import DEFAULT, make
from corefbench.preprocess.base import Input, Preprocessor
from corefbench.preprocess.build import discourse_of
from corefbench.preprocess.cache import Cached
from corefbench.preprocess.discourse import Discourse
from corefbench.preprocess.text import input_of
from corefbench.record import Record


class Prepared(Record, frozen=True):
    """A document as resolvers and judges take it."""

    document: Document
    given: Input
    """The document's own tokens in its text, whatever the pipeline found."""
    discourse: Discourse
    key: Key


def preprocessor_for(corpus: Corpus, plan: Plan) -> Preprocessor:
    """The pre-processor that the plan names, or that its mode and the corpus ask for.

    Pipelines look into the cache first: another run on the same text finds it analysed.
    """
    preprocessor = _made(plan.preprocess or _natural(corpus, plan))
    return Cached(preprocessor) if preprocessor.card.raw and plan.cache else preprocessor


@lru_cache(maxsize=4)
def _made(name: str) -> Preprocessor:
    """Kept while the process lives: some pipelines take seconds to load."""
    return make(name)


def _natural(corpus: Corpus, plan: Plan) -> str:
    if plan.mode == "annotated":
        if _has(corpus, "upos", "head", "deprel"):
            return "conllu"
        if _has(corpus, "dep", "gfun"):
            return "workbench"
    return DEFAULT


def _has(corpus: Corpus, *columns: str) -> bool:
    """Whether the corpus has such columns, and more than placeholders in them."""
    known = corpus.tokens.columns
    return all(name in known and any(cell not in "_-" for cell in known[name]) for name in columns)


def prepare(document: Document, plan: Plan, preprocessor: Preprocessor) -> Prepared:
    """Analyse one document and align its key."""
    given = input_of(document)
    shown = given
    if plan.mode == "automatic" and preprocessor.card.raw:
        shown = replace(given, offsets=None, sentences=None, paragraphs=None, speakers=None)
    analysis = next(iter(preprocessor.analyse([shown])))
    offsets = given.offsets or ()
    mentions = None
    if plan.takes_mentions:
        found, _ = key_mentions(document, offsets, analysis)
        mentions = [(mention.start, mention.end, mention.head) for mention in found]
    discourse = discourse_of(analysis, mentions)
    key = key_of(document, offsets, discourse, match=plan.match, cataphora=plan.cataphora)
    return Prepared(document=document, given=given, discourse=discourse, key=key)
