"""A corpus without the words that were not said: the exercise has no place for empty nodes."""

import numpy as np
from msgspec.structs import replace

from corefbench.model.assemble import keep_mentions
from corefbench.model.corpus import Corpus


def without_empty_nodes(corpus: Corpus) -> Corpus:
    """The corpus with its real words alone; mentions that have none are left out.

    >>> from corefbench.model.builder import CorpusBuilder
    >>> build = CorpusBuilder("sample")
    >>> build.begin_document("d")
    >>> build.sentence(["Ann", "_", "left"], empty=[False, True, False])
    >>> number = build.mention("a", [(0, 2)]), build.mention("a", [(1, 2)])
    >>> without_empty_nodes(build.finish())[0].clusters()
    [[(0, 1)]]
    """
    tokens = corpus.tokens
    if tokens.empty is None or not tokens.empty.any():
        return corpus
    real = np.flatnonzero(~tokens.empty)
    before = np.concatenate(([0], np.cumsum(~tokens.empty))).astype(np.int64)
    sentences = before[tokens.sentences]
    lasting = np.diff(sentences, append=len(real)) > 0
    changed = replace(
        tokens,
        offsets=before[tokens.offsets],
        sentences=sentences[lasting],
        words=tokens.words.take(real) if tokens.words is not None else None,
        empty=None,
        begin=tokens.begin[real] if tokens.begin is not None else None,
        finish=tokens.finish[real] if tokens.finish is not None else None,
        columns={name: column.take(real) for name, column in tokens.columns.items()},
    )
    mentions = corpus.mentions
    first, shift = tokens.offsets[mentions.document], changed.offsets[mentions.document]
    start = (before[first + mentions.start] - shift).astype(np.int32)
    end = (before[first + mentions.end] - shift).astype(np.int32)
    moved = replace(mentions, start=start, end=end, head=None, parts=None, minimum=None)
    return keep_mentions(replace(corpus, tokens=changed, mentions=moved), end > start)
