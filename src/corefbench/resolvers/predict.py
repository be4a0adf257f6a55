"""What a trained model makes of a corpus, whatever its kind."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from corefbench.engine import is_shared, map_documents
from corefbench.errors import FormatError, MissingExtra, Place, UsageError
from corefbench.model.assemble import concatenate, keep_mentions, single_documents
from corefbench.model.corpus import Corpus
from corefbench.policy.singletons import without_singletons
from corefbench.preprocess import DEFAULT
from corefbench.resolvers.answer import Span, answered
from corefbench.resolvers.learned.checkpoint import ModelCard, load_card

if TYPE_CHECKING:
    from corefbench.resolvers.across.account import Account
    from corefbench.resolvers.across.workers import Workers
    from corefbench.resolvers.neural.example import Example

_Answers: TypeAlias = Callable[[Path, ModelCard, Corpus, bool, str], Iterator[list[list[Span]]]]
"""From a model and a corpus to the chains of each document."""

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
    tell: Callable[["Account"], None] = lambda account: None,
) -> Corpus:
    """The documents of the corpus with the chains that the model finds.

    ``preprocess`` replaces the pipeline that the model was trained with, where it needs one;
    ``step`` is told how many of how many documents are done. ``jobs`` workers of an ``engine``
    share the documents of models that look at one at a time, and the pieces of a blocked linking.

    Models across documents alone take the rest: ``scope``, how far chains reach, else as trained;
    ``linking``, ``exact`` or ``blocked``, else by the size of groups; ``tell``, which is given the
    account of it.
    """
    if mentions not in get_args(Mentions):
        raise UsageError(f"mentions cannot be {mentions!r}", expected=", ".join(get_args(Mentions)))
    card = load_card(model)
    given = _given(corpus, mentions)
    if card.kind == "cross-document":
        workers = _workers(engine, jobs, step)
        return _across(model, given, mentions, workers, scope=scope, linking=linking, tell=tell)
    if scope or linking != "auto":
        raise UsageError(
            "only models across documents are told how far chains reach and how they are linked",
            found=f"a model of the kind {card.kind}",
        )
    answers = {"ubiu": _ubiu, "neural": _neural}.get(card.kind)
    if answers is None:
        raise FormatError(
            "no resolver can use this model",
            code="CB251",
            place=Place(source=str(model)),
            found=card.kind,
            expected="ubiu, neural or cross-document",
        )
    gold = mentions != "predicted"
    if is_shared(engine, jobs):
        work = partial(_answered, answers, model, card, gold, preprocess)
        shares = map_documents(work, _shares(given, 4 * jobs), engine=engine, jobs=jobs)
        found: Iterator[list[list[Span]]] = chain.from_iterable(shares)
    else:
        found = answers(model, card, given, gold, preprocess)
    clusters = []
    for chains in found:
        clusters.append(chains)
        step(len(clusters), len(given))
    return answered(corpus, clusters)


def _answered(
    answers: _Answers, model: Path, card: ModelCard, gold: bool, preprocess: str, corpus: Corpus
) -> list[list[list[Span]]]:
    return list(answers(model, card, corpus, gold, preprocess))


def _shares(corpus: Corpus, most: int) -> Iterator[Corpus]:
    """The documents in so many shares: a worker loads the model for each."""
    single = list(single_documents(corpus))
    size = max(-(-len(single) // most), 1)
    for first in range(0, len(single), size):
        yield concatenate(corpus.name, single[first : first + size])


def _given(corpus: Corpus, mentions: Mentions) -> Corpus:
    """The corpus with the mentions that the model is to see."""
    if corpus.mentions.referring is not None:
        corpus = keep_mentions(corpus, corpus.mentions.referring)
    return without_singletons(corpus) if mentions == "non-singleton" else corpus


def _ubiu(
    model: Path, card: ModelCard, corpus: Corpus, gold: bool, preprocess: str
) -> Iterator[list[list[Span]]]:
    from corefbench.resolvers.learned.analysed import analysed
    from corefbench.resolvers.learned.ubiu import Ubiu, chains_of

    chosen = card.config
    resolver = Ubiu(
        model=str(model),
        singletons=chosen.get("singletons", "none"),
        pronoun_fallback=chosen.get("pronoun_fallback", "none"),
        number_filter=chosen.get("number_filter", False),
    )
    pipeline = preprocess or chosen.get("preprocess", DEFAULT)
    for _, discourse in analysed(corpus, pipeline, gold=gold):
        yield chains_of(resolver.resolve(discourse))


def _neural(
    model: Path, card: ModelCard, corpus: Corpus, gold: bool, preprocess: str
) -> Iterator[list[list[Span]]]:
    try:
        from corefbench.resolvers.neural.decode import decode
        from corefbench.resolvers.neural.storage import loaded
    except ImportError as error:
        raise MissingExtra("torch", "neural") from error
    from corefbench.resolvers.learned.analysed import clusters_of
    from corefbench.resolvers.neural.choices import decoding_of, keeps_singletons, scheme_of

    _, network = loaded(model)
    scheme = scheme_of(card)
    chosen = decoding_of(card, scheme)
    keeps = keeps_singletons(card, scheme)
    for document in corpus:
        given = [span for chain in clusters_of(document) for span in chain] if gold else None
        found = decode(
            network,
            _example(corpus, document.index),
            scheme,
            mentions=given,
            threshold=chosen.threshold,
            bias=chosen.given if gold else chosen.bias,
        )
        yield [chain for chain in found.chains() if keeps or len(chain) > 1]


def _example(corpus: Corpus, number: int) -> "Example":
    from corefbench.preprocess.text import Columns
    from corefbench.resolvers.neural.example import Example

    document = corpus[number]
    columns = Columns(document)
    return Example(
        name=document.label,
        words=columns.words,
        sentences=tuple(start for start, _ in columns.sentences()),
    )


def _across(
    model: Path,
    corpus: Corpus,
    mentions: Mentions,
    workers: "Workers",
    *,
    scope: str,
    linking: str,
    tell: Callable[["Account"], None],
) -> Corpus:
    try:
        from corefbench.resolvers.across.model import CrossDocument
    except ImportError as error:
        raise MissingExtra("torch", "neural") from error
    return CrossDocument.load(model).predict(
        corpus,
        "predicted" if mentions == "predicted" else "gold",
        scope or None,  # type: ignore[arg-type]
        linking=linking,  # type: ignore[arg-type]
        workers=workers,
        tell=tell,
    )


def _workers(engine: str, jobs: int, step: Callable[[int, int], None]) -> "Workers":
    from corefbench.resolvers.across.workers import Workers

    return Workers(engine, jobs, lambda stage, done, total: step(done, total))
