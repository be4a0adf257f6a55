"""The merged corpus: texts of the first who has them, mentions as the votes have left them."""

from collections.abc import Sequence

import numpy as np
from msgspec.structs import replace

from corefbench.analysis.annotation.gathering import Annotations
from corefbench.analysis.annotation.sheets import Sheet
from corefbench.errors import Place
from corefbench.findings import Finding
from corefbench.model.assemble import concatenate, take_mentions
from corefbench.model.corpus import Chains, Corpus, Mentions, Relations
from corefbench.record import Columns, Longs


class _Kept(Columns, frozen=True, eq=False):
    """For every mention of the result: who has it first, its number there, document and chain."""

    annotator: Longs
    number: Longs
    document: Longs
    chain: Longs


def merged_corpus(
    annotations: Annotations,
    sheets: Sequence[Sheet],
    chains: Sequence[Longs],
    *,
    numbered_by_unit: bool,
) -> tuple[Corpus, list[Finding]]:
    """The corpus, and what annotations say beyond mentions and chains, which is not in it.

    Attributes of a mention (head, minimal span, type) are those that the first annotator who marks
    it gives it. Chains are labelled by number, in each document anew; where documents share
    chains, through the corpus.
    """
    kept, labels, documents = _kept(sheets, chains, numbered_by_unit)
    base = annotations.base
    corpus = replace(
        base,
        mentions=_mentions(annotations, kept),
        chains=Chains(document=documents.astype(np.int32), labels=labels),
        relations=Relations.none(),
    )
    return corpus, _lost(annotations)


def _kept(
    sheets: Sequence[Sheet], chains: Sequence[Longs], by_unit: bool
) -> tuple[_Kept, Longs, Longs]:
    """The mentions; the labels of the chains, and their documents. A chain lies in one document,
    so that one of several documents becomes several with one label."""
    rows: list[tuple[int, int, int, int]] = []
    known: dict[tuple[int, int, int], int] = {}
    labels: list[int] = []
    documents: list[int] = []
    before = 0
    for unit, (sheet, merged) in enumerate(zip(sheets, chains, strict=True)):
        first = (sheet.mentions >= 0).argmax(axis=1).tolist()
        for row in np.flatnonzero(merged >= 0).tolist():
            document, entity = sheet.spots[row][0], int(merged[row])
            key = (unit, document, entity)
            if key not in known:
                known[key] = len(known)
                labels.append(entity + (0 if by_unit else before))
                documents.append(document)
            number = int(sheet.mentions[row, first[row]])
            rows.append((document, first[row], number, known[key]))
        before += int(merged.max(initial=-1)) + 1
    # Units may have their documents in any order, mentions and chains go by document.
    table = np.array(rows, np.int64).reshape(-1, 4)
    table = table[np.argsort(table[:, 0], kind="stable")]
    order = np.argsort(np.array(documents, np.int64), kind="stable")
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    kept = _Kept(
        document=table[:, 0], annotator=table[:, 1], number=table[:, 2], chain=place[table[:, 3]]
    )
    return kept, np.array(labels, np.int64)[order], np.array(documents, np.int64)[order]


def _mentions(annotations: Annotations, kept: _Kept) -> Mentions:
    """The mentions taken from their annotators, in the order they were given."""
    pieces, order = [], []
    for annotator, corpus in enumerate(annotations.corpora):
        mine = np.flatnonzero(kept.annotator == annotator)
        order.append(mine)
        taken = take_mentions(corpus.mentions, kept.number[mine])
        pieces.append(_alone(annotations.base, taken))
    joined = concatenate("", pieces).mentions
    back = np.argsort(np.concatenate(order), kind="stable")
    return replace(
        take_mentions(joined, back),
        document=kept.document.astype(np.int32),
        chain=kept.chain.astype(np.int32),
    )


def _alone(base: Corpus, mentions: Mentions) -> Corpus:
    """A corpus of nothing but mentions, so that columns of different formats are joined."""
    from corefbench.model.assemble import empty_corpus

    zeros = np.zeros(len(mentions), np.int32)
    return replace(empty_corpus(base.name), mentions=replace(mentions, document=zeros, chain=zeros))


def _lost(annotations: Annotations) -> list[Finding]:
    made = []
    for name, corpus in zip(annotations.names, annotations.corpora, strict=True):
        relations = corpus.relations
        counts = {
            "bridging relations": len(relations.bridging_anaphor),
            "split antecedents": len(relations.plural),
        }
        found = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
        if found:
            made.append(
                Finding(
                    code="CB238",
                    severity="warning",
                    message="relations are not merged and are not in the result",
                    place=Place(source=name),
                    found=found,
                )
            )
    return made
