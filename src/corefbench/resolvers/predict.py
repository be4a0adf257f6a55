"""Predict the chains of a corpus with a trained model of any kind."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from corefbench.corpus.combine import concatenate, keep_mentions, split_documents
from corefbench.corpus.corpus import Corpus
from corefbench.engine import is_parallel, map_documents
from corefbench.errors import FormatError, MissingExtra, Place, UsageError
from corefbench.preprocess import DEFAULT
from corefbench.resolvers.checkpoint import ModelCard, load_card
from corefbench.resolvers.response import Span, replace_chains
from corefbench.scoring.policy.singletons import without_singletons

if TYPE_CHECKING:
    from corefbench.resolvers.cross_document.linking import LinkingStats
    from corefbench.resolvers.cross_document.model import CrossDocumentModel

_Predictor: TypeAlias = Callable[[Path, ModelCard, Corpus, bool, str], Iterator[list[list[Span]]]]
"""Yields the chains of each document for a model and a corpus."""

Mentions: TypeAlias = Literal["predicted", "gold", "non-singleton"]
"""Found by the model, all of the key, or those of the key that are no singletons (Chen et al. 2018,
section 5)."""


def predict(
    model: Path,
    corpus: Corpus,
    *,
    mentions: Mentions = "predicted",
    preprocess: str = "",
    step: Callable[[int, int], None] = lambda done, total: None,
    engine: str = "",
    jobs: int = 1,
    scope: str = "",
    linking: str = "auto",
    tell: Callable[["LinkingStats"], None] = lambda stats: None,
) -> Corpus:
    """Return the documents of the corpus with the chains that the model finds.

    ``preprocess`` replaces the pipeline that the model was trained with, if it needs one; ``step``
    is called with the number of finished and of all documents. ``jobs`` workers of an ``engine``
    share the documents of within-document models, and the pieces of a blocked linking.

    Only cross-document models take the rest: ``scope``, how far chains reach (default: as trained);
    ``linking``, ``exact`` or ``blocked`` (default: by the size of groups); ``tell``, a callback for
    the statistics of the linking.
    """
    if mentions not in get_args(Mentions):
        raise UsageError(f"mentions cannot be {mentions!r}", expected=", ".join(get_args(Mentions)))
    card = load_card(model)
    visible = _visible_corpus(corpus, mentions)
    if card.kind == "cross-document":
        from corefbench.resolvers.cross_document.workers import Workers

        return _load_cross_document(model).predict(
            visible,
            "predicted" if mentions == "predicted" else "gold",
            scope or None,  # type: ignore[arg-type]
            linking=linking,  # type: ignore[arg-type]
            workers=Workers(engine, jobs, lambda stage, done, total: step(done, total)),
            report=tell,
        )
    if scope or linking != "auto":
        raise UsageError("only cross-document models take scope and linking", found=f"a model of the kind {card.kind}")
    predictor = {"ubiu": _predict_ubiu, "neural": _predict_neural}.get(card.kind)
    if predictor is None:
        raise FormatError(
            "no resolver can use this model",
            code="CB251",
            place=Place(source=str(model)),
            found=card.kind,
            expected="ubiu, neural or cross-document",
        )
    gold = mentions != "predicted"
    if is_parallel(engine, jobs):
        work = partial(_predict_share, predictor, model, card, gold, preprocess)
        shares = map_documents(work, _split_shares(visible, 4 * jobs), engine=engine, jobs=jobs)
        predictions: Iterator[list[list[Span]]] = chain.from_iterable(shares)
    else:
        predictions = predictor(model, card, visible, gold, preprocess)
    clusters = []
    for chains in predictions:
        clusters.append(chains)
        step(len(clusters), len(visible))
    return replace_chains(corpus, clusters)


def _predict_share(
    predictor: _Predictor, model: Path, card: ModelCard, gold: bool, preprocess: str, corpus: Corpus
) -> list[list[list[Span]]]:
    return list(predictor(model, card, corpus, gold, preprocess))


def _split_shares(corpus: Corpus, count: int) -> Iterator[Corpus]:
    """Split the documents into few shares, because a worker loads the model for each."""
    documents = list(split_documents(corpus))
    size = max(-(-len(documents) // count), 1)
    for first in range(0, len(documents), size):
        yield concatenate(corpus.name, documents[first : first + size])


def _visible_corpus(corpus: Corpus, mentions: Mentions) -> Corpus:
    """Return the corpus with the mentions that the model may see."""
    if corpus.mentions.referring is not None:
        corpus = keep_mentions(corpus, corpus.mentions.referring)
    return without_singletons(corpus) if mentions == "non-singleton" else corpus


def _predict_ubiu(
    model: Path, card: ModelCard, corpus: Corpus, gold: bool, preprocess: str
) -> Iterator[list[list[Span]]]:
    from corefbench.preprocess.documents import analyse_documents
    from corefbench.resolvers.mention_pair.ubiu import Ubiu, chain_spans

    config = card.config
    resolver = Ubiu(
        model=str(model),
        singletons=config.get("singletons", "none"),
        pronoun_fallback=config.get("pronoun_fallback", "none"),
        number_filter=config.get("number_filter", False),
    )
    pipeline = preprocess or config.get("preprocess", DEFAULT)
    for _, discourse in analyse_documents(corpus, pipeline, gold=gold):
        yield chain_spans(resolver.resolve(discourse))


def _predict_neural(
    model: Path, card: ModelCard, corpus: Corpus, gold: bool, preprocess: str
) -> Iterator[list[list[Span]]]:
    try:
        from corefbench.resolvers.neural.decoding import decode
        from corefbench.resolvers.neural.model import load_cached
    except ImportError as error:
        raise MissingExtra("torch", "neural") from error
    from corefbench.preprocess.documents import TokenColumns, word_chains
    from corefbench.resolvers.neural.example import Example
    from corefbench.resolvers.neural.resolver import choose_scheme, decoding_config, keeps_singletons

    _, network = load_cached(model)
    scheme = choose_scheme(card)
    config = decoding_config(card, scheme)
    keeps = keeps_singletons(card, scheme)
    for document in corpus:
        columns = TokenColumns(document)
        example = Example(
            name=document.label, words=columns.words, sentences=tuple(start for start, _ in columns.sentences())
        )
        spans = [span for chain in word_chains(document) for span in chain] if gold else None
        decoded = decode(
            network,
            example,
            scheme,
            mentions=spans,
            threshold=config.threshold,
            bias=config.given if gold else config.bias,
        )
        yield [chain for chain in decoded.chains() if keeps or len(chain) > 1]


def _load_cross_document(model: Path) -> "CrossDocumentModel":
    try:
        from corefbench.resolvers.cross_document.model import CrossDocumentModel
    except ImportError as error:
        raise MissingExtra("torch", "neural") from error
    return CrossDocumentModel.load(model)
