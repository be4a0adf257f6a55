"""Rows of Arrow as a corpus: columns become columns, and every number is checked."""

from typing import Any

import numpy as np

from corefbench.errors import FormatError, Place
from corefbench.formats.base import Reading
from corefbench.formats.fit import in_order
from corefbench.formats.parquet_columns import Rows
from corefbench.formats.parquet_relations import Labelled, labelled, relations_of
from corefbench.formats.source import Source
from corefbench.model.corpus import Corpus, Documents, Mentions, Parts, Tokens
from corefbench.model.digest import digest_written
from corefbench.model.strings import Strings
from corefbench.record import Flags, Longs


def corpus_of(batch: Any, source: Source, reading: Reading) -> Corpus:
    """The documents of some rows."""
    rows = Rows(batch, source.name)
    tokens = _tokens(rows, reading.words)
    mentions, chains = _mentions(rows, np.diff(tokens.offsets))
    corpus = Corpus(
        name=source.stem,
        documents=_documents(rows, tokens),
        tokens=tokens,
        mentions=mentions,
        chains=chains.records,
        relations=relations_of(rows, mentions, chains),
    )
    return in_order(corpus)


def _documents(rows: Rows, tokens: Tokens) -> Documents:
    part = rows.column("part")
    return Documents(
        names=tuple(rows.names),
        parts=np.array([-1 if p is None else p for p in part.to_pylist()], np.int32)
        if part is not None
        else np.full(len(rows), -1, np.int32),
        columns={key: tuple(column) for key, column in _by_key(rows, "attributes").items()},
        texts=rows.texts("text") if tokens.begin is not None else None,
    )


def _by_key(rows: Rows, name: str) -> dict[str, list[Any]]:
    """What each row says under each key; nothing where it says nothing."""
    made: dict[str, list[Any]] = {}
    column = rows.column(name)
    for number, row in enumerate(column.to_pylist() if column is not None else ()):
        for key, value in row or ():
            made.setdefault(key, [""] * len(rows))[number] = value or ""
    return made


def _tokens(rows: Rows, keep: bool) -> Tokens:
    lengths, words = rows.text_lists("words")
    edges = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    empty = _in_step(rows, "empty", lengths, 0)
    begin, end = (_in_step(rows, f"token_{which}", lengths, -1) for which in ("begin", "end"))
    placed = rows.texts("text") is not None and begin is not None and end is not None
    nodes = empty.astype(np.bool_) if empty is not None and empty.any() else None
    return Tokens(
        offsets=edges,
        sentences=_sentences(rows, lengths, edges),
        digests=digest_written(words, edges, nodes),
        words=words if keep else None,
        empty=nodes,
        begin=begin if placed else None,
        finish=end if placed else None,
        columns=_columns(rows, "token_attributes", lengths) if keep else {},
    )


def _sentences(rows: Rows, lengths: Longs, edges: Longs) -> Longs:
    """The first words of sentences; a document that does not say them is one."""
    counts, first = rows.numbers("sentences")
    if not counts.any():
        return edges[:-1][lengths > 0]
    owner = np.repeat(np.arange(len(rows)), counts)
    same = np.diff(owner) == 0
    wrong = (first < 0) | (first > lengths[owner])
    wrong[1:] |= same & (np.diff(first) < 0)
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        raise rows.unfit("sentences", str(first[at]), "first words, ascending", int(owner[at]))
    return np.sort(first + edges[owner], kind="stable")


def _in_step(rows: Rows, name: str, lengths: Longs, default: int) -> Longs | None:
    """One number a token or mention; the default for rows that have none, None if all have none."""
    counts, values = rows.numbers(name)
    if not counts.any():
        return None
    has = _has(rows, name, counts, lengths)
    made = np.full(int(lengths.sum()), default, np.int64)
    made[np.repeat(has, lengths)] = values
    return made


def _has(rows: Rows, name: str, counts: Longs, lengths: Longs) -> Flags:
    """The rows that have as many as they should; an error where one has another number."""
    has = counts == lengths
    if (wrong := ~has & (counts > 0)).any():
        at = int(np.flatnonzero(wrong)[0])
        raise rows.unfit(name, f"{counts[at]} values", f"{lengths[at]}, or none", at)
    return np.asarray(has)


def _columns(rows: Rows, name: str, lengths: Longs) -> dict[str, Strings]:
    made = {}
    for key, lists in _by_key(rows, name).items():
        values: list[str] = []
        for row, (some, count) in enumerate(zip(lists, lengths.tolist(), strict=True)):
            if some and len(some) != count:
                raise rows.unfit(f"{name}.{key}", f"{len(some)} values", f"{count}, or none", row)
            values += [value or "" for value in some] if some else [""] * count
        made[key] = Strings.of(values)
    return made


def _mentions(rows: Rows, tokens: Longs) -> tuple[Mentions, Labelled]:
    lengths, start = rows.numbers("mention_start")
    end = _in_step(rows, "mention_end", lengths, -1)
    end = np.full(len(start), -1, np.int64) if end is None else end
    document = np.repeat(np.arange(len(rows), dtype=np.int32), lengths)
    _check_inside(rows, document, start, end, tokens)
    chains = labelled(rows, document, lengths)
    head = _in_step(rows, "mention_head", lengths, -1)
    referring = _in_step(rows, "mention_referring", lengths, 1)
    return Mentions(
        document=document,
        start=start.astype(np.int32),
        end=end.astype(np.int32),
        chain=chains.of_mentions,
        head=head.astype(np.int32) if head is not None and (head >= 0).any() else None,
        parts=_parts(rows, "mention_parts", lengths, (start, end), whole=True),
        minimum=_parts(rows, "mention_minimum", lengths, (start, end), whole=False),
        referring=referring != 0 if referring is not None and not referring.all() else None,
        columns=_columns(rows, "mention_attributes", lengths),
    ), chains


def _check_inside(rows: Rows, document: Any, start: Longs, end: Longs, tokens: Longs) -> None:
    wrong = (start < 0) | (start >= end) | (end > tokens[document])
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        row = int(document[at])
        raise FormatError(
            "a span lies outside its document",
            code="CB112",
            place=Place(source=rows.source, document=rows.names[row]),
            found=f"{start[at]} to {end[at]}",
            expected=f"0 ≤ start < end ≤ {tokens[row]}",
        )


def _parts(
    rows: Rows, name: str, lengths: Longs, hull: tuple[Longs, Longs], *, whole: bool
) -> Parts | None:
    """The parts of every mention; where it has none, the whole of it or nothing."""
    counts, sizes, numbers = rows.spans(name)
    if not sizes.any():
        return None
    has = np.repeat(_has(rows, name, counts, lengths), lengths)
    if (sizes % 2).any():
        raise rows.unfit(name, "an odd number of numbers", "beginnings and ends in turn")
    given = np.zeros(len(has), np.int64)
    given[has] = sizes // 2
    pairs = numbers.reshape(-1, 2)
    _check_parts(rows, name, pairs, np.repeat(np.arange(len(has)), given), hull)
    filled = np.maximum(given, 1) if whole else given
    said = np.repeat(given > 0, filled)
    spans = np.empty((len(said), 2), np.int32)
    spans[said] = pairs
    spans[~said] = np.column_stack(hull)[given == 0] if whole else 0
    return Parts(
        offsets=np.concatenate([np.zeros(1, np.int64), np.cumsum(filled)]),
        start=spans[:, 0].copy(),
        end=spans[:, 1].copy(),
    )


def _check_parts(
    rows: Rows, name: str, pairs: Longs, owner: Longs, hull: tuple[Longs, Longs]
) -> None:
    start, end = pairs.T
    wrong = (start >= end) | (start < hull[0][owner]) | (end > hull[1][owner])
    wrong[1:] |= (np.diff(owner) == 0) & (start[1:] < end[:-1])
    if wrong.any():
        at = int(np.flatnonzero(wrong)[0])
        found = f"{start[at]} to {end[at]}"
        raise rows.unfit(name, found, "parts of their mention, one after another")
