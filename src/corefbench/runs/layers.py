"""A document of a corpus as a ``Layer``: nothing that scoring looks at is lost."""

from typing import Any

import numpy as np

from corefbench.model.corpus import Corpus, Mentions, Parts, Relations
from corefbench.model.document import Document
from corefbench.model.places import places
from corefbench.model.strings import Strings
from corefbench.record import Ints, Longs
from corefbench.runs.schema import Bridge, Layer, Marked, Span, Words

COLUMN = "column "
"""Begins the names of columns among what a response has of the key."""


def layer_of(corpus: Corpus, index: int, key: Document | None = None) -> Layer:
    """The document of that number; where a ``key`` is given, without the tokens that are its own,
    which ``with_key_words`` adds again."""
    documents = corpus.documents
    shared = _shared(corpus[index], key) if key is not None else ()
    return Layer(
        name=documents.names[index],
        part=int(documents.parts[index]),
        columns={name: values[index] for name, values in documents.columns.items()},
        tokens=_words(corpus, index, shared),
        as_key=shared,
        **_annotation(corpus, index),
    )


def _words(corpus: Corpus, index: int, shared: tuple[str, ...]) -> Words:
    tokens, texts = corpus.tokens, corpus.documents.texts
    first, last = tokens.offsets[index : index + 2].tolist()
    some = slice(first, last)
    starts = slice(*places(tokens.sentences, first, last))
    words = None if "words" in shared else tokens.words
    return Words(
        count=last - first,
        words=None if words is None else tuple(words.slice(first, last)),
        sentences=_numbers(tokens.sentences[starts] - first) or (),
        text=None if texts is None or "text" in shared else texts[index],
        begin=None if tokens.begin is None else _numbers(tokens.begin[some]),
        finish=None if tokens.finish is None else _numbers(tokens.finish[some]),
        empty=None if tokens.empty is None else _numbers(np.flatnonzero(tokens.empty[some])),
        columns={
            name: tuple(column.slice(first, last))
            for name, column in tokens.columns.items()
            if COLUMN + name not in shared
        },
        digest=int(tokens.digests[index])
        if tokens.words is None and tokens.digests is not None
        else None,
    )


def _shared(mine: Document, key: Document) -> tuple[str, ...]:
    """The columns of words and text, by name, that two documents have alike."""
    columns, others = _columns(mine.corpus), _columns(key.corpus)
    start, other = (int(d.corpus.tokens.offsets[d.index]) for d in (mine, key))
    if len(mine) != len(key):
        return ()
    same = [
        name
        for name, column in columns.items()
        if name in others and column.same(start, start + len(mine), others[name], other)
    ]
    return (*same, *(("text",) if mine.text is not None and mine.text == key.text else ()))


def _columns(corpus: Corpus) -> dict[str, Strings]:
    made = {COLUMN + name: column for name, column in corpus.tokens.columns.items()}
    return made if corpus.tokens.words is None else {"words": corpus.tokens.words, **made}


def _annotation(corpus: Corpus, index: int) -> dict[str, Any]:
    """Mentions, chains and relations, numbered within the document."""
    chains, relations = corpus.chains, corpus.relations
    top, bottom = places(chains.document, index, index + 1)
    first, last = places(corpus.mentions.document, index, index + 1)
    split = np.flatnonzero((relations.plural >= top) & (relations.plural < bottom))
    anaphors = relations.bridging_anaphor
    return {
        "mentions": _marked(corpus.mentions, first, last, top),
        "chains": tuple(map(chains.label, range(top, bottom))),
        "split": tuple(
            zip(
                (relations.plural[split] - top).tolist(),
                (relations.element[split] - top).tolist(),
                strict=True,
            )
        ),
        "bridging": tuple(
            _bridge(relations, row, first, top)
            for row in np.flatnonzero((anaphors >= first) & (anaphors < last)).tolist()
        ),
    }


def _bridge(relations: Relations, row: int, first: int, top: int) -> Bridge:
    mention, chain = int(relations.bridging_mention[row]), int(relations.bridging_chain[row])
    return Bridge(
        anaphor=int(relations.bridging_anaphor[row]) - first,
        mention=mention - first if mention >= 0 else -1,
        chain=chain - top if chain >= 0 else -1,
        label=relations.bridging_label[row],
    )


def _marked(mentions: Mentions, first: int, last: int, top: int) -> Marked:
    some, referring = slice(first, last), mentions.referring
    return Marked(
        start=_numbers(mentions.start[some]) or (),
        end=_numbers(mentions.end[some]) or (),
        chain=_numbers(mentions.chain[some] - top) or (),
        head=None if mentions.head is None else _numbers(mentions.head[some]),
        parts=_spans(mentions.parts, first, last),
        minimum=_spans(mentions.minimum, first, last),
        referring=None if referring is None else tuple(referring[some].tolist()),
        columns={key: tuple(column.slice(first, last)) for key, column in mentions.columns.items()},
    )


def _numbers(column: Ints | Longs | None) -> tuple[int, ...] | None:
    return None if column is None else tuple(column.tolist())


def _spans(parts: Parts | None, first: int, last: int) -> tuple[tuple[Span, ...], ...] | None:
    if parts is None:
        return None
    return tuple(tuple(parts.of(mention)) for mention in range(first, last))
