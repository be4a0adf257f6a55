"""Corpora out of corpora: several joined into one, some documents taken from one."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from corefbench.model.corpus import (
    Chains,
    Corpus,
    Documents,
    Mentions,
    Parts,
    Relations,
    Tokens,
)
from corefbench.model.strings import Strings
from corefbench.record import Flags, Ints, Longs

Number = TypeVar("Number", np.int64, np.uint64)


def concatenate(name: str, pieces: Sequence[Corpus]) -> Corpus:
    """One corpus of all the documents, in order."""
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
                key: tuple(
                    value for p in pieces for value in p.documents.columns.get(key, ("",) * len(p))
                )
                for key in _keys([p.documents.columns for p in pieces])
            },
            texts=_join_strings([p.documents.texts for p in pieces]),
        ),
        tokens=_join_tokens([p.tokens for p in pieces], tokens),
        mentions=_join_mentions([p.mentions for p in pieces], documents, chains),
        chains=Chains(
            document=_shifted([p.chains.document for p in pieces], documents),
            labels=_join_labels([p.chains.labels for p in pieces]),
        ),
        relations=Relations(
            plural=_shifted([r.plural for r in relations], chains),
            element=_shifted([r.element for r in relations], chains),
            bridging_anaphor=_shifted([r.bridging_anaphor for r in relations], mentions),
            bridging_mention=_shifted([r.bridging_mention for r in relations], mentions),
            bridging_chain=_shifted([r.bridging_chain for r in relations], chains),
            bridging_label=tuple(label for r in relations for label in r.bridging_label),
        ),
    )


def empty_corpus(name: str) -> Corpus:
    """A corpus without documents."""
    no = np.zeros(0, np.int32)
    return Corpus(
        name=name,
        documents=Documents(names=(), parts=no),
        tokens=Tokens(offsets=np.zeros(1, np.int64), sentences=np.zeros(0, np.int64)),
        mentions=Mentions(document=no, start=no, end=no, chain=no),
        chains=Chains(document=no, labels=np.zeros(0, np.int64)),
        relations=Relations.none(),
    )


def keep_mentions(corpus: Corpus, keep: Flags) -> Corpus:
    """The corpus with only the marked mentions; chains keep their numbers, relations of dropped
    mentions go."""
    if keep.all():
        return corpus
    mentions, where = corpus.mentions, np.flatnonzero(keep)
    renumber = np.full(len(mentions) + 1, -1, np.int32)
    renumber[where] = np.arange(len(where))
    relations = corpus.relations
    bridged = renumber[relations.bridging_anaphor] >= 0
    return replace(
        corpus,
        mentions=take_mentions(mentions, where),
        relations=replace(
            relations,
            bridging_anaphor=renumber[relations.bridging_anaphor][bridged],
            bridging_mention=renumber[relations.bridging_mention][bridged],
            bridging_chain=relations.bridging_chain[bridged],
            bridging_label=_pick(relations.bridging_label, bridged),
        ),
    )


def take_mentions(mentions: Mentions, where: Longs) -> Mentions:
    """The mentions at ``where``, in that order."""
    return Mentions(
        document=mentions.document[where],
        start=mentions.start[where],
        end=mentions.end[where],
        chain=mentions.chain[where],
        head=None if mentions.head is None else mentions.head[where],
        parts=_take_parts(mentions.parts, where),
        minimum=_take_parts(mentions.minimum, where),
        referring=None if mentions.referring is None else mentions.referring[where],
        columns={key: column.take(where) for key, column in mentions.columns.items()},
    )


def take_documents(corpus: Corpus, wanted: Longs, names: Sequence[tuple[str, int]]) -> Corpus:
    """The documents ``wanted``, in that order; -1 makes an empty document of the given name."""
    wanted = np.asarray(wanted, np.int64)
    if len(wanted) == len(corpus) and (wanted == np.arange(len(corpus))).all():
        return corpus
    place = np.full(len(corpus), -1, np.int64)
    place[wanted[wanted >= 0]] = np.flatnonzero(wanted >= 0)
    chain_place, mention_place = place[corpus.chains.document], place[corpus.mentions.document]
    chain_order, chain_number = _order(chain_place)
    order, mention_number = _order(mention_place)
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
            mentions,
            document=mention_place[order].astype(np.int32),
            chain=chain_number[mentions.chain],
        ),
        chains=Chains(
            document=chain_place[chain_order].astype(np.int32),
            labels=corpus.chains.labels[chain_order],
        ),
        relations=Relations(
            plural=chain_number[relations.plural[plural]],
            element=chain_number[relations.element[plural]],
            bridging_anaphor=mention_number[relations.bridging_anaphor[bridged]],
            bridging_mention=mention_number[relations.bridging_mention[bridged]],
            bridging_chain=chain_number[relations.bridging_chain[bridged]],
            bridging_label=_pick(relations.bridging_label, bridged),
        ),
    )


def single_documents(corpus: Corpus) -> Iterator[Corpus]:
    """Every document as a corpus of its own, which is cheap to hand to another process."""
    for index, name in enumerate(corpus.documents.names):
        label = (name, int(corpus.documents.parts[index]))
        yield take_documents(corpus, np.array([index], np.int64), [label])


def ranges(starts: Longs, counts: Longs) -> Longs:
    """The numbers of several ranges, one after another.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    ends = np.cumsum(counts)
    first = starts - (ends - counts)
    return np.repeat(first, counts) + np.arange(ends[-1] if len(ends) else 0)


def _order(place: Longs) -> tuple[Longs, Ints]:
    """Which rows to take, sorted by place, and each row's new number (-1 and row -1: none)."""
    order = np.argsort(place, kind="stable")[np.count_nonzero(place < 0) :]
    number = np.full(len(place) + 1, -1, np.int32)
    number[order] = np.arange(len(order))
    return order, number


def _take_tokens(tokens: Tokens, wanted: Longs) -> Tokens:
    present = np.append(tokens.offsets, tokens.offsets[-1])
    starts, counts = present[wanted], np.diff(present)[wanted]
    where = ranges(starts, counts)
    new = np.full(len(tokens) + 1, -1, np.int64)
    new[where] = np.arange(len(where))
    sentences = new[tokens.sentences]
    return Tokens(
        offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]),
        sentences=np.sort(sentences[sentences >= 0]),
        digests=None if tokens.digests is None else np.append(tokens.digests, np.uint64(0))[wanted],
        words=None if tokens.words is None else tokens.words.take(where),
        empty=None if tokens.empty is None else tokens.empty[where],
        begin=None if tokens.begin is None else tokens.begin[where],
        finish=None if tokens.finish is None else tokens.finish[where],
        columns={key: column.take(where) for key, column in tokens.columns.items()},
    )


def _take_parts(parts: Parts | None, where: Longs) -> Parts | None:
    if parts is None:
        return None
    counts = np.diff(parts.offsets)[where]
    rows = ranges(parts.offsets[:-1][where], counts)
    return Parts(
        offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)]),
        start=parts.start[rows],
        end=parts.end[rows],
    )


def _pick(values: tuple[str, ...], keep: Flags) -> tuple[str, ...]:
    return tuple(value for value, kept in zip(values, keep.tolist(), strict=True) if kept)


def _shifted(columns: Sequence[Ints], by: Longs) -> Ints:
    """Index columns joined, each moved by where its piece begins; -1 stays -1."""
    moved = [np.where(c >= 0, c + shift, -1) for c, shift in zip(columns, by, strict=False)]
    return np.concatenate(moved).astype(np.int32)


def _keys(columns: Sequence[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(key for some in columns for key in some))


def _join_tokens(pieces: Sequence[Tokens], starts: Longs) -> Tokens:
    empties = any(p.empty is not None for p in pieces)
    return Tokens(
        offsets=np.concatenate(
            [
                np.zeros(1, np.int64),
                *(p.offsets[1:] + s for p, s in zip(pieces, starts, strict=False)),
            ]
        ),
        sentences=np.concatenate([p.sentences + s for p, s in zip(pieces, starts, strict=False)]),
        digests=_join_known([p.digests for p in pieces]),
        words=_join_strings([p.words for p in pieces]),
        begin=_join_known([p.begin for p in pieces]),
        finish=_join_known([p.finish for p in pieces]),
        empty=np.concatenate(
            [p.empty if p.empty is not None else np.zeros(len(p), np.bool_) for p in pieces]
        )
        if empties
        else None,
        columns=_join_columns([p.columns for p in pieces], [len(p) for p in pieces]),
    )


def _join_strings(columns: Sequence[Strings | None]) -> Strings | None:
    """The columns joined; None unless all are there."""
    known = [c for c in columns if c is not None]
    return Strings.concatenate(known) if len(known) == len(columns) else None


def _join_known(columns: Sequence[NDArray[Number] | None]) -> NDArray[Number] | None:
    """The arrays joined; None unless all are there."""
    known = [c for c in columns if c is not None]
    return np.concatenate(known) if len(known) == len(columns) else None


def _take_texts(texts: Strings | None, wanted: Longs) -> Strings | None:
    if texts is None:
        return None
    return Strings.of([texts[d] if d >= 0 else "" for d in wanted.tolist()])


def _join_mentions(pieces: Sequence[Mentions], documents: Longs, chains: Longs) -> Mentions:
    some_heads = any(p.head is not None for p in pieces)
    some_silent = any(p.referring is not None for p in pieces)
    return Mentions(
        document=_shifted([p.document for p in pieces], documents),
        start=np.concatenate([p.start for p in pieces]),
        end=np.concatenate([p.end for p in pieces]),
        chain=_shifted([p.chain for p in pieces], chains),
        head=np.concatenate(
            [p.head if p.head is not None else np.full(len(p), -1, np.int32) for p in pieces]
        )
        if some_heads
        else None,
        parts=_join_parts([p.parts for p in pieces], pieces, whole=True),
        minimum=_join_parts([p.minimum for p in pieces], pieces, whole=False),
        referring=np.concatenate(
            [p.referring if p.referring is not None else np.ones(len(p), np.bool_) for p in pieces]
        )
        if some_silent
        else None,
        columns=_join_columns([p.columns for p in pieces], [len(p) for p in pieces]),
    )


def _join_parts(
    parts: Sequence[Parts | None], pieces: Sequence[Mentions], *, whole: bool
) -> Parts | None:
    """Joined parts; a piece without them has its whole spans as parts, or none."""
    if all(p is None for p in parts):
        return None
    made = [p or _plain_parts(m, whole=whole) for p, m in zip(parts, pieces, strict=True)]
    starts = np.cumsum([0, *(len(p.start) for p in made)])
    return Parts(
        offsets=np.concatenate(
            [
                np.zeros(1, np.int64),
                *(p.offsets[1:] + s for p, s in zip(made, starts, strict=False)),
            ]
        ),
        start=np.concatenate([p.start for p in made]),
        end=np.concatenate([p.end for p in made]),
    )


def _join_offsets(columns: Sequence[Longs], starts: Longs) -> Longs:
    moved = [c[1:] + start for c, start in zip(columns, starts, strict=False)]
    return np.concatenate([np.zeros(1, np.int64), *moved])


def _plain_parts(mentions: Mentions, *, whole: bool) -> Parts:
    if whole:
        return Parts(
            offsets=np.arange(len(mentions) + 1, dtype=np.int64),
            start=mentions.start,
            end=mentions.end,
        )
    no = np.zeros(0, np.int32)
    return Parts(offsets=np.zeros(len(mentions) + 1, np.int64), start=no, end=no)


def _join_columns(
    columns: Sequence[Mapping[str, Strings]], lengths: Sequence[int]
) -> dict[str, Strings]:
    return {
        key: Strings.concatenate(
            [
                some.get(key) or Strings.of([""] * n)
                for some, n in zip(columns, lengths, strict=True)
            ]
        )
        for key in _keys(columns)
    }


def _join_labels(columns: Sequence[np.ndarray]) -> np.ndarray:
    if all(c.dtype == np.int64 for c in columns):
        return np.concatenate(columns)
    return np.concatenate([c if c.dtype != np.int64 else c.astype("S20") for c in columns])
