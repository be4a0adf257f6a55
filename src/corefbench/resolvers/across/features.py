"""What gradient boosting sees of a pair of mentions: a row of numbers, the same both ways round."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from corefbench.record import Longs
from corefbench.resolvers.across.clustering import tree
from corefbench.resolvers.across.context import Context
from corefbench.resolvers.across.topics import document_similarity

Column = Callable[[Context, Longs, Longs], NDArray[np.float32]]
_NEAREST = 15
_NEAR = 10
_FEW = 8
_TAGS = {"VERB": 0, "NOUN": 1, "PROPN": 2, "PRON": 3, "NUM": 4, "ADJ": 5}


def names(context: Context) -> list[str]:
    """The names of the features, in order."""
    return [*(view.name for view in context.views), *_COLUMNS]


def features(context: Context, one: Longs, other: Longs) -> NDArray[np.float32]:
    """Pairs × features."""
    made = [view.similarity(one, other) for view in context.views]
    made += [column(context, one, other).astype(np.float32) for column in _COLUMNS.values()]
    return np.stack(made, axis=1) if len(one) else np.zeros((0, len(made)), np.float32)


def _same_lemma(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
    return np.asarray(context.lemma[a] == context.lemma[b], np.float32)


def _same_text(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
    return np.asarray(context.text[a] == context.text[b], np.float32)


def _contained(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
    """Whether the words of one mention are within those of the other."""
    table = _within(context.texts)
    return table[context.text[a], context.text[b]].astype(np.float32)


def _within(texts: tuple[str, ...]) -> NDArray[np.bool_]:
    framed = [f" {text} " for text in texts]
    made = np.eye(len(texts), dtype=np.bool_)
    place: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        for word in set(text.split()):
            place.setdefault(word, []).append(row)
    for row, text in enumerate(texts):
        for other in place.get((text.split() or [""])[0], ()):
            if framed[row] in framed[other]:
                made[row, other] = made[other, row] = True
    return made


def _prefix(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
    """Letters that both head lemmas begin with, as a share of the longer one."""
    one, other = np.array(context.lemmas)[context.lemma[a]], context.lemma[b]
    width = max(one.dtype.itemsize // 4, 1)
    letters = np.array(context.lemmas).astype(f"U{width}").view(np.uint32).reshape(-1, width)
    size = (letters > 0).sum(axis=1)
    x, y = context.lemma[a], other
    same = (letters[x] == letters[y]) & (letters[x] > 0)
    shared = np.cumprod(same, axis=1).sum(axis=1)
    return np.asarray(shared / np.maximum(np.maximum(size[x], size[y]), 1), np.float32)


def _same_document(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
    document = context.table.document
    return np.asarray(document[a] == document[b], np.float32)


def _distance(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
    """Tokens between the heads; missing where the documents differ."""
    table = context.table
    apart = np.abs(table.head[a] - table.head[b]).astype(np.float32)
    return np.where(table.document[a] == table.document[b], apart, np.nan)


def _same_sentence(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
    sentence = context.table.sentence
    return np.asarray(sentence[a] == sentence[b], np.float32)


def _rank(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
    """How many documents are nearer, the mean of both directions, as a logarithm."""
    x, y = context.table.document[a], context.table.document[b]
    return np.log1p((context.near[x, y] + context.near[y, x]) / 2)


def _merged(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
    """How like two groups of documents were when average linkage put these two into one."""
    from scipy.cluster.hierarchy import cophenet
    from scipy.spatial.distance import squareform

    merges = tree(document_similarity(context))
    if not len(merges):
        return np.ones(len(a), np.float32)
    alike = 1.0 - squareform(cophenet(merges))
    return np.asarray(alike[context.table.document[a], context.table.document[b]], np.float32)


def _shared(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
    """Of the documents nearest to the two documents, the share that is near to both."""
    near = (context.near <= min(_NEAR, len(context.near) - 1)).astype(np.float32)
    both = near @ near.T
    count = near.sum(axis=1)
    shared = both / (count[:, None] + count[None, :] - both)
    return np.asarray(shared[context.table.document[a], context.table.document[b]], np.float32)


def _relative(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
    """How like the documents are, measured by how like their nearest are; missing within one."""
    alike = document_similarity(context)
    np.fill_diagonal(alike, np.nan)
    if len(alike) < 2:
        return np.full(len(a), np.nan, np.float32)
    nearest = np.sort(np.nan_to_num(alike, nan=-1.0), axis=1)[:, 1:][:, -_FEW:].mean(axis=1)
    scale = np.sqrt(np.maximum(nearest[:, None] * nearest[None, :], 1e-6))
    relative = alike / scale
    return np.asarray(relative[context.table.document[a], context.table.document[b]], np.float32)


def _pairwise(value: Callable[[Context], NDArray[np.float64]], least: bool) -> Column:
    def column(context: Context, a: Longs, b: Longs) -> NDArray[np.float32]:
        numbers = value(context)
        return (np.minimum if least else np.maximum)(numbers[a], numbers[b])

    return column


def _length(context: Context) -> NDArray[np.float64]:
    return (context.table.end - context.table.start).astype(np.float64)


def _rarity(context: Context) -> NDArray[np.float64]:
    return context.rarity


def _local(context: Context) -> NDArray[np.float64]:
    """The share of the nearest documents that have a mention with the same head lemma."""
    document = context.table.document
    has = np.zeros((len(context.lemmas), len(context.near)), np.float32)
    has[context.lemma, document] = 1.0
    count = min(_NEAREST, len(context.near))
    shared = has @ (context.near < count).T.astype(np.float32)
    return np.asarray(shared[context.lemma, document] / count, np.float64)


def _place(context: Context) -> NDArray[np.float64]:
    """The number of the sentence in its document: what comes first is what the news is about."""
    words, table = context.words, context.table
    first = words.sentence[np.searchsorted(words.document, table.document)]
    return (table.sentence - first).astype(np.float64)


def _tag(context: Context) -> NDArray[np.float64]:
    tags = context.words.tags
    return np.array([_TAGS.get(tags[h], 6) for h in context.table.head.tolist()], np.float64)


_COLUMNS: dict[str, Column] = {
    "same head lemma": _same_lemma,
    "same words": _same_text,
    "one within the other": _contained,
    "shared beginning": _prefix,
    "same document": _same_document,
    "same sentence": _same_sentence,
    "distance": _distance,
    "document rank": _rank,
    "documents merged": _merged,
    "documents near both": _shared,
    "documents alike, relative": _relative,
    "shorter": _pairwise(_length, True),
    "longer": _pairwise(_length, False),
    "rarer": _pairwise(_rarity, False),
    "commoner": _pairwise(_rarity, True),
    "less common nearby": _pairwise(_local, True),
    "more common nearby": _pairwise(_local, False),
    "earlier": _pairwise(_place, True),
    "later": _pairwise(_place, False),
    "first tag": _pairwise(_tag, True),
    "second tag": _pairwise(_tag, False),
}
