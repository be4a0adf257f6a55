"""Concatenate corpora, and select documents or mentions of a corpus."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from corefbench.corpus.arrays import ranges
from corefbench.corpus.corpus import Chains, Corpus, Documents, Mentions, Parts, Relations, Tokens
from corefbench.corpus.strings import Strings
from corefbench.records import Flags, Ints, Longs

Number = TypeVar("Number", np.int64, np.uint64)


def concatenate(name: str, pieces: Sequence[Corpus]) -> Corpus:
    """Return one corpus of all the documents, in order."""
    if len(pieces) == 1:
        return pieces[0]
    if not pieces:
        return empty_corpus(name)
    documents = np.cumsum([0, *(len(p) for p in pieces)])
    tokens = np.cumsum([0, *(len(p.tokens) for p in pieces)])
    mentions = np.cumsum([0, *(len(p.mentions) for p in pieces)])
    chains = np.cumsum([0, *(len(p.chains) for p in pieces)])
    relations = [p.relations for p in pieces]
    return Corpus(
        name=name,
        documents=Documents(
            names=tuple(n for p in pieces for n in p.documents.names),
            parts=np.concatenate([p.documents.parts for p in pieces]),
            columns={
                key: tuple(value for p in pieces for value in p.documents.columns.get(key, ("",) * len(p)))
                for key in _all_keys([p.documents.columns for p in pieces])
            },
            texts=_join_strings([p.documents.texts for p in pieces]),
        ),
        tokens=_join_tokens([p.tokens for p in pieces], tokens),
        mentions=_join_mentions([p.mentions for p in pieces], documents, chains),
        chains=Chains(
            document=_join_indices([p.chains.document for p in pieces], documents),
            labels=_join_labels([p.chains.labels for p in pieces]),
        ),
        relations=Relations(
            plural=_join_indices([r.plural for r in relations], chains),
            element=_join_indices([r.element for r in relations], chains),
            bridging_anaphor=_join_indices([r.bridging_anaphor for r in relations], mentions),
            bridging_mention=_join_indices([r.bridging_mention for r in relations], mentions),
            bridging_chain=_join_indices([r.bridging_chain for r in relations], chains),
            bridging_label=tuple(label for r in relations for label in r.bridging_label),
        ),
    )


def empty_corpus(name: str) -> Corpus:
    """Return a corpus without documents."""
    none = np.zeros(0, np.int32)
    return Corpus(
        name=name,
        documents=Documents(names=(), parts=none),
        tokens=Tokens(offsets=np.zeros(1, np.int64), sentences=np.zeros(0, np.int64)),
        mentions=Mentions(document=none, start=none, end=none, chain=none),
        chains=Chains(document=none, labels=np.zeros(0, np.int64)),
        relations=Relations.none(),
    )


def keep_mentions(corpus: Corpus, keep: Flags) -> Corpus:
    """Return the corpus with only the mentions marked in ``keep``.

    Chains keep their numbers; relations of dropped mentions are dropped.
    """
    if keep.all():
        return corpus
    mentions, kept = corpus.mentions, np.flatnonzero(keep)
    renumber = np.full(len(mentions) + 1, -1, np.int32)
    renumber[kept] = np.arange(len(kept))
    relations = corpus.relations
    bridged = renumber[relations.bridging_anaphor] >= 0
    return replace(
        corpus,
        mentions=take_mentions(mentions, kept),
        relations=replace(
            relations,
            bridging_anaphor=renumber[relations.bridging_anaphor][bridged],
            bridging_mention=renumber[relations.bridging_mention][bridged],
            bridging_chain=relations.bridging_chain[bridged],
            bridging_label=_select(relations.bridging_label, bridged),
        ),
    )


def take_mentions(mentions: Mentions, indices: Longs) -> Mentions:
    """Return the mentions at ``indices``, in that order."""
    return Mentions(
        document=mentions.document[indices],
        start=mentions.start[indices],
        end=mentions.end[indices],
        chain=mentions.chain[indices],
        head=None if mentions.head is None else mentions.head[indices],
        parts=_take_parts(mentions.parts, indices),
        minimum=_take_parts(mentions.minimum, indices),
        referring=None if mentions.referring is None else mentions.referring[indices],
        columns={key: column.take(indices) for key, column in mentions.columns.items()},
    )


def take_documents(corpus: Corpus, wanted: Longs, names: Sequence[tuple[str, int]] | None = None) -> Corpus:
    """Return the documents ``wanted``, in that order; -1 stands for an empty document.

    ``names`` has the name and the part of every document of the new corpus, by default its own.
    """
    wanted = np.asarray(wanted, np.int64)
    if names is None:
        names = [(corpus.documents.names[d], int(corpus.documents.parts[d])) for d in wanted.tolist()]
    if len(wanted) == len(corpus) and (wanted == np.arange(len(corpus))).all():
        return corpus
    position = np.full(len(corpus), -1, np.int64)
    position[wanted[wanted >= 0]] = np.flatnonzero(wanted >= 0)
    chain_position = position[corpus.chains.document]
    mention_position = position[corpus.mentions.document]
    chain_order, chain_number = _order_by_position(chain_position)
    order, mention_number = _order_by_position(mention_position)
    mentions = take_mentions(corpus.mentions, order)
    relations = corpus.relations
    plural = chain_number[relations.plural] >= 0
    bridged = mention_number[relations.bridging_anaphor] >= 0
    return Corpus(
        name=corpus.name,
        documents=Documents(
            names=tuple(name for name, _ in names),
            parts=np.array([part for _, part in names], np.int32),
            columns={
                key: tuple(values[d] if d >= 0 else "" for d in wanted.tolist())
                for key, values in corpus.documents.columns.items()
            },
            texts=_take_texts(corpus.documents.texts, wanted),
        ),
        tokens=_take_tokens(corpus.tokens, wanted),
        mentions=replace(
            mentions, document=mention_position[order].astype(np.int32), chain=chain_number[mentions.chain]
        ),
        chains=Chains(document=chain_position[chain_order].astype(np.int32), labels=corpus.chains.labels[chain_order]),
        relations=Relations(
            plural=chain_number[relations.plural[plural]],
            element=chain_number[relations.element[plural]],
            bridging_anaphor=mention_number[relations.bridging_anaphor[bridged]],
            bridging_mention=mention_number[relations.bridging_mention[bridged]],
            bridging_chain=chain_number[relations.bridging_chain[bridged]],
            bridging_label=_select(relations.bridging_label, bridged),
        ),
    )


def split_documents(corpus: Corpus) -> Iterator[Corpus]:
    """Yield every document as a corpus of its own, which is cheap to send to a process."""
    return split_groups(corpus, np.arange(len(corpus)))


def split_groups(corpus: Corpus, group: Longs) -> Iterator[Corpus]:
    """Yield the documents of every group as a corpus; ``group`` numbers them from 0, without gaps."""
    order = np.argsort(group, kind="stable")
    return _split_ranges(take_documents(corpus, order), np.bincount(group).tolist())


def _split_ranges(corpus: Corpus, sizes: Sequence[int]) -> Iterator[Corpus]:
    """Yield the first documents, the next ones and so on, as many as ``sizes`` says."""
    # Taking documents looks at the whole corpus. Halves of halves make that n log n in all.
    if len(sizes) <= 1:
        yield from [corpus] * len(sizes)
        return
    half = len(sizes) // 2
    middle = sum(sizes[:half])
    yield from _split_ranges(take_documents(corpus, np.arange(middle)), sizes[:half])
    yield from _split_ranges(take_documents(corpus, np.arange(middle, len(corpus))), sizes[half:])


def _order_by_position(position: Longs) -> tuple[Longs, Ints]:
    """Return the rows to take, sorted by position, and the new number of each row.

    Rows at position -1 are dropped: their number is -1, and so is that of "row -1", no row.
    """
    order = np.argsort(position, kind="stable")[np.count_nonzero(position < 0) :]
    number = np.full(len(position) + 1, -1, np.int32)
    number[order] = np.arange(len(order))
    return order, number


def _take_tokens(tokens: Tokens, wanted: Longs) -> Tokens:
    offsets = np.append(tokens.offsets, tokens.offsets[-1])  # document -1 is empty
    counts = np.diff(offsets)[wanted]
    kept = ranges(offsets[wanted], counts)
    new_number = np.full(len(tokens) + 1, -1, np.int64)
    new_number[kept] = np.arange(len(kept))
    sentences = new_number[tokens.sentences]
    return Tokens(
        offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]),
        sentences=np.sort(sentences[sentences >= 0]),
        digests=None if tokens.digests is None else np.append(tokens.digests, np.uint64(0))[wanted],
        words=None if tokens.words is None else tokens.words.take(kept),
        empty=None if tokens.empty is None else tokens.empty[kept],
        begin=None if tokens.begin is None else tokens.begin[kept],
        finish=None if tokens.finish is None else tokens.finish[kept],
        columns={key: column.take(kept) for key, column in tokens.columns.items()},
    )


def _take_parts(parts: Parts | None, indices: Longs) -> Parts | None:
    if parts is None:
        return None
    counts = np.diff(parts.offsets)[indices]
    rows = ranges(parts.offsets[:-1][indices], counts)
    return Parts(
        offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]), start=parts.start[rows], end=parts.end[rows]
    )


def _select(values: tuple[str, ...], keep: Flags) -> tuple[str, ...]:
    return tuple(value for value, kept in zip(values, keep.tolist(), strict=True) if kept)


def _join_indices(columns: Sequence[Ints], starts: Longs) -> Ints:
    """Join index columns, each shifted by the start of its piece; -1 stays -1."""
    shifted = [np.where(c >= 0, c + start, -1) for c, start in zip(columns, starts, strict=False)]
    return np.concatenate(shifted).astype(np.int32)


def _all_keys(columns: Sequence[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(key for column in columns for key in column))


def _join_tokens(pieces: Sequence[Tokens], starts: Longs) -> Tokens:
    has_empty = any(p.empty is not None for p in pieces)
    return Tokens(
        offsets=_join_offsets([p.offsets for p in pieces], starts),
        sentences=np.concatenate([p.sentences + s for p, s in zip(pieces, starts, strict=False)]),
        digests=_join_arrays([p.digests for p in pieces]),
        words=_join_strings([p.words for p in pieces]),
        begin=_join_arrays([p.begin for p in pieces]),
        finish=_join_arrays([p.finish for p in pieces]),
        empty=np.concatenate([p.empty if p.empty is not None else np.zeros(len(p), np.bool_) for p in pieces])
        if has_empty
        else None,
        columns=_join_columns([p.columns for p in pieces], [len(p) for p in pieces]),
    )


def _join_strings(columns: Sequence[Strings | None]) -> Strings | None:
    """Join the columns; None unless all are known."""
    known = [c for c in columns if c is not None]
    return Strings.concatenate(known) if len(known) == len(columns) else None


def _join_arrays(columns: Sequence[NDArray[Number] | None]) -> NDArray[Number] | None:
    """Join the arrays; None unless all are known."""
    known = [c for c in columns if c is not None]
    return np.concatenate(known) if len(known) == len(columns) else None


def _take_texts(texts: Strings | None, wanted: Longs) -> Strings | None:
    if texts is None:
        return None
    return Strings.of([texts[d] if d >= 0 else "" for d in wanted.tolist()])


def _join_mentions(pieces: Sequence[Mentions], documents: Longs, chains: Longs) -> Mentions:
    has_heads = any(p.head is not None for p in pieces)
    has_non_referring = any(p.referring is not None for p in pieces)
    return Mentions(
        document=_join_indices([p.document for p in pieces], documents),
        start=np.concatenate([p.start for p in pieces]),
        end=np.concatenate([p.end for p in pieces]),
        chain=_join_indices([p.chain for p in pieces], chains),
        head=np.concatenate([p.head if p.head is not None else np.full(len(p), -1, np.int32) for p in pieces])
        if has_heads
        else None,
        parts=_join_parts([p.parts for p in pieces], pieces, whole=True),
        minimum=_join_parts([p.minimum for p in pieces], pieces, whole=False),
        referring=np.concatenate(
            [p.referring if p.referring is not None else np.ones(len(p), np.bool_) for p in pieces]
        )
        if has_non_referring
        else None,
        columns=_join_columns([p.columns for p in pieces], [len(p) for p in pieces]),
    )


def _join_parts(parts: Sequence[Parts | None], pieces: Sequence[Mentions], *, whole: bool) -> Parts | None:
    """Join the parts; a piece without them has its ``whole`` spans as parts, or none."""
    if all(p is None for p in parts):
        return None
    known = [p or _default_parts(m, whole=whole) for p, m in zip(parts, pieces, strict=True)]
    starts = np.cumsum([0, *(len(p.start) for p in known)])
    return Parts(
        offsets=_join_offsets([p.offsets for p in known], starts),
        start=np.concatenate([p.start for p in known]),
        end=np.concatenate([p.end for p in known]),
    )


def _join_offsets(columns: Sequence[Longs], starts: Longs) -> Longs:
    shifted = [c[1:] + start for c, start in zip(columns, starts, strict=False)]
    return np.concatenate([np.zeros(1, np.int64), *shifted])


def _default_parts(mentions: Mentions, *, whole: bool) -> Parts:
    if whole:
        return Parts(offsets=np.arange(len(mentions) + 1, dtype=np.int64), start=mentions.start, end=mentions.end)
    none = np.zeros(0, np.int32)
    return Parts(offsets=np.zeros(len(mentions) + 1, np.int64), start=none, end=none)


def _join_columns(columns: Sequence[Mapping[str, Strings]], lengths: Sequence[int]) -> dict[str, Strings]:
    return {
        key: Strings.concatenate(
            [piece.get(key) or Strings.of([""] * length) for piece, length in zip(columns, lengths, strict=True)]
        )
        for key in _all_keys(columns)
    }


def _join_labels(columns: Sequence[np.ndarray]) -> np.ndarray:
    if all(c.dtype == np.int64 for c in columns):
        return np.concatenate(columns)
    return np.concatenate([c if c.dtype != np.int64 else c.astype("S20") for c in columns])
