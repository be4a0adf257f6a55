"""Similarity views of mentions, from which pair features are computed."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from corefbench.corpus.corpus import Corpus
from corefbench.records import Columns, Floats, Longs
from corefbench.resolvers.cross_document.mentions import AnalysedTokens, MentionTable
from corefbench.resolvers.cross_document.vectors import (
    CachedEncoder,
    InverseDocumentFrequency,
    Vectors,
    character_trigrams,
    normalize_rows,
    span_means,
    tfidf_rows,
)

Bags: TypeAlias = Sequence[Sequence[str]]

_PAIRS_PER_BATCH = 1 << 16
_MAX_DENSE_ROWS = 6000
"""Up to this many rows, one matrix product is cheaper than products pair by pair."""
_CONTENT_TAGS = frozenset({"NOUN", "VERB", "PROPN", "ADJ", "NUM", "ADV"})
_FUNCTION_TAGS = frozenset({"DET", "ADP", "PUNCT", "AUX", "PRON", "CCONJ", "SCONJ", "PART"})
_SUBJECTS = ("nsubj", "csubj", "nmod:poss")
_OBJECTS = ("obj", "iobj", "nmod", "obl:agent")
_OPENING_WORDS = 60
"""Headline, place, date and first sentence, which say what a document is about."""
_TIME_WORDS = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december yesterday today tonight tomorrow morning
    afternoon evening night week month year""".split()  # noqa: SIM905
)


class SimilarityView(Columns, frozen=True, eq=False):
    """Rows of length 1, sparse or dense, by which mentions are compared; mentions may share one."""

    name: str
    rows: Any
    row_of: Longs
    """Row of each mention; -1 if it has none."""

    def similarity(self, left: Longs, right: Longs) -> NDArray[np.float32]:
        """Return the cosine of each pair; NaN where a row is missing or empty."""
        a, b = self.row_of[left], self.row_of[right]
        count = self.rows.shape[0]
        if count <= _MAX_DENSE_ROWS and count * count < 8 * len(left):
            cosines = self._all_products()[a, b]
        else:
            cosines = np.empty(len(left), np.float32)
            for first in range(0, len(left), _PAIRS_PER_BATCH):
                batch = slice(first, first + _PAIRS_PER_BATCH)
                cosines[batch] = self._products(a[batch], b[batch])
        empty = self._empty_rows()
        cosines[(a < 0) | (b < 0) | empty[a] | empty[b]] = np.nan
        return cosines

    def _all_products(self) -> NDArray[np.float32]:
        products = self.rows @ self.rows.T
        dense = products if isinstance(products, np.ndarray) else products.toarray()
        return np.asarray(dense, np.float32)

    def _products(self, a: Longs, b: Longs) -> NDArray[np.float32]:
        if isinstance(self.rows, np.ndarray):
            products: NDArray[np.float32] = np.einsum("ij,ij->i", self.rows[a], self.rows[b])
            return products
        return np.asarray(self.rows[a].multiply(self.rows[b]).sum(axis=1), np.float32).reshape(-1)

    def _empty_rows(self) -> NDArray[np.bool_]:
        if isinstance(self.rows, np.ndarray):
            return np.asarray(~self.rows.any(axis=1), np.bool_)
        return np.asarray(np.diff(self.rows.indptr) == 0, np.bool_)


class PairContext(Columns, frozen=True, eq=False):
    """Everything pairs of mentions of a corpus are scored by."""

    tokens: AnalysedTokens
    mentions: MentionTable
    views: tuple[SimilarityView, ...]
    lemma: Longs
    """Index into ``lemmas``: the head lemma of each mention."""
    text: Longs
    """Index into ``texts``: the words of each mention."""
    lemmas: tuple[str, ...]
    texts: tuple[str, ...]
    head_idf: Floats
    document_ranks: Longs
    """Documents × documents: how many documents are more similar to the first than the second."""
    vectors: Vectors
    """One per token."""

    def view(self, name: str) -> SimilarityView:
        """Return a view by name."""
        return next(view for view in self.views if view.name == name)

    def document_similarity(self) -> NDArray[np.float32]:
        """Return the mean of tf-idf cosine and vector cosine for all pairs of documents."""
        words, vectors = self.view("document").rows, self.view("document vector").rows
        return np.asarray(((words @ words.T).toarray() + vectors @ vectors.T) / 2, np.float32)


def background_words(corpus: Corpus, background: Corpus | None = None) -> list[list[str]]:
    """Return the alphanumeric words of each document in lower case.

    They are taken from the document of the same name in ``background``, if there is one.
    """
    whole = {} if background is None else dict(zip(background.documents.labels(), background, strict=True))
    return [
        [word.lower() for word in whole.get(label, document).words if word.isalnum()]
        for label, document in zip(corpus.documents.labels(), corpus, strict=True)
    ]


def build_context(
    corpus: Corpus,
    tokens: AnalysedTokens,
    mentions: MentionTable,
    idf: InverseDocumentFrequency,
    encoder: CachedEncoder,
    background: Sequence[Sequence[str]],
) -> PairContext:
    """Build the context; ``background`` has the words of every document as a whole."""
    vectors = encoder.encode_corpus(corpus)
    lemmas = [tokens.lemmas[h] for h in mentions.head.tolist()]
    texts = [" ".join(tokens.forms[a:b]).lower() for a, b in mentions.spans()]
    lemma_names, lemma = np.unique(np.array(lemmas, str), return_inverse=True)
    text_names, text = np.unique(np.array(texts, str), return_inverse=True)
    documents = tfidf_rows(background, idf)
    arguments, frames = syntactic_bags(tokens, mentions)
    # Order matters: it is the order of the features that stored models were trained on.
    views = (
        *_lexical_views("head word", lemmas, encoder),
        *_lexical_views("mention words", texts, encoder),
        *_bag_views(tokens, mentions, idf, background, arguments, frames),
        SimilarityView(name="document", rows=documents, row_of=mentions.document),
        *_vector_views(tokens, mentions, vectors, len(corpus)),
        *_argument_views(tokens, mentions, encoder),
        *_meaning_views({"arguments: meaning": arguments, "frame: meaning": frames}, idf, encoder),
    )
    return PairContext(
        tokens=tokens,
        mentions=mentions,
        views=views,
        lemma=lemma.reshape(-1).astype(np.int64),
        text=text.reshape(-1).astype(np.int64),
        lemmas=tuple(lemma_names.tolist()),
        texts=tuple(text_names.tolist()),
        head_idf=np.array([idf[name] for name in lemmas], np.float64),
        document_ranks=_similarity_ranks(documents),
        vectors=vectors,
    )


def _lexical_views(name: str, texts: Sequence[str], encoder: CachedEncoder) -> Iterable[SimilarityView]:
    """Compare texts out of context: by the encoder (meaning) and by trigrams (spelling)."""
    known, row_of = _distinct(texts)
    spellings = tfidf_rows([character_trigrams(text) for text in known])
    yield SimilarityView(name=f"{name}: meaning", rows=encoder.encode_texts(known), row_of=row_of)
    yield SimilarityView(name=f"{name}: spelling", rows=spellings, row_of=row_of)


def _distinct(texts: Sequence[str | None]) -> tuple[list[str], Longs]:
    """Return the distinct texts, and the position of each text among them; -1 for None."""
    known = sorted({text for text in texts if text is not None})
    row: dict[str | None, int] = {text: number for number, text in enumerate(known)}
    return known, np.array([row.get(text, -1) for text in texts], np.int64)


def _bag_views(
    tokens: AnalysedTokens,
    mentions: MentionTable,
    idf: InverseDocumentFrequency,
    background: Sequence[Sequence[str]],
    arguments: Bags,
    frames: Bags,
) -> list[SimilarityView]:
    own = np.arange(len(mentions))
    spans = mentions.spans()
    offsets = tokens.sentence_offsets.tolist()
    sentences = [range(a, b) for a, b in pairwise(offsets)]

    def lemmas(positions: Iterable[int], tags: Iterable[str] = _CONTENT_TAGS) -> list[str]:
        return [tokens.lemmas[t] for t in positions if tokens.tags[t] in tags]

    windows = [
        [*range(max(a - 6, offsets[s]), a), *range(b, min(b + 6, offsets[s + 1]))]
        for (a, b), s in zip(spans, mentions.sentence.tolist(), strict=True)
    ]
    times = [[w for w in map(tokens.lemmas.__getitem__, s) if w in _TIME_WORDS] for s in sentences]
    of_tokens, of_mentions = tokens.document.tolist(), mentions.document.tolist()
    heads = [tokens.lemmas[head] for head in mentions.head.tolist()]
    names = [
        (document, lemma)
        for document, lemma, tag in zip(of_tokens, tokens.lemmas, tokens.tags, strict=True)
        if tag in ("PROPN", "NUM")
    ]

    def by_document(pairs: Iterable[tuple[int, str]]) -> list[list[str]]:
        bags: list[list[str]] = [[] for _ in background]
        for document, lemma in pairs:
            bags[document].append(lemma)
        return bags

    bags: dict[str, tuple[Bags, Longs]] = {
        "mention lemmas": ([lemmas(range(a, b)) for a, b in spans], own),
        "arguments": (arguments, own),
        "frame": (frames, own),
        "other mentions": (_other_mentions(tokens, mentions), own),
        "document mentions": (by_document(zip(of_mentions, heads, strict=True)), mentions.document),
        "neighbours": ([lemmas(window) for window in windows], own),
        "sentence": ([lemmas(s) for s in sentences], mentions.sentence),
        "sentence names": ([lemmas(s, {"PROPN"}) for s in sentences], mentions.sentence),
        "sentence numbers": ([lemmas(s, {"NUM"}) for s in sentences], mentions.sentence),
        "sentence times": (times, mentions.sentence),
        "document names": (by_document(names), mentions.document),
        "document opening": ([words[:_OPENING_WORDS] for words in background], mentions.document),
    }
    return [
        SimilarityView(name=name, rows=tfidf_rows(words, idf), row_of=row_of) for name, (words, row_of) in bags.items()
    ]


def _other_mentions(tokens: AnalysedTokens, mentions: MentionTable) -> list[list[str]]:
    """Return, for each mention, the head lemmas of the other mentions of its sentence."""
    positions = list(zip(mentions.head.tolist(), mentions.sentence.tolist(), strict=True))
    heads: dict[int, list[int]] = {}
    for head, sentence in positions:
        heads.setdefault(sentence, []).append(head)
    return [[tokens.lemmas[other] for other in heads[sentence] if other != head] for head, sentence in positions]


def _vector_views(
    tokens: AnalysedTokens, mentions: MentionTable, vectors: Vectors, documents: int
) -> Iterable[SimilarityView]:
    own = np.arange(len(mentions))
    sentences = tokens.sentence_offsets
    bounds = np.searchsorted(tokens.document, np.arange(documents + 1))
    for name, rows, row_of in (
        ("span vector", span_means(vectors, mentions.start, mentions.end), own),
        ("head vector", vectors[mentions.head], own),
        ("sentence vector", span_means(vectors, sentences[:-1], sentences[1:]), mentions.sentence),
        ("document vector", span_means(vectors, bounds[:-1], bounds[1:]), mentions.document),
    ):
        yield SimilarityView(name=name, rows=normalize_rows(rows), row_of=row_of)


def _argument_views(tokens: AnalysedTokens, mentions: MentionTable, encoder: CachedEncoder) -> Iterable[SimilarityView]:
    """Compare subject, object and governor out of context."""
    for name, positions in _argument_heads(tokens, mentions).items():
        known, row_of = _distinct([tokens.lemmas[t] if t >= 0 else None for t in positions])
        yield SimilarityView(name=name, rows=encoder.encode_texts(known or [""]), row_of=row_of)


def _meaning_views(
    bags: Mapping[str, Bags], idf: InverseDocumentFrequency, encoder: CachedEncoder
) -> Iterable[SimilarityView]:
    """Compare bags by the idf-weighted mean of their word vectors."""
    known = sorted({word for words in bags.values() for bag in words for word in bag}) or [""]
    vectors = dict(zip(known, encoder.encode_texts(known), strict=True))
    for name, words in bags.items():
        sums = np.zeros((len(words), len(vectors[known[0]])), np.float32)
        for number, bag in enumerate(words):
            for word in bag:
                sums[number] += idf[word] * vectors[word]
        yield SimilarityView(name=name, rows=normalize_rows(sums), row_of=np.arange(len(words)))


def _similarity_ranks(documents: Any) -> Longs:
    similarity = (documents @ documents.T).toarray()
    np.fill_diagonal(similarity, 2.0)  # every document is nearest to itself
    order = np.argsort(-similarity, axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(len(order))[None, :], axis=1)
    return ranks.astype(np.int64)


def syntactic_bags(tokens: AnalysedTokens, mentions: MentionTable) -> tuple[Bags, Bags]:
    """Return the content lemmas of each mention's arguments and of its frame, outside the mention.

    Arguments are below its head in the tree. The frame is the head's governor and the dependents of
    both: the arguments of a noun ("after the attack on the mosque, police said …") are often there.
    """
    children = _children(tokens)
    arguments: list[list[str]] = []
    frames: list[list[str]] = []
    for (a, b), head in zip(mentions.spans(), mentions.head.tolist(), strict=True):
        below, stack = [], list(children[head])
        while stack:
            below.append(stack.pop())
            stack += children[below[-1]]
        governor = int(tokens.governors[head])
        siblings = [] if governor < 0 else children[governor]
        around = [governor, *siblings, *(t for s in siblings for t in children[s]), *children[head]]
        for bags, positions in ((arguments, below), (frames, around)):
            outside = [t for t in positions if t >= 0 and not a <= t < b]
            bags.append([tokens.lemmas[t] for t in outside if tokens.tags[t] not in _FUNCTION_TAGS])
    return arguments, frames


def _argument_heads(tokens: AnalysedTokens, mentions: MentionTable) -> dict[str, list[int]]:
    """Return the heads of each mention's subject and object, and its governor; -1 for none."""
    children = _children(tokens)
    heads: dict[str, list[int]] = {"subject": [], "object": [], "governor": []}
    for (a, b), head in zip(mentions.spans(), mentions.head.tolist(), strict=True):
        outside = [t for t in children[head] if not a <= t < b]
        heads["subject"].append(_first_with_relation(tokens, outside, _SUBJECTS))
        heads["object"].append(_first_with_relation(tokens, outside, _OBJECTS))
        heads["governor"].append(int(tokens.governors[head]))
    return heads


def _first_with_relation(tokens: AnalysedTokens, positions: Sequence[int], relations: tuple[str, ...]) -> int:
    return next((t for t in positions if tokens.relations[t].startswith(relations)), -1)


def _children(tokens: AnalysedTokens) -> list[list[int]]:
    children: list[list[int]] = [[] for _ in range(len(tokens))]
    for token, governor in enumerate(tokens.governors.tolist()):
        if governor >= 0:
            children[governor].append(token)
    return children
