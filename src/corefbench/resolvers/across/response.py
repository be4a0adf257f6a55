"""A corpus with its chains replaced by those that were found."""

import numpy as np
from msgspec.structs import replace

from corefbench.model.corpus import Chains, Corpus, Mentions, Parts, Relations
from corefbench.model.strings import Strings
from corefbench.record import Longs
from corefbench.resolvers.across.table import Kind, Table, chosen


def respond(corpus: Corpus, table: Table, cluster: Longs, kind: Kind) -> Corpus:
    """The same documents with the mentions of the table; a cluster is a label across documents."""
    first = corpus.tokens.offsets[table.document]
    key = table.document * (int(cluster.max(initial=0)) + 1) + cluster
    _, at, chain = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(at))  # chains are numbered by first appearance
    appearing = np.sort(at)
    made = Mentions(
        document=table.document.astype(np.int32),
        start=(table.start - first).astype(np.int32),
        end=(table.end - first).astype(np.int32),
        chain=order[chain.reshape(-1)].astype(np.int32),
        head=(table.head - first).astype(np.int32),
        parts=_parts(corpus, table, kind),
        columns={} if kind == "all" else {"kind": Strings.of([kind] * len(table))},
    )
    chains = Chains(
        document=table.document[appearing].astype(np.int32),
        labels=cluster[appearing].astype(np.int64),
    )
    return replace(corpus, mentions=made, chains=chains, relations=Relations.none())


def _parts(corpus: Corpus, table: Table, kind: Kind) -> Parts | None:
    """Given mentions keep their parts."""
    parts = corpus.mentions.parts
    rows = np.flatnonzero(chosen(corpus, kind))
    first = corpus.tokens.offsets[corpus.mentions.document[rows]]
    same = len(rows) == len(table) and bool(
        (first + corpus.mentions.start[rows] == table.start).all()
        and (first + corpus.mentions.end[rows] == table.end).all()
    )
    if parts is None or not same:
        return None
    sizes = np.diff(parts.offsets)[rows]
    taken = np.repeat(parts.offsets[rows] - (np.cumsum(sizes) - sizes), sizes)
    taken = taken + np.arange(int(sizes.sum()))
    return Parts(
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        start=parts.start[taken],
        end=parts.end[taken],
    )
