"""All that pairs of mentions are judged by, made once for the mentions of a corpus."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from corefbench.model.corpus import Corpus
from corefbench.record import Columns, Floats, Longs
from corefbench.resolvers.across.arguments import argument_bags, dependents, frame_bags
from corefbench.resolvers.across.bags import Rarity, rows, trigrams
from corefbench.resolvers.across.company import document_company, sentence_company
from corefbench.resolvers.across.table import Table
from corefbench.resolvers.across.vectors import Vectoriser, Vectors, means, unit
from corefbench.resolvers.across.views import View
from corefbench.resolvers.across.words import Words

CONTENT = frozenset({"NOUN", "VERB", "PROPN", "ADJ", "NUM", "ADV"})
_OPENING = 60
"""Words of a document that say what it is news of: its headline, place and date, first sentence."""
_TIMES = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december yesterday today tonight tomorrow morning
    afternoon evening night week month year""".split()  # noqa: SIM905
)


class Context(Columns, frozen=True, eq=False):
    """Mentions with the views and numbers that features are made of."""

    words: Words
    table: Table
    views: tuple[View, ...]
    lemma: Longs
    """Mentions of one number have the same head lemma."""
    text: Longs
    """Mentions of one number have the same words."""
    lemmas: tuple[str, ...]
    texts: tuple[str, ...]
    rarity: Floats
    """Of the head lemma."""
    near: Longs
    """Documents × documents: how many are more like one than the other is."""
    vectors: Vectors
    """Of every token."""


def background_words(corpus: Corpus, background: Corpus | None = None) -> list[list[str]]:
    """The words of each document, lower case, letters and digits only.

    They are those of the document of the same name in ``background``, where there is one.
    """
    place = (
        {}
        if background is None
        else dict(zip(background.documents.labels(), background, strict=True))
    )
    return [
        [w.lower() for w in place.get(label, document).words if w.isalnum()]
        for label, document in zip(corpus.documents.labels(), corpus, strict=True)
    ]


def build_context(
    corpus: Corpus,
    words: Words,
    table: Table,
    rarity: Rarity,
    vectoriser: Vectoriser,
    background: Sequence[Sequence[str]],
) -> Context:
    """``background`` has, for every document, all its words, where the corpus has only some."""
    vectors = vectoriser.tokens(corpus)
    lemmas = [words.lemmas[h] for h in table.head.tolist()]
    spans = list(zip(table.start.tolist(), table.end.tolist(), strict=True))
    texts = [" ".join(words.forms[a:b]).lower() for a, b in spans]
    lemma_names, lemma = np.unique(np.array(lemmas, str), return_inverse=True)
    text_names, text = np.unique(np.array(texts, str), return_inverse=True)
    documents = rows(background, rarity)
    lexical = [
        *_lexical("head word", lemmas, vectoriser),
        *_lexical("mention words", texts, vectoriser),
    ]
    return Context(
        words=words,
        table=table,
        views=(
            *lexical,
            *_bag_views(words, table, rarity, background, documents),
            *_vector_views(words, table, vectors, len(corpus)),
            *_dependents(words, table, vectoriser),
            *_meanings(words, table, rarity, vectoriser),
        ),
        lemma=lemma.reshape(-1).astype(np.int64),
        text=text.reshape(-1).astype(np.int64),
        lemmas=tuple(lemma_names.tolist()),
        texts=tuple(text_names.tolist()),
        rarity=np.array([rarity[name] for name in lemmas], np.float64),
        near=_ranks(documents),
        vectors=vectors,
    )


def _lexical(name: str, texts: Sequence[str], vectoriser: Vectoriser) -> list[View]:
    """A text by itself: its meaning, as the encoder has it, and its spelling."""
    known = sorted(set(texts))
    number = {text: row for row, text in enumerate(known)}
    of = np.array([number[text] for text in texts], np.int64)
    return [
        View(name=f"{name}: meaning", rows=vectoriser.alone(known), of=of),
        View(name=f"{name}: spelling", rows=rows([trigrams(text) for text in known]), of=of),
    ]


def _bag_views(
    words: Words,
    table: Table,
    rarity: Rarity,
    background: Sequence[Sequence[str]],
    documents: object,
) -> list[View]:
    own = np.arange(len(table))
    spans = list(zip(table.start.tolist(), table.end.tolist(), strict=True))
    edges = words.sentences.tolist()
    sentences = [range(a, b) for a, b in pairwise(edges)]

    def bag(tokens: Sequence[int] | range, tags: frozenset[str]) -> list[str]:
        return [words.lemmas[t] for t in tokens if words.tags[t] in tags]

    names = [_named(document) for document in _forms(words, len(background))]
    window = [
        [*range(max(a - 6, edges[s]), a), *range(b, min(b + 6, edges[s + 1]))]
        for (a, b), s in zip(spans, table.sentence.tolist(), strict=True)
    ]
    time = [[w for w in map(words.lemmas.__getitem__, s) if w in _TIMES] for s in sentences]
    made: dict[str, tuple[Sequence[Sequence[str]], Longs]] = {
        "mention lemmas": ([bag(range(a, b), CONTENT) for a, b in spans], own),
        "arguments": (argument_bags(words, table), own),
        "frame": (frame_bags(words, table), own),
        "other mentions": (sentence_company(words, table), own),
        "document mentions": (document_company(words, table, len(background)), table.document),
        "neighbours": ([bag(tokens, CONTENT) for tokens in window], own),
        "sentence": ([bag(s, CONTENT) for s in sentences], table.sentence),
        "sentence names": ([bag(s, frozenset({"PROPN"})) for s in sentences], table.sentence),
        "sentence numbers": ([bag(s, frozenset({"NUM"})) for s in sentences], table.sentence),
        "sentence times": (time, table.sentence),
        "document names": (names, table.document),
        "document opening": ([some[:_OPENING] for some in background], table.document),
    }
    views = [View(name=name, rows=rows(bags, rarity), of=of) for name, (bags, of) in made.items()]
    return [*views, View(name="document", rows=documents, of=table.document)]


def _forms(words: Words, documents: int) -> list[list[tuple[str, str]]]:
    made: list[list[tuple[str, str]]] = [[] for _ in range(documents)]
    for lemma, tag, document in zip(words.lemmas, words.tags, words.document.tolist(), strict=True):
        made[document].append((lemma, tag))
    return made


def _named(words: Sequence[tuple[str, str]]) -> list[str]:
    return [lemma for lemma, tag in words if tag in ("PROPN", "NUM")]


def _vector_views(words: Words, table: Table, vectors: Vectors, documents: int) -> list[View]:
    own = np.arange(len(table))
    edges = words.sentences
    bounds = np.searchsorted(words.document, np.arange(documents + 1))
    return [
        View(name="span vector", rows=unit(means(vectors, table.start, table.end)), of=own),
        View(name="head vector", rows=unit(vectors[table.head]), of=own),
        View(
            name="sentence vector",
            rows=unit(means(vectors, edges[:-1], edges[1:])),
            of=table.sentence,
        ),
        View(
            name="document vector",
            rows=unit(means(vectors, bounds[:-1], bounds[1:])),
            of=table.document,
        ),
    ]


def _dependents(words: Words, table: Table, vectoriser: Vectoriser) -> list[View]:
    """The meaning of subject, object and governor, by themselves."""
    made = []
    for name, tokens in dependents(words, table).items():
        known = sorted({words.lemmas[t] for t in tokens if t >= 0})
        number = {lemma: row for row, lemma in enumerate(known)}
        of = np.array([number[words.lemmas[t]] if t >= 0 else -1 for t in tokens], np.int64)
        made.append(View(name=name, rows=vectoriser.alone(known or [""]), of=of))
    return made


def _meanings(words: Words, table: Table, rarity: Rarity, vectoriser: Vectoriser) -> list[View]:
    """Arguments and frame again, as the mean of what their words mean, rare words first."""
    own = np.arange(len(table))
    bags = {
        "arguments: meaning": argument_bags(words, table),
        "frame: meaning": frame_bags(words, table),
    }
    known = sorted({word for some in bags.values() for bag in some for word in bag}) or [""]
    number = {word: row for row, word in enumerate(known)}
    vectors = vectoriser.alone(known)
    return [
        View(name=name, rows=unit(_weighed(some, number, vectors, rarity)), of=own)
        for name, some in bags.items()
    ]


def _weighed(
    bags: Sequence[Sequence[str]], number: Mapping[str, int], vectors: Vectors, rarity: Rarity
) -> Vectors:
    made = np.zeros((len(bags), vectors.shape[1]), np.float32)
    for row, bag in enumerate(bags):
        for word in bag:
            made[row] += rarity[word] * vectors[number[word]]
    return made


def _ranks(documents: object) -> Longs:
    """For two documents, how many others are more like the first than the second is."""
    alike = (documents @ documents.T).toarray()  # type: ignore[attr-defined]
    np.fill_diagonal(alike, 2.0)
    order = np.argsort(-alike, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(len(order))[None, :], axis=1)
    return ranks.astype(np.int64)
