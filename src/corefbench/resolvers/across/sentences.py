"""Corpora cut down to the sentences that have mentions."""

import numpy as np

from corefbench.model.builder import CorpusBuilder
from corefbench.model.corpus import Corpus


def annotated_sentences(corpus: Corpus) -> Corpus:
    """The sentences in which a mention begins; documents without one are left out.

    ECB+ was annotated in some sentences of each document; of these some were checked again, the
    curated ones. The rest is more to learn from, if less sure.
    """
    build = CorpusBuilder(corpus.name)
    kinds = corpus.mentions.columns.get("kind")
    for document in corpus:
        mentions = document.mentions
        edges = np.array([a for a, _ in document.sentences] or [0])
        inside = [int(np.searchsorted(edges, m.start, side="right")) - 1 for m in mentions]
        if not inside:
            continue
        columns = {key: column[document.index] for key, column in corpus.documents.columns.items()}
        build.begin_document(document.name, columns=columns)
        moved = {}
        words = document.words
        for number in sorted(set(inside)):
            start, end = document.sentences[number]
            moved[number] = build.position - start
            build.sentence(words[start:end])
        for mention, number in zip(mentions, inside, strict=True):
            end = document.sentences[number][1]
            # What reaches into another sentence ends with its own.
            parts = [(a, min(b, end)) for a, b in mention.parts if a < end]
            build.mention(
                mention.chain.label,
                [(a + moved[number], b + moved[number]) for a, b in parts],
                columns={"kind": kinds[mention.index]} if kinds is not None else None,
            )
    return build.finish()
