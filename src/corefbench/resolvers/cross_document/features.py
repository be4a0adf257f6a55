"""Features of mention pairs for gradient boosting; symmetric in the two mentions."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from corefbench.records import Floats, Longs
from corefbench.resolvers.cross_document.clustering import (
    Probabilities,
    likely_components,
    merge_similarity,
    pairs_by_component,
    similarity_matrix,
)
from corefbench.resolvers.cross_document.context import PairContext

Column = Callable[[PairContext, Longs, Longs], NDArray[np.float32]]
_LEMMA_DOCUMENTS = 15
"""Nearest documents searched for the same head lemma."""
_SHARED_DOCUMENTS = 10
"""Nearest documents whose overlap is measured."""
_SCALE_DOCUMENTS = 8
"""Nearest documents whose mean similarity is the unit of relative similarity."""
_TAGS = {"VERB": 0, "NOUN": 1, "PROPN": 2, "PRON": 3, "NUM": 4, "ADJ": 5}


def feature_names(context: PairContext) -> list[str]:
    """Return the names of the features, in order."""
    return [*(view.name for view in context.views), *_COLUMNS]


def pair_features(context: PairContext, left: Longs, right: Longs) -> NDArray[np.float32]:
    """Return a matrix pairs × features; NaN where a feature is missing."""
    columns = [view.similarity(left, right) for view in context.views]
    columns += [column(context, left, right).astype(np.float32) for column in _COLUMNS.values()]
    return np.stack(columns, axis=1) if len(left) else np.zeros((0, len(columns)), np.float32)


def _is_contained(context: PairContext, a: Longs, b: Longs) -> NDArray[np.float32]:
    """Whether the words of one mention contain those of the other."""
    table = _containment_table(context.texts)
    return table[context.text[a], context.text[b]].astype(np.float32)


def _containment_table(texts: tuple[str, ...]) -> NDArray[np.bool_]:
    padded = [f" {text} " for text in texts]
    table = np.eye(len(texts), dtype=np.bool_)
    rows_with: dict[str, list[int]] = {}
    for row, text in enumerate(texts):
        for word in set(text.split()):
            rows_with.setdefault(word, []).append(row)
    for row, text in enumerate(texts):
        for other in rows_with.get((text.split() or [""])[0], ()):
            if padded[row] in padded[other]:
                table[row, other] = table[other, row] = True
    return table


def _shared_prefix(context: PairContext, a: Longs, b: Longs) -> NDArray[np.float32]:
    """Length of the common prefix of the head lemmas, as a share of the longer one."""
    lemmas = np.array(context.lemmas)
    width = max(lemmas.dtype.itemsize // 4, 1)
    letters = lemmas.astype(f"U{width}").view(np.uint32).reshape(-1, width)
    size = (letters > 0).sum(axis=1)
    x, y = context.lemma[a], context.lemma[b]
    same = (letters[x] == letters[y]) & (letters[x] > 0)
    shared = np.cumprod(same, axis=1).sum(axis=1)
    return np.asarray(shared / np.maximum(np.maximum(size[x], size[y]), 1), np.float32)


def _distance(context: PairContext, a: Longs, b: Longs) -> NDArray[np.float32]:
    """Tokens between the heads; missing if the documents differ."""
    mentions = context.mentions
    distance = np.abs(mentions.head[a] - mentions.head[b]).astype(np.float32)
    return np.where(mentions.document[a] == mentions.document[b], distance, np.nan)


def _document_rank(context: PairContext, a: Longs, b: Longs) -> NDArray[np.float32]:
    """log(1 + number of more similar documents), the mean of both directions."""
    x, y = context.mentions.document[a], context.mentions.document[b]
    return np.log1p((context.document_ranks[x, y] + context.document_ranks[y, x]) / 2)


def _documents_merged(context: PairContext, a: Longs, b: Longs) -> NDArray[np.float32]:
    """Similarity at which average linkage merged the two documents."""
    similarity = context.document_similarity()
    if len(similarity) < 2:
        return np.ones(len(a), np.float32)
    return _of_documents(context, merge_similarity(similarity), a, b)


def _shared_nearest_documents(context: PairContext, a: Longs, b: Longs) -> NDArray[np.float32]:
    """Jaccard index of the documents nearest to the two documents."""
    ranks = context.document_ranks
    near = (ranks <= min(_SHARED_DOCUMENTS, len(ranks) - 1)).astype(np.float32)
    both = near @ near.T
    count = near.sum(axis=1)
    return _of_documents(context, both / (count[:, None] + count[None, :] - both), a, b)


def _relative_similarity(context: PairContext, a: Longs, b: Longs) -> NDArray[np.float32]:
    """Document similarity in units of that of the nearest documents; missing within one."""
    similarity = context.document_similarity()
    np.fill_diagonal(similarity, np.nan)
    if len(similarity) < 2:
        return np.full(len(a), np.nan, np.float32)
    ranked = np.sort(np.nan_to_num(similarity, nan=-1.0), axis=1)
    nearest = ranked[:, 1:][:, -_SCALE_DOCUMENTS:].mean(axis=1)
    scale = np.sqrt(np.maximum(nearest[:, None] * nearest[None, :], 1e-6))
    return _of_documents(context, similarity / scale, a, b)


def _of_documents(context: PairContext, matrix: NDArray[np.floating], a: Longs, b: Longs) -> NDArray[np.float32]:
    document = context.mentions.document
    return np.asarray(matrix[document[a], document[b]], np.float32)


def _equal(value: Callable[[PairContext], Longs]) -> Column:
    return lambda context, a, b: np.asarray(value(context)[a] == value(context)[b], np.float32)


def _minimum(value: Callable[[PairContext], Floats]) -> Column:
    return lambda context, a, b: np.minimum(value(context)[a], value(context)[b])


def _maximum(value: Callable[[PairContext], Floats]) -> Column:
    return lambda context, a, b: np.maximum(value(context)[a], value(context)[b])


def _length(context: PairContext) -> Floats:
    return (context.mentions.end - context.mentions.start).astype(np.float64)


def _lemma_share_nearby(context: PairContext) -> Floats:
    """Share of the nearest documents that have a mention with the same head lemma."""
    document, ranks = context.mentions.document, context.document_ranks
    has = np.zeros((len(context.lemmas), len(ranks)), np.float32)
    has[context.lemma, document] = 1.0
    count = min(_LEMMA_DOCUMENTS, len(ranks))
    shared = has @ (ranks < count).T.astype(np.float32)
    return np.asarray(shared[context.lemma, document] / count, np.float64)


def _sentence_position(context: PairContext) -> Floats:
    """Index of the sentence in its document: news states its main events first."""
    tokens, mentions = context.tokens, context.mentions
    first = tokens.sentence[np.searchsorted(tokens.document, mentions.document)]
    return (mentions.sentence - first).astype(np.float64)


def _tag(context: PairContext) -> Floats:
    tags = context.tokens.tags
    return np.array([_TAGS.get(tags[h], 6) for h in context.mentions.head.tolist()], np.float64)


# The names and their order are stored in trained models.
_COLUMNS: dict[str, Column] = {
    "same head lemma": _equal(lambda context: context.lemma),
    "same words": _equal(lambda context: context.text),
    "one within the other": _is_contained,
    "shared beginning": _shared_prefix,
    "same document": _equal(lambda context: context.mentions.document),
    "same sentence": _equal(lambda context: context.mentions.sentence),
    "distance": _distance,
    "document rank": _document_rank,
    "documents merged": _documents_merged,
    "documents near both": _shared_nearest_documents,
    "documents alike, relative": _relative_similarity,
    "shorter": _minimum(_length),
    "longer": _maximum(_length),
    "rarer": _maximum(lambda context: context.head_idf),
    "commoner": _minimum(lambda context: context.head_idf),
    "less common nearby": _minimum(_lemma_share_nearby),
    "more common nearby": _maximum(_lemma_share_nearby),
    "earlier": _minimum(_sentence_position),
    "later": _maximum(_sentence_position),
    "first tag": _minimum(_tag),
    "second tag": _maximum(_tag),
}


# Features of all pairs together, for the second stage of stacking

NEIGHBOURHOOD_FEATURES = (
    "probability",
    "minimum share of the best",
    "maximum share of the best",
    "minimum rank",
    "maximum rank",
    "cosine of probabilities",
    "merge similarity",
    "minimum expected partners",
    "maximum expected partners",
    "document overlap",
    "document overlap without the pair",
    "minimum rival",
    "maximum rival",
)
# Components that are too large for a matrix are split by raising the floor of probabilities.
_FLOOR_STEP = 0.02
_MAX_MATRIX_SIZE = 3_000


def neighbourhood_features(
    context: PairContext, left: Longs, right: Longs, probability: Probabilities
) -> NDArray[np.float32]:
    """Return pairs × ``NEIGHBOURHOOD_FEATURES``, from the probabilities of all pairs.

    They say whether two mentions are each other's best, have the same other partners, would be
    merged by average linkage, and whether the other mentions of their documents match. All but the
    probability are missing if the mentions are not in one component. Components are what pairs
    connect, or what likely pairs connect if that is too large for a matrix.
    """
    features = np.full((len(left), len(NEIGHBOURHOOD_FEATURES)), np.nan, np.float32)
    features[:, 0] = probability
    count = len(context.mentions)
    components = likely_components(count, left, right, probability, 0.0, _MAX_MATRIX_SIZE, _FLOOR_STEP)
    pairs = pairs_by_component(components, count, left, right)
    for members, (rows, a, b) in zip(components, pairs, strict=True):
        if len(rows):
            matrix = similarity_matrix(len(members), a, b, probability[rows])
            documents = context.mentions.document[members]
            features[rows, 1:] = _component_features(np.asarray(matrix, np.float64), documents, a, b)
    return features


def _component_features(matrix: NDArray[np.float64], document: Longs, a: Longs, b: Longs) -> NDArray[np.float64]:
    best = np.maximum(matrix.max(axis=1), 1e-9)
    probability = matrix[a, b]
    rank = np.log1p(np.argsort(np.argsort(-matrix, axis=1), axis=1))
    expected = matrix.sum(axis=1)
    columns = [
        *_ordered(probability / best[a], probability / best[b]),
        *_ordered(rank[a, b], rank[b, a]),
        _shared_partners(matrix)[a, b],
        merge_similarity(matrix)[a, b],
        *_ordered(expected[a], expected[b]),
        *_document_features(matrix, document, a, b),
    ]
    return np.stack(columns, axis=1)


def _ordered(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    return np.minimum(x, y), np.maximum(x, y)


def _shared_partners(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosine of two mentions' probabilities with all others, 1 with themselves."""
    rows = matrix.copy()
    np.fill_diagonal(rows, 1.0)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows @ rows.T, np.float64)


def _document_features(matrix: NDArray[np.float64], document: Longs, a: Longs, b: Longs) -> list[Floats]:
    """How well the mentions of two documents match, with and without the pair, and its rivals.

    A rival is the most probable other mention of the partner's document.
    """
    _, number = np.unique(document, return_inverse=True)
    number = number.reshape(-1)
    best, second_best = _two_best(matrix, number)
    count = np.bincount(number)
    total = np.zeros((len(count), len(count)))
    np.add.at(total, number, best)
    x, y = number[a], number[b]
    share = total / count[:, None]
    rest = total[x, y] - best[a, y] + total[y, x] - best[b, x]
    others = count[x] + count[y] - 2
    without_pair = np.where(others > 0, rest / np.maximum(others, 1), np.nan)
    probability = matrix[a, b]
    rivals = [
        np.where(probability >= best[m, d] - 1e-9, second_best[m, d], best[m, d]) - probability
        for m, d in ((a, y), (b, x))
    ]
    overlap = (share[x, y] + share[y, x]) / 2
    return [overlap, np.where(x == y, 1.0, without_pair), *_ordered(*rivals)]


def _two_best(matrix: NDArray[np.float64], document: Longs) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mentions × documents: the two highest probabilities of a mention in a document."""
    shape = (len(matrix), int(document.max(initial=-1)) + 1)
    best, second_best = np.zeros(shape), np.zeros(shape)
    for number in range(shape[1]):
        columns = np.sort(matrix[:, document == number], axis=1)
        best[:, number] = columns[:, -1]
        if columns.shape[1] > 1:
            second_best[:, number] = columns[:, -2]
    return best, second_best
